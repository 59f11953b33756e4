#include "model/singular_values.h"

#include <arb_mat.h>
#include <cblas.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/support/error.h"

extern "C" void dgesdd_(const char* job, const int* rows, const int* cols, double* a, const int* lda, double* s,
                        double* u, const int* ldu, double* vt, const int* ldvt, double* work, const int* work_size,
                        int* integer_work, int* info);

namespace attest::model {
namespace {

constexpr slong working_precision = 128;

struct Ball {
  Ball() { arb_init(value); }
  ~Ball() { arb_clear(value); }
  Ball(const Ball&) = delete;
  Ball& operator=(const Ball&) = delete;
  arb_t value;
};

struct BallMatrix {
  BallMatrix(std::int64_t rows, std::int64_t cols) { arb_mat_init(value, rows, cols); }
  explicit BallMatrix(const DoubleMatrix& source) : BallMatrix(source.rows, source.cols) {
    for (std::int64_t i = 0; i < source.rows; ++i)
      for (std::int64_t j = 0; j < source.cols; ++j) arb_set_d(arb_mat_entry(value, i, j), source.at(i, j));
  }
  ~BallMatrix() { arb_mat_clear(value); }
  BallMatrix(const BallMatrix&) = delete;
  BallMatrix& operator=(const BallMatrix&) = delete;
  arb_mat_t value;
};

double upper_bound(const arb_t ball) {
  arf_t bound;
  arf_init(bound);
  arb_get_ubound_arf(bound, ball, working_precision);
  const double result = arf_get_d(bound, ARF_RND_CEIL);
  arf_clear(bound);
  return std::isnan(result) ? std::numeric_limits<double>::infinity() : result;
}

double lower_bound(const arb_t ball) {
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, ball, working_precision);
  const double result = arf_get_d(bound, ARF_RND_FLOOR);
  arf_clear(bound);
  return std::isnan(result) ? -std::numeric_limits<double>::infinity() : result;
}

// left ~ P, right ~ Q in A ~ P diag(s) Q.
struct Decomposition {
  DoubleMatrix left, right;
  std::vector<double> values;  // descending
};

Decomposition approx_decompose(const DoubleMatrix& matrix) {
  openblas_set_num_threads(1);
  const int n = static_cast<int>(matrix.rows);
  Decomposition result{DoubleMatrix(n, n), DoubleMatrix(n, n), std::vector<double>(static_cast<std::size_t>(n))};
  // LAPACK reads columns, so it sees A^T = U S V^T, and its U and V^T in memory are our rows of Q and P.
  std::vector<double> overwritten = matrix.entries;
  std::vector<int> integer_work(static_cast<std::size_t>(8 * n));
  double best_size = 0;
  int work_size = -1, info = 0;
  const auto call = [&](double* work) {
    dgesdd_("A", &n, &n, overwritten.data(), &n, result.values.data(), result.right.entries.data(), &n,
            result.left.entries.data(), &n, work, &work_size, integer_work.data(), &info);
  };
  call(&best_size);
  work_size = static_cast<int>(best_size);
  std::vector<double> work(static_cast<std::size_t>(work_size));
  call(work.data());
  if (info != 0)
    throw InputError("the singular value decomposition of a " + std::to_string(n) + " x " + std::to_string(n) +
                     " matrix did not converge (LAPACK info " + std::to_string(info) + "); are its entries sane?");
  return result;
}

// An upper bound of ||F F^T - I||_F; the squares of the singular values of F differ from 1 by at most that.
double orthogonality_defect(const BallMatrix& factor, std::int64_t n) {
  BallMatrix transpose(n, n), gram(n, n), unit(n, n);
  Ball norm;
  arb_mat_transpose(transpose.value, factor.value);
  arb_mat_mul(gram.value, factor.value, transpose.value, working_precision);
  arb_mat_one(unit.value);
  arb_mat_sub(gram.value, gram.value, unit.value, working_precision);
  arb_mat_frobenius_norm(norm.value, gram.value, working_precision);
  return upper_bound(norm.value);
}

// An upper bound of ||P^T A Q^T - diag(s)||_F.
double diagonal_defect(const BallMatrix& matrix, const BallMatrix& left, const BallMatrix& right,
                       const std::vector<double>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  BallMatrix transpose(n, n), half(n, n), product(n, n);
  Ball norm;
  arb_mat_transpose(transpose.value, left.value);
  arb_mat_mul(half.value, transpose.value, matrix.value, working_precision);
  arb_mat_transpose(transpose.value, right.value);
  arb_mat_mul(product.value, half.value, transpose.value, working_precision);
  for (std::int64_t i = 0; i < n; ++i) {
    Ball value;
    arb_set_d(value.value, values[static_cast<std::size_t>(i)]);
    arb_sub(arb_mat_entry(product.value, i, i), arb_mat_entry(product.value, i, i), value.value, working_precision);
  }
  arb_mat_frobenius_norm(norm.value, product.value, working_precision);
  return upper_bound(norm.value);
}

// Bounds of the smallest singular value from a certified inverse; [0, inf) where none was found.
Bounds smallest_from_inverse(const BallMatrix& matrix, std::int64_t n) {
  for (const slong precision : {256L, 1024L}) {
    BallMatrix inverse(n, n);
    if (arb_mat_inv(inverse.value, matrix.value, precision) == 0) continue;
    Ball norm, low, high;
    arb_mat_frobenius_norm(norm.value, inverse.value, precision);
    arb_inv(low.value, norm.value, precision);
    arb_sqrt_ui(high.value, static_cast<ulong>(n), precision);
    arb_div(high.value, high.value, norm.value, precision);
    return {std::max(0.0, lower_bound(low.value)), upper_bound(high.value)};
  }
  return {0, std::numeric_limits<double>::infinity()};
}

Bounds quotient_bounds(const Bounds& numerator, const Bounds& denominator) {
  // One division, rounded to nearest, is within one step of the quotient.
  const double infinity = std::numeric_limits<double>::infinity();
  const double upper = denominator.lower > 0 ? std::nextafter(numerator.upper / denominator.lower, infinity) : infinity;
  const double lower = denominator.upper > 0 ? std::nextafter(numerator.lower / denominator.upper, 0.0) : 1;
  return {std::max(1.0, lower), upper};
}

}  // namespace

