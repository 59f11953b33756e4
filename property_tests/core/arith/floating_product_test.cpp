// Products and certified inverses in double and float, at sizes where OpenBLAS blocks and reorders.
#include <algorithm>
#include <catch2/catch.hpp>
#include <iostream>
#include <numeric>

#include "core/arith/backend.h"
#include "core/arith/floating.h"
#include "property_tests/core/arith/computations.h"
#include "property_tests/core/arith/intervals.h"

namespace attest::test {

namespace {

using arith::floating::Bounded;

template <class Number>
std::shared_ptr<Bounded<Number>> random_bounded(std::int64_t rows, std::int64_t cols, double bound,
                                                RandomStream stream) {
  auto result = std::make_shared<Bounded<Number>>(expr::Shape{rows, cols});
  for (Number& x : result->value) x = static_cast<Number>(stream.normal());
  if (bound > 0)
    for (double& x : result->bounds()) x = bound * stream.unit();
  return result;
}

// The exact entry of the product of matrices that lie in the bounds of a and b: at an extreme corner of them.
template <class Number>
Rational extreme_entry(const Bounded<Number>& a, const Bounded<Number>& b, std::int64_t i, std::int64_t j, int sign) {
  Rational sum = 0;
  for (std::int64_t l = 0; l < a.shape.cols; ++l) {
    const auto at_a = static_cast<std::size_t>(i * a.shape.cols + l),
               at_b = static_cast<std::size_t>(l * b.shape.cols + j);
    Rational x = exact_rational(static_cast<double>(a.value[at_a])),
             y = exact_rational(static_cast<double>(b.value[at_b]));
    const Rational x_step = exact_rational(a.bound_at(at_a)) * sign, y_step = exact_rational(b.bound_at(at_b)) * sign;
    const Rational x_moved = y < 0 ? Rational(x - x_step) : Rational(x + x_step);
    const Rational y_moved = x_moved < 0 ? Rational(y - y_step) : Rational(y + y_step);
    sum += x_moved * y_moved;
  }
  return sum;
}

template <class Number>
double naive_dot(const Bounded<Number>& a, const Bounded<Number>& b, std::int64_t i, std::int64_t j, bool backwards) {
  Number sum = 0;
  for (std::int64_t step = 0; step < a.shape.cols; ++step) {
    const std::int64_t l = backwards ? a.shape.cols - 1 - step : step;
    sum += a.value[static_cast<std::size_t>(i * a.shape.cols + l)] *
           b.value[static_cast<std::size_t>(l * b.shape.cols + j)];
  }
  return static_cast<double>(sum);
}

}  // namespace

TEMPLATE_TEST_CASE("a product's bound holds for every order and every exact matrix within the inputs' bounds",
                   "[arith][floating]", float, double) {
  double worst = 0;
  for (const double input_bound : {0.0, 1e-3}) {
    for (const std::int64_t k : {1, 7, 256, 257, 700}) {
      const std::int64_t m = 20, n = 33;
      const auto a = random_bounded<TestType>(m, k, input_bound, RandomStream(11));
      const auto b = random_bounded<TestType>(k, n, input_bound, RandomStream(12));
      const arith::Matrix product = arith::floating::multiply(*a, *b).value();
      for (std::int64_t i = 0; i < m; i += 7) {
        for (std::int64_t j = 0; j < n; j += 11) {
          Interval claim = interval_at(product, i, j);
          for (const int sign : {-1, 1}) {
            const Rational exact = extreme_entry(*a, *b, i, j, sign);
            worst = std::max(worst, certain_ratio(claim, {exact, 0}));
            // The same claim around a sum in another order.
            for (const bool backwards : {false, true})
              worst = std::max(
                  worst, certain_ratio({exact_rational(naive_dot(*a, *b, i, j, backwards)), claim.radius}, {exact, 0}));
          }
        }
      }
    }
  }
  std::cout << "    worst error / bound of a product: " << worst << '\n';
  CHECK(worst <= 1);
  CHECK(worst > 0.5);  // with input bounds the corner of the box comes close: the bound has no slack to hide in
}

TEMPLATE_TEST_CASE("an inverse is certified at size 120 and contains the exact inverse of a structured matrix",
                   "[arith][floating]", float, double) {
  // I + u v^T with v^T u = 0 has the inverse I - u v^T.
  constexpr std::int64_t n = 120;
  auto a = std::make_shared<Bounded<TestType>>(expr::Shape{n, n});
  RationalMatrix exact(n, n);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const long u = i % 5 - 2, v = (j % 2 == 0 ? 1 : -1) * ((j / 10) % 3);
      const Rational product = Rational(u) * Rational(j % 10 < 5 ? v : -v) / 16;
      a->value[static_cast<std::size_t>(i * n + j)] = static_cast<TestType>(product.get_d() + (i == j ? 1 : 0));
      exact.at(i, j) = (i == j ? 1 : 0) - product;
    }
  }
  // v^T u = 0 is checked, not assumed: (I + u v^T)(I - u v^T) = I.
  const auto rational = arith::make_backend("rational");
  const Term minus = given(*rational, exact), one = identity(*rational, n);
  REQUIRE(rational->compare((minus * (one + one - minus)).outcome().value(), one.outcome().value()).equal ==
          Truth::yes);
  const auto inverse = arith::floating::inverse(*a);
  REQUIRE(inverse.ok());
  double worst = -1;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      worst = std::max(worst, certain_ratio(interval_at(inverse.value(), i, j), {exact.at(i, j), 0}));
  CHECK(worst <= 1);
}

