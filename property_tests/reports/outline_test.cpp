#include "reports/outline.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "property_tests/reports/sample.h"

namespace attest::reports {
namespace {

TEST_CASE("the outline has every result once, in the registry's order", "[reports][outline]") {
  const claim::Registry registry = test::sample_registry();
  verdict::Report report = test::sample_report();
  std::reverse(report.results.begin(), report.results.end());
  const auto chapters = outline(report, registry);
  std::size_t results = 0;
  std::vector<std::string> ids;
  for (const auto& chapter : chapters) {
    for (const auto& claim : chapter.claims) {
      ids.push_back(claim.id);
      CHECK(claim.sides.front().side == "claim");
      for (const auto& side : claim.sides) results += side.results.size();
    }
  }
  CHECK(results == report.results.size());
  CHECK(ids ==
        std::vector<std::string>{"reparam.lemma", "reparam.square", "audit.ratio", "audit.training", "unknown.claim"});
  CHECK(chapters.back().claims.back().claim == nullptr);
  CHECK(chapters.front().claims.front().sides.back().dropped->text == "T is invertible");
}

TEST_CASE("a layer is read from the source's end", "[reports][outline]") {
  CHECK(layer_of("MiniLM layer 3") == std::pair<std::string, int>{"MiniLM", 3});
  CHECK(layer_of("a layer 2 layer 11") == std::pair<std::string, int>{"a layer 2", 11});
  for (const char* source : {"random", "", " layer 3", "MiniLM layer ", "MiniLM layer x", "MiniLM layer 99999999"}) {
    CHECK_FALSE(layer_of(source).has_value());
  }
}

}  // namespace
}  // namespace attest::reports
