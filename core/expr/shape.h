#pragma once

#include <cstdint>
#include <string>

namespace attest::expr {

struct Shape {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t count() const { return rows * cols; }
  friend bool operator==(const Shape&, const Shape&) = default;
};

inline std::string to_string(const Shape& shape) {
  return std::to_string(shape.rows) + " x " + std::to_string(shape.cols);
}

// What is known of an input beyond its shape. A triangular factor can be solved with in d^2 operations a row.
enum class Structure { general, unit_lower, upper, diagonal_signs };

}  // namespace attest::expr
