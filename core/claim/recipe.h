#pragma once

#include "core/claim/claim.h"

namespace attest::claim {

// Which constrained inputs stay inputs instead of becoming expressions of free ones.
struct KeptInputs {
  bool invertible = false;  // a condition checks them
  bool singular = false;
};

// The input as an expression of free inputs named after it ("T/L", "T/U"): reaches every component of the set that its
// recipe names, so that a polynomial that vanishes on all values of the expression vanishes on the set.
expr::Expr recipe_expression(expr::Graph& graph, const Input& input, const KeptInputs& kept);

// The statement over free inputs, and what each original input has become.
struct Parametrized {
  Statement statement;                          // inputs: free ones only
  std::map<std::string, expr::Expr> originals;  // original name -> expression
};
Parametrized parametrize(const Statement& statement, const KeptInputs& kept);

}  // namespace attest::claim
