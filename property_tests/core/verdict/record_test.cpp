#include "core/verdict/record.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/support/error.h"

namespace attest::verdict {
namespace {

using enum Verdict;

const std::vector<Verdict> all_verdicts = {proved,           probable,  exact,   certified,   consistent, refuted,
                                           differs,          undecided, vacuous, unsupported, confirmed,  not_derivable,
                                           not_shown_needed, error};

claim::Claim claim_named(const std::string& id, bool false_on_purpose) {
  claim::Claim claim;
  claim.id = id;
  claim.false_on_purpose = false_on_purpose;
  claim.hypotheses = {{"invertible", "T is invertible"}};
  return claim;
}

Result result_of(Verdict verdict, bool expected, const std::string& claim = "a.b") {
  Result result;
  result.claim = claim;
  result.side = "claim";
  result.verdict = verdict;
  result.expected = expected;
  return result;
}

int code_of(const std::vector<Result>& results, const std::vector<std::string>& allowed = {}) {
  Report report;
  report.results = results;
  return exit_code(report, allowed);
}

bool allows(const claim::Claim& claim, const std::string& side, const std::string& arithmetic, Verdict verdict) {
  const auto list = allowed_verdicts(claim, side, arithmetic);
  return std::find(list.begin(), list.end(), verdict) != list.end();
}

const std::vector<std::string> arithmetics = {"field", "rational", "ball", "multiprecision", "double", "float"};

TEST_CASE("every verdict has its own name and is found by it", "[verdict]") {
  std::vector<std::string> names;
  for (const Verdict verdict : all_verdicts) {
    names.push_back(to_string(verdict));
    CHECK(verdict_named(to_string(verdict)) == verdict);
  }
  std::sort(names.begin(), names.end());
  CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
  CHECK_FALSE(verdict_named("Proved").has_value());
  CHECK_FALSE(verdict_named("").has_value());
}

TEST_CASE("what gives no answer is not definite", "[verdict]") {
  const std::vector<Verdict> open = {undecided, vacuous, unsupported, not_shown_needed, error};
  for (const Verdict verdict : all_verdicts) {
    const bool is_open = std::find(open.begin(), open.end(), verdict) != open.end();
    CHECK(is_definite(verdict) == !is_open);
  }
}

TEST_CASE("a true side may be confirmed by each arithmetic in its own word only", "[verdict]") {
  const claim::Claim claim = claim_named("a.b", false);
  const std::vector<Verdict> own = {probable, exact, certified, consistent, consistent, consistent};
  for (std::size_t i = 0; i < arithmetics.size(); ++i) {
    for (const Verdict verdict : all_verdicts) {
      INFO(arithmetics[i] << " " << to_string(verdict));
      const bool open = verdict == unsupported || (verdict == undecided && arithmetics[i] != "field");
      CHECK(allows(claim, "claim", arithmetics[i], verdict) == (verdict == own[i] || open));
    }
  }
}

TEST_CASE("a false side may be refuted by exact arithmetics and may differ in floating point", "[verdict]") {
  for (const bool false_on_purpose : {false, true}) {
    const claim::Claim claim = claim_named("a.b", false_on_purpose);
    const std::string side = false_on_purpose ? "claim" : "without:invertible";
    for (const auto& arithmetic : arithmetics) {
      const bool floating = arithmetic == "multiprecision" || arithmetic == "double" || arithmetic == "float";
      for (const Verdict verdict : all_verdicts) {
        INFO(arithmetic << " " << to_string(verdict));
        const bool wanted = verdict == (floating ? differs : refuted) || verdict == undecided || verdict == unsupported;
        CHECK(allows(claim, side, arithmetic, verdict) == wanted);
      }
    }
  }
}

TEST_CASE("dropping a hypothesis of a claim that is false on purpose is a false side", "[verdict]") {
  CHECK(allows(claim_named("a.b", true), "without:invertible", "rational", refuted));
  CHECK_FALSE(allows(claim_named("a.b", true), "without:invertible", "rational", exact));
}

TEST_CASE("an unknown side or arithmetic is rejected by name", "[verdict]") {
  const claim::Claim claim = claim_named("a.b", false);
  CHECK_THROWS_WITH(allowed_verdicts(claim, "claim", "quaternion"), Catch::Contains("'quaternion'"));
  CHECK_THROWS_WITH(allowed_verdicts(claim, "without:invertable", "field"), Catch::Contains("without:invertable"));
  CHECK_THROWS_AS(allowed_verdicts(claim, "", "field"), InputError);
}

TEST_CASE("the summary counts every result once", "[verdict]") {
  Report report;
  report.results = {result_of(exact, true), result_of(exact, false), result_of(undecided, true)};
  const Summary summary = summarize(report);
  CHECK(summary.results == 3);
  CHECK(summary.unexpected == 1);
  CHECK(summary.verdicts == std::map<std::string, std::int64_t>{{"exact", 2}, {"undecided", 1}});
}

TEST_CASE("the exit code of one result follows from its verdict and whether it is expected", "[verdict]") {
  for (const Verdict verdict : all_verdicts) {
    INFO(to_string(verdict));
    CHECK(code_of({result_of(verdict, true)}) == (verdict == error ? 4 : 0));
    CHECK(code_of({result_of(verdict, false)}) == (verdict == error ? 4 : is_definite(verdict) ? 1 : 2));
  }
  CHECK(code_of({}) == 0);
}

TEST_CASE("an internal error outweighs a wrong verdict, which outweighs an undecided one", "[verdict]") {
  const Result fine = result_of(exact, true), wrong = result_of(refuted, false), open = result_of(undecided, false),
               failed = result_of(error, false);
  CHECK(code_of({fine, open, wrong, failed}) == 4);
  CHECK(code_of({open, fine, wrong}) == 1);
  CHECK(code_of({fine, open}) == 2);
}

TEST_CASE("allow-undecided excuses the undecided results of the claims it names and nothing else", "[verdict]") {
  CHECK(code_of({result_of(undecided, false, "a.b")}, {"a.b"}) == 0);
  CHECK(code_of({result_of(not_shown_needed, false, "a.b")}, {"a.b"}) == 0);
  CHECK(code_of({result_of(undecided, false, "a.c")}, {"a.b"}) == 2);
  CHECK(code_of({result_of(vacuous, false, "a.b")}, {"a.b"}) == 2);
  CHECK(code_of({result_of(refuted, false, "a.b")}, {"a.b"}) == 1);
  CHECK(code_of({result_of(error, false, "a.b")}, {"a.b"}) == 4);
}

}  // namespace
}  // namespace attest::verdict
