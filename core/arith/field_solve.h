#pragma once

// Linear systems modulo p by the cheapest method for the matrix's structure. Private to core/arith.

#include "core/arith/flint_matrix.h"
#include "core/expr/shape.h"

namespace attest::arith {

// Up to this many rows the row-accumulating kernels beat FLINT's product and solves (1.0 against 4 to 6 ns a product of
// residues below 2^61 from 1 to 16 rows; equal at 32; FLINT's Strassen product wins beyond).
constexpr std::int64_t thin_rows = 32;

// y with y a = x: d^2 a row for triangular a (d for a diagonal), one LU factorization otherwise. False, and y left
// without meaning, where a is singular. Exact.
bool solve_from_right(ResidueStorage& y, const ResidueStorage& x, const ResidueStorage& a, expr::Structure structure);

// z with a z = y, alike.
bool solve_from_left(ResidueStorage& z, const ResidueStorage& a, const ResidueStorage& y, expr::Structure structure);

}  // namespace attest::arith
