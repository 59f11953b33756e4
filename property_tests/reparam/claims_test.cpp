#include "reparam/claims.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/support/error.h"
#include "core/support/files.h"

using namespace attest;

namespace {

claim::Registry registry() {
  claim::Registry claims;
  reparam::register_claims(claims);
  return claims;
}

}  // namespace

TEST_CASE("every claim tells what it says, why, where it comes from and how it is checked", "[reparam]") {
  const claim::Registry all = registry();
  CHECK(all.claims().size() == 21);
  for (const claim::Claim& claim : all.claims()) {
    CAPTURE(claim.id);
    CHECK(claim::chapter_of(claim) == "reparam");
    for (const std::string& text : {claim.statement, claim.formula, claim.source, claim.proof_idea, claim.how_checked})
      CHECK(text.size() > 5);
    CHECK((claim.build || claim.measure));
    CHECK_FALSE((claim.hypotheses.empty() && !claim.false_on_purpose && !claim.measure));
    std::set<std::string> ids;
    for (const auto& hypothesis : claim.hypotheses) {
      CHECK(ids.insert(hypothesis.id).second);
      CHECK(hypothesis.text.size() > 3);
    }
  }
}

TEST_CASE("every side that can be refuted names sizes to search, and builds at one of them", "[reparam]") {
  const claim::Registry all = registry();
  for (const claim::Claim& claim : all.claims()) {
    if (claim.measure) continue;
    std::vector<std::string> sides;
    for (const auto& hypothesis : claim.hypotheses) sides.push_back(hypothesis.id);
    if (claim.false_on_purpose) sides.emplace_back();
    for (const std::string& dropped : sides) {
      CAPTURE(claim.id, dropped);
      REQUIRE(claim.search_sizes);
      int built = 0;
      for (const claim::Size& size : claim.search_sizes(dropped)) {
        try {
          built += static_cast<int>(claim.build({size, dropped}).inputs.size() > 0);
        } catch (const InputError&) {
        }
      }
      CHECK(built > 0);
    }
  }
}

TEST_CASE("every ablation states something that could be refuted", "[reparam]") {
  const claim::Registry all = registry();
  for (const claim::Claim& claim : all.claims())
    for (const auto& hypothesis : claim.hypotheses) {
      CAPTURE(claim.id, hypothesis.id);
      if (claim.measure) continue;
      const claim::Size size = claim.search_sizes(hypothesis.id).back();
      const claim::Statement ablation = claim.build({size, hypothesis.id});
      CHECK_FALSE((ablation.equations.empty() && ablation.necessary.empty()));
    }
}

TEST_CASE("the chapter's page has every claim", "[reparam]") {
  const std::string page = read_file(std::string(ATTEST_SOURCE_DIR) + "/reparam/README.md");
  const claim::Registry all = registry();
  for (const claim::Claim& claim : all.claims()) {
    CAPTURE(claim.id);
    CHECK(page.find(claim.id.substr(std::string("reparam.").size())) != std::string::npos);
  }
}
