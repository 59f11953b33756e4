// Tests also: core/claim/product_order.cpp
#include "core/claim/evaluate.h"

#include <catch2/catch.hpp>

#include "core/claim/instance.h"
#include "core/expr/print.h"
#include "property_tests/support/property.h"

using namespace attest;
using claim::EvaluationPlan;
using expr::Expr;

namespace {

RationalMatrix random_matrix(expr::Shape shape, const std::string& name) {
  return claim::draw_free(shape, expr::Structure::general, RandomStream(7).child(name));
}

// Counts what is asked of the arithmetic underneath.
class CountingSource {
 public:
  explicit CountingSource(const arith::Backend& backend) : backend_(backend) {}
  claim::InputSource source() {
    return [this](const expr::Node& input) {
      ++calls[input.name];
      return backend_.from_rational(random_matrix(input.shape, input.name));
    };
  }
  std::map<std::string, int> calls;

 private:
  const arith::Backend& backend_;
};

}  // namespace

TEST_CASE("a thin matrix meets the inverse first: X (T^-1 W) becomes (X T^-1) W", "[claim][evaluate]") {
  expr::Graph graph;
  const Expr X = graph.input("X", {2, 20}), T = graph.input("T", {20, 20}), W = graph.input("W", {20, 20});
  const auto reordered = claim::thin_side_first({X * (inverse(T) * W)});
  CHECK(reordered.front() == (X * inverse(T)) * W);
}

TEST_CASE("a wide product keeps the order that is cheapest for it", "[claim][evaluate]") {
  expr::Graph graph;
  const Expr A = graph.input("A", {20, 2}), B = graph.input("B", {2, 20}), C = graph.input("C", {20, 1});
  CHECK(claim::thin_side_first({(A * B) * C}).front() == A * (B * C));
}

TEST_CASE("the inverse of L U is applied factor by factor", "[claim][evaluate]") {
  expr::Graph graph;
  const Expr X = graph.input("X", {1, 9});
  const Expr L = graph.input("L", {9, 9}, expr::Structure::unit_lower);
  const Expr U = graph.input("U", {9, 9}, expr::Structure::upper);
  CHECK(claim::thin_side_first({X * inverse(L * U)}).front() == (X * inverse(U)) * inverse(L));
}

TEST_CASE("a thin matrix is multiplied into blocks side by side one by one", "[claim][evaluate]") {
  expr::Graph graph;
  const Expr X = graph.input("X", {1, 8}), T = graph.input("T", {8, 8});
  const Expr A = graph.input("A", {8, 4}), B = graph.input("B", {8, 4});
  const Expr product = X * expr::concat_columns({inverse(T) * A, inverse(T) * B});
  const Expr applied = X * inverse(T);
  CHECK(claim::thin_side_first({product}).front() == expr::concat_columns({applied * A, applied * B}));
}

TEST_CASE("reordering never changes a value", "[claim][evaluate]") {
  const auto rational = arith::make_backend("rational");
  const auto report = test::check_property("thin side first keeps the value", [&] {
    expr::Graph graph;
    const auto dimension = [] { return static_cast<std::int64_t>(*rc::gen::inRange(1, 5)); };
    const int factors = *rc::gen::inRange(2, 7);
    std::int64_t width = dimension();
    Expr product = graph.input("F0", {dimension(), width});
    for (int i = 1; i < factors; ++i) {
      const bool square = *rc::gen::inRange(0, 2) == 0;
      const std::int64_t next = square ? width : dimension();
      Expr factor = graph.input("F" + std::to_string(i), {width, next});
      if (square) factor = inverse(factor + Rational(20) * graph.identity(width));
      RC_TAG(square ? "with an inverse" : "without");
      product = *rc::gen::inRange(0, 2) == 0 ? product * factor : Rational(2) * (product * factor);
      width = next;
    }
    CountingSource counting(*rational);
    const auto source = counting.source();
    const auto plain = EvaluationPlan({product}, false).run(*rational, source);
    const auto planned = EvaluationPlan({product}, true).run(*rational, source);
    RC_ASSERT(plain.ok() == planned.ok());
    if (plain.ok()) RC_ASSERT(rational->compare(plain.value().front(), planned.value().front()).equal == Truth::yes);
  });
  CHECK(report.count("with an inverse") > 10);
}

TEST_CASE("large inputs are fetched at each use, small ones once", "[claim][evaluate]") {
  const auto field = arith::make_backend("field");
  expr::Graph graph;
  const Expr small = graph.input("small", {1, 600}), large = graph.input("large", {600, 600});
  CountingSource counting(*field);
  const auto values = claim::evaluate({small * large, small * large + small * large}, *field, counting.source());
  REQUIRE(values.ok());
  CHECK(counting.calls["small"] == 1);
  CHECK(counting.calls["large"] == 1);
  const auto twice = claim::evaluate({small * large, (small + small) * large}, *field, counting.source());
  REQUIRE(twice.ok());
  CHECK(counting.calls["large"] == 3);
}

TEST_CASE("a singular matrix under an inverse makes the value undefined, applied or formed", "[claim][evaluate]") {
  const auto rational = arith::make_backend("rational");
  expr::Graph graph;
  const Expr X = graph.input("X", {1, 2}), T = graph.zeros({2, 2});
  static const std::map<std::string, RationalMatrix> instance{{"X", RationalMatrix(1, 2)}};
  const auto lasting = claim::source_of(instance, *rational);
  CHECK(claim::evaluate({X * inverse(T)}, *rational, lasting).status() == Status::undefined);
  CHECK(claim::evaluate({inverse(T)}, *rational, lasting).status() == Status::undefined);
}
