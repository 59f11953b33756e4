#include "reparam/transforms_attention.h"

#include <algorithm>

#include "core/support/check.h"
#include "core/support/error.h"
#include "reparam/single_attention.h"

namespace attest::reparam {

using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

const char* weight_name(Projection projection) {
  switch (projection) {
    case Projection::query:
      return "W_Q";
    case Projection::key:
      return "W_K";
    case Projection::value:
      return "W_V";
  }
  return "?";
}

Expr weight_of(const AttentionWeights& weights, Projection projection) {
  switch (projection) {
    case Projection::query:
      return weights.W_Q;
    case Projection::key:
      return weights.W_K;
    case Projection::value:
      return weights.W_V;
  }
  return {};
}

AttentionWeights read_in_basis(const AttentionWeights& weights, Expr T_inverse) {
  AttentionWeights moved = weights;
  moved.W_Q = T_inverse * weights.W_Q;
  moved.W_K = T_inverse * weights.W_K;
  moved.W_V = T_inverse * weights.W_V;
  return moved;
}

AttentionWeights eliminate(const AttentionWeights& weights, Projection projection, Expr T_inverse) {
  AttentionWeights moved = read_in_basis(weights, T_inverse);
  const Expr I = T_inverse.graph().identity(T_inverse.rows());
  switch (projection) {
    case Projection::query:
      moved.W_Q = I;
      break;
    case Projection::key:
      moved.W_K = I;
      break;
    case Projection::value:
      moved.W_V = I;
      break;
  }
  return moved;
}

AttentionWeights merge_query_into_key(const AttentionWeights& weights) {
  AttentionWeights merged = weights;
  merged.W_Q = weights.W_Q.graph().identity(weights.W_Q.rows());
  merged.W_K = weights.W_K * transpose(weights.W_Q);
  return merged;
}

AttentionWeights overwrite_query(const AttentionWeights& weights) {
  AttentionWeights overwritten = weights;
  overwritten.W_Q = weights.W_Q.graph().identity(weights.W_Q.rows());
  return overwritten;
}

AttentionWeights change_head_bases(const AttentionWeights& weights, const AttentionSpec& spec, const HeadBases& bases) {
  std::vector<Expr> key_blocks, query_blocks, output_blocks;
  for (const Expr& inverted : bases.B_inverse) key_blocks.push_back(transpose(inverted));
  for (std::int64_t i = 0; i < spec.heads; ++i) {
    const auto j = static_cast<std::size_t>(kv_head_of(i, spec));
    query_blocks.push_back(bases.B[j]);
    output_blocks.push_back(bases.C_inverse[j]);
  }
  AttentionWeights changed = weights;
  changed.W_Q = weights.W_Q * block_diagonal(query_blocks);
  changed.W_K = weights.W_K * block_diagonal(key_blocks);
  changed.W_V = weights.W_V * block_diagonal(bases.C);
  changed.W_O = block_diagonal(output_blocks) * weights.W_O;
  return changed;
}

namespace {

// The KV head that each KV head of the permuted layer is: the one whose query heads land on it.
std::vector<std::int64_t> kv_order(const AttentionSpec& spec, const std::vector<std::int64_t>& order) {
  std::vector<std::int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = static_cast<std::int64_t>(order.size()) == spec.heads;
  for (std::size_t i = 0; fits && i < sorted.size(); ++i) fits = sorted[i] == static_cast<std::int64_t>(i);
  std::vector<std::int64_t> groups(static_cast<std::size_t>(spec.kv_heads), -1);
  for (std::int64_t i = 0; fits && i < spec.heads; ++i) {
    std::int64_t& group = groups[static_cast<std::size_t>(kv_head_of(i, spec))];
    const std::int64_t from = kv_head_of(order[static_cast<std::size_t>(i)], spec);
    fits = group == -1 || group == from;
    group = from;
  }
  if (!fits)
    throw InputError("a head permutation that is none, or that takes heads of one KV head to several, for h = " +
                     std::to_string(spec.heads) + ", g = " + std::to_string(spec.kv_heads) +
                     "; permute whole groups, and heads inside a group");
  return groups;
}

Expr permuted_columns(Expr weight, std::int64_t width, const std::vector<std::int64_t>& order) {
  std::vector<Expr> parts;
  for (const std::int64_t head : order) parts.push_back(columns(weight, head * width, width));
  return concat_columns(parts);
}

}  // namespace

AttentionWeights permute_heads(const AttentionWeights& weights, const AttentionSpec& spec,
                               const std::vector<std::int64_t>& order) {
  const std::vector<std::int64_t> groups = kv_order(spec, order);
  AttentionWeights permuted = weights;
  permuted.W_Q = permuted_columns(weights.W_Q, spec.width, order);
  permuted.W_K = permuted_columns(weights.W_K, spec.width, groups);
  permuted.W_V = permuted_columns(weights.W_V, spec.width, groups);
  std::vector<Expr> bands;
  for (const std::int64_t head : order) bands.push_back(rows(weights.W_O, head * spec.width, spec.width));
  permuted.W_O = concat_rows(bands);
  return permuted;
}

AttentionWeights eliminate_blockwise_query(const AttentionWeights& weights, const std::vector<Expr>& P,
                                           Expr T_inverse) {
  std::vector<Expr> blocks;
  for (const Expr& block : P) blocks.push_back(transpose(block));
  AttentionWeights moved = weights;
  moved.W_Q = T_inverse.graph().identity(T_inverse.rows());
  moved.W_K = T_inverse * weights.W_K * block_diagonal(blocks);
  moved.W_V = T_inverse * weights.W_V;
  return moved;
}

}  // namespace attest::reparam
