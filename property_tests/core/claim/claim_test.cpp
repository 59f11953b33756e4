// Tests also: core/claim/size.cpp
#include "core/claim/claim.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"

using namespace attest;
using Catch::Matchers::Contains;

TEST_CASE("an unknown claim is answered with the nearest ids", "[claim]") {
  claim::Registry registry;
  for (const char* id : {"reparam.telescope", "reparam.lemma"}) {
    claim::Claim claim;
    claim.id = id;
    registry.add(claim);
  }
  CHECK(registry.at("reparam.lemma").id == "reparam.lemma");
  CHECK(registry.find("lemma") == nullptr);
  CHECK_THROWS_WITH(registry.at("telescop"), Contains("did you mean reparam.telescope"));
}

TEST_CASE("a claim has one side more than it has hypotheses", "[claim]") {
  claim::Claim claim;
  claim.id = "chapter.name";
  claim.hypotheses = {{"a", ""}, {"b", ""}};
  CHECK(claim::sides_of(claim) == std::vector<std::string>{"claim", "without:a", "without:b"});
  CHECK(claim::chapter_of(claim) == "chapter");
}

TEST_CASE("every named size is valid and an unknown name lists them", "[claim][size]") {
  for (const std::string& name : claim::size_names()) CHECK_NOTHROW(claim::require_valid(claim::named_size(name)));
  CHECK_THROWS_WITH(claim::named_size("huge"), Contains("tiny") && Contains("llama3-8b"));
  CHECK(claim::is_real_size(claim::named_size("gpt2-small")));
  CHECK_FALSE(claim::is_real_size(claim::named_size("medium")));
}

TEST_CASE("a size with a zero, or with KV heads that do not divide the heads, is refused with its values",
          "[claim][size]") {
  CHECK_THROWS_WITH(claim::require_valid({"x", 0, 1, 1, 1, 1, 1, 1}), Contains("n = 0"));
  CHECK_THROWS_WITH(claim::require_valid({"x", 1, 6, 6, 4, 1, 1, 1}), Contains("g = 4") && Contains("h = 6"));
}
