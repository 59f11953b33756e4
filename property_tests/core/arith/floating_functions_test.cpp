// What the bounds of the elementwise functions and softmax rest on: Lipschitz constants, the C library, extremes.
#include <arb_hypgeom.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>

#include "core/arith/backend.h"
#include "core/arith/ball.h"
#include "core/arith/floating.h"
#include "core/support/random.h"
#include "property_tests/core/arith/intervals.h"

namespace attest::test {

namespace {

using arith::ball::Scalar;
using expr::Function;

constexpr slong precision = 96;

// result = Phi(x) + x phi(x), the derivative of gelu.
void gelu_slope(arb_t result, const arb_t x) {
  Scalar z, density;
  arb_sqrt_ui(z.value, 2, precision);
  arb_div(z.value, x, z.value, precision);
  arb_hypgeom_erf(result, z.value, precision);
  arb_add_ui(result, result, 1, precision);
  arb_mul_2exp_si(result, result, -1);
  arb_sqr(density.value, z.value, precision);
  arb_neg(density.value, density.value);
  arb_exp(density.value, density.value, precision);
  arb_const_sqrt_pi(z.value, precision);
  arb_div(density.value, density.value, z.value, precision);
  arb_sqrt_ui(z.value, 2, precision);
  arb_div(density.value, density.value, z.value, precision);
  arb_addmul(result, x, density.value, precision);
}

// result = (1 + t)/2 + x (1 - t^2) q'(x) / 2, t = tanh q(x): the derivative of gelu_tanh.
void gelu_tanh_slope(arb_t result, const arb_t x) {
  Scalar factor, cubic, q, slope, t;
  arb_const_pi(factor.value, precision);
  arb_ui_div(factor.value, 2, factor.value, precision);
  arb_sqrt(factor.value, factor.value, precision);
  arb_set_ui(cubic.value, 44715);
  arb_div_ui(cubic.value, cubic.value, 1000000, precision);
  arb_sqr(slope.value, x, precision);
  arb_mul(slope.value, slope.value, cubic.value, precision);
  arb_add_ui(q.value, slope.value, 1, precision);
  arb_mul(q.value, q.value, x, precision);
  arb_mul(q.value, q.value, factor.value, precision);
  arb_mul_ui(slope.value, slope.value, 3, precision);
  arb_add_ui(slope.value, slope.value, 1, precision);
  arb_mul(slope.value, slope.value, factor.value, precision);
  arb_tanh(t.value, q.value, precision);
  arb_sqr(result, t.value, precision);
  arb_neg(result, result);
  arb_add_ui(result, result, 1, precision);
  arb_mul(result, result, slope.value, precision);
  arb_mul(result, result, x, precision);
  arb_add(result, result, t.value, precision);
  arb_add_ui(result, result, 1, precision);
  arb_mul_2exp_si(result, result, -1);
}

// Whether |slope| <= limit is certain on every piece of [-end, end] cut into 2^pieces_log pieces a unit.
template <class Slope>
bool certainly_below(const Slope& slope, double limit, long end, int pieces_log) {
  Scalar x, value, bound;
  arb_set_d(bound.value, limit);
  for (long i = -(end << pieces_log); i < (end << pieces_log); ++i) {
    arb_set_si(x.value, 2 * i + 1);
    mag_one(arb_radref(x.value));
    arb_mul_2exp_si(x.value, x.value, -pieces_log - 1);
    slope(value.value, x.value);
    arb_abs(value.value, value.value);
    if (!arb_lt(value.value, bound.value)) return false;
  }
  return true;
}

// |computed - exact| in units in the last place of the exact value, by Arb.
template <class Number>
double ulps(Number x, Number computed, void (*exact)(arb_t, const arb_t, slong)) {
  Scalar argument, value;
  arb_set_d(argument.value, static_cast<double>(x));
  exact(value.value, argument.value, 128);
  const double size = std::abs(arf_get_d(arb_midref(value.value), ARF_RND_NEAR));
  if (size < arith::floating::Format<Number>::smallest_normal || size > arith::floating::Format<Number>::largest)
    return 0;
  Scalar difference;
  arb_set_d(difference.value, static_cast<double>(computed));
  arb_sub(difference.value, difference.value, value.value, 128);
  const double ulp = std::ldexp(arith::floating::Format<Number>::unit * 2, std::ilogb(size));
  return std::abs(arf_get_d(arb_midref(difference.value), ARF_RND_NEAR)) / ulp;
}

template <class Number>
Number random_argument(RandomStream& stream) {
  const double scale = std::ldexp(1.0, static_cast<int>(stream.integer(-30, 9)));
  return static_cast<Number>(stream.normal() * scale);
}

arith::Matrix row_of(const arith::Backend& backend, const std::vector<double>& entries) {
  DoubleMatrix matrix(1, static_cast<std::int64_t>(entries.size()));
  matrix.entries = entries;
  return backend.from_doubles(matrix).value();
}

}  // namespace

TEST_CASE("the slopes of gelu and gelu_tanh stay below 1.13", "[arith][floating]") {
  // Beyond |x| = 8 both are within 1e-9 of 0 or 1 (error_bounds.md#activations).
  CHECK(certainly_below(gelu_slope, 1.13, 8, 12));
  CHECK(certainly_below(gelu_tanh_slope, 1.13, 8, 13));
  CHECK_FALSE(certainly_below(gelu_slope, 1.125, 8, 12));
  CHECK_FALSE(certainly_below(gelu_tanh_slope, 1.125, 8, 13));
}

TEMPLATE_TEST_CASE("the C library is within the units that the bounds assume", "[arith][floating]", float, double) {
  RandomStream stream(31);
  double worst[4] = {0, 0, 0, 0};
  for (int i = 0; i < 40000; ++i) {
    const auto x = random_argument<TestType>(stream);
    worst[0] = std::max(worst[0], ulps(x, std::exp(x), arb_exp));
    worst[1] = std::max(worst[1], ulps(x, std::tanh(x), arb_tanh));
    worst[2] = std::max(worst[2], ulps(x, std::erf(x), arb_hypgeom_erf));
    worst[3] = std::max(worst[3], ulps(x, std::expm1(x), arb_expm1));
  }
  const char* names[] = {"exp", "tanh", "erf", "expm1"};
  for (int f = 0; f < 4; ++f) {
    std::cout << "    worst " << names[f] << " in " << sizeof(TestType) * 8 << " bits: " << worst[f] << " ulp\n";
    CHECK(worst[f] <= arith::floating::library_ulps);
    CHECK(worst[f] > 0.3);
  }
}

TEST_CASE("functions are bounded far out, where exponentials overflow and vanish", "[arith][floating]") {
  arith::BackendOptions fine;
  fine.precision = 256;
  const auto ball = arith::make_backend("ball", fine);
  for (const char* name : {"double", "float"}) {
    const auto backend = arith::make_backend(name);
    int compared = 0;
    for (const Function f : {Function::gelu, Function::gelu_tanh, Function::silu, Function::tanh, Function::exp,
                             Function::relu, Function::relu_squared, Function::inv_sqrt, Function::reciprocal}) {
      for (const double size : {1e-310, 1e-300, 1e-44, 1e-30, 1e-10, 0.5,   5.0,   20.0,  80.0,  87.0, 88.0, 89.0,
                                103.0,  104.0,  300.0, 700.0, 708.0, 709.0, 710.0, 745.0, 746.0, 1e4,  1e10, 1e18}) {
        for (const double x : {size, -size}) {
          const auto at = static_cast<double>(static_cast<float>(x));  // the same number in every format
          const auto value = backend->elementwise(f, row_of(*backend, {at}));
          const auto exact = ball->elementwise(f, row_of(*ball, {at}));
          INFO(name << " " << to_string(f) << " of " << at);
          CHECK((value.status() == exact.status() || value.status() == Status::unable));
          if (!value.ok() || !exact.ok()) continue;
          ++compared;
          CHECK(certain_ratio(interval_at(value.value(), 0, 0), interval_at(exact.value(), 0, 0)) <= 1);
        }
      }
    }
    CHECK(compared > 300);
  }
}

TEST_CASE("functions of an uncertain number are bounded at both ends of it", "[arith][floating]") {
  arith::BackendOptions fine;
  fine.precision = 256;
  const auto ball = arith::make_backend("ball", fine);
  for (const Function f : {Function::gelu, Function::gelu_tanh, Function::silu, Function::tanh, Function::exp,
                           Function::relu, Function::relu_squared, Function::inv_sqrt, Function::reciprocal}) {
    double worst = 0;
    for (int step = -200; step <= 200; ++step) {
      for (const double radius : {0x1p-20, 0x1p-4, 1.0}) {
        arith::floating::Bounded<double> x(expr::Shape{1, 1});
        x.value[0] = step / 32.0;
        x.bound = {radius};
        const auto value = arith::floating::elementwise(f, x);
        if (!value.ok()) continue;
        for (const double end : {x.value[0] - radius, x.value[0] + radius}) {
          const auto exact = ball->elementwise(f, row_of(*ball, {end}));
          REQUIRE(exact.ok());
          worst = std::max(worst, certain_ratio(interval_at(value.value(), 0, 0), interval_at(exact.value(), 0, 0)));
        }
      }
    }
    INFO(to_string(f));
    CHECK(worst <= 1);
    CHECK(worst > 0.99);  // no constant is larger than it need be by more than 1 %
  }
}

TEST_CASE("softmax is bounded for large, equal and uncertain logits", "[arith][floating]") {
  arith::BackendOptions fine;
  fine.precision = 256;
  const auto ball = arith::make_backend("ball", fine);
  RandomStream stream(41);
  for (const char* name : {"double", "float"}) {
    const auto backend = arith::make_backend(name);
    double worst = 0;
    for (int round = 0; round < 300; ++round) {
      std::vector<double> logits(static_cast<std::size_t>(stream.integer(1, 40)));
      const double scale = std::ldexp(1.0, static_cast<int>(stream.integer(-5, 20)));
      for (double& x : logits) x = static_cast<double>(static_cast<float>(scale * stream.normal()));
      const auto value = backend->softmax(row_of(*backend, logits), expr::Mask::none()).value();
      const auto exact = ball->softmax(row_of(*ball, logits), expr::Mask::none()).value();
      for (std::size_t j = 0; j < logits.size(); ++j)
        worst = std::max(worst, certain_ratio(interval_at(value, 0, static_cast<std::int64_t>(j)),
                                              interval_at(exact, 0, static_cast<std::int64_t>(j))));
    }
    std::cout << "    worst error / bound of softmax in " << name << ": " << worst << '\n';
    CHECK(worst <= 1);
    CHECK(worst > 0.02);
  }
}

TEST_CASE("softmax of uncertain logits contains the softmax of every logit within the bound", "[arith][floating]") {
  arith::BackendOptions fine;
  fine.precision = 256;
  const auto ball = arith::make_backend("ball", fine);
  RandomStream stream(43);
  double worst = 0;
  for (int round = 0; round < 300; ++round) {
    const std::int64_t n = stream.integer(1, 12);
    arith::floating::Bounded<double> logits(expr::Shape{1, n});
    std::vector<double> moved;
    const double scale = std::ldexp(1.0, static_cast<int>(stream.integer(-30, 3)));
    for (double& x : logits.value) {
      x = stream.normal();
      logits.bound.push_back(scale);
      moved.push_back(x + (moved.empty() ? scale : -scale) * (1 - 0x1p-20));
    }
    const auto value = arith::floating::softmax(logits, expr::Mask::none()).value();
    const auto exact = ball->softmax(row_of(*ball, moved), expr::Mask::none()).value();
    for (std::int64_t j = 0; j < n; ++j)
      worst = std::max(worst, certain_ratio(interval_at(value, 0, j), interval_at(exact, 0, j)));
  }
  std::cout << "    worst error / bound of softmax at the corner of its logits: " << worst << '\n';
  CHECK(worst <= 1);
  CHECK(worst > 0.5);
}

TEST_CASE("partial functions know their domain as far as the bounds do", "[arith][floating]") {
  const auto status = [](Function f, double value, double bound) {
    arith::floating::Bounded<double> x(expr::Shape{1, 1});
    x.value[0] = value;
    if (bound > 0) x.bound = {bound};
    return arith::floating::elementwise(f, x).status();
  };
  CHECK(status(Function::reciprocal, 0, 0) == Status::undefined);
  CHECK(status(Function::reciprocal, 0, 1e-9) == Status::unable);
  CHECK(status(Function::reciprocal, 1e-9, 1e-9) == Status::unable);
  CHECK(status(Function::reciprocal, -1, 0.5) == Status::success);
  CHECK(status(Function::inv_sqrt, 0, 0) == Status::undefined);
  CHECK(status(Function::inv_sqrt, -1, 0.5) == Status::undefined);
  CHECK(status(Function::inv_sqrt, -1, 1.5) == Status::unable);
  CHECK(status(Function::inv_sqrt, 1, 1) == Status::unable);
  CHECK(status(Function::inv_sqrt, 1, 0.5) == Status::success);
}

}  // namespace attest::test
