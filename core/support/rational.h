#pragma once

#include <gmpxx.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attest {

// GMP's number classes are vocabulary here: the one third-party type that public headers outside core/arith show.
using Integer = mpz_class;
using Rational = mpq_class;

// Reads "p/q", "p", or a hexadecimal float "0x1.8p+3" exactly. Throws InputError on anything else.
Rational parse_rational(std::string_view text);

// "p/q" in lowest terms, or "p" for an integer.
std::string to_string(const Rational& value);

// The double exactly as the dyadic rational it is; the value must be finite.
Rational exact_rational(double value);

// Row-major exact matrix: the form in which instances are stored and shown.
struct RationalMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<Rational> entries;

  RationalMatrix() = default;
  RationalMatrix(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count), cols(column_count), entries(static_cast<std::size_t>(row_count * column_count)) {}
  Rational& at(std::int64_t row, std::int64_t col) { return entries[static_cast<std::size_t>(row * cols + col)]; }
  const Rational& at(std::int64_t row, std::int64_t col) const {
    return entries[static_cast<std::size_t>(row * cols + col)];
  }
  friend bool operator==(const RationalMatrix& a, const RationalMatrix& b) {
    return a.rows == b.rows && a.cols == b.cols && a.entries == b.entries;
  }
};

// Row-major double matrix: checkpoint weights and approximate output.
struct DoubleMatrix {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> entries;

  DoubleMatrix() = default;
  DoubleMatrix(std::int64_t row_count, std::int64_t column_count)
      : rows(row_count), cols(column_count), entries(static_cast<std::size_t>(row_count * column_count)) {}
  double& at(std::int64_t row, std::int64_t col) { return entries[static_cast<std::size_t>(row * cols + col)]; }
  double at(std::int64_t row, std::int64_t col) const { return entries[static_cast<std::size_t>(row * cols + col)]; }
};

}  // namespace attest
