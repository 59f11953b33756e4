#include "reparam/single_attention.h"

#include <catch2/catch.hpp>

#include "core/claim/evaluate.h"
#include "core/claim/instance.h"
#include "core/support/error.h"
#include "property_tests/reparam/sides.h"

using namespace attest;
using expr::Expr;

TEST_CASE("the pseudo-inverse of a singular input satisfies Penrose's four equations", "[reparam]") {
  for (const std::int64_t d : {1, 2, 3}) {
    claim::Statement statement = reparam::start_statement(test::layer_size(1, d, 1, 1, d));
    const auto [A, P] = reparam::add_singular(statement, "T", d);
    statement.conditions.push_back({claim::Condition::Kind::singular, {A}, ""});
    statement.equations = {{"A P A = A", A, A * P * A},
                           {"P A P = P", P, P * A * P},
                           {"A P symmetric", A * P, transpose(A * P)},
                           {"P A symmetric", P * A, transpose(P * A)}};
    CHECK(test::in_rationals(statement, 5).equal == 5);
  }
}

TEST_CASE("a block diagonal matrix multiplies block by block", "[reparam]") {
  claim::Statement statement = reparam::start_statement(test::layer_size(1, 5, 1, 1, 1));
  const Expr A = reparam::add_input(statement, "A", {2, 3}), B = reparam::add_input(statement, "B", {1, 2});
  const Expr X = reparam::add_input(statement, "X", {4, 3});
  statement.equations = {{"blocks", expr::concat_columns({columns(X, 0, 2) * A, columns(X, 2, 1) * B}),
                          X * reparam::block_diagonal({A, B})}};
  CHECK(test::in_rationals(statement, 3).equal == 3);
}

TEST_CASE("a rectangular identity keeps the leading columns or pads with zeros", "[reparam]") {
  claim::Statement statement = reparam::start_statement(test::layer_size(1, 1, 1, 1, 1));
  const Expr X = reparam::add_input(statement, "X", {2, 3});
  expr::Graph& graph = *statement.graph;
  statement.equations = {
      {"narrow", columns(X, 0, 2), X * reparam::rectangular_identity(graph, {3, 2})},
      {"wide", expr::concat_columns({X, graph.zeros({2, 2})}), X * reparam::rectangular_identity(graph, {3, 5})}};
  CHECK(test::in_rationals(statement, 3).equal == 3);
}

TEST_CASE("sizes that no attention has are input errors", "[reparam]") {
  CHECK_THROWS_AS(reparam::start_statement(test::layer_size(0, 1, 1, 1, 1)), InputError);
  CHECK_THROWS_AS(reparam::start_statement(test::layer_size(1, 4, 4, 3, 1)), InputError);
  CHECK_THROWS_WITH(reparam::require_square_query(test::layer_size(1, 4, 3, 1, 1)), Catch::Contains("4 x 3"));
  claim::Statement statement = reparam::start_statement(test::layer_size(1, 3, 1, 1, 3));
  CHECK_THROWS_AS(reparam::add_rope_input(statement, 3), InputError);
}
