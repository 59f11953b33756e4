#include "reparam/rational_elimination.h"

#include <algorithm>

#include "core/support/check.h"

namespace attest::reparam {
namespace {

void swap_rows(RationalMatrix& A, std::int64_t a, std::int64_t b) {
  if (a == b) return;
  for (std::int64_t j = 0; j < A.cols; ++j) std::swap(A.at(a, j), A.at(b, j));
}

// Clears the pivot's column in every other row, after scaling its own row to a leading 1.
void clear_column(RationalMatrix& A, std::int64_t pivot_row, std::int64_t pivot_col) {
  const Rational scale = 1 / A.at(pivot_row, pivot_col);
  for (std::int64_t j = pivot_col; j < A.cols; ++j) A.at(pivot_row, j) *= scale;
  for (std::int64_t i = 0; i < A.rows; ++i) {
    const Rational factor = A.at(i, pivot_col);
    if (i == pivot_row || factor == 0) continue;
    for (std::int64_t j = pivot_col; j < A.cols; ++j) A.at(i, j) -= factor * A.at(pivot_row, j);
  }
}

}  // namespace

RowEchelon row_echelon(const RationalMatrix& A) {
  RationalMatrix reduced = A;
  RowEchelon result;
  std::int64_t next = 0;
  for (std::int64_t col = 0; col < A.cols && next < A.rows; ++col) {
    std::int64_t pivot = next;
    while (pivot < A.rows && reduced.at(pivot, col) == 0) ++pivot;
    if (pivot == A.rows) continue;
    swap_rows(reduced, pivot, next);
    clear_column(reduced, next, col);
    result.pivots.push_back(col);
    ++next;
  }
  reduced.entries.resize(static_cast<std::size_t>(next * A.cols));
  reduced.rows = next;
  result.rows = std::move(reduced);
  return result;
}

std::vector<RationalMatrix> kernel_basis(const RationalMatrix& A) {
  const RowEchelon echelon = row_echelon(A);
  std::vector<RationalMatrix> basis;
  for (std::int64_t free = 0; free < A.cols; ++free) {
    if (std::find(echelon.pivots.begin(), echelon.pivots.end(), free) != echelon.pivots.end()) continue;
    RationalMatrix y(A.cols, 1);
    y.at(free, 0) = 1;
    for (std::int64_t row = 0; row < echelon.rank(); ++row)
      y.at(echelon.pivots[static_cast<std::size_t>(row)], 0) = -echelon.rows.at(row, free);
    basis.push_back(std::move(y));
  }
  return basis;
}

RationalMatrix product(const RationalMatrix& A, const RationalMatrix& B) {
  ATTEST_CHECK(A.cols == B.rows, "the factors of a product fit");
  RationalMatrix result(A.rows, B.cols);
  for (std::int64_t i = 0; i < A.rows; ++i)
    for (std::int64_t l = 0; l < A.cols; ++l) {
      if (A.at(i, l) == 0) continue;
      for (std::int64_t j = 0; j < B.cols; ++j) result.at(i, j) += A.at(i, l) * B.at(l, j);
    }
  return result;
}

RationalMatrix transposed(const RationalMatrix& A) {
  RationalMatrix result(A.cols, A.rows);
  for (std::int64_t i = 0; i < A.rows; ++i)
    for (std::int64_t j = 0; j < A.cols; ++j) result.at(j, i) = A.at(i, j);
  return result;
}

RationalMatrix column_block(const RationalMatrix& A, std::int64_t first, std::int64_t count) {
  ATTEST_CHECK(first >= 0 && count >= 0 && first + count <= A.cols, "the block lies inside the matrix");
  RationalMatrix result(A.rows, count);
  for (std::int64_t i = 0; i < A.rows; ++i)
    for (std::int64_t j = 0; j < count; ++j) result.at(i, j) = A.at(i, first + j);
  return result;
}

RationalMatrix side_by_side(const std::vector<RationalMatrix>& parts) {
  std::int64_t cols = 0, before = 0;
  for (const RationalMatrix& part : parts) cols += part.cols;
  RationalMatrix result(parts.front().rows, cols);
  for (const RationalMatrix& part : parts) {
    ATTEST_CHECK(part.rows == result.rows, "matrices side by side have equal row counts");
    for (std::int64_t i = 0; i < part.rows; ++i)
      for (std::int64_t j = 0; j < part.cols; ++j) result.at(i, before + j) = part.at(i, j);
    before += part.cols;
  }
  return result;
}

RationalMatrix solve(const RationalMatrix& A, const RationalMatrix& B) {
  ATTEST_CHECK(A.rows == A.cols && A.rows == B.rows, "a square system with fitting right-hand sides");
  const RowEchelon echelon = row_echelon(side_by_side({A, B}));
  ATTEST_CHECK(echelon.rank() == A.rows && echelon.pivots.back() == A.rows - 1, "the system's matrix is invertible");
  return column_block(echelon.rows, A.cols, B.cols);
}

bool is_zero(const RationalMatrix& A) {
  return std::all_of(A.entries.begin(), A.entries.end(), [](const Rational& entry) { return entry == 0; });
}

}  // namespace attest::reparam
