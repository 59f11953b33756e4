#pragma once

// Products and triangular solves with few rows modulo p, in 128-bit accumulators that are reduced only when they could
// overflow: below 2^61, 63 products are added before a reduction. Private to core/arith.

#include "core/arith/flint_matrix.h"
#include "core/expr/shape.h"

namespace attest::arith {

// How many products of two residues, and one more residue, surely fit in 128 bits. p < 2^63; at least 3.
std::int64_t products_before_reduction(std::uint64_t p);

// c = a b by row accumulation: b is read once for every `rows_together` rows of a. Exact. c must not alias a or b.
void thin_multiply(ResidueStorage& c, const ResidueStorage& a, const ResidueStorage& b);

// y with y a = x by substitution, about d^2 / 2 products a row; a unit lower or upper triangular (the other triangle,
// and the diagonal of a unit one, are not read). Requires a nonzero diagonal. Exact. y must not alias x.
void thin_solve_right(ResidueStorage& y, const ResidueStorage& x, const ResidueStorage& a, expr::Structure structure);

}  // namespace attest::arith
