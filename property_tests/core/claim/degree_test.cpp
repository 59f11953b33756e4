#include "core/claim/degree.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/claim/evaluate.h"

namespace {

using namespace attest;
using namespace attest::claim;
using expr::Expr;
using expr::Function;
using expr::Graph;
using expr::Structure;

// How often the two sides agree at random inputs modulo random primes, redrawing where a side has no value.
double passing_rate(const Equation& equation, int prime_bits, int runs) {
  int passed = 0;
  RandomStream seeds(20260101);
  for (int done = 0; done < runs;) {
    const std::uint64_t seed = seeds.next();
    const auto field = arith::make_field({.seed = seed, .prime_bits = prime_bits});
    const RandomStream inputs = RandomStream(seed).child("inputs");
    const InputSource source = [&](const expr::Node& node) {
      return field->uniform(node.shape, node.structure, inputs.child(node.name));
    };
    const auto sides = evaluate({equation.expected, equation.constructed}, *field, source);
    if (!sides.ok()) continue;
    ++done;
    if (field->compare(sides.value()[0], sides.value()[1]).equal == Truth::yes) ++passed;
  }
  return static_cast<double>(passed) / runs;
}

// Standard deviations of a rate of that probability over so many runs.
double deviation(double probability, int runs) { return std::sqrt(probability * (1 - probability) / runs); }

// det A by Faddeev and LeVerrier: M_1 = I, c_k = -tr(A M_k) / k, M_(k+1) = A M_k + c_k I, det A = (-1)^n c_n.
Expr determinant(Expr A) {
  Graph& graph = A.graph();
  const std::int64_t n = A.rows();
  const Expr I = graph.identity(n);
  Expr M = I, c;
  for (std::int64_t k = 1; k <= n; ++k) {
    const Expr product = A * M;
    const Expr trace = graph.ones({1, n}) * hadamard(product, I) * graph.ones({n, 1});
    c = Rational(-1, k) * trace;
    M = product + scale_by(c, I);
  }
  return Rational(n % 2 == 0 ? 1 : -1) * c;
}

// Rows of logits (x_i, ..., x_i): two of 16 calls that coincide make the matrix of outputs singular, which 1 in p
// matrices would be by themselves.
Equation false_claim_with_many_calls(Graph& graph) {
  const Expr logits = graph.input("x", {16, 1}) * graph.ones({1, 16});
  return {"det", determinant(softmax(logits)), graph.zeros({1, 1})};
}

TEST_CASE("a false claim with 16 calls passes more often than degree times calls and less often than the bound",
          "[claim][degree]") {
  Graph graph;
  const Equation equation = false_claim_with_many_calls(graph);
  const FailureBound bound = failure_bound({equation});
  CHECK(bound.degree_sum == 16 + 120);  // of the output, and of the 120 differences x_i - x_j
  const int runs = 3000;
  for (const int e : {11, 12}) {
    const double rate = passing_rate(equation, e, runs);
    const double naive = 16 / std::exp2(e);
    INFO("e = " << e << ": rate " << rate << ", degree times calls " << naive << ", bound " << bound.probability(e));
    CHECK(rate > naive + 5 * deviation(naive, runs));
    CHECK(rate <= bound.probability(e));
    CHECK(bound.probability(e) < 1);
  }
}

TEST_CASE("a false claim about inverses passes less often than the bound", "[claim][degree]") {
  Graph graph;
  const Expr A = graph.input("A", {2, 2}), B = graph.input("B", {2, 2});
  const Expr first = expr::slice(inverse(A * B), 0, 0, {1, 1});
  const Equation equation{"inverse", first, expr::slice(inverse(A) * inverse(B), 0, 0, {1, 1})};
  const FailureBound bound = failure_bound({equation});
  const int runs = 6000;
  for (const int e : {6, 7}) {
    const double rate = passing_rate(equation, e, runs);
    INFO("e = " << e << ": rate " << rate << ", bound " << bound.probability(e));
    CHECK(rate > 0);  // about 1 / p
    CHECK(bound.probability(e) < 1);
    CHECK(rate <= bound.probability(e));
  }
}

// 17 * 19 x = 0 holds modulo two of the five primes of [16, 32].
TEST_CASE("coefficients that vanish modulo the prime are in the bound", "[claim][degree]") {
  Graph graph;
  const Expr x = graph.input("x", {1, 1});
  const Equation equation{"multiple", Rational(17 * 19) * x, graph.zeros({1, 1})};
  const FailureBound bound = failure_bound({equation});
  const int runs = 4000;
  const double rate = passing_rate(equation, 4, runs);
  CHECK(rate > 0.4 - 5 * deviation(0.4, runs));
  CHECK(rate > 1.0 / 16 + 0.2);  // the degree alone would not do
  CHECK(rate <= bound.probability(4));
  CHECK(bound.probability(4) < 1);
}

Expr orthogonal(Graph& graph, const std::string& name, std::int64_t n) {
  const Expr S = graph.input(name + "/S", {n, n});
  const Expr A = S - transpose(S);
  const Expr I = graph.identity(n);
  return graph.input(name + "/D", {n, n}, Structure::diagonal_signs) * ((I - A) * inverse(I + A));
}

TEST_CASE("a claim that fails on some components only is in the bound through its sign choices", "[claim][degree]") {
  Graph graph;
  const Expr P = orthogonal(graph, "P", 2), Q = orthogonal(graph, "Q", 2);
  const Equation commute{"2 x 2 orthogonal matrices commute", P * Q, Q * P};
  const FailureBound bound = failure_bound({commute});
  CHECK(bound.sign_choices == 2);
  const double rate = passing_rate(commute, 20, 2000);
  CHECK(rate > 0.2);  // both of determinant 1: a quarter
  CHECK(rate <= bound.probability(20));
  CHECK(bound.error_bits(60, 1) < 1);
  CHECK(bound.error_bits(60, 80) > 30);
}

TEST_CASE("determinants, adjugates and triangular factors have the degrees of the theorem", "[claim][degree]") {
  Graph graph;
  const std::int64_t n = 5;
  const Expr A = graph.input("A", {n, n}), X = graph.input("X", {n, n});
  const Expr L = graph.input("L", {n, n}, Structure::unit_lower), U = graph.input("U", {n, n}, Structure::upper);
  const auto degrees = [&](Expr left, Expr right) {
    const FailureBound bound = failure_bound({{"", left, right}});
    return std::pair(bound.degree_sum, bound.determinant_degree);
  };
  // adj(A) of degree n - 1 against X det(A), of degree n + 1
  CHECK(degrees(inverse(A), X) == std::pair(n + 1.0, 1.0 * n));
  CHECK(degrees(inverse(A), inverse(A)) == std::pair(n - 1.0, 1.0 * n));  // a common denominator counts once
  CHECK(degrees(inverse(L), X) == std::pair(n - 1.0, 0.0));               // no denominator
  CHECK(degrees(inverse(U), X) == std::pair(n + 1.0, 0.0));               // a denominator that is sampled without zeros
  CHECK(degrees(X * inverse(L * U), X) == std::pair(std::max(2.0 * n - 1, n + 1.0), 0.0));
  CHECK(degrees(inverse(transpose(A)) + inverse(A), X) == std::pair(n + 1.0, 1.0 * n));
  // over det(A)^2 in either order: max(2 (n - 1), n - 1 + n) against X det(A)^2
  CHECK(degrees(inverse(A) * inverse(A) + inverse(A), X) == std::pair(2 * n + 1.0, 1.0 * n));
  CHECK(degrees(inverse(A) + inverse(A) * inverse(A), X) == std::pair(2 * n + 1.0, 1.0 * n));
  CHECK(degrees(inverse(A) * inverse(A), inverse(A)) == std::pair(2 * n - 1.0, 1.0 * n));
  CHECK(degrees(apply(Function::reciprocal, X), X) == std::pair(n * n + 1.0, 1.0 * n * n));
  // the value of a call is a variable: four calls in each row of one symbol are 10 pairs of rows of degree 2
  CHECK(degrees(softmax(X * X) * X, X) == std::pair(2.0 + 10 * 2, 0.0));
  CHECK(degrees(softmax(X * X, expr::Mask::causal()) * X, X) == std::pair(2.0, 0.0));  // no two rows see the same keys
  CHECK(degrees(apply(Function::gelu, A), apply(Function::silu, A)) == std::pair(1.0 + 2 * 300, 0.0));
  CHECK(degrees(apply(Function::gelu, A), apply(Function::gelu, X)) == std::pair(1.0 + 1225, 0.0));
}

TEST_CASE("a determinant of function values also fears coincidences", "[claim][degree]") {
  Graph graph;
  const Expr x = graph.input("x", {2, 1});
  const Expr values = apply(Function::exp, x);
  const FailureBound bound = failure_bound({{"", apply(Function::reciprocal, values), x}});
  CHECK(bound.determinant_degree == 2 + 1);  // both values, and the one pair
}

TEST_CASE("conditions that a run is redrawn for are in the probability of existence", "[claim][degree]") {
  Graph graph;
  const Expr A = graph.input("A", {3, 3}), B = graph.input("B", {3, 3});
  const FailureBound free = failure_bound({{"", A * B, B * A}});
  const FailureBound conditional = failure_bound({{"", A * B, B * A}}, {{Condition::Kind::invertible, {A * B}, ""}});
  CHECK(free.determinant_degree == 0);
  CHECK(conditional.determinant_degree == 6);
  CHECK(conditional.probability(10) > free.probability(10));
}

TEST_CASE("more runs and larger primes lower the bound, which is never above 1", "[claim][degree]") {
  Graph graph;
  const Equation equation = false_claim_with_many_calls(graph);
  const FailureBound bound = failure_bound({equation});
  CHECK(bound.probability(1) == 1);
  CHECK(bound.probability(3) == 1);
  CHECK(bound.error_bits(3, 5) == 0);
  for (int e = 10; e < 62; ++e) CHECK(bound.probability(e + 1) < bound.probability(e));
  CHECK(bound.error_bits(60, 1) > 45);
  CHECK(bound.error_bits(60, 3) == Approx(3 * bound.error_bits(60, 1)));
}

}  // namespace
