#pragma once

#include <string>

#include "core/expr/expr.h"

namespace attest::expr {

// Plain text: X (W_Q W_K^T) X^T, softmax[causal](...), operands in parentheses where precedence asks for it.
std::string to_text(Expr expression);

// TeX source of the same formula.
std::string to_tex(Expr expression);

// What an error message calls the expression: its text, cut to about 60 characters.
std::string short_name(Expr expression);

}  // namespace attest::expr
