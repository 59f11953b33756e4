#include "core/expr/function.h"

#include <array>

#include "core/expr/mask.h"

namespace attest::expr {
namespace {

struct Named {
  Function function;
  std::string_view name;
};

constexpr std::array<Named, 9> names{{{Function::relu, "relu"},
                                      {Function::gelu, "gelu"},
                                      {Function::gelu_tanh, "gelu_tanh"},
                                      {Function::silu, "silu"},
                                      {Function::relu_squared, "relu_squared"},
                                      {Function::tanh, "tanh"},
                                      {Function::exp, "exp"},
                                      {Function::reciprocal, "reciprocal"},
                                      {Function::inv_sqrt, "inv_sqrt"}}};

}  // namespace

std::string_view to_string(Function function) {
  for (const auto& entry : names)
    if (entry.function == function) return entry.name;
  return "?";
}

std::optional<Function> function_named(std::string_view name) {
  for (const auto& entry : names)
    if (entry.name == name) return entry.function;
  return std::nullopt;
}

std::string to_string(const Mask& mask) {
  switch (mask.kind) {
    case Mask::Kind::none:
      return "none";
    case Mask::Kind::causal:
      return "causal";
    case Mask::Kind::window:
      return "window " + std::to_string(mask.width);
  }
  return "?";
}

}  // namespace attest::expr
