#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "model/conditioning.h"
#include "model/head_ranks.h"
#include "model/layout.h"
#include "property_tests/support/skip.h"

namespace attest::model {
namespace {

// ${XDG_CACHE_HOME:-$HOME/.cache}/attest/all-minilm-l6-v2/model.safetensors, the checkpoint that the main job uses.
std::string minilm_path() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (cache != nullptr && *cache != '\0')
    folder = cache;
  else if (home != nullptr)
    folder = std::filesystem::path(home) / ".cache";
  return (folder / "attest" / "all-minilm-l6-v2" / "model.safetensors").string();
}

TEST_CASE("the MiniLM checkpoint is read with its real shapes and known values", "[model][minilm]") {
  const std::string path = minilm_path();
  if (!std::filesystem::exists(path)) ATTEST_SKIP("the checkpoint is not in the cache: " + path);
  const Checkpoint checkpoint = Checkpoint::open(path);
  CHECK(checkpoint.name() == "all-minilm-l6-v2");
  CHECK(checkpoint.family() == Family::bert);
  CHECK(checkpoint.activation() == "gelu");
  CHECK(checkpoint.size() == claim::Size{"all-minilm-l6-v2", 1, 384, 12, 12, 32, 6, 1536});
  for (std::int64_t index = 1; index <= 6; ++index) CHECK(checkpoint.layer(index).size() == 16);
  // Single entries as an independent reader (struct.unpack at the header's offsets) prints them to 17 digits.
  const auto layer = checkpoint.layer(1);
  CHECK(layer.at("W_Q").at(3, 5) == 0.11040368676185608);
  CHECK(layer.at("W_1").at(7, 100) == -0.080729357898235321);
  CHECK(layer.at("b_V").at(0, 9) == 0.062401391565799713);
  CHECK(layer.at("gamma_2").at(0, 3) == 0.53406459093093872);
  CHECK(layer.at("W_2").at(1000, 17) == 0.024888081476092339);
}

TEST_CASE("removing the first query projection of MiniLM is possible and costs some digits but not all",
          "[model][minilm]") {
  const std::string path = minilm_path();
  if (!std::filesystem::exists(path)) ATTEST_SKIP("the checkpoint is not in the cache: " + path);
  const Checkpoint checkpoint = Checkpoint::open(path);
  const auto layer = checkpoint.layer(1);
  const LayerRanks ranks = layer_ranks(layer, checkpoint.size());
  CHECK(ranks.W_Q.proved());
  CHECK(ranks.W_Q.lower == 384);
  CHECK(ranks.query_condition.holds() == Truth::yes);
  const QueryElimination elimination = query_elimination(layer);
  CHECK(elimination.query.smallest.lower > 0);
  CHECK(elimination.query.condition.upper - elimination.query.condition.lower < 1e-4);
  REQUIRE(elimination.costs.size() == 4);
  for (const auto& cost : elimination.costs) {
    INFO(cost.weight << " in " << cost.format);
    CHECK(cost.failure.empty());
    CHECK(cost.digits_lost > 0);
    CHECK(cost.digits_kept > 0);
    CHECK(cost.certified_radius < cost.relative_error * 1e-6);
  }
}

}  // namespace
}  // namespace attest::model
