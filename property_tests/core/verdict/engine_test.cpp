// Tests also: core/verdict/cell.cpp core/verdict/judge_exact.cpp core/verdict/judge_field.cpp
// Tests also: core/verdict/judge_floating.cpp
#include "core/verdict/engine.h"

#include <catch2/catch.hpp>

#include "core/arith/faulty.h"
#include "property_tests/core/verdict/toy_claims.h"

using namespace attest;
using verdict::Verdict;

namespace {

verdict::Result checked(const claim::Claim& claim, const std::string& dropped, const std::string& arithmetic,
                        verdict::Options options = {}) {
  return verdict::check(claim, dropped, arithmetic, claim::named_size("tiny"), nullptr, options);
}

}  // namespace

TEST_CASE("a true claim gets the verdict of each arithmetic", "[verdict][engine]") {
  const auto claim = test::commuting_diagonals();
  const std::map<std::string, Verdict> expected{
      {"field", Verdict::probable},    {"rational", Verdict::exact},
      {"ball", Verdict::certified},    {"multiprecision", Verdict::consistent},
      {"double", Verdict::consistent}, {"float", Verdict::consistent}};
  for (const auto& [arithmetic, verdict] : expected) {
    CAPTURE(arithmetic);
    const auto result = checked(claim, "", arithmetic);
    CHECK(result.verdict == verdict);
    CHECK(result.expected);
    CHECK(result.trials > 0);
  }
}

TEST_CASE("a false claim is refuted by exact arithmetics and differs in floating point, never the other way round",
          "[verdict][engine]") {
  const auto claim = test::everything_commutes();
  CHECK(checked(claim, "", "field").verdict == Verdict::refuted);
  CHECK(checked(claim, "", "rational").verdict == Verdict::refuted);
  CHECK(checked(claim, "", "ball").verdict == Verdict::refuted);
  for (const char* arithmetic : {"double", "float", "multiprecision"})
    CHECK(checked(claim, "", arithmetic).verdict == Verdict::differs);
}

TEST_CASE("what a dropped hypothesis allows is refuted, and the counterexample's numbers are the instance's",
          "[verdict][engine]") {
  const auto result = checked(test::commuting_diagonals(), "diagonal", "rational");
  REQUIRE(result.verdict == Verdict::refuted);
  REQUIRE(result.counterexample);
  const RationalMatrix& A = result.counterexample->instance.at("A");
  const RationalMatrix& B = result.counterexample->instance.at("B");
  Rational first = 0;
  for (std::int64_t j = 0; j < A.cols; ++j) first += A.at(0, j) * B.at(j, 0);
  CHECK(result.counterexample->sides.at(0).expected.at(0).at(0) == to_string(first));
}

TEST_CASE("a law of softmax is certified by balls but stays undecided for random functions", "[verdict][engine]") {
  const auto claim = test::shift_invariance();
  CHECK(checked(claim, "", "ball").verdict == Verdict::certified);
  const auto field = checked(claim, "", "field");
  CHECK(field.verdict == Verdict::undecided);
  CHECK(field.scope == "every function");
  // The verdict is not among those a true claim may have in the field: the caller sees that it must look.
  CHECK_FALSE(field.expected);
}

TEST_CASE("contradictory hypotheses are reported as vacuous, not as true", "[verdict][engine]") {
  for (const char* arithmetic : {"field", "rational", "ball", "double", "float", "multiprecision"}) {
    const auto result = checked(test::vacuous(), "", arithmetic);
    CHECK(result.verdict == Verdict::vacuous);
    CHECK_FALSE(result.expected);
  }
}

TEST_CASE("the error probability of the field falls below the target", "[verdict][engine]") {
  verdict::Options options;
  options.error_bits = 200;
  const auto result = checked(test::commuting_diagonals(), "", "field", options);
  CHECK(result.verdict == Verdict::probable);
  CHECK(result.error_bits >= 200);
  CHECK(result.trials > 2);
}

TEST_CASE("a fixed prime speaks of its field only, and a small one shows nothing", "[verdict][engine]") {
  verdict::Options options;
  options.prime = (std::uint64_t{1} << 61) - 1;
  const auto large = checked(test::commuting_diagonals(), "", "field", options);
  CHECK(large.scope == "F_p only");
  CHECK(large.verdict == Verdict::probable);
  CHECK(large.error_bits > 30);
  options.prime = 2;
  const auto small = checked(test::commuting_diagonals(), "", "field", options);
  CHECK(small.scope == "F_p only");
  CHECK(small.verdict == Verdict::undecided);
}

TEST_CASE("a difference with a stand-in for softmax does not refute", "[verdict][engine]") {
  const auto result = checked(test::shift_invariance(), "", "rational");
  CHECK(result.verdict == Verdict::undecided);
  CHECK(result.scope == "every function");
  CHECK_FALSE(result.counterexample);
}

TEST_CASE("an ablation that changes nothing is called not shown needed", "[verdict][engine]") {
  auto claim = test::commuting_diagonals();
  const auto build = claim.build;
  claim.build = [build](const claim::Request& request) { return build({request.size, ""}); };
  const auto result = checked(claim, "diagonal", "rational");
  CHECK(result.verdict == Verdict::not_shown_needed);
  CHECK_FALSE(result.expected);
}

TEST_CASE("the same seed gives the same result", "[verdict][engine]") {
  const auto claim = test::everything_commutes();
  const auto one = checked(claim, "", "rational"), two = checked(claim, "", "rational");
  REQUIRE(one.counterexample);
  CHECK(one.counterexample->instance == two.counterexample->instance);
  verdict::Options other;
  other.seed = 2;
  CHECK(checked(claim, "", "rational", other).counterexample->instance != one.counterexample->instance);
}

namespace {

// Every arithmetic of the judges answers "unable" or "unknown" at this rate.
verdict::Options faulty_options(double rate, std::uint64_t seed) {
  verdict::Options options;
  options.make_backend = [rate, seed](const std::string& name, const arith::BackendOptions& backend_options) {
    return arith::make_faulty(arith::make_backend(name, backend_options), rate, seed);
  };
  return options;
}

}  // namespace

TEST_CASE("an arithmetic that knows nothing never leads to a definite verdict", "[verdict][engine][faulty]") {
  for (const std::string& arithmetic : arith::backend_names()) {
    CAPTURE(arithmetic);
    for (const auto& claim : {test::commuting_diagonals(), test::everything_commutes(), test::shift_invariance()})
      CHECK_FALSE(verdict::is_definite(checked(claim, "", arithmetic, faulty_options(1, 1)).verdict));
  }
}

TEST_CASE("an arithmetic that fails at random never turns a true claim false or a false one true",
          "[verdict][engine][faulty]") {
  std::map<Verdict, int> of_true, of_false;
  for (const std::string& arithmetic : arith::backend_names()) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const auto options = faulty_options(0.1, seed);
      ++of_true[checked(test::commuting_diagonals(), "", arithmetic, options).verdict];
      ++of_false[checked(test::everything_commutes(), "", arithmetic, options).verdict];
    }
  }
  CHECK(of_true[Verdict::refuted] + of_true[Verdict::differs] == 0);
  for (const Verdict affirmative : {Verdict::probable, Verdict::exact, Verdict::certified, Verdict::consistent})
    CHECK(of_false[affirmative] == 0);
  // Both kinds of run occurred: some that failed, and some that reached a verdict.
  CHECK(of_true[Verdict::undecided] > 20);
  CHECK(of_true[Verdict::undecided] < 240);
  CHECK(of_false[Verdict::refuted] > 0);
}
