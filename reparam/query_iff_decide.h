#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/support/rational.h"

namespace attest::reparam {

// Why no T and K' exist, checked by multiplications alone.
struct QueryObstruction {
  // dependent_columns: y holds one d x 1 vector a head with sum_i B_i y_i = 0 and some B_i y_i != 0.
  // different_rows: heads `head` and `other` share a KV head, and y[0] has B_head y[0] = 0 and B_other y[0] != 0.
  enum class Kind { dependent_columns, different_rows };
  Kind kind;
  std::vector<RationalMatrix> y;
  std::int64_t head = 0, other = 0;
};

// The answer of reparam.query_iff for given weights: exactly one of construction and obstruction.
struct QueryDecision {
  struct Construction {
    RationalMatrix T;    // d x d, invertible
    RationalMatrix W_K;  // d x g k: with the stream X T and an identity query, the same logits head by head
  };
  std::optional<Construction> construction;
  std::optional<QueryObstruction> obstruction;
  std::vector<std::int64_t> ranks;  // rank B_i, one a head
  std::int64_t rank_together = 0;   // rank [B_0 ... B_(h-1)]
};

// Decides whether an invertible T and keys W_K' exist with X W_Q,i W_K,j^T X^T = (X T)_i (X T W_K',j)^T for every X
// and every head i (no QK-norm, no RoPE). W_Q: d x h k, W_K: d x g k, exact. Throws InputError unless h k = d, g
// divides h and the shapes fit. Exact.
QueryDecision decide_query_iff(const RationalMatrix& W_Q, const RationalMatrix& W_K, std::int64_t h, std::int64_t g,
                               std::int64_t k);

// Recomputes the evidence from the weights alone: the reason why it does not show the decision, or "" where it does.
std::string why_not_shown(const QueryDecision& decision, const RationalMatrix& W_Q, const RationalMatrix& W_K,
                          std::int64_t h, std::int64_t g, std::int64_t k);

}  // namespace attest::reparam
