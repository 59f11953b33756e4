#include "core/expr/expr.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/support/aborting.h"
#include "property_tests/support/property.h"

using namespace attest::expr;
using attest::InputError;
using attest::Rational;

namespace {

// A pseudo-random 2 x 2 expression; the same program on two graphs, or twice on one, builds the same formula.
Expr build(Graph& graph, const std::vector<int>& program) {
  std::vector<Expr> made{graph.input("A", {2, 2}), graph.input("B", {2, 2})};
  for (const int step : program) {
    const Expr x = made[static_cast<std::size_t>(step / 10) % made.size()], y = made.back();
    switch (step % 10) {
      case 0:
        made.push_back(x + y);
        break;
      case 1:
        made.push_back(x - y);
        break;
      case 2:
        made.push_back(x * y);
        break;
      case 3:
        made.push_back(Rational(step + 1, 3) * x);
        break;
      case 4:
        made.push_back(transpose(x));
        break;
      case 5:
        made.push_back(inverse(x));
        break;
      case 6:
        made.push_back(hadamard(x, y));
        break;
      case 7:
        made.push_back(softmax(x, Mask::causal()));
        break;
      case 8:
        made.push_back(concat_columns({columns(x, 0, 1), columns(y, 1, 1)}));
        break;
      default:
        made.push_back(apply(Function::gelu, x));
        break;
    }
  }
  return made.back();
}

rc::Gen<std::vector<int>> programs() { return rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 1000)); }

// Every maker that can be given operands that do not fit, and what the message must name.
template <class Make>
void check_mismatch(Make make, const std::vector<std::string>& named) {
  CHECK_THROWS_AS(make(), InputError);
  for (const auto& part : named) CHECK_THROWS_WITH(make(), Catch::Contains(part));
}

}  // namespace

TEST_CASE("equal expressions are one node", "[expr]") {
  const auto report = attest::test::check_property("building twice adds no node", [] {
    Graph graph;
    const auto program = *programs();
    RC_CLASSIFY(program.size() >= 10, "ten steps or more");
    const Expr first = build(graph, program);
    const auto size = graph.size();
    RC_ASSERT(build(graph, program) == first);
    RC_ASSERT(graph.size() == size);
  });
  CHECK(report.count("ten steps or more") > 0);
}

TEST_CASE("nodes that differ in one attribute are two nodes", "[expr]") {
  Graph g;
  const Expr a = g.input("A", {4, 4}), b = g.input("B", {4, 4});
  attest::RationalMatrix zero(4, 4), one(4, 4);
  one.at(0, 0) = 1;
  const std::vector<Expr> distinct{a,
                                   b,
                                   a + b,
                                   b + a,
                                   a - b,
                                   a * b,
                                   b * a,
                                   hadamard(a, b),
                                   transpose(a),
                                   inverse(a),
                                   Rational(2) * a,
                                   Rational(1, 2) * a,
                                   Rational(-2) * a,
                                   softmax(a),
                                   softmax(a, Mask::causal()),
                                   softmax(a, Mask::window(2)),
                                   softmax(a, Mask::window(3)),
                                   apply(Function::relu, a),
                                   apply(Function::gelu, a),
                                   slice(a, 0, 0, {2, 2}),
                                   slice(a, 0, 1, {2, 2}),
                                   slice(a, 1, 0, {2, 2}),
                                   slice(a, 0, 0, {2, 3}),
                                   g.zeros({4, 4}),
                                   g.ones({4, 4}),
                                   g.zeros({4, 3}),
                                   g.constant(zero),
                                   g.constant(one),
                                   g.identity(4),
                                   g.identity(3)};
  for (std::size_t i = 0; i < distinct.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      INFO("number " << i << " and number " << j);
      CHECK_FALSE(distinct[i] == distinct[j]);
    }
  CHECK(g.constant(one) == distinct[27]);
}

TEST_CASE("a mismatch names both operands and both shapes", "[expr]") {
  Graph g;
  const Expr a = g.input("A", {2, 3}), b = g.input("B", {4, 5}), c = g.input("c", {3, 1});
  const std::vector<std::string> both{"A is 2 x 3", "B is 4 x 5"};
  check_mismatch([&] { return a + b; }, both);
  check_mismatch([&] { return a - b; }, both);
  check_mismatch([&] { return a * b; }, both);
  check_mismatch([&] { return hadamard(a, b); }, both);
  check_mismatch([&] { return concat_columns({a, b}); }, both);
  check_mismatch([&] { return concat_rows({a, b}); }, both);
  check_mismatch([&] { return scale_by(a, b); }, both);
  check_mismatch([&] { return scale_rows(c, a); }, {"c is 3 x 1", "A is 2 x 3"});
  check_mismatch([&] { return inverse(a); }, {"A is 2 x 3", "square"});
  check_mismatch([&] { return a * transpose(b) * g.identity(2); }, {"A is 2 x 3", "B^T is 5 x 4"});
  CHECK((a * g.input("D", {3, 7})).shape() == Shape{2, 7});
}

