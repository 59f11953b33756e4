#pragma once

#include <vector>

#include "core/expr/function.h"
#include "core/support/outcome.h"
#include "core/support/rational.h"

namespace attest::arith {

// f(x) where it is rational and known to be: relu, relu_squared and reciprocal everywhere (1/0 undefined); inv_sqrt at
// squares of rationals (undefined at x <= 0); gelu, gelu_tanh, silu, tanh, exp at 0. Exact; elsewhere unable: by
// Lindemann-Weierstrass or its analogues the value is not known to be rational, and no enclosure is returned.
Outcome<Rational> exact_value(expr::Function f, const Rational& x);

// A piecewise linear function in the place of f, for statements that hold for every activation: max(t, -t/2, 2 t - c)
// with its own c = 1 .. 4 for gelu, gelu_tanh, silu, tanh, and 1 + max(t, -t/2, 2 t - 6) for exp. It agrees with f at
// 0, and is neither homogeneous nor odd nor even. The functions that exact_value evaluates everywhere, and inv_sqrt,
// are not replaced.
Outcome<Rational> stand_in_value(expr::Function f, const Rational& x);

// Softmax of the visible logits where it is rational: one logit (1) or equal logits (1/count). Otherwise unable;
// undefined for no logit. Exact.
Outcome<std::vector<Rational>> exact_softmax(const std::vector<Rational>& visible);

// A rational row function in the place of softmax: weights w(t) in 1 .. 64, a fixed hash (SipHash) of the exact
// fraction t, divided by their sum. Any change of a logit changes w with probability 63/64, yet the result has
// denominators of at most 64 n, so that a deep network stays short. Undefined for no logit. It agrees with softmax on
// equal logits.
Outcome<std::vector<Rational>> stand_in_softmax(const std::vector<Rational>& visible);

}  // namespace attest::arith
