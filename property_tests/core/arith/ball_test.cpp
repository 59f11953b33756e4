#include "core/arith/ball.h"

#include <catch2/catch.hpp>

#include "core/arith/backend.h"
#include "core/support/error.h"
#include "property_tests/core/arith/computations.h"
#include "property_tests/core/arith/intervals.h"
#include "property_tests/support/property.h"

namespace attest::test {

namespace {

using arith::ball::Balls;

std::unique_ptr<arith::Backend> ball_of(std::int64_t precision) {
  arith::BackendOptions options;
  options.precision = precision;
  return arith::make_backend("ball", options);
}

// A 1 x n matrix of balls [middle +/- radius].
arith::Matrix row_of(const std::vector<std::pair<double, double>>& balls) {
  auto result = std::make_shared<Balls>(expr::Shape{1, static_cast<std::int64_t>(balls.size())});
  for (std::size_t j = 0; j < balls.size(); ++j) {
    arb_set_d(result->at(0, static_cast<std::int64_t>(j)), balls[j].first);
    mag_set_d(arb_radref(result->at(0, static_cast<std::int64_t>(j))), balls[j].second);
  }
  return result;
}

}  // namespace

TEST_CASE("balls are equal, different or undecided", "[arith][ball]") {
  const auto backend = ball_of(64);
  const auto exact = row_of({{1, 0}, {2, 0}}), other = row_of({{1, 0}, {2.5, 0}});
  const auto wide = row_of({{1, 0}, {2.25, 0.5}}), narrow = row_of({{1, 0}, {2.25, 0.125}});
  CHECK(backend->compare(exact, exact).equal == Truth::yes);
  CHECK(backend->compare(exact, other).equal == Truth::no);
  CHECK(backend->compare(exact, wide).equal == Truth::unknown);
  CHECK(backend->compare(wide, wide).equal == Truth::unknown);
  CHECK(backend->compare(exact, narrow).equal == Truth::no);
  const auto comparison = backend->compare(exact, narrow);
  CHECK(comparison.col == 1);
  CHECK(comparison.error == Approx(0.25));
  CHECK(comparison.radius == Approx(0.125).epsilon(1e-6));
  CHECK(comparison.magnitude == Approx(2.25));
  // The first certain difference is reported, not a larger distance that proves nothing.
  const auto first = backend->compare(row_of({{0, 9}, {1, 0}, {0, 0}}), row_of({{8, 0}, {2, 0}, {50, 0}}));
  CHECK(first.equal == Truth::no);
  CHECK(first.col == 1);
}

TEST_CASE("a matrix that is singular over Q is never invertible over balls", "[arith][ball]") {
  const auto rational = arith::make_backend("rational");
  for (const std::int64_t precision : {32, 128, 256}) {
    const auto backend = ball_of(precision);
    const auto report = check_property(
        "singular matrices are not invertible at " + std::to_string(precision) + " bits",
        [&] {
          RandomStream stream(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
          const std::int64_t n = stream.integer(2, 7);
          const auto kind = static_cast<Entries>(stream.below(3));
          RationalMatrix tall = random_matrix(kind, n, n - 1, stream), wide = random_matrix(kind, n - 1, n, stream);
          const RationalMatrix singular =
              rational->to_rational((given(*rational, tall) * given(*rational, wide)).outcome().value()).value();
          const arith::Matrix a = backend->from_rational(singular).value();
          const auto inverse = backend->inverse(a);
          RC_ASSERT(!inverse.ok());
          RC_ASSERT(backend->invertible(a) != Truth::yes);
          RC_ASSERT(!backend->solve_left(a, backend->identity(n).value(), expr::Structure::general).ok());
          const bool exact = arb_mat_is_exact(dynamic_cast<const Balls&>(*a).entries);
          RC_TAG(std::string(exact ? "exact entries" : "inexact entries"));
          RC_ASSERT((inverse.status() == Status::undefined) == exact);
          RC_ASSERT((backend->invertible(a) == Truth::no) == exact);
        },
        100);
    CHECK(report.count("exact entries") > 10);
    CHECK(report.count("inexact entries") > 10);
  }
}

TEST_CASE("an ill-conditioned inverse comes when the precision suffices", "[arith][ball]") {
  RandomStream unused(0);
  const RationalMatrix hilbert = random_matrix(Entries::hilbert, 20, 20, unused);
  CHECK(inverse(given(*ball_of(53), hilbert)).outcome().status() == Status::unable);
  int precision = 53;
  while (!inverse(given(*ball_of(precision), hilbert)).outcome().ok()) precision *= 2;
  CHECK(precision <= 424);
  CHECK(ball_of(precision)->invertible(ball_of(precision)->from_rational(hilbert).value()) == Truth::yes);
}

TEST_CASE("the rank of balls is certified or not given", "[arith][ball]") {
  const auto backend = ball_of(128);
  const auto rank = [&](const RationalMatrix& matrix) { return backend->rank(backend->from_rational(matrix).value()); };
  RationalMatrix exact(3, 4), inexact(3, 4);
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      exact.at(i, j) = Rational(static_cast<long>((i + 1) * (j + 2)), 8);
      exact.at(i, j).canonicalize();
      inexact.at(i, j) = exact.at(i, j) / 3;
    }
  CHECK(rank(exact).value() == 1);
  CHECK(rank(inexact).status() == Status::unable);
  inexact.at(0, 0) += 1;
  inexact.at(1, 1) += 1;
  inexact.at(2, 3) += Rational(1, 1000000);
  CHECK(rank(inexact).value() == 3);
  CHECK(rank(RationalMatrix(2, 5)).value() == 0);
}

TEST_CASE("the text of a ball of large exponent or without a midpoint can be read", "[arith][ball]") {
  const auto backend = ball_of(64);
  CHECK(backend->entry_text(row_of({{0.375, 0}}), 0, 0) == "3/8");
  CHECK(backend->entry_text(row_of({{-3, 0}}), 0, 0) == "-3");
  const Interval around_zero = parse_interval(backend->entry_text(row_of({{0, 0.25}}), 0, 0));
  CHECK(around_zero.middle == 0);
  CHECK(around_zero.radius >= Rational(1, 4));
  const auto large = backend->elementwise(expr::Function::exp, row_of({{40000, 0}})).value();
  CHECK(backend->entry_text(large, 0, 0).find("e+17371") != std::string::npos);
}

TEST_CASE("a precision that makes no sense is refused", "[arith][ball]") {
  CHECK_THROWS_AS(ball_of(0), InputError);
  CHECK_THROWS_AS(ball_of(10'000'000), InputError);
}

}  // namespace attest::test
