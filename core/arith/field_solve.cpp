#include "core/arith/field_solve.h"

#include "core/arith/field_kernels.h"

namespace attest::arith {
namespace {

using expr::Structure;

// FLINT aborts the process on the inverse of 0: substitution is entered only where no pivot is 0.
bool pivots_exist(const ResidueStorage& a, Structure structure) {
  if (structure == Structure::general || structure == Structure::unit_lower) return true;
  for (std::int64_t i = 0; i < a.shape.rows; ++i)
    if (a.row(i)[i] == 0) return false;
  return true;
}

void divide_columns(ResidueStorage& y, const ResidueStorage& x, const ResidueStorage& diagonal) {
  const nmod_t mod = x.matrix->mod;
  for (std::int64_t j = 0; j < x.shape.cols; ++j) {
    const mp_limb_t factor = n_invmod(diagonal.row(j)[j], mod.n);
    for (std::int64_t i = 0; i < x.shape.rows; ++i) y.row(i)[j] = nmod_mul(x.row(i)[j], factor, mod);
  }
}

// The structure of the transpose is not one of the enum's: unit upper, or lower with a general diagonal.
bool solve_transposed(ResidueStorage& z, const ResidueStorage& a_transposed, const ResidueStorage& y, Structure of_a) {
  switch (of_a) {
    case Structure::unit_lower:
      nmod_mat_solve_triu(z.matrix, a_transposed.matrix, y.matrix, 1);
      return true;
    case Structure::upper:
    case Structure::diagonal_signs:
      nmod_mat_solve_tril(z.matrix, a_transposed.matrix, y.matrix, 0);
      return true;
    case Structure::general:
      return nmod_mat_solve(z.matrix, a_transposed.matrix, y.matrix) != 0;
  }
  return false;
}

}  // namespace

bool solve_from_right(ResidueStorage& y, const ResidueStorage& x, const ResidueStorage& a, Structure structure) {
  if (!pivots_exist(a, structure)) return false;
  if (structure == Structure::diagonal_signs) {
    divide_columns(y, x, a);
    return true;
  }
  if (structure != Structure::general && x.shape.rows <= thin_rows) {
    thin_solve_right(y, x, a, structure);
    return true;
  }
  // y a = x is a^T y^T = x^T.
  const mp_limb_t p = x.matrix->mod.n;
  ResidueStorage a_transposed(a.shape, p);
  ResidueStorage x_transposed({x.shape.cols, x.shape.rows}, p);
  ResidueStorage solved(x_transposed.shape, p);
  nmod_mat_transpose(a_transposed.matrix, a.matrix);
  nmod_mat_transpose(x_transposed.matrix, x.matrix);
  if (!solve_transposed(solved, a_transposed, x_transposed, structure)) return false;
  nmod_mat_transpose(y.matrix, solved.matrix);
  return true;
}

bool solve_from_left(ResidueStorage& z, const ResidueStorage& a, const ResidueStorage& y, Structure structure) {
  if (!pivots_exist(a, structure)) return false;
  switch (structure) {
    case Structure::unit_lower:
      nmod_mat_solve_tril(z.matrix, a.matrix, y.matrix, 1);
      return true;
    case Structure::upper:
    case Structure::diagonal_signs:
      nmod_mat_solve_triu(z.matrix, a.matrix, y.matrix, 0);
      return true;
    case Structure::general:
      return nmod_mat_solve(z.matrix, a.matrix, y.matrix) != 0;
  }
  return false;
}

}  // namespace attest::arith
