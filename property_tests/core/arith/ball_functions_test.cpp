// Enclosures of functions on wide balls: the value at every point of the ball lies in the result.
#include <catch2/catch.hpp>
#include <cmath>

#include "core/arith/ball.h"
#include "core/support/random.h"
#include "property_tests/core/arith/intervals.h"

namespace attest::test {

namespace {

using arith::ball::Balls;
using arith::ball::enclose;
using arith::ball::Scalar;
using expr::Function;

constexpr Function all_functions[] = {Function::relu,         Function::gelu,       Function::gelu_tanh,
                                      Function::silu,         Function::tanh,       Function::exp,
                                      Function::relu_squared, Function::reciprocal, Function::inv_sqrt};

// f in long double from its definition: an independent reference of about 60 bits.
long double approx_reference(Function f, long double x) {
  const long double pi = 3.14159265358979323846264338327950288L;
  switch (f) {
    case Function::relu:
      return std::max(x, 0.0L);
    case Function::relu_squared:
      return std::max(x, 0.0L) * std::max(x, 0.0L);
    case Function::gelu:
      return x * std::erfc(-x / std::sqrt(2.0L)) / 2;
    case Function::gelu_tanh:
      return x * (1 + std::tanh(std::sqrt(2 / pi) * (x + 0.044715L * x * x * x))) / 2;
    case Function::silu:
      return x / (1 + std::exp(-x));
    case Function::tanh:
      return std::tanh(x);
    case Function::exp:
      return std::exp(x);
    case Function::reciprocal:
      return 1 / x;
    case Function::inv_sqrt:
      return 1 / std::sqrt(x);
  }
  return 0;
}

}  // namespace

TEST_CASE("an enclosure contains the value at points of the ball", "[arith][ball]") {
  RandomStream stream(51);
  int checked = 0, wide = 0;
  for (const Function f : all_functions) {
    for (int round = 0; round < 200; ++round) {
      Scalar ball, result, point;
      const double middle = 3 * stream.normal(),
                   radius = std::ldexp(stream.unit(), static_cast<int>(stream.integer(-12, 1)));
      arb_set_d(ball.value, middle);
      mag_set_d(arb_radref(ball.value), radius);
      const Status status = enclose(f, result.value, ball.value, 80);
      if (status != Status::success) continue;
      wide += radius > 0.1 ? 1 : 0;
      for (const double t : {-1.0, -0.3, 0.0, 0.7, 1.0}) {
        const double x = middle + 0.999 * t * radius;
        arb_set_d(point.value, x);
        if (!arb_contains(ball.value, point.value)) continue;  // rounded out of a very small ball
        const long double value = approx_reference(f, static_cast<long double>(x));
        arb_set_d(point.value, static_cast<double>(value));
        // The reference itself is known to 40 bits of its size at least.
        mag_set_d(arb_radref(point.value), 0x1p-40 * std::abs(static_cast<double>(value)) + 0x1p-40 * std::abs(x));
        INFO(to_string(f) << " at " << x);
        CHECK(arb_overlaps(result.value, point.value));
        ++checked;
      }
    }
  }
  CHECK(checked > 5000);
  CHECK(wide > 200);
}

TEST_CASE("enclosures at a point are as narrow as the precision", "[arith][ball]") {
  for (const Function f : all_functions) {
    for (const double x : {1e-9, 0.25, 1.0, 3.5, -0.75, -30.0}) {
      if (x <= 0 && f == Function::inv_sqrt) continue;
      Scalar point, result;
      arb_set_d(point.value, x);
      REQUIRE(enclose(f, result.value, point.value, 128) == Status::success);
      INFO(to_string(f) << " at " << x);
      CHECK(arb_rel_accuracy_bits(result.value) >= 110);
    }
  }
}

TEST_CASE("balls outside and across the domain", "[arith][ball]") {
  const auto status = [](Function f, double middle, double radius) {
    Scalar ball, result;
    arb_set_d(ball.value, middle);
    mag_set_d(arb_radref(ball.value), radius);
    return enclose(f, result.value, ball.value, 64);
  };
  CHECK(status(Function::reciprocal, 0, 0) == Status::undefined);
  CHECK(status(Function::reciprocal, 0.5, 1) == Status::unable);
  CHECK(status(Function::reciprocal, -2, 1) == Status::success);
  CHECK(status(Function::inv_sqrt, 0, 0) == Status::undefined);
  CHECK(status(Function::inv_sqrt, -2, 1) == Status::undefined);
  CHECK(status(Function::inv_sqrt, 0.5, 1) == Status::unable);
  CHECK(status(Function::inv_sqrt, 2, 1) == Status::success);
}

TEST_CASE("relu of a ball across 0 reaches from 0 to the upper end", "[arith][ball]") {
  Scalar ball, result, point;
  arb_set_d(ball.value, 1);
  mag_set_d(arb_radref(ball.value), 3);
  REQUIRE(enclose(Function::relu, result.value, ball.value, 64) == Status::success);
  for (const double inside : {0.0, 0.5, 4.0}) {
    arb_set_d(point.value, inside);
    CHECK(arb_contains(result.value, point.value));
  }
  for (const double outside : {-0.01, 4.01}) {
    arb_set_d(point.value, outside);
    CHECK_FALSE(arb_contains(result.value, point.value));
  }
}

TEST_CASE("softmax of wide balls contains the softmax at their corners", "[arith][ball]") {
  RandomStream stream(53);
  for (int round = 0; round < 200; ++round) {
    const std::int64_t n = stream.integer(1, 8);
    Balls wide(expr::Shape{1, n}), corner(expr::Shape{1, n});
    for (std::int64_t j = 0; j < n; ++j) {
      const double middle = 4 * stream.normal(), radius = stream.unit();
      arb_set_d(wide.at(0, j), middle);
      mag_set_d(arb_radref(wide.at(0, j)), radius);
      arb_set_d(corner.at(0, j), middle + 0.999 * radius * (stream.integer(0, 1) == 0 ? -1 : 1));
    }
    const auto outer = arith::ball::softmax(wide, expr::Mask::none(), 64).value();
    const auto inner = arith::ball::softmax(corner, expr::Mask::none(), 128).value();
    REQUIRE(arb_mat_overlaps(dynamic_cast<const Balls&>(*outer).entries, dynamic_cast<const Balls&>(*inner).entries));
  }
}

TEST_CASE("the rank of exact entries of very different size is exact", "[arith][ball]") {
  Balls a(expr::Shape{2, 2});
  arb_set_d(a.at(0, 0), 0x1p-1000);
  arb_set_d(a.at(0, 1), 1);
  arb_set_d(a.at(1, 0), 0x1p-900);
  arb_set_d(a.at(1, 1), 0x1p100);
  CHECK(arith::ball::exact_rank(a).value() == 1);
  arb_set_d(a.at(1, 1), 0x1.0000000000001p100);
  CHECK(arith::ball::exact_rank(a).value() == 2);
  arb_mul_2exp_si(a.at(1, 1), a.at(1, 1), 1 << 20);
  CHECK(arith::ball::exact_rank(a).status() == Status::unable);
  mag_set_d(arb_radref(a.at(0, 0)), 0x1p-1050);
  CHECK(arith::ball::exact_rank(a).status() == Status::unable);
}

}  // namespace attest::test
