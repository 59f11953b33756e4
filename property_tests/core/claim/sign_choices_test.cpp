#include "core/claim/sign_choices.h"

#include <catch2/catch.hpp>

#include "core/claim/recipe.h"

namespace {

using namespace attest;
using namespace attest::claim;
using expr::Expr;
using expr::Graph;
using expr::Structure;

constexpr std::int64_t n = 3;

Expr orthogonal(Graph& graph, const std::string& name) {
  return recipe_expression(graph, {name, {n, n}, {Recipe::Kind::orthogonal}}, {});
}

TEST_CASE("an orthogonal matrix by its recipe has two components however often it is used", "[claim][degree]") {
  Graph graph;
  const Expr Q = orthogonal(graph, "Q"), X = graph.input("X", {n, n});
  CHECK(sign_choices({X}) == 0);
  CHECK(sign_choices({Q}) == 1);
  CHECK(sign_choices({Q * X * transpose(Q), X * Q}) == 1);
  CHECK(sign_choices({Q * orthogonal(graph, "R")}) == 2);
}

// If D or S is seen by itself, matrices with equal determinants are no longer alike.
TEST_CASE("signs whose matrix is used in any other way are components one by one", "[claim][degree]") {
  const auto graph = std::make_unique<Graph>();
  const Expr Q = orthogonal(*graph, "Q"), X = graph->input("X", {n, n});
  const Expr D = graph->input("Q/D", {n, n}, Structure::diagonal_signs), S = graph->input("Q/S", {n, n});
  CHECK(sign_choices({D * X}) == n);
  CHECK(sign_choices({Q, D}) == n);
  CHECK(sign_choices({Q, D * X}) == n);
  CHECK(sign_choices({Q, S * X}) == n);
  CHECK(sign_choices({Q, S}) == n);
  CHECK(sign_choices({Q, transpose(S)}) == n);
  CHECK(sign_choices({Q, S - transpose(S)}) == n);
  const Expr I = graph->identity(n);
  CHECK(sign_choices({D * ((I - S) * inverse(I + S))}) == n);
  CHECK(sign_choices({D * ((I - X) * inverse(I + (S - transpose(S))))}) == n);
}

}  // namespace
