#pragma once

#include <optional>
#include <vector>

#include "core/expr/expr.h"

namespace attest::expr {

// Rotary position embedding. Pair c of a head's coordinates is turned by p theta_c at position p.
struct Rope {
  enum class Pairing { interleaved, halves };  // (2c, 2c+1) or (c, c + k/2)
  Expr rotation;                               // 2 x k/2: row 0 cos(theta_c), row 1 sin(theta_c)
  Pairing pairing = Pairing::interleaved;
};

// Everything about attention but its weights. Queries sit at the end of the keys: query row i has position
// i + n_k - n_q.
struct AttentionSpec {
  std::int64_t heads = 1;
  std::int64_t kv_heads = 1;  // divides heads; query head i reads KV head floor(i g / h)
  std::int64_t width = 1;     // k, of one head
  Mask mask;
  std::optional<Expr> scale;         // 1 x 1; 1/sqrt(k) unless given
  std::optional<Expr> additive;      // n_q x n_k, added to the scaled logits of every head
  std::optional<Expr> alibi_slopes;  // 1 x h: slope_i (j - position of the query) is added
  std::optional<Rope> rope;
  std::optional<Rational> qk_norm_eps;  // RMS over each head's q and k, after the projections and before RoPE
};

// The projections; biases are rows (1 x width) and may be absent.
struct AttentionWeights {
  Expr W_Q;  // d x hk
  Expr W_K;  // d' x gk, d' the width of the attended stream
  Expr W_V;  // d' x gk
  Expr W_O;  // hk x d
  std::optional<Expr> b_Q, b_K, b_V, b_O;
};

// Throws InputError unless g divides h, all counts are positive and the weights' widths are h k and g k.
void require_valid(const AttentionSpec& spec, const AttentionWeights& weights);

// Adds the row b (1 x m) to every row of Y (n x m); Y itself where b is absent.
Expr add_bias(Expr Y, const std::optional<Expr>& b);

// The KV head that query head i reads: floor(i g / h).
std::int64_t kv_head_of(std::int64_t head, const AttentionSpec& spec);

// Turns row p of X (n x k, one head) by the angles of position first_position + p, as powers of the one-step rotation.
Expr apply_rope(Expr X, const Rope& rope, std::int64_t first_position);

// The scaled, biased logits of each head before masking: s Q_i K_j^T + additive terms, each n_q x n_k.
std::vector<Expr> attention_logits(Expr X, Expr Z, const AttentionWeights& weights, const AttentionSpec& spec);

// Multi-head attention of the stream X (n_q x d) to the stream Z (n_k x d'):
// concat_i(softmax(logits_i) V_j(i)) W_O + b_O, n_q x d.
Expr cross_attention(Expr X, Expr Z, const AttentionWeights& weights, const AttentionSpec& spec);

// cross_attention(X, X, ...).
Expr attention(Expr X, const AttentionWeights& weights, const AttentionSpec& spec);

}  // namespace attest::expr
