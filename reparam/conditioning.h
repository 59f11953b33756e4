#pragma once

#include <cstdint>

#include "core/claim/measurement.h"

namespace attest::reparam {

// The constant of reparam.conditioning, derived in README.md: with W_Q eliminated in arithmetic of unit roundoff u,
//   ||computed - exact||_F <= c (1 + Lambda) u cond_2(W_Q) ||X||_F ||W_V||_F ||W_O||_F,
//   Lambda = ||X||_F^2 ||W_Q||_2 ||W_K||_F / sqrt(k),
// as long as the right factor c (1 + Lambda) u cond_2(W_Q) is at most 1. For h = g heads.
double conditioning_constant(std::int64_t n, std::int64_t d);

// Eliminates W_Q on a ladder of precisions for condition numbers from 1 to 10^12, with generic singular vectors and
// with a diagonal W_Q, and compares the output with balls of 512 bits. Bound checked wherever its hypothesis holds;
// slopes fitted for cond >= 100. Deterministic in the seed.
claim::Measurement measure_conditioning(std::uint64_t seed);

}  // namespace attest::reparam
