#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "core/support/rational.h"

namespace attest::test {

// A polynomial with integer coefficients written out: exponents of the variables -> coefficient, no zero ones.
class Polynomial {
 public:
  Polynomial() = default;
  Polynomial(const Integer& constant) { add_term({}, constant); }  // NOLINT: numbers are polynomials
  static Polynomial variable(std::size_t index) {
    std::vector<int> exponents(index + 1);
    exponents[index] = 1;
    Polynomial result;
    result.add_term(exponents, 1);
    return result;
  }

  friend Polynomial operator+(Polynomial a, const Polynomial& b) {
    for (const auto& [exponents, coefficient] : b.terms_) a.add_term(exponents, coefficient);
    return a;
  }
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b) {
    Polynomial result;
    for (const auto& [left, x] : a.terms_)
      for (const auto& [right, y] : b.terms_) {
        std::vector<int> exponents(std::max(left.size(), right.size()));
        for (std::size_t i = 0; i < left.size(); ++i) exponents[i] += left[i];
        for (std::size_t i = 0; i < right.size(); ++i) exponents[i] += right[i];
        result.add_term(exponents, x * y);
      }
    return result;
  }
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + Polynomial(-1) * b; }

  // The quotient, where the division leaves no remainder over the integers.
  std::optional<Polynomial> divided_by(const Polynomial& divisor) const {
    Polynomial remainder = *this, quotient;
    const auto& [leading, scale] = *divisor.terms_.rbegin();
    while (!remainder.zero()) {
      std::vector<int> exponents = remainder.terms_.rbegin()->first;
      const Integer coefficient = remainder.terms_.rbegin()->second;
      if (exponents.size() < leading.size() || coefficient % scale != 0) return std::nullopt;
      for (std::size_t i = 0; i < leading.size(); ++i) exponents[i] -= leading[i];
      for (const int exponent : exponents)
        if (exponent < 0) return std::nullopt;
      while (!exponents.empty() && exponents.back() == 0) exponents.pop_back();
      Polynomial term;
      term.add_term(exponents, coefficient / scale);
      quotient = quotient + term;
      remainder = remainder - term * divisor;
    }
    return quotient;
  }

  bool zero() const { return terms_.empty(); }
  int degree() const {
    int largest = 0;
    for (const auto& [exponents, coefficient] : terms_) {
      int sum = 0;
      for (const int exponent : exponents) sum += exponent;
      largest = std::max(largest, sum);
    }
    return largest;
  }
  Integer norm() const {
    Integer sum = 0;
    for (const auto& [exponents, coefficient] : terms_) sum += abs(coefficient);
    return sum;
  }

 private:
  void add_term(const std::vector<int>& exponents, const Integer& coefficient) {
    Integer& own = terms_[exponents];
    own += coefficient;
    if (own == 0) terms_.erase(exponents);
  }
  // No trailing zeros in the exponents, so that the order of the map is the lexicographic monomial order.
  std::map<std::vector<int>, Integer> terms_;
};

}  // namespace attest::test
