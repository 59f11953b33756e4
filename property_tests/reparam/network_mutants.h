#pragma once

#include <set>
#include <string>

#include "core/claim/claim.h"
#include "core/expr/transformer.h"

namespace attest::test {

// A transform of a network's weights under test.
struct Transformed {
  std::string name;
  claim::Statement statement;  // the inputs that the weights are made of
  expr::TransformerSpec spec;
  expr::Weights weights;
  expr::Weights moved;
  // Where softmax cannot tell (a wrong key bias shifts a whole row of logits): only the stand-in row function, which is
  // not shift invariant, kills these entries' mutants.
  std::set<std::string> invisible_to_softmax;
};

// Replaces each weight that the transform has changed, one at a time, by every wrong variant (untransformed, T for T^-1
// or the other way round, transposed where square, another layer's T, a term left out, zero) and asserts that the
// network then differs: with the real functions by disjoint balls; entries invisible to softmax by the rational
// stand-in row function or modulo a prime. Prints the numbers and returns how many mutants there were.
int require_mutants_killed(const Transformed& transformed);

}  // namespace attest::test