Bounds transferred_bounds(double value, double defect, double left_defect, double right_defect) {
  if (!(left_defect < 1) || !(right_defect < 1) || !std::isfinite(defect))
    return {0, std::numeric_limits<double>::infinity()};
  Ball centre, radius, low, high, squared;
  arb_set_d(centre.value, value);
  arb_set_d(radius.value, defect);
  const auto quotient = [&](arb_t result, const arb_t numerator, double sign) {
    Ball factor;
    arb_one(squared.value);
    for (const double part : {left_defect, right_defect}) {
      arb_set_d(factor.value, sign * part);
      arb_add_ui(factor.value, factor.value, 1, working_precision);
      arb_mul(squared.value, squared.value, factor.value, working_precision);
    }
    arb_sqrt(squared.value, squared.value, working_precision);
    arb_div(result, numerator, squared.value, working_precision);
  };
  arb_sub(low.value, centre.value, radius.value, working_precision);
  quotient(low.value, low.value, 1);
  arb_add(high.value, centre.value, radius.value, working_precision);
  quotient(high.value, high.value, -1);
  return {std::max(0.0, lower_bound(low.value)), upper_bound(high.value)};
}

SingularValues singular_values(const DoubleMatrix& matrix) {
  if (matrix.rows != matrix.cols || matrix.rows == 0)
    throw InputError("the condition number of a " + std::to_string(matrix.rows) + " x " + std::to_string(matrix.cols) +
                     " matrix was asked for; expected a square matrix");
  const std::int64_t n = matrix.rows;
  const Decomposition parts = approx_decompose(matrix);
  SingularValues result;
  result.approx_largest = parts.values.front();
  result.approx_smallest = parts.values.back();
  result.approx_condition = result.approx_smallest > 0 ? result.approx_largest / result.approx_smallest
                                                       : std::numeric_limits<double>::infinity();
  const BallMatrix exact(matrix), left(parts.left), right(parts.right);
  const double defect = diagonal_defect(exact, left, right, parts.values);
  const double left_defect = orthogonality_defect(left, n), right_defect = orthogonality_defect(right, n);
  result.largest = transferred_bounds(result.approx_largest, defect, left_defect, right_defect);
  result.smallest = transferred_bounds(result.approx_smallest, defect, left_defect, right_defect);
  if (!(result.smallest.lower > result.approx_smallest / 2)) {
    const Bounds sharper = smallest_from_inverse(exact, n);
    result.smallest.lower = std::max(result.smallest.lower, sharper.lower);
    result.smallest.upper = std::min(result.smallest.upper, sharper.upper);
  }
  result.condition = quotient_bounds(result.largest, result.smallest);
  return result;
}

}  // namespace attest::model
