#pragma once

#include "core/claim/claim.h"

namespace attest::claim {

// What docs/probability.md, theorem 2, needs of a statement whose inputs are free: how likely one run modulo a random
// prime is to pass although the two sides differ as formal expressions.
struct FailureBound {
  double degree_sum = 0;          // delta_out + sum over pairs of calls of one symbol of delta_ab
  double bit_sum = 0;             // beta: log2 of one nonzero coefficient, summed over the same differences
  double determinant_degree = 0;  // rho
  double determinant_bits = 0;    // beta'
  double sign_choices = 0;        // log2 of the number of components that random signs choose among; a run sees one
  // Upper bound of the passing probability of one run for p uniform among the primes of [2^e, 2^(e+1)], at most 1.
  double probability(int prime_bits) const;
  // -log2 of the bound of `runs` independent runs.
  double error_bits(int prime_bits, int runs) const;
  // The same for one given prime, about equality modulo it: (delta / p) / (1 - rho / p), at most 1 a run.
  double error_bits_modulo(double prime, int runs) const;
};

// Degrees and coefficient sizes are tracked through the DAG; numerators and denominators apart, denominators as
// products of named determinants so that a sum does not count a common one twice. The conditions are those a run is
// redrawn for; they must hold formally.
FailureBound failure_bound(const std::vector<Equation>& equations, const std::vector<Condition>& conditions = {});

}  // namespace attest::claim
