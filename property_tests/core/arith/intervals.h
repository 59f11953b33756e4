#pragma once

#include <cstdlib>
#include <string>

#include "core/arith/ball.h"
#include "core/arith/floating.h"
#include "core/support/check.h"
#include "core/support/rational.h"

namespace attest::test {

// What a ball or a floating-point entry says about the exact value: |exact - middle| <= radius, both exact numbers.
struct Interval {
  Rational middle, radius;
};

inline Rational exact_arf(const arf_t x) {
  fmpq_t value;
  fmpq_init(value);
  arf_get_fmpq(value, x);
  Rational result;
  fmpq_get_mpq(result.get_mpq_t(), value);
  fmpq_clear(value);
  return result;
}

// A ball with moderate exponents that contains the given one: a tiny midpoint becomes 0 and a larger radius.
inline Interval interval_of(const arb_t x) {
  constexpr slong smallest = -4000;
  arf_t radius;
  arf_init_set_mag_shallow(radius, arb_radref(x));
  Rational tiny(1);
  mpq_div_2exp(tiny.get_mpq_t(), tiny.get_mpq_t(), -smallest);
  const bool tiny_middle = arf_cmpabs_2exp_si(arb_midref(x), smallest) < 0;
  const bool tiny_radius = arf_cmpabs_2exp_si(radius, smallest) < 0;
  return {tiny_middle ? Rational(0) : exact_arf(arb_midref(x)),
          (tiny_radius && !arf_is_zero(radius) ? tiny : exact_arf(radius)) +
              (tiny_middle && !arf_is_zero(arb_midref(x)) ? tiny : Rational(0))};
}

inline Interval interval_at(const arith::Matrix& matrix, std::int64_t row, std::int64_t col) {
  const auto at = static_cast<std::size_t>(row * matrix->shape.cols + col);
  if (const auto* balls = dynamic_cast<const arith::ball::Balls*>(matrix.get()))
    return interval_of(balls->at(row, col));
  if (const auto* bounded = dynamic_cast<const arith::floating::Bounded<double>*>(matrix.get()))
    return {exact_rational(bounded->value[at]), exact_rational(bounded->bound_at(at))};
  const auto* bounded = dynamic_cast<const arith::floating::Bounded<float>*>(matrix.get());
  ATTEST_CHECK(bounded != nullptr, "a matrix without bounds");
  return {exact_rational(static_cast<double>(bounded->value[at])), exact_rational(bounded->bound_at(at))};
}

// A decimal number such as "-1.25e-40", exactly.
inline Rational parse_decimal(std::string text) {
  long exponent = 0;
  if (const auto mark = text.find('e'); mark != std::string::npos) {
    exponent = std::stol(text.substr(mark + 1));
    text.erase(mark);
  }
  if (const auto point = text.find('.'); point != std::string::npos) {
    exponent -= static_cast<long>(text.size() - point - 1);
    text.erase(point, 1);
  }
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(exponent)));
  const Integer digits(text, 10);
  Rational value = exponent >= 0 ? Rational(digits * power) : Rational(digits, power);
  value.canonicalize();
  return value;
}

// What the text of an entry says: "[middle +/- radius]" in decimals, or an exact "p/q".
inline Interval parse_interval(const std::string& text) {
  if (text.front() != '[') return {parse_rational(text), 0};
  const auto separator = text.find(" +/- ");
  ATTEST_CHECK(separator != std::string::npos && text.back() == ']', text);
  return {parse_decimal(text.substr(1, separator - 1)),
          parse_decimal(text.substr(separator + 5, text.size() - separator - 6))};
}

// How far outside of `outer` the exact value certainly is, as a multiple of the radius of `outer`: above 1 refutes it.
// -1 where `outer` has no radius and nothing is wrong.
inline double certain_ratio(const Interval& outer, const Interval& exact) {
  const Rational distance = abs(outer.middle - exact.middle) - exact.radius;
  if (distance <= 0) return outer.radius == 0 ? -1 : 0;
  if (outer.radius == 0) return std::numeric_limits<double>::infinity();
  const Rational ratio = distance / outer.radius;
  return ratio > 1 ? std::max(ratio.get_d(), 1.0000001) : ratio.get_d();
}

}  // namespace attest::test
