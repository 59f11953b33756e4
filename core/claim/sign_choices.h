#pragma once

#include <vector>

#include "core/expr/expr.h"

namespace attest::claim {

// log2 of how many components the diagonal_signs inputs under the roots choose among, each equally likely: 1 for a D
// that occurs only in D (I - A) (I + A)^-1 with A = S - S^T and S used nowhere else, since the products with det D = 1
// are dense in one component of O(n) and those with det D = -1 in the other; n for any other D of size n, whose 2^n
// values are then components by themselves (docs/probability.md, components).
double sign_choices(const std::vector<expr::Expr>& roots);

}  // namespace attest::claim
