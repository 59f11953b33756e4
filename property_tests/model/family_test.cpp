#include "model/family.h"

#include <catch2/catch.hpp>
#include <set>

namespace attest::model {
namespace {

TEST_CASE("each family names every weight once and keeps its marker among its tensors", "[model][family]") {
  REQUIRE(families().size() == 3);
  for (const auto& family : families()) {
    INFO(family.name);
    CHECK(describe(family.family).name == family.name);
    CHECK(to_string(family.family) == family.name);
    std::set<std::string> names, suffixes;
    for (const auto& entry : family.entries) {
      CHECK(names.insert(entry.name).second);
      CHECK(entry.part < entry.parts);
      suffixes.insert(entry.suffixes.begin(), entry.suffixes.end());
    }
    CHECK(suffixes.count(family.marker) == 1);
    CHECK(names.count(family.hidden_name) == 1);
    for (const char* name : {"W_Q", "W_K", "W_V", "W_O", "gamma_1", "gamma_2"}) CHECK(names.count(name) == 1);
  }
}

}  // namespace
}  // namespace attest::model
