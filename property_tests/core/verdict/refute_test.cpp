// Tests also: core/verdict/difference.cpp
#include <catch2/catch.hpp>

#include "core/verdict/difference.h"
#include "core/verdict/engine.h"
#include "property_tests/core/verdict/toy_claims.h"

using namespace attest;
using verdict::Verdict;

TEST_CASE("the smallest pair of matrices that do not commute is found and is globally minimal", "[verdict][refute]") {
  verdict::Options options;
  options.search_budget = 400000;  // 5^8 assignments at d = 2
  const auto result = verdict::refute(test::everything_commutes(), "", options);
  REQUIRE(result.verdict == Verdict::refuted);
  CHECK(result.size.d == 2);
  CHECK(result.counterexample->minimal == "global");
  CHECK(result.counterexample->arithmetic == "rational");
  // Two nonzero entries are needed, and the first such pair in the documented order is this one.
  CHECK(result.counterexample->instance.at("A").entries == std::vector<Rational>{0, 0, 0, 1});
  CHECK(result.counterexample->instance.at("B").entries == std::vector<Rational>{0, 0, 1, 0});
}

TEST_CASE("a size that is too large to walk gives a local minimum", "[verdict][refute]") {
  verdict::Options options;
  options.search_budget = 10;
  const auto result = verdict::refute(test::everything_commutes(), "", options);
  REQUIRE(result.verdict == Verdict::refuted);
  CHECK(result.counterexample->minimal == "local");
}

TEST_CASE("a claim that holds is not refuted, and the answer says how much was searched", "[verdict][refute]") {
  auto claim = test::commuting_diagonals();
  const auto build = claim.build;
  claim.build = [build](const claim::Request& request) { return build({request.size, ""}); };
  const auto result = verdict::refute(claim, "diagonal", {});
  CHECK(result.verdict == Verdict::not_shown_needed);
  CHECK_FALSE(result.expected);
  CHECK(result.reason.find("650 candidates at 2 sizes") != std::string::npos);
}

TEST_CASE("a difference is found exactly where values are rational and by balls where exp is involved",
          "[verdict][difference]") {
  claim::Statement statement;
  statement.graph = std::make_shared<expr::Graph>();
  expr::Graph& graph = *statement.graph;
  statement.inputs = {{"A", {1, 2}, {}}, {"B", {1, 2}, {}}};
  const auto A = graph.input("A", {1, 2}), B = graph.input("B", {1, 2});
  statement.equations = {{"rows", softmax(A), softmax(B)}};
  const verdict::DifferenceFinder finder(statement);
  const auto instance = [](int a, int b) {
    claim::Instance made{{"A", RationalMatrix(1, 2)}, {"B", RationalMatrix(1, 2)}};
    made.at("A").entries[0] = a;
    made.at("B").entries[0] = b;
    return made;
  };
  const auto certified = finder.find(instance(0, 1));
  REQUIRE(certified);
  CHECK(certified->arithmetic == "ball");
  CHECK(certified->precision == 64);
  CHECK_FALSE(finder.find(instance(2, 2)));
  CHECK_FALSE(finder.differs(instance(0, 0)));
}
