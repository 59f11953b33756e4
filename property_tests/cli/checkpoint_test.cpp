// attest check --weights on small synthetic checkpoints.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "property_tests/cli/run.h"
#include "property_tests/model/synthetic.h"

using namespace attest;
using Catch::Matchers::Contains;
using test::run;

namespace {

constexpr const char* two_heads = R"({"num_attention_heads": 2})";

// The identity with a corner, so that it is invertible; or without its last row.
DoubleMatrix query(bool singular) {
  DoubleMatrix matrix(4, 4);
  for (std::int64_t i = 0; i < 4; ++i) matrix.at(i, i) = singular && i == 3 ? 0 : 1;
  matrix.at(0, 3) = 0.5;
  return matrix;
}

std::string two_layers(const test::ScratchFolder& folder, bool second_is_singular) {
  test::SyntheticModel model = test::synthetic_bert(2);
  for (const int layer : {0, 1}) {
    const std::string name = "encoder.layer." + std::to_string(layer) + ".attention.self.query.weight";
    model.remove(name);
    model.tensors.push_back(
        model::encode_tensor(name, model::DataType::float32, query(layer == 1 && second_is_singular)));
  }
  return model.save(folder, two_heads);
}

}  // namespace

TEST_CASE("a checkpoint's layers are checked with their own matrices, and told what elimination costs", "[cli]") {
  const test::ScratchFolder folder;
  const test::Ran checked =
      run("check reparam.eliminate_query --arith field,ball,double --no-search --json - --weights " +
          two_layers(folder, false));
  REQUIRE(checked.code == 0);
  const auto record = nlohmann::json::parse(checked.output);
  int layers = 0;
  for (const auto& result : record["results"]) {
    const std::string source = result["source"];
    if (source.find("layer") == std::string::npos) continue;
    ++layers;
    CHECK(result["expected"] == true);
    if (result["arithmetic"] == "double") CHECK(result["facts"].contains("cond(W_Q)"));
    if (result["arithmetic"] == "field") CHECK(result["facts"]["rank W_Q"] == "4");
  }
  CHECK(layers == 6);
}

TEST_CASE("a singular W_Q is named with its layer and its rank, and the run is not a success", "[cli]") {
  const test::ScratchFolder folder;
  const test::Ran checked =
      run("check reparam.eliminate_query --arith field,ball --no-search --weights " + two_layers(folder, true));
  CHECK(checked.code == 2);
  CHECK_THAT(checked.output, Contains("W_Q of layer 2 is singular: rank 3 of 4"));
}

TEST_CASE("a checkpoint without its configuration says which key is missing", "[cli]") {
  const test::ScratchFolder folder;
  const std::string path = test::synthetic_bert(1).save(folder, "");
  const test::Ran checked = run("check reparam.eliminate_query --weights " + path);
  CHECK(checked.code == 3);
  CHECK_THAT(checked.errors, Contains("num_attention_heads"));
}
