#pragma once

#include <cstdint>

#include "core/support/random.h"
#include "core/support/rational.h"

namespace attest::bench {

// An n x n matrix of integers from -9 to 9, the same for every library that is measured.
inline RationalMatrix integer_matrix(std::int64_t rows, std::int64_t cols, std::uint64_t key) {
  RandomStream stream(key);
  RationalMatrix matrix(rows, cols);
  for (auto& entry : matrix.entries) entry = static_cast<long>(stream.integer(-9, 9));
  return matrix;
}

}  // namespace attest::bench
