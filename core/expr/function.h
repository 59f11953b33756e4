#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace attest::expr {

// Elementwise functions. reciprocal and inv_sqrt are partial: no value at 0 (inv_sqrt: none at x <= 0).
enum class Function {
  relu,          // max(x, 0)
  gelu,          // x Phi(x) = x (1 + erf(x / sqrt 2)) / 2
  gelu_tanh,     // x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) / 2
  silu,          // x / (1 + exp(-x))
  relu_squared,  // max(x, 0)^2
  tanh,
  exp,
  reciprocal,  // 1 / x, a rational operation in every arithmetic
  inv_sqrt,    // 1 / sqrt(x)
};

std::string_view to_string(Function function);
std::optional<Function> function_named(std::string_view name);

// Whether the arithmetic of rational operations evaluates it: only then is no function symbol involved.
constexpr bool is_rational_operation(Function function) { return function == Function::reciprocal; }

}  // namespace attest::expr
