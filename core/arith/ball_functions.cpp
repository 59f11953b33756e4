#include <arb_hypgeom.h>
#include <flint/fmpz_mat.h>

#include <algorithm>

#include "core/arith/ball.h"

namespace attest::arith::ball {
namespace {

using expr::Function;

// max(x, 0), exact where the ball does not straddle 0.
void relu(arb_t result, const arb_t x, slong precision) {
  if (arb_is_nonnegative(x)) {
    arb_set_round(result, x, precision);
  } else if (arb_is_nonpositive(x)) {
    arb_zero(result);
  } else {
    const Scalar zero;
    arb_max(result, x, zero.value, precision);
  }
}

// x (1 + erf(x / sqrt 2)) / 2, through erfc(-x / sqrt 2) where the sum would cancel.
void gelu(arb_t result, const arb_t x, slong precision) {
  Scalar z, root;
  arb_sqrt_ui(root.value, 2, precision);
  arb_div(z.value, x, root.value, precision);
  arb_neg(z.value, z.value);
  arb_hypgeom_erfc(z.value, z.value, precision);
  arb_mul(result, x, z.value, precision);
  arb_mul_2exp_si(result, result, -1);
}

// x (1 + tanh q) / 2 = x / (1 + e^(-2q)), q = sqrt(2/pi) (x + 0.044715 x^3).
void gelu_tanh(arb_t result, const arb_t x, slong precision) {
  Scalar q, factor;
  arb_sqr(q.value, x, precision);
  arb_set_ui(factor.value, 44715);
  arb_div_ui(factor.value, factor.value, 1000000, precision);
  arb_mul(q.value, q.value, factor.value, precision);
  arb_add_ui(q.value, q.value, 1, precision);
  arb_mul(q.value, q.value, x, precision);
  arb_const_pi(factor.value, precision);
  arb_ui_div(factor.value, 2, factor.value, precision);
  arb_sqrt(factor.value, factor.value, precision);
  arb_mul(q.value, q.value, factor.value, precision);
  arb_mul_2exp_si(q.value, q.value, 1);
  arb_neg(q.value, q.value);
  arb_exp(q.value, q.value, precision);
  arb_add_ui(q.value, q.value, 1, precision);
  arb_div(result, x, q.value, precision);
}

void silu(arb_t result, const arb_t x, slong precision) {
  Scalar denominator;
  arb_neg(denominator.value, x);
  arb_exp(denominator.value, denominator.value, precision);
  arb_add_ui(denominator.value, denominator.value, 1, precision);
  arb_div(result, x, denominator.value, precision);
}

// The visible key of row i with the largest midpoint, or -1.
std::int64_t largest_visible(const Balls& logits, const expr::Mask& mask, std::int64_t i) {
  const auto [rows, cols] = logits.shape;
  std::int64_t best = -1;
  for (std::int64_t j = 0; j < cols; ++j) {
    if (!mask.visible(i, j, rows, cols)) continue;
    if (best < 0 || arf_cmp(arb_midref(logits.at(i, j)), arb_midref(logits.at(i, best))) > 0) best = j;
  }
  return best;
}

}  // namespace

Status enclose(Function f, arb_t result, const arb_t x, slong precision) {
  switch (f) {
    case Function::relu:
      relu(result, x, precision);
      break;
    case Function::relu_squared:
      relu(result, x, precision);
      arb_sqr(result, result, precision);
      break;
    case Function::gelu:
      gelu(result, x, precision);
      break;
    case Function::gelu_tanh:
      gelu_tanh(result, x, precision);
      break;
    case Function::silu:
      silu(result, x, precision);
      break;
    case Function::tanh:
      arb_tanh(result, x, precision);
      break;
    case Function::exp:
      arb_exp(result, x, precision);
      break;
    case Function::reciprocal:
      if (arb_is_zero(x)) return Status::undefined;
      if (arb_contains_zero(x)) return Status::unable;
      arb_inv(result, x, precision);
      break;
    case Function::inv_sqrt:
      if (arb_is_nonpositive(x)) return Status::undefined;
      if (!arb_is_positive(x)) return Status::unable;
      arb_rsqrt(result, x, precision);
      break;
  }
  return arb_is_finite(result) ? Status::success : Status::unable;
}

Outcome<Matrix> softmax(const Balls& logits, const expr::Mask& mask, slong precision) {
  const auto [rows, cols] = logits.shape;
  auto result = std::make_shared<Balls>(logits.shape);
  Scalar sum, shift;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t largest = largest_visible(logits, mask, i);
    if (largest < 0) return Outcome<Matrix>::undefined("softmax row " + std::to_string(i) + " sees no key");
    arb_set_arf(shift.value, arb_midref(logits.at(i, largest)));
    arb_zero(sum.value);
    for (std::int64_t j = 0; j < cols; ++j) {
      if (!mask.visible(i, j, rows, cols)) continue;
      arb_ptr weight = result->at(i, j);
      arb_sub(weight, logits.at(i, j), shift.value, precision);
      arb_exp(weight, weight, precision);
      arb_add(sum.value, sum.value, weight, precision);
    }
    for (std::int64_t j = 0; j < cols; ++j) {
      if (!mask.visible(i, j, rows, cols)) continue;
      arb_div(result->at(i, j), result->at(i, j), sum.value, precision);
      if (!arb_is_finite(result->at(i, j)))
        return Outcome<Matrix>::unable("a softmax whose logits are known too poorly at this precision");
    }
  }
  return Outcome<Matrix>(std::move(result));
}

Outcome<std::int64_t> exact_rank(const Balls& a) {
  constexpr std::int64_t largest_exponent = 1 << 14;
  if (!arb_mat_is_exact(a.entries)) return Outcome<std::int64_t>::unable("the rank of a matrix that is not exact");
  const auto [rows, cols] = a.shape;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j)
      if (arf_cmpabs_2exp_si(arb_midref(a.at(i, j)), largest_exponent) > 0 ||
          (!arb_is_zero(a.at(i, j)) && arf_cmpabs_2exp_si(arb_midref(a.at(i, j)), -largest_exponent) < 0))
        return Outcome<std::int64_t>::unable("the rank of a matrix with extreme entries");
  fmpz_t mantissa, exponent, lowest;
  fmpz_init(mantissa);
  fmpz_init(exponent);
  fmpz_init_set_si(lowest, 0);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) {
      if (arb_is_zero(a.at(i, j))) continue;
      arf_get_fmpz_2exp(mantissa, exponent, arb_midref(a.at(i, j)));
      if (fmpz_cmp(exponent, lowest) < 0) fmpz_set(lowest, exponent);
    }
  }
  fmpz_mat_t integers;
  fmpz_mat_init(integers, rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) {
      if (arb_is_zero(a.at(i, j))) continue;
      arf_get_fmpz_2exp(mantissa, exponent, arb_midref(a.at(i, j)));
      fmpz_sub(exponent, exponent, lowest);
      fmpz_mul_2exp(fmpz_mat_entry(integers, i, j), mantissa, fmpz_get_ui(exponent));
    }
  }
  const std::int64_t rank = fmpz_mat_rank(integers);
  fmpz_mat_clear(integers);
  fmpz_clear(mantissa);
  fmpz_clear(exponent);
  fmpz_clear(lowest);
  return rank;
}

}  // namespace attest::arith::ball
