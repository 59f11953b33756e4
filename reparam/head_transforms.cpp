// The constructions that act head by head, and those without any skip.
#include <numeric>

#include "core/support/check.h"
#include "reparam/transforms.h"

namespace attest::reparam {

using expr::AttentionSpec;
using expr::Expr;
using expr::layer_weight;
using expr::TransformerSpec;
using expr::Weights;

namespace {

Expr diagonal_block(Expr matrix, std::int64_t block, std::int64_t width) {
  return slice(matrix, block * width, block * width, {width, width});
}

// diag(blocks): square blocks of one width along the diagonal, 0 elsewhere.
Expr block_diagonal(const std::vector<Expr>& blocks) {
  expr::Graph& graph = blocks.front().graph();
  const std::int64_t width = blocks.front().rows(), count = static_cast<std::int64_t>(blocks.size());
  std::vector<Expr> bands;
  for (std::int64_t b = 0; b < count; ++b) {
    std::vector<Expr> band;
    if (b > 0) band.push_back(graph.zeros({width, b * width}));
    band.push_back(blocks[static_cast<std::size_t>(b)]);
    if (b + 1 < count) band.push_back(graph.zeros({width, (count - b - 1) * width}));
    bands.push_back(expr::concat_columns(band));
  }
  return expr::concat_rows(bands);
}

// One block for each KV group out of a matrix with one for each head: that of the group's first head.
std::vector<Expr> group_blocks(Expr B, const AttentionSpec& spec) {
  std::vector<Expr> blocks;
  for (std::int64_t group = 0; group < spec.kv_heads; ++group)
    blocks.push_back(diagonal_block(B, group * (spec.heads / spec.kv_heads), spec.width));
  return blocks;
}

// The KV groups' order under an order of the heads.
std::vector<std::int64_t> group_order(const HeadOrder& source, const AttentionSpec& spec) {
  const std::int64_t members = spec.heads / spec.kv_heads;
  std::vector<std::int64_t> groups;
  for (std::int64_t group = 0; group < spec.kv_heads; ++group) {
    groups.push_back(source[static_cast<std::size_t>(group * members)] / members);
    for (std::int64_t i = 0; i < members; ++i)
      ATTEST_CHECK(source[static_cast<std::size_t>(group * members + i)] / members == groups.back(),
                   "an order of heads keeps KV groups together");
  }
  return groups;
}

std::vector<Basis> points_of_queries(const Weights& weights, const TransformerSpec& spec, const char* projection) {
  std::vector<Basis> bases;
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer)
    bases.push_back(basis_of(weights.at(layer_weight(projection, layer))));
  bases.push_back(standard_basis(weights.at("E").graph(), spec.width));
  return telescoping_points(spec, bases);
}

void set_identity(Weights& weights, const char* base, std::int64_t layer) {
  Expr& weight = weights.at(layer_weight(base, layer));
  weight = weight.graph().identity(weight.cols());
}

}  // namespace

