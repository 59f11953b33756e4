#pragma once

#include <vector>

#include "core/expr/attention.h"

// Changes of the weights of one attention layer: weights in, weights out. What each preserves is proved in README.md.
namespace attest::reparam {

enum class Projection { query, key, value };

// The name of the projection's weight: W_Q, W_K or W_V.
const char* weight_name(Projection projection);
// The projection's weight.
expr::Expr weight_of(const expr::AttentionWeights& weights, Projection projection);

// The weights that read X T (n x d') instead of X (n x d): T_inverse W_Q, T_inverse W_K, T_inverse W_V with T_inverse
// d' x d; W_O and the biases stay. Preserves the layer where T T_inverse = I.
expr::AttentionWeights read_in_basis(const expr::AttentionWeights& weights, expr::Expr T_inverse);

// The weights that read X T where T is the projection's own (square) weight: the projection becomes I, the other two
// T_inverse times what they were.
expr::AttentionWeights eliminate(const expr::AttentionWeights& weights, Projection projection, expr::Expr T_inverse);

// One head: W_Q becomes I and W_K becomes W_K W_Q^T, both on the same stream; W_V, W_O stay.
expr::AttentionWeights merge_query_into_key(const expr::AttentionWeights& weights);

// W_Q becomes I and nothing else changes: not a reparametrization (reparam.overwrite_query).
expr::AttentionWeights overwrite_query(const expr::AttentionWeights& weights);

// One change of basis inside every KV head: for head i of KV head j, W_Q,i B_j, W_K,j D_j^T, W_V,j C_j, E_j W_O,i.
// Preserves the layer where D_j = B_j^-1 and E_j = C_j^-1. All blocks k x k, g of each.
struct HeadBases {
  std::vector<expr::Expr> B, B_inverse, C, C_inverse;
};
expr::AttentionWeights change_head_bases(const expr::AttentionWeights& weights, const expr::AttentionSpec& spec,
                                         const HeadBases& bases);

// Head i of the result is head order[i] of the weights. Throws InputError unless order is a permutation that maps the
// heads of one KV head to the heads of one KV head.
expr::AttentionWeights permute_heads(const expr::AttentionWeights& weights, const expr::AttentionSpec& spec,
                                     const std::vector<std::int64_t>& order);

// The blockwise form of reparam.query_iff: for a W_Q with head blocks T_i P_j(i), T = [T_0 ... T_(h-1)] invertible,
// the weights that read X T: I, T^-1 W_K,j P_j^T, T^-1 W_V. P: g blocks, k x k, of any rank.
expr::AttentionWeights eliminate_blockwise_query(const expr::AttentionWeights& weights,
                                                 const std::vector<expr::Expr>& P, expr::Expr T_inverse);

}  // namespace attest::reparam