TEST_CASE("a block must lie inside its matrix", "[expr]") {
  Graph g;
  const Expr a = g.input("A", {2, 3});
  check_mismatch([&] { return slice(a, 0, 1, {2, 3}); }, {"A is 2 x 3", "2 x 3 at row 0, column 1"});
  check_mismatch([&] { return slice(a, -1, 0, {1, 1}); }, {"A is 2 x 3", "row -1"});
  check_mismatch([&] { return columns(a, 0, 0); }, {"A is 2 x 3"});
  check_mismatch([&] { return rows(a, 2, 1); }, {"A is 2 x 3"});
  CHECK(columns(a, 1, 2).shape() == Shape{2, 2});
  CHECK(rows(a, 1, 1).shape() == Shape{1, 3});
  CHECK(slice(a, 0, 0, {2, 3}) == a);
}

TEST_CASE("an input has one shape, and shapes are positive", "[expr]") {
  Graph g;
  const Expr x = g.input("X", {2, 3});
  CHECK(g.input("X", {2, 3}) == x);
  check_mismatch([&] { return g.input("X", {3, 2}); }, {"X", "2 x 3", "3 x 2"});
  check_mismatch([&] { return g.input("Y", {0, 2}); }, {"Y", "0 x 2"});
  CHECK_THROWS_AS(g.identity(0), InputError);
  CHECK_THROWS_AS(g.zeros({1, -1}), InputError);
  CHECK_THROWS_AS(g.constant({}), InputError);
}

TEST_CASE("operands of two graphs cannot meet", "[expr]") {
  Graph g, other;
  const Expr a = g.input("A", {2, 2}), b = other.input("B", {2, 2});
  CHECK_THAT(attest::test::abort_message([&] { (void)(a + b); }), Catch::Contains("another graph"));
}

TEST_CASE("units and double transposes vanish", "[expr]") {
  Graph g;
  const Expr a = g.input("A", {2, 3});
  CHECK(g.identity(2) * a == a);
  CHECK(a * g.identity(3) == a);
  CHECK(transpose(transpose(a)) == a);
  CHECK(inverse(g.identity(3)) == g.identity(3));
  CHECK(concat_columns({a}) == a);
}

TEST_CASE("operands come before their users", "[expr]") {
  attest::test::check_property("reachable is in topological order", [] {
    Graph graph;
    const Expr root = build(graph, *programs());
    std::int64_t last = -1;
    for (const Node* node : reachable({root})) {
      RC_ASSERT(node->id > last);
      last = node->id;
      for (const Node* operand : node->operands) RC_ASSERT(operand->id < node->id);
    }
    RC_ASSERT(last == root.node().id);
    for (const Node* input : inputs_of({root})) RC_ASSERT(input->op == Op::input);
  });
}

TEST_CASE("substitution replaces every occurrence and nothing else", "[expr]") {
  const auto report = attest::test::check_property("swapping two inputs twice changes nothing", [] {
    Graph graph;
    const Expr a = graph.input("A", {2, 2}), b = graph.input("B", {2, 2}), p = graph.input("P", {2, 2});
    const Expr root = build(graph, *programs());
    RC_CLASSIFY(inputs_of({root}).size() == 2, "both inputs occur");
    const std::map<const Node*, Expr> swap{{a.address(), b}, {b.address(), a}};
    RC_ASSERT(substitute(substitute(root, swap), swap) == root);
    RC_ASSERT(substitute(root, {}) == root);
    RC_ASSERT(substitute(root, {{p.address(), a}}) == root);
    for (const Node* input : inputs_of({substitute(root, {{a.address(), p}})})) RC_ASSERT(input != a.address());
    RC_ASSERT(substitute(root, {{root.address(), p}}) == p);
  });
  CHECK(report.count("both inputs occur") > 0);
}

TEST_CASE("substitution builds what the makers would have built", "[expr]") {
  Graph g;
  const Expr a = g.input("A", {2, 2}), b = g.input("B", {2, 2}), x = g.input("X", {2, 2});
  CHECK(substitute(x * a + inverse(a), {{a.address(), g.identity(2)}}) == x + g.identity(2));
  CHECK(substitute(transpose(a), {{a.address(), transpose(b)}}) == b);
  const auto pair = substitute({a * x, a + x}, {{a.address(), b + x}});
  CHECK(pair[0] == (b + x) * x);
  CHECK(pair[1] == b + x + x);
  const Expr column = g.input("c", {2, 1});
  CHECK_THAT(attest::test::abort_message([&] {
               (void)substitute(a + b, {{a.address(), column}});
             }),
             Catch::Contains("keeps the shape"));
}
