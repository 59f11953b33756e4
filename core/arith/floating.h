#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string_view>
#include <vector>

#include "core/arith/matrix.h"
#include "core/expr/function.h"
#include "core/expr/mask.h"
#include "core/support/outcome.h"

// Running error analysis: values in double or float, and beside each entry a rigorous bound in double on its distance
// from the exact value of the same expression. Every inequality is proved in docs/error_bounds.md.
namespace attest::arith::floating {

// One matrix: |value - exact| <= bound entry by entry. Both are finite; an empty bound means every entry is exact.
template <class Number>
struct Bounded final : MatrixStorage {
  explicit Bounded(expr::Shape s) : MatrixStorage(s), value(static_cast<std::size_t>(s.count())) {}
  std::vector<Number> value;
  std::vector<double> bound;

  double bound_at(std::size_t i) const { return bound.empty() ? 0 : bound[i]; }
  // The bounds, created as zeros if the matrix was exact so far.
  std::vector<double>& bounds() {
    if (bound.empty()) bound.assign(value.size(), 0);
    return bound;
  }
};

// Constants of the format: unit roundoff and the smallest positive number.
template <class Number>
struct Format {
  static constexpr double unit = static_cast<double>(std::numeric_limits<Number>::epsilon()) / 2;
  static constexpr double tiny = static_cast<double>(std::numeric_limits<Number>::denorm_min());
  static constexpr double smallest_normal = static_cast<double>(std::numeric_limits<Number>::min());
  static constexpr double largest = static_cast<double>(std::numeric_limits<Number>::max());
};
constexpr double double_unit = Format<double>::unit;
constexpr double double_tiny = Format<double>::tiny;

// An upper bound of a nonnegative quantity that was computed in double with at most 16 roundings, sums and products of
// nonnegative terms only (error_bounds.md#the-bounds-own-rounding).
inline double round_up(double computed) { return computed * (1 + 0x1p-48) + 0x1p-1070; }

// |fl(x) - x| for a result of one rounding.
template <class Number>
double rounding(Number result) {
  return Format<Number>::unit * std::abs(static_cast<double>(result)) + Format<Number>::tiny;
}

// Bound of fl(a b) against the product of the exact values.
template <class Number>
double product_bound(Number a, double bound_a, Number b, double bound_b, Number result) {
  const double size_a = std::abs(static_cast<double>(a)), size_b = std::abs(static_cast<double>(b));
  if ((size_a == 0 && bound_a == 0) || (size_b == 0 && bound_b == 0)) return 0;
  return round_up(size_a * bound_b + bound_a * size_b + bound_a * bound_b + rounding(result));
}

// Bound of fl(a + b): the rounding error of one addition is itself a Number, found by the two-sum of Knuth.
template <class Number>
double sum_bound(Number a, double bound_a, Number b, double bound_b, Number result) {
  const Number b_part = result - a;
  const Number error = (a - (result - b_part)) + (b - b_part);
  const double bound = bound_a + bound_b + std::abs(static_cast<double>(error));
  return bound == 0 ? 0 : round_up(bound);
}

// The finished matrix, its bound dropped where it is zero everywhere; unable if a value or a bound is not finite.
template <class Number>
Outcome<Matrix> finish(std::shared_ptr<Bounded<Number>> result, std::string_view operation);

// A B, a product whose bound holds for every order of summation.
template <class Number>
Outcome<Matrix> multiply(const Bounded<Number>& a, const Bounded<Number>& b);

// A^-1 certified afterwards through the residual I - R A; unable where its norm is not below 1.
template <class Number>
Outcome<Matrix> inverse(const Bounded<Number>& a);

template <class Number>
Outcome<Matrix> softmax(const Bounded<Number>& logits, const expr::Mask& mask);

template <class Number>
Outcome<Matrix> elementwise(expr::Function f, const Bounded<Number>& a);

// The accuracy that the bounds assume of the C library's exp, expm1, erf and tanh, in units in the last place.
constexpr double library_ulps = 4;

}  // namespace attest::arith::floating
