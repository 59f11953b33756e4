#include "core/claim/fraction.h"

#include <algorithm>
#include <cmath>

namespace attest::claim {
namespace {

double log2_of_sum(double a, double b) { return std::max(a, b) + std::log2(1 + std::exp2(-std::abs(a - b))); }

// The numerator of a over the larger denominator (constant, exponents).
PolynomialBound over_denominator_of(const Fraction& a, const Fraction& larger, const Determinants& determinants) {
  PolynomialBound result = a.numerator;
  result.bits += log2_of(larger.constant / a.constant);
  for (const auto& [name, exponent] : larger.exponents) {
    const auto own = a.exponents.find(name);
    const double missing = own == a.exponents.end() ? exponent : exponent - own->second;
    result.degree += missing * determinants.at(name).degree;
    result.bits += missing * determinants.at(name).bits;
  }
  return result;
}

// The least common denominator, with no numerator yet.
Fraction common_denominator(const Fraction& a, const Fraction& b) {
  Fraction result;
  result.constant = lcm(a.constant, b.constant);
  result.exponents = a.exponents;
  for (const auto& [name, exponent] : b.exponents) {
    double& own = result.exponents[name];
    own = std::max(own, exponent);
  }
  result.depends_on_calls = a.depends_on_calls || b.depends_on_calls;
  return result;
}

}  // namespace

double log2_of(const Integer& positive) {
  long exponent = 0;
  const double mantissa = mpz_get_d_2exp(&exponent, positive.get_mpz_t());
  return std::log2(mantissa) + static_cast<double>(exponent);
}

PolynomialBound denominator_of(const Fraction& a, const Determinants& determinants) {
  PolynomialBound result{0, log2_of(a.constant)};
  for (const auto& [name, exponent] : a.exponents) {
    result.degree += exponent * determinants.at(name).degree;
    result.bits += exponent * determinants.at(name).bits;
  }
  return result;
}

Fraction sum_of(const Fraction& a, const Fraction& b, const Determinants& determinants) {
  Fraction result = common_denominator(a, b);
  const PolynomialBound left = over_denominator_of(a, result, determinants);
  const PolynomialBound right = over_denominator_of(b, result, determinants);
  result.numerator = {std::max(left.degree, right.degree), log2_of_sum(left.bits, right.bits)};
  return result;
}

Fraction common_of(const Fraction& a, const Fraction& b, const Determinants& determinants) {
  Fraction result = common_denominator(a, b);
  const PolynomialBound left = over_denominator_of(a, result, determinants);
  const PolynomialBound right = over_denominator_of(b, result, determinants);
  result.numerator = {std::max(left.degree, right.degree), std::max(left.bits, right.bits)};
  return result;
}

Fraction product_of(const Fraction& a, const Fraction& b, double terms) {
  Fraction result = a;
  result.numerator.degree += b.numerator.degree;
  result.numerator.bits += b.numerator.bits + std::log2(terms);
  result.constant *= b.constant;
  for (const auto& [name, exponent] : b.exponents) result.exponents[name] += exponent;
  result.depends_on_calls = a.depends_on_calls || b.depends_on_calls;
  return result;
}

}  // namespace attest::claim
