#include "core/claim/degree.h"

#include <algorithm>
#include <cmath>

#include "core/claim/degree_tracker.h"
#include "core/claim/sign_choices.h"

namespace attest::claim {
namespace {

// Sums of this file have fewer than 2^20 roundings of nonnegative terms, each of relative size 2^-53 (log2 and lgamma a
// few): enlarging the sums by this factor makes them upper bounds.
constexpr double rounding_allowance = 1 + 0x1p-30;

// A lower bound of e |P|, P the primes of [2^e, 2^(e+1)]: counted for e <= 4; beyond, pi(2x) - pi(x) > 3x / (5 ln x)
// for x >= 20.5 (Rosser & Schoenfeld 1962, corollary 3).
double exponent_times_primes(int e) {
  constexpr double counted[] = {0, 2, 2, 2, 5};
  if (e <= 4) return e * counted[e];
  return 0.6 * std::exp2(e) / std::log(2.0) / rounding_allowance;
}

}  // namespace

FailureBound failure_bound(const std::vector<Equation>& equations, const std::vector<Condition>& conditions) {
  std::vector<expr::Expr> roots;
  for (const Equation& equation : equations) {
    roots.push_back(equation.expected);
    roots.push_back(equation.constructed);
  }
  for (const Condition& condition : conditions)
    roots.insert(roots.end(), condition.operands.begin(), condition.operands.end());
  DegreeTracker tracker;
  for (const expr::Node* node : expr::reachable(roots)) tracker.visit(*node);
  for (const Condition& condition : conditions) tracker.add_condition(condition);
  FailureBound bound;
  for (const Equation& equation : equations) {
    const Fraction difference =
        sum_of(tracker.at(equation.expected.node()), tracker.at(equation.constructed.node()), tracker.determinants());
    bound.degree_sum = std::max(bound.degree_sum, difference.numerator.degree);
    bound.bit_sum = std::max(bound.bit_sum, difference.numerator.bits);
  }
  tracker.add_pairs(bound);
  tracker.add_determinants(bound);
  bound.sign_choices = sign_choices(roots);
  return bound;
}

double FailureBound::probability(int prime_bits) const {
  if (prime_bits < 2) return 1;  // p - 1 may be smaller than 2^e
  const double size = std::exp2(prime_bits);
  const double primes = exponent_times_primes(prime_bits);
  const double coincidence = (degree_sum / size + bit_sum / primes) * rounding_allowance;
  const double vanishing = (determinant_degree / size + determinant_bits / primes) * rounding_allowance;
  if (!(vanishing < 1) || !(coincidence < 1 - vanishing)) return 1;
  const double on_its_component = coincidence / (1 - vanishing) * rounding_allowance;
  // A run on another component may always pass.
  const double component = std::exp2(-sign_choices);
  return std::min(1.0, (1 - component) + component * on_its_component);
}

double FailureBound::error_bits(int prime_bits, int runs) const {
  return std::max(0.0, -runs * std::log2(probability(prime_bits)));
}

// Schwartz-Zippel over F_p; what vanishes modulo p as a polynomial is equal in F_p, which is all that is claimed.
double FailureBound::error_bits_modulo(double prime, int runs) const {
  const double coincidence = degree_sum / prime * rounding_allowance;
  const double vanishing = determinant_degree / prime * rounding_allowance;
  if (!(vanishing < 1) || !(coincidence < 1 - vanishing)) return 0;
  const double component = std::exp2(-sign_choices);
  const double passing = (1 - component) + component * coincidence / (1 - vanishing) * rounding_allowance;
  return std::max(0.0, -runs * std::log2(std::min(1.0, passing)));
}

}  // namespace attest::claim
