#pragma once

#include <string>
#include <vector>

#include "core/expr/expr.h"

namespace attest::test {

// One slip in an expression: the same expression with one node replaced.
struct Mutant {
  std::string what;  // "T^-1 became T"
  expr::Expr expression;
};

// Every expression that differs from the root in one node, by a slip of the kind people make: a lost or an added
// transpose, A for A^-1 or I for it, a factor dropped, factors exchanged, one input for another of the same shape,
// blocks in another order. Shapes still fit, so that only the values can tell.
std::vector<Mutant> mutants_of(expr::Expr root, const std::vector<expr::Expr>& inputs);

}  // namespace attest::test
