// Tests also: core/claim/recipe.cpp
#include "core/claim/instance.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/claim/recipe.h"
#include "core/support/error.h"

using namespace attest;
using claim::Condition;
using claim::Recipe;

namespace {

claim::Statement with_input(const std::string& name, expr::Shape shape, Recipe recipe) {
  claim::Statement statement;
  statement.graph = std::make_shared<expr::Graph>();
  statement.inputs.push_back({name, shape, recipe});
  statement.graph->input(name, shape);
  return statement;
}

Truth holds_for(claim::Statement statement, Condition::Kind kind, std::vector<expr::Expr> operands,
                const claim::Instance& instance) {
  statement.conditions = {{kind, std::move(operands), ""}};
  return claim::satisfies(statement, instance);
}

RationalMatrix matrix(std::int64_t rows, std::int64_t cols, std::vector<int> entries) {
  RationalMatrix made(rows, cols);
  for (std::size_t i = 0; i < entries.size(); ++i) made.entries[i] = entries[i];
  return made;
}

// The determinant of a small matrix by expansion: an oracle that shares nothing with the library.
Rational determinant(const RationalMatrix& a) {
  if (a.rows == 1) return a.at(0, 0);
  Rational sum = 0;
  for (std::int64_t j = 0; j < a.cols; ++j) {
    RationalMatrix minor(a.rows - 1, a.cols - 1);
    for (std::int64_t i = 1; i < a.rows; ++i)
      for (std::int64_t l = 0, to = 0; l < a.cols; ++l)
        if (l != j) minor.at(i - 1, to++) = a.at(i, l);
    sum += (j % 2 == 0 ? 1 : -1) * a.at(0, j) * determinant(minor);
  }
  return sum;
}

}  // namespace

TEST_CASE("drawn invertible matrices are invertible and drawn singular ones are not", "[claim][instance]") {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto invertible = with_input("T", {4, 4}, {.kind = Recipe::Kind::invertible});
    CHECK(determinant(claim::draw_instance(invertible, RandomStream(seed)).at("T")) != 0);
    const auto singular = with_input("T", {4, 4}, {.kind = Recipe::Kind::singular});
    CHECK(determinant(claim::draw_instance(singular, RandomStream(seed)).at("T")) == 0);
  }
}

TEST_CASE("drawn orthogonal matrices are orthogonal and reach both components", "[claim][instance]") {
  std::set<Rational> determinants;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const auto statement = with_input("T", {3, 3}, {.kind = Recipe::Kind::orthogonal});
    const RationalMatrix T = claim::draw_instance(statement, RandomStream(seed)).at("T");
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 3; ++j) {
        Rational dot = 0;
        for (std::int64_t c = 0; c < 3; ++c) dot += T.at(i, c) * T.at(j, c);
        CHECK(dot == (i == j ? 1 : 0));
      }
    determinants.insert(determinant(T));
  }
  CHECK(determinants == std::set<Rational>{1, -1});
}

TEST_CASE("drawn rotations lie on the unit circle", "[claim][instance]") {
  const auto statement = with_input("rotation", {2, 5}, {.kind = Recipe::Kind::unit_circle});
  const RationalMatrix rotation = claim::draw_instance(statement, RandomStream(3)).at("rotation");
  bool moved = false;
  for (std::int64_t c = 0; c < 5; ++c) {
    CHECK(rotation.at(0, c) * rotation.at(0, c) + rotation.at(1, c) * rotation.at(1, c) == 1);
    moved = moved || rotation.at(1, c) != 0;
  }
  CHECK(moved);
}

TEST_CASE("block-diagonal draws are zero outside the blocks and equal inside a group", "[claim][instance]") {
  const auto statement = with_input("B", {8, 8}, {.kind = Recipe::Kind::block_diagonal, .block = 2, .group = 2});
  const RationalMatrix B = claim::draw_instance(statement, RandomStream(5)).at("B");
  for (std::int64_t i = 0; i < 8; ++i)
    for (std::int64_t j = 0; j < 8; ++j)
      if (i / 2 != j / 2) CHECK(B.at(i, j) == 0);
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 2; ++j) CHECK(B.at(i, j) == B.at(i + 2, j + 2));
}

TEST_CASE("the same stream draws the same instance, another stream another", "[claim][instance]") {
  const auto statement = with_input("W", {6, 6}, {});
  CHECK(claim::draw_instance(statement, RandomStream(1)) == claim::draw_instance(statement, RandomStream(1)));
  CHECK(claim::draw_instance(statement, RandomStream(1)) != claim::draw_instance(statement, RandomStream(2)));
}

TEST_CASE("every condition tells a true case from a false one", "[claim][instance]") {
  auto statement = with_input("A", {2, 2}, {});
  statement.inputs.push_back({"B", {2, 2}, {}});
  expr::Graph& graph = *statement.graph;
  const auto A = graph.input("A", {2, 2}), B = graph.input("B", {2, 2});
  const auto first = matrix(2, 2, {1, 0, 0, 0}), second = matrix(2, 2, {0, 0, 0, 1}), full = matrix(2, 2, {1, 2, 3, 4});
  const auto check = [&](Condition::Kind kind, std::vector<expr::Expr> operands, const claim::Instance& yes,
                         const claim::Instance& no) {
    CAPTURE(static_cast<int>(kind));
    CHECK(holds_for(statement, kind, operands, yes) == Truth::yes);
    CHECK(holds_for(statement, kind, operands, no) == Truth::no);
  };
  const claim::Instance good{{"A", full}, {"B", full}}, bad{{"A", first}, {"B", second}};
  check(Condition::Kind::invertible, {A}, good, bad);
  check(Condition::Kind::singular, {A}, bad, good);
  check(Condition::Kind::equal, {A, B}, good, bad);
  check(Condition::Kind::different, {A, B}, bad, good);
  check(Condition::Kind::independent, {A, B}, bad, good);
  check(Condition::Kind::dependent, {A, B}, good, bad);
  check(Condition::Kind::nonzero, {A}, good, {{"A", matrix(2, 2, {0, 0, 0, 0})}, {"B", full}});
  check(Condition::Kind::full_rank, {A}, good, bad);
  check(Condition::Kind::equal_row_spaces, {A, B}, good, bad);
  check(Condition::Kind::different_row_spaces, {A, B}, bad, good);
}

TEST_CASE("a condition on an expression without a value does not hold", "[claim][instance]") {
  auto statement = with_input("A", {2, 2}, {});
  const auto A = statement.graph->input("A", {2, 2});
  std::string failed;
  statement.conditions = {{Condition::Kind::nonzero, {inverse(A)}, ""}};
  CHECK(claim::satisfies(statement, {{"A", RationalMatrix(2, 2)}}, &failed) == Truth::no);
  CHECK(failed == "A^-1 is not zero");
}

TEST_CASE("parametrizing leaves only free inputs and keeps those that a search checks itself", "[claim][recipe]") {
  auto statement = with_input("T", {3, 3}, {.kind = Recipe::Kind::invertible});
  const auto T = statement.graph->input("T", {3, 3});
  statement.equations.push_back({"T", T, T});
  const auto free = claim::parametrize(statement, {});
  REQUIRE(free.statement.inputs.size() == 2);
  CHECK(free.statement.inputs[0].name == "T/L");
  CHECK(free.statement.inputs[1].name == "T/U");
  CHECK(free.statement.equations[0].expected == free.originals.at("T"));
  CHECK(claim::parametrize(statement, {.invertible = true}).statement.equations[0].expected == T);
}
