#include "model/singular_values.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/support/random.h"
#include "property_tests/model/scratch.h"
#include "property_tests/support/property.h"

namespace attest::model {
namespace {

bool contains(const Bounds& bounds, double value) { return bounds.lower <= value && value <= bounds.upper; }

DoubleMatrix diagonal(const std::vector<double>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  DoubleMatrix matrix(n, n);
  for (std::int64_t i = 0; i < n; ++i) matrix.at(i, i) = values[static_cast<std::size_t>(i)];
  return matrix;
}

// The n x n matrix of ones and minus ones with orthogonal rows (Sylvester), n a power of two: every singular value is
// sqrt(n), so that H diag(s) H has the singular values n s_i, exactly, in an unordered basis.
double hadamard(std::int64_t i, std::int64_t j) {
  return __builtin_popcountll(static_cast<unsigned long long>(i & j)) % 2 == 0 ? 1 : -1;
}

DoubleMatrix mixed(const std::vector<double>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  DoubleMatrix matrix(n, n);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < n; ++l)
        matrix.at(i, j) += hadamard(i, l) * values[static_cast<std::size_t>(l)] * hadamard(l, (j * 3 + 1) % n);
  return matrix;
}

TEST_CASE("the bounds of a diagonal matrix contain its extreme entries tightly", "[model][singular_values]") {
  const SingularValues values = singular_values(diagonal({3, -0.125, 7, 1}));
  CHECK(contains(values.largest, 7));
  CHECK(contains(values.smallest, 0.125));
  CHECK(contains(values.condition, 56));
  CHECK(values.condition.upper - values.condition.lower < 1e-10);
}

TEST_CASE("bounds contain the known singular values of random matrices", "[model][singular_values]") {
  const auto report = test::check_property("n s_i for H diag(s) H", [] {
    RandomStream stream(*rc::gen::arbitrary<std::uint64_t>());
    std::vector<double> values(std::size_t{1} << stream.integer(1, 3));
    double smallest = std::numeric_limits<double>::infinity(), largest = 0;
    for (double& value : values) {
      value = static_cast<double>(stream.integer(1, std::int64_t{1} << stream.integer(0, 20)));
      smallest = std::min(smallest, value);
      largest = std::max(largest, value);
    }
    const auto n = static_cast<double>(values.size());
    const SingularValues bounds = singular_values(mixed(values));
    RC_TAG(std::string(largest > 100 * smallest ? "ill-conditioned" : "well-conditioned"));
    RC_ASSERT(contains(bounds.largest, n * largest));
    RC_ASSERT(contains(bounds.smallest, n * smallest));
    RC_ASSERT(bounds.condition.lower <= largest / smallest * (1 + 1e-15));
    RC_ASSERT(bounds.condition.upper >= largest / smallest * (1 - 1e-15));
    RC_ASSERT(bounds.condition.upper <= bounds.condition.lower * (1 + 1e-6));
  });
  CHECK(report.count("ill-conditioned") >= 30);
  CHECK(report.count("well-conditioned") >= 10);
}

TEST_CASE("a matrix beyond the reach of double is still certified invertible", "[model][singular_values]") {
  // (1, 1; 1, 1 + 2^-52): determinant 2^-52, so the smallest singular value is 2^-53 up to a factor 1 + 2^-53.
  DoubleMatrix matrix(2, 2);
  matrix.entries = {1, 1, 1, 1 + 0x1p-52};
  const SingularValues values = singular_values(matrix);
  CHECK(values.smallest.lower > 0x1p-54);
  CHECK(values.smallest.upper < 0x1p-52);
  CHECK(std::isfinite(values.condition.upper));
}

TEST_CASE("an integer matrix of condition 10^32 is certified invertible", "[model][singular_values]") {
  // Neighbouring Fibonacci numbers below 2^53, determinant -1 or 1: sigma_min sigma_max = 1.
  double previous = 1, current = 1;
  for (; previous + 2 * current < 0x1p53; previous = current - previous) current += previous;
  DoubleMatrix matrix(2, 2);
  matrix.entries = {current + previous, current, current, previous};
  const SingularValues values = singular_values(matrix);
  CHECK(values.condition.lower > 1e31);
  CHECK(values.smallest.lower > 0);
  CHECK(values.smallest.lower * values.largest.lower <= 1 + 0x1p-50);
  CHECK(values.smallest.upper * values.largest.upper >= 1 - 0x1p-50);
  CHECK(values.smallest.upper <= 1.5 * values.smallest.lower);
}

TEST_CASE("bounds pass from M = P^T A Q^T to A by the norms of factors that are not orthogonal",
          "[model][singular_values]") {
  int checked = 0;
  for (const double p : {0.75, 0.875, 1.0, 1.125, 1.25})
    for (const double q : {0.75, 1.0, 1.25}) {
      // 1 x 1: A = 3, M = 3 p q, P^T P - I = p^2 - 1.
      const Bounds bounds = transferred_bounds(3 * p * q, 0, std::fabs(p * p - 1), std::fabs(q * q - 1));
      INFO(p << " " << q);
      CHECK(contains(bounds, 3));
      ++checked;
    }
  CHECK(checked == 15);
  CHECK(contains(transferred_bounds(2.5, 0.5, 0, 0), 3));
  CHECK(contains(transferred_bounds(3.5, 0.5, 0, 0), 3));
  CHECK(transferred_bounds(1, 0, 0, 0).upper < 1 + 1e-15);
  CHECK(std::isinf(transferred_bounds(1, 0, 1, 0).upper));
}

TEST_CASE("a singular matrix is not certified invertible", "[model][singular_values]") {
  DoubleMatrix matrix(3, 3);
  matrix.entries = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const SingularValues values = singular_values(matrix);
  CHECK(values.smallest.lower == 0);
  CHECK(values.smallest.upper < 1e-12);
  CHECK(std::isinf(values.condition.upper));
  CHECK(values.condition.lower > 1e12);
  const SingularValues zero = singular_values(DoubleMatrix(2, 2));
  CHECK(zero.largest.lower == 0);
  CHECK(zero.largest.upper == 0);
}

TEST_CASE("only square matrices have a condition number here", "[model][singular_values]") {
  CHECK_THAT(test::error_of([] { (void)singular_values(DoubleMatrix(2, 3)); }), Catch::Contains("2 x 3"));
  CHECK_THAT(test::error_of([] { (void)singular_values(DoubleMatrix()); }), Catch::Contains("0 x 0"));
}

}  // namespace
}  // namespace attest::model
