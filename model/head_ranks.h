#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/claim/size.h"
#include "core/support/rational.h"
#include "core/support/truth.h"

namespace attest::model {

// A rank over Q: `lower` is the rank modulo a prime, which never exceeds it; `upper` follows from shapes and from other
// ranks. Where they agree the rank is proved; otherwise it is very probably `lower` (it is larger only where the prime
// divides every maximal nonzero minor).
struct Rank {
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  bool proved() const { return lower == upper; }
};

struct HeadRanks {
  Rank query, key, value, output;  // W_Q,i (d x k), W_K,j, W_V,j of its KV head, W_O,i (k x d)
  Rank logit_form;                 // B_i = W_Q,i W_K,j^T
  Rank value_form;                 // C_i = W_V,j W_O,i
};

// Whether some invertible T makes the query weight the identity while every head keeps its logits: iff the column
// spaces col(B_i) are independent and, inside each KV group, all row spaces row(B_i) coincide.
struct QueryCondition {
  Rank sum_of_dimensions;  // sum over the heads of dim col(B_i)
  Rank dimension_of_sum;   // dim( col(B_1) + ... + col(B_h) )
  Truth columns_independent = Truth::unknown;
  Truth rows_coincide = Truth::unknown;  // yes without grouping
  Truth holds() const { return both(columns_independent, rows_coincide); }
};

struct LayerRanks {
  Rank W_Q, W_K, W_V, W_O;
  std::vector<HeadRanks> heads;
  QueryCondition query_condition;
  std::vector<std::string> ledger;  // the prime
};

// Ranks of the layer's projections and heads, W_Q (d x hk), W_K, W_V (d x gk), W_O (hk x d), from their exact values
// modulo a random 60-bit prime drawn with the seed. Throws InputError where a weight is missing or has another shape.
LayerRanks layer_ranks(const std::map<std::string, DoubleMatrix>& layer, const claim::Size& size,
                       std::uint64_t seed = 1);

}  // namespace attest::model
