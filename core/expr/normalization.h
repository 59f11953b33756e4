#pragma once

#include <optional>

#include "core/expr/expr.h"

namespace attest::expr {

// P = I - 1 1^T / d, applied without forming it: each row of X (n x d) minus its mean.
Expr center_rows(Expr X);

// LN(x) = x P / sqrt(||x P||^2 / d + eps) * gamma + beta, row by row; gamma, beta: 1 x d, or absent. No value where
// eps = 0 and a row is constant.
Expr layer_norm(Expr X, const Rational& eps, const std::optional<Expr>& gamma = {},
                const std::optional<Expr>& beta = {});

// RMS(x) = x / sqrt(||x||^2 / d + eps) * gamma. No value where eps = 0 and a row is zero.
Expr rms_norm(Expr X, const Rational& eps, const std::optional<Expr>& gamma = {});

}  // namespace attest::expr
