#pragma once

// RAII wrappers of FLINT's matrices, and the passage between its numbers and GMP's. Private to core/arith.

#include <gmpxx.h>
// After gmpxx.h: FLINT declares its GMP interface only where GMP is known.
#include <flint/flint.h>
#include <flint/fmpq.h>
#include <flint/fmpq_mat.h>
#include <flint/fmpz.h>
#include <flint/fmpz_mat.h>
#include <flint/nmod_mat.h>

#include <utility>

#include "core/arith/matrix.h"
#include "core/support/check.h"
#include "core/support/rational.h"

namespace attest::arith {

// A rational matrix (fmpq_mat), a matrix of the rational arithmetic.
struct RationalStorage final : MatrixStorage {
  explicit RationalStorage(expr::Shape s) : MatrixStorage(s) { fmpq_mat_init(matrix, s.rows, s.cols); }
  ~RationalStorage() override { fmpq_mat_clear(matrix); }
  RationalStorage(const RationalStorage&) = delete;
  RationalStorage& operator=(const RationalStorage&) = delete;

  fmpq* at(std::int64_t i, std::int64_t j) { return fmpq_mat_entry(matrix, i, j); }
  const fmpq* at(std::int64_t i, std::int64_t j) const { return fmpq_mat_entry(matrix, i, j); }

  fmpq_mat_t matrix;
};

// A matrix of canonical residues 0 .. p-1 (nmod_mat), a matrix of the prime field.
struct ResidueStorage final : MatrixStorage {
  ResidueStorage(expr::Shape s, mp_limb_t p) : MatrixStorage(s) { nmod_mat_init(matrix, s.rows, s.cols, p); }
  ~ResidueStorage() override { nmod_mat_clear(matrix); }
  ResidueStorage(const ResidueStorage&) = delete;
  ResidueStorage& operator=(const ResidueStorage&) = delete;

  // Entries of one row are contiguous. FLINT may permute the row pointers, so rows are never addressed otherwise.
  mp_limb_t* row(std::int64_t i) { return matrix->rows[i]; }
  const mp_limb_t* row(std::int64_t i) const { return matrix->rows[i]; }

  nmod_mat_t matrix;
};

// A temporary integer matrix.
struct IntegerMatrix {
  IntegerMatrix(std::int64_t rows, std::int64_t cols) { fmpz_mat_init(matrix, rows, cols); }
  ~IntegerMatrix() { fmpz_mat_clear(matrix); }
  IntegerMatrix(const IntegerMatrix&) = delete;
  IntegerMatrix& operator=(const IntegerMatrix&) = delete;

  fmpz_mat_t matrix;
};

// A temporary rational number.
struct FlintRational {
  FlintRational() { fmpq_init(value); }
  explicit FlintRational(const Rational& q) : FlintRational() { fmpq_set_mpq(value, q.get_mpq_t()); }
  ~FlintRational() { fmpq_clear(value); }
  FlintRational(const FlintRational&) = delete;
  FlintRational& operator=(const FlintRational&) = delete;

  fmpq_t value;
};

// The same number, in lowest terms.
inline Rational rational_of(const fmpq* value) {
  Rational result;
  fmpq_get_mpq(result.get_mpq_t(), value);
  return result;
}

}  // namespace attest::arith
