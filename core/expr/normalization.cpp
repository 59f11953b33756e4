#include "core/expr/normalization.h"

#include "core/expr/attention.h"

namespace attest::expr {
namespace {

// diag(1 / sqrt(mean square + eps)) X
Expr divide_by_root_mean_square(Expr X, const Rational& eps) {
  Graph& graph = X.graph();
  const Expr mean_square = Rational(1, X.cols()) * (hadamard(X, X) * graph.ones({X.cols(), 1}));
  const Expr shifted = eps == 0 ? mean_square : mean_square + graph.fill(mean_square.shape(), eps);
  return scale_rows(apply(Function::inv_sqrt, shifted), X);
}

Expr scale_columns(Expr X, const std::optional<Expr>& gamma) {
  if (!gamma) return X;
  return hadamard(X, X.graph().ones({X.rows(), 1}) * *gamma);
}

}  // namespace

Expr center_rows(Expr X) {
  Graph& graph = X.graph();
  const Expr means = Rational(1, X.cols()) * (X * graph.ones({X.cols(), 1}));
  return X - means * graph.ones({1, X.cols()});
}

Expr layer_norm(Expr X, const Rational& eps, const std::optional<Expr>& gamma, const std::optional<Expr>& beta) {
  return add_bias(scale_columns(divide_by_root_mean_square(center_rows(X), eps), gamma), beta);
}

Expr rms_norm(Expr X, const Rational& eps, const std::optional<Expr>& gamma) {
  return scale_columns(divide_by_root_mean_square(X, eps), gamma);
}

}  // namespace attest::expr