TEST_CASE("an inverse of an uncertain matrix contains the inverse of every matrix within the bound",
          "[arith][floating]") {
  const auto rational = arith::make_backend("rational");
  RandomStream stream(21);
  int certified = 0;
  double worst = -1;
  for (int round = 0; round < 60; ++round) {
    const std::int64_t n = stream.integer(1, 6);
    const auto a =
        random_bounded<double>(n, n, std::ldexp(1.0, static_cast<int>(-stream.integer(3, 40))), stream.child(round));
    RationalMatrix inside(n, n);
    for (std::size_t i = 0; i < a->value.size(); ++i)
      inside.entries[i] =
          exact_rational(a->value[i]) + exact_rational(a->bound_at(i)) * (stream.integer(0, 1) == 0 ? -1 : 1);
    const auto enclosure = arith::floating::inverse(*a);
    if (!enclosure.ok()) continue;
    ++certified;
    const auto exact = inverse(given(*rational, inside)).outcome();
    REQUIRE(exact.ok());  // certified: every matrix within the bound is invertible
    const RationalMatrix entries = rational->to_rational(exact.value()).value();
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j)
        worst = std::max(worst, certain_ratio(interval_at(enclosure.value(), i, j), {entries.at(i, j), 0}));
  }
  std::cout << "    worst error / bound of an uncertain inverse: " << worst << " in " << certified << " matrices\n";
  CHECK(certified > 30);
  CHECK(worst <= 1);
  CHECK(worst > 0.3);
}

TEST_CASE("conditioning decides whether an inverse is certified", "[arith][floating]") {
  const auto hilbert = [](std::int64_t n) {
    RandomStream unused(0);
    return random_matrix(Entries::hilbert, n, n, unused);
  };
  const auto in_double = arith::make_backend("double"), in_float = arith::make_backend("float");
  const auto invertible = [&](const arith::Backend& backend, std::int64_t n) {
    return backend.invertible(backend.from_rational(hilbert(n)).value());
  };
  CHECK(invertible(*in_double, 3) == Truth::yes);
  CHECK(invertible(*in_double, 7) == Truth::yes);
  CHECK(invertible(*in_double, 14) == Truth::unknown);
  CHECK(invertible(*in_float, 3) == Truth::yes);
  CHECK(invertible(*in_float, 7) == Truth::unknown);
  const auto outcome = inverse(given(*in_double, hilbert(14))).outcome();
  CHECK(outcome.status() == Status::unable);
  CHECK(outcome.reason() == "cannot certify in double that the matrix is invertible");
}

}  // namespace attest::test
