#pragma once

#include <cstdint>
#include <map>

#include "core/support/rational.h"

namespace attest::claim {

// A polynomial with integer coefficients, by upper bounds: its degree, and log2 of the l1 norm of its coefficients
// (at least 0; of a nonzero polynomial no coefficient is larger).
struct PolynomialBound {
  double degree = 0;
  double bits = 0;
  friend bool operator==(const PolynomialBound&, const PolynomialBound&) = default;
};

// The determinants (and products of reciprocated entries) that occur as denominators, by the id of the
// matrix (reciprocals: see reciprocal_name).
using Determinants = std::map<std::int64_t, PolynomialBound>;

// Bounds of all entries of a matrix of rational functions over one common denominator: entry = N / (constant * product
// of named determinants to their exponents), N a polynomial with integer coefficients within `numerator`.
struct Fraction {
  PolynomialBound numerator;
  Integer constant = 1;
  std::map<std::int64_t, double> exponents;  // determinant -> its exponent, positive
  bool depends_on_calls = false;             // whether a value of a function symbol occurs
  friend bool operator==(const Fraction&, const Fraction&) = default;
};

double log2_of(const Integer& positive);

// The denominator itself as a polynomial.
PolynomialBound denominator_of(const Fraction& a, const Determinants& determinants);

// a + b and a - b, over the least common multiple of the constants and the largest exponents.
Fraction sum_of(const Fraction& a, const Fraction& b, const Determinants& determinants);

// Entries of either (side by side, or as alternatives) over one denominator.
Fraction common_of(const Fraction& a, const Fraction& b, const Determinants& determinants);

// Sums of `terms` products: entries of a matrix product with that inner dimension (1: entry by entry).
Fraction product_of(const Fraction& a, const Fraction& b, double terms);

}  // namespace attest::claim
