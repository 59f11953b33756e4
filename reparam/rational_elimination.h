#pragma once

#include <vector>

#include "core/support/rational.h"

// Exact linear algebra over Q by Gaussian elimination, for deciders that need bases and not only ranks.
namespace attest::reparam {

// The reduced row echelon form: `rows` has one row a pivot (rank x cols), pivots in increasing order.
struct RowEchelon {
  RationalMatrix rows;
  std::vector<std::int64_t> pivots;
  std::int64_t rank() const { return static_cast<std::int64_t>(pivots.size()); }
};
RowEchelon row_echelon(const RationalMatrix& A);

// A basis of { y : A y = 0 }, each a cols x 1 column; exact.
std::vector<RationalMatrix> kernel_basis(const RationalMatrix& A);

RationalMatrix product(const RationalMatrix& A, const RationalMatrix& B);  // shapes must fit (checked)
RationalMatrix transposed(const RationalMatrix& A);
// Columns first .. first + count - 1.
RationalMatrix column_block(const RationalMatrix& A, std::int64_t first, std::int64_t count);
// Side by side; equal row counts (checked).
RationalMatrix side_by_side(const std::vector<RationalMatrix>& parts);
// A^-1 B; A must be square and invertible (checked).
RationalMatrix solve(const RationalMatrix& A, const RationalMatrix& B);
bool is_zero(const RationalMatrix& A);

}  // namespace attest::reparam