HeadOrder same_order(const AttentionSpec& spec) {
  HeadOrder order(static_cast<std::size_t>(spec.heads));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

HeadOrder rotated_order(const AttentionSpec& spec) {
  const std::int64_t members = spec.heads / spec.kv_heads;
  HeadOrder order;
  for (std::int64_t head = 0; head < spec.heads; ++head)
    order.push_back((head / members + 1) % spec.kv_heads * members + (head % members + 1) % members);
  return order;
}

Expr reorder_columns(Expr matrix, const std::vector<std::int64_t>& source, std::int64_t width) {
  std::vector<Expr> parts;
  for (const std::int64_t block : source) parts.push_back(columns(matrix, block * width, width));
  return expr::concat_columns(parts);
}

Expr reorder_rows(Expr matrix, const std::vector<std::int64_t>& source, std::int64_t width) {
  std::vector<Expr> parts;
  for (const std::int64_t block : source) parts.push_back(rows(matrix, block * width, width));
  return expr::concat_rows(parts);
}

std::vector<std::int64_t> inverse_order(const std::vector<std::int64_t>& source) {
  std::vector<std::int64_t> inverted(source.size());
  for (std::size_t i = 0; i < source.size(); ++i)
    inverted[static_cast<std::size_t>(source[i])] = static_cast<std::int64_t>(i);
  return inverted;
}

Expr key_factor(Expr B, const AttentionSpec& spec) { return transpose(block_diagonal(group_blocks(B, spec))); }

Weights head_basis(const Weights& weights, const TransformerSpec& spec, const std::vector<QueryFactor>& factors) {
  Weights moved = shared_query(weights, spec);
  const AttentionSpec& attention = spec.attention;
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    const QueryFactor& factor = factors[static_cast<std::size_t>(layer - 1)];
    Expr& W_K = moved.at(layer_weight("W_K", layer));
    Expr& W_V = moved.at(layer_weight("W_V", layer));
    Expr& W_O = moved.at(layer_weight("W_O", layer));
    if (factor.source != same_order(attention)) {
      const std::vector<std::int64_t> groups = group_order(factor.source, attention);
      W_K = reorder_columns(W_K, groups, attention.width);
      W_V = reorder_columns(W_V, groups, attention.width);
      W_O = reorder_rows(W_O, factor.source, attention.width);
    }
    W_K = W_K * key_factor(factor.B, attention);
  }
  return moved;
}

Weights skipless_serial(const Weights& weights, const TransformerSpec& spec, Projection projection) {
  const char* removed = projection == Projection::query ? "W_Q" : projection == Projection::key ? "W_K" : "W_V";
  Weights moved = change_basis(weights, spec, points_of_queries(weights, spec, removed));
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    set_identity(moved, removed, layer);
    Expr& W_1 = moved.at(layer_weight("W_1", layer));
    W_1 = moved.at(layer_weight("W_O", layer)) * W_1;
    const std::int64_t heads_width = spec.attention.heads * spec.attention.width;
    moved[layer_weight("W_O", layer)] = W_1.graph().identity(heads_width);
  }
  return moved;
}

Weights skipless_parallel_query(const Weights& weights, const TransformerSpec& spec) {
  return telescope(weights, spec);
}

Weights skipless_parallel_output(const Weights& weights, const TransformerSpec& spec) {
  std::vector<Basis> points{standard_basis(weights.at("E").graph(), spec.width)};
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    const Expr W_O = weights.at(layer_weight("W_O", layer));
    points.push_back({inverse(W_O), W_O, {}});
  }
  Weights moved = change_basis(weights, spec, points);
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) set_identity(moved, "W_O", layer);
  return moved;
}

Weights skipless_parallel_blocks(const Weights& weights, const TransformerSpec& spec, const std::vector<Expr>& blocks) {
  std::vector<Basis> points{basis_of(weights.at("W_Q.1"))};
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    const Expr W_O = weights.at(layer_weight("W_O", layer));
    points.push_back({inverse(W_O), W_O, {}});
  }
  Weights moved = change_basis(weights, spec, points);
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    set_identity(moved, "W_O", layer);
    set_identity(moved, "W_Q", layer);
    if (layer == 1) continue;
    Expr& W_K = moved.at(layer_weight("W_K", layer));
    W_K = W_K * key_factor(blocks[static_cast<std::size_t>(layer - 2)], spec.attention);
  }
  return moved;
}

Weights skipless_parallel_both(const Weights& weights, const TransformerSpec& spec, bool absorb) {
  Weights moved = telescope(weights, spec);
  for (std::int64_t layer = 1; layer < spec.layers; ++layer) {
    const Expr junction = weights.at(layer_weight("W_O", layer)) * weights.at(layer_weight("W_Q", layer + 1));
    Expr& W_V = moved.at(layer_weight("W_V", layer));
    if (absorb) W_V = W_V * block_diagonal(group_blocks(junction, spec.attention));
    set_identity(moved, "W_O", layer);
  }
  return moved;
}

}  // namespace attest::reparam
