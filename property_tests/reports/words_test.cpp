#include "reports/words.h"

#include <catch2/catch.hpp>
#include <limits>
#include <set>

#include "property_tests/reports/sample.h"

namespace attest::reports {
namespace {

TEST_CASE("every verdict has its own sign and meaning", "[reports][words]") {
  std::set<std::string> signs, meanings;
  for (int i = 0; i <= static_cast<int>(verdict::Verdict::error); ++i) {
    signs.insert(glyph(static_cast<verdict::Verdict>(i)));
    meanings.insert(meaning(static_cast<verdict::Verdict>(i)));
  }
  CHECK(signs.size() == 14);
  CHECK(meanings.size() == 14);
}

TEST_CASE("the headline counts what is not as declared", "[reports][words]") {
  verdict::Report report = test::sample_report();
  CHECK(headline(report) == "32 checks of 5 claims: 4 verdicts are not what the claims declare.");
  for (auto& result : report.results) result.expected = true;
  CHECK(headline(report) == "32 checks of 5 claims: every verdict is one that the claim declares.");
  CHECK(headline({}) == "Nothing was checked.");
  report.interrupted = true;
  CHECK(caveat(report).rfind("The run was interrupted", 0) == 0);
}

TEST_CASE("evidence states the numbers behind a verdict", "[reports][words]") {
  verdict::Result result;
  result.trials = 1;
  result.verdict = verdict::Verdict::probable;
  result.error_bits = 61.5;
  CHECK(evidence(result) == "1 run, error probability at most 2^-61.5");
  result.verdict = verdict::Verdict::exact;
  result.rejected = 2;
  result.scope = "every function";
  CHECK(evidence(result) == "equal on 1 instance (2 rejected by the hypotheses); scope: every function");
  result.verdict = verdict::Verdict::differs;
  result.measured.ratio = std::numeric_limits<double>::infinity();
  CHECK(evidence(result).rfind("error is infinite times its bound", 0) == 0);
  result.verdict = verdict::Verdict::undecided;
  result.scope = "";
  result.reason = "too large";
  CHECK(evidence(result) == "too large");
}

TEST_CASE("numbers in a row are shown as a range", "[reports][words]") {
  CHECK(ranges({}) == "");
  CHECK(ranges({3, 1, 2, 2, 7}) == "1–3, 7");
  CHECK(ranges({0, 2, 4}) == "0, 2, 4");
}

TEST_CASE("arithmetics come in the order of strength and unknown ones last", "[reports][words]") {
  CHECK(arithmetics_of(test::sample_report()) == std::vector<std::string>{"symbolic", "field", "rational", "ball",
                                                                          "multiprecision", "double", "float",
                                                                          "fixed-point"});
}

}  // namespace
}  // namespace attest::reports
