#pragma once

#include <rapidcheck.h>

#include "core/support/rational.h"

namespace attest::test {

// A matrix of small rationals; integers where `denominators` is 1.
inline RationalMatrix small_matrix(std::int64_t rows, std::int64_t cols, int size = 5, int denominators = 4) {
  RationalMatrix matrix(rows, cols);
  for (Rational& entry : matrix.entries) {
    entry = Rational(*rc::gen::inRange(-size, size + 1), *rc::gen::inRange(1, denominators + 1));
    entry.canonicalize();
  }
  return matrix;
}

inline RationalMatrix product(const RationalMatrix& a, const RationalMatrix& b) {
  RationalMatrix c(a.rows, b.cols);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.cols; ++j)
      for (std::int64_t k = 0; k < a.cols; ++k) c.at(i, j) += a.at(i, k) * b.at(k, j);
  return c;
}

inline RationalMatrix identity_matrix(std::int64_t n) {
  RationalMatrix matrix(n, n);
  for (std::int64_t i = 0; i < n; ++i) matrix.at(i, i) = 1;
  return matrix;
}

// n x n of rank at most n - 1: the last row is a combination of the others (0 for n = 1).
inline RationalMatrix singular_matrix(std::int64_t n) {
  RationalMatrix matrix = small_matrix(n, n);
  for (std::int64_t j = 0; j < n; ++j) matrix.at(n - 1, j) = 0;
  for (std::int64_t i = 0; i + 1 < n; ++i) {
    const int factor = *rc::gen::inRange(-2, 3);
    for (std::int64_t j = 0; j < n; ++j) matrix.at(n - 1, j) += factor * matrix.at(i, j);
  }
  return matrix;
}

}  // namespace attest::test
