#include "model/conditioning.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "property_tests/model/scratch.h"

namespace attest::model {
namespace {

// 1 / (i + j + 1) rounded to float: condition about e^(3.5 n), generic singular vectors.
DoubleMatrix hilbert(std::int64_t n) {
  DoubleMatrix matrix(n, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) matrix.at(i, j) = static_cast<float>(1.0 / static_cast<double>(i + j + 1));
  return matrix;
}

DoubleMatrix identity(std::int64_t n) {
  DoubleMatrix matrix(n, n);
  for (std::int64_t i = 0; i < n; ++i) matrix.at(i, i) = 1;
  return matrix;
}

const EliminationCost& cost_of(const std::vector<EliminationCost>& costs, const std::string& weight,
                               const std::string& format) {
  for (const auto& cost : costs)
    if (cost.weight == weight && cost.format == format) return cost;
  FAIL("no cost of " + weight + " in " + format);
  return costs.front();
}

TEST_CASE("eliminating a power of two times the identity loses nothing", "[model][conditioning]") {
  DoubleMatrix T = identity(4);
  for (double& entry : T.entries) entry *= 8;
  const auto costs = elimination_costs(T, {{"W_K", test::pattern(4, 3)}, {"W_V", test::pattern(4, 4)}});
  REQUIRE(costs.size() == 4);
  for (const auto& cost : costs) {
    CHECK(cost.failure.empty());
    CHECK(cost.relative_error == 0);
    CHECK(cost.digits_lost == 0);
    CHECK(cost.digits_kept == cost.format_digits);
  }
  CHECK(cost_of(costs, "W_K", "double").format_digits == Approx(15.95).margin(0.01));
  CHECK(cost_of(costs, "W_K", "float").format_digits == Approx(7.22).margin(0.01));
}

TEST_CASE("the digits lost grow with the condition number", "[model][conditioning]") {
  double previous = -1;
  for (const std::int64_t n : {2, 4, 6, 8}) {
    const auto cost = cost_of(elimination_costs(hilbert(n), {{"W_K", test::pattern(n, n)}}), "W_K", "double");
    INFO(n);
    CHECK(cost.failure.empty());
    CHECK(cost.digits_lost > previous);
    CHECK(cost.digits_kept + cost.digits_lost == Approx(cost.format_digits));
    CHECK(cost.certified_radius < cost.relative_error * 1e-6);
    previous = cost.digits_lost;
  }
  CHECK(previous > 4);
}

TEST_CASE("an inverse loses no more than Gaussian elimination can", "[model][conditioning]") {
  int checked = 0;
  for (const std::int64_t n : {2, 3, 4}) {
    const double condition = singular_values(hilbert(n)).condition.upper;
    const auto size = static_cast<double>(n);
    // Inversion by LU with row exchanges: ||error|| <= 8 n^3 rho u cond ||T^-1||, growth rho <= 2^(n-1) (Higham,
    // Accuracy and Stability of Numerical Algorithms, chapter 14); the largest entry of T^-1 is at least ||T^-1|| / n.
    const double factor = 8 * std::pow(size, 4) * std::ldexp(1.0, static_cast<int>(n) - 1) * condition;
    for (const auto& cost : elimination_costs(hilbert(n), {{"W_K", identity(n)}})) {
      const double unit_roundoff = cost.format == "double" ? 0x1p-53 : 0x1p-24;
      INFO(n << " in " << cost.format);
      CHECK(cost.relative_error <= factor * unit_roundoff);
      checked += factor * unit_roundoff < 1 ? 1 : 0;
    }
  }
  CHECK(checked >= 4);
}

TEST_CASE("the measured error is the one of the double result against exact arithmetic", "[model][conditioning]") {
  // T = 3, W = 1: the nearest double to 1/3 is (2^54 - 1)/3 / 2^54, off by 2^-54 relative to 1/3.
  DoubleMatrix T(1, 1), weight(1, 1);
  T.at(0, 0) = 3;
  weight.at(0, 0) = 1;
  const auto costs = elimination_costs(T, {{"W_K", weight}});
  CHECK(cost_of(costs, "W_K", "double").relative_error == Approx(0x1p-54).epsilon(1e-6));
  // float: 11184811 / 2^25, off by 1/3 / 2^25 = 2^-25 relative to 1/3.
  CHECK(cost_of(costs, "W_K", "float").relative_error == Approx(0x1p-25).epsilon(1e-6));
}

TEST_CASE("a singular projection has no cost but a reason", "[model][conditioning]") {
  DoubleMatrix T(2, 2);
  T.entries = {1, 2, 2, 4};
  const auto costs = elimination_costs(T, {{"W_K", identity(2)}});
  REQUIRE(costs.size() == 2);
  for (const auto& cost : costs) {
    CHECK_FALSE(cost.failure.empty());
    CHECK(cost.digits_kept == 0);
  }
}

TEST_CASE("a layer's query elimination reports W_K and W_V, and names what is missing", "[model][conditioning]") {
  std::map<std::string, DoubleMatrix> layer{{"W_Q", hilbert(3)}, {"W_K", identity(3)}};
  CHECK_THAT(test::error_of([&] { (void)query_elimination(layer); }), Catch::Contains("no weight 'W_V'"));
  layer.emplace("W_V", identity(3));
  const QueryElimination report = query_elimination(layer);
  CHECK(report.costs.size() == 4);
  CHECK(report.query.condition.lower > 500);
  CHECK(report.query.condition.upper < 550);
}

TEST_CASE("shapes that do not fit are refused", "[model][conditioning]") {
  CHECK_THAT(test::error_of([] { (void)elimination_costs(DoubleMatrix(2, 3), {}); }), Catch::Contains("T is 2 x 3"));
  CHECK_THAT(test::error_of([] {
               (void)elimination_costs(identity(2), {{"W_K", DoubleMatrix(3, 2)}});
             }),
             Catch::Contains("W_K is 3 x 2"));
}

}  // namespace
}  // namespace attest::model
