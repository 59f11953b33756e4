#include "core/expr/normalization.h"

#include "property_tests/core/expr/exact_values.h"

using namespace attest::expr;
using attest::Rational;
using attest::RationalMatrix;
using attest::test::draw_missing;
using attest::test::Instance;
using attest::test::value_of;

namespace {

// Rows mean + 4 * (signs), so that the centred mean square is 16 and with eps = 9 the root is 5.
RationalMatrix rows_of_deviation_four() {
  RationalMatrix X(2, 4);
  X.entries = {14, 6, 6, 14, Rational(-7, 2), Rational(9, 2), Rational(9, 2), Rational(-7, 2)};
  return X;
}

}  // namespace

TEST_CASE("centering takes the mean from each row", "[expr][normalization]") {
  Graph g;
  const Expr centred = center_rows(g.input("X", {3, 5}));
  Instance v;
  draw_missing(v, centred);
  RationalMatrix expected = v["X"];
  for (std::int64_t i = 0; i < 3; ++i) {
    Rational mean = 0;
    for (std::int64_t j = 0; j < 5; ++j) mean += v["X"].at(i, j) / 5;
    for (std::int64_t j = 0; j < 5; ++j) expected.at(i, j) -= mean;
  }
  CHECK(value_of(centred, v) == expected);
}

TEST_CASE("layer normalization divides by the root of the biased variance plus eps", "[expr][normalization]") {
  Graph g;
  const Expr X = g.input("X", {2, 4}), gamma = g.input("gamma", {1, 4}), beta = g.input("beta", {1, 4});
  const Expr normalized = layer_norm(X, 9, gamma, beta);
  Instance v{{"X", rows_of_deviation_four()}};
  draw_missing(v, normalized);
  const std::vector<int> sign{1, -1, -1, 1, -1, 1, 1, -1};
  RationalMatrix expected(2, 4), plain(2, 4);
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      plain.at(i, j) = Rational(4 * sign[static_cast<std::size_t>(4 * i + j)], 5);
      expected.at(i, j) = plain.at(i, j) * v["gamma"].at(0, j) + v["beta"].at(0, j);
    }
  CHECK(value_of(normalized, v) == expected);
  CHECK(value_of(layer_norm(X, 9), v) == plain);
}

TEST_CASE("root-mean-square normalization does not centre", "[expr][normalization]") {
  Graph g;
  const Expr X = g.input("X", {1, 2}), gamma = g.input("gamma", {1, 2});
  Instance v;
  v["X"] = RationalMatrix(1, 2);
  v["X"].entries = {1, 7};  // mean square 25
  v["gamma"] = RationalMatrix(1, 2);
  v["gamma"].entries = {2, Rational(1, 7)};
  RationalMatrix expected(1, 2);
  expected.entries = {Rational(2, 5), Rational(1, 5)};
  CHECK(value_of(rms_norm(X, 0, gamma), v) == expected);
}

TEST_CASE("without eps a constant row has no normalization", "[expr][normalization]") {
  Graph g;
  const Expr X = g.input("X", {1, 3});
  Instance v;
  v["X"] = RationalMatrix(1, 3);
  v["X"].entries = {2, 2, 2};
  const auto backend = attest::arith::make_backend("rational");
  const auto values = attest::claim::evaluate({layer_norm(X, 0)}, *backend, attest::claim::source_of(v, *backend));
  CHECK(values.status() == attest::Status::undefined);
  CHECK(value_of(layer_norm(X, 4), v) == RationalMatrix(1, 3));
}
