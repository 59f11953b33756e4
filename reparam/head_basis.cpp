#include "core/support/error.h"
#include "reparam/claims.h"
#include "reparam/network.h"
#include "reparam/transforms.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Recipe;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::Expr;
using expr::TransformerSpec;
using expr::Weights;

// Factor of layer 1: I; of layer l: make(l), heads in the given order.
template <class Make>
std::vector<QueryFactor> factors_of(const TransformerSpec& spec, expr::Graph& graph, const HeadOrder& later,
                                    const Make& make) {
  std::vector<QueryFactor> factors{{graph.identity(spec.width), same_order(spec.attention)}};
  for (std::int64_t layer = 2; layer <= spec.layers; ++layer) factors.push_back({make(layer), later});
  return factors;
}

// W_Q.l = W_Q.1 B P. P puts the block of head i at source[i], so block j of the product comes from the inverse order.
void set_queries(Weights& weights, const TransformerSpec& spec, const std::vector<QueryFactor>& factors) {
  for (std::int64_t layer = 2; layer <= spec.layers; ++layer) {
    const QueryFactor& factor = factors[static_cast<std::size_t>(layer - 1)];
    Expr B = factor.B;
    if (factor.source != same_order(spec.attention))
      B = reorder_columns(B, inverse_order(factor.source), spec.attention.width);
    weights[expr::layer_weight("W_Q", layer)] = weights.at("W_Q.1") * B;
  }
}

// All weights but W_Q.2, ..., W_Q.L, which are made from W_Q.1.
Weights add_weights_but_queries(Statement& statement, const TransformerSpec& spec) {
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    if (name.starts_with("W_Q") && name != "W_Q.1") continue;
    const bool query = name == "W_Q.1";
    weights[name] =
        ensure_input(statement, name, shape, {.kind = query ? Recipe::Kind::invertible : Recipe::Kind::general});
    if (query) require_invertible(statement, weights[name]);
  }
  return weights;
}

Expr block_factor(Statement& statement, const Size& size, std::int64_t layer) {
  return ensure_input(statement, expr::layer_weight("B", layer), {size.d, size.d},
                      {.kind = Recipe::Kind::block_diagonal, .block = size.k, .group = size.h / size.g});
}

// I_(repeats) (x) matrix, written out.
RationalMatrix repeated(const RationalMatrix& block, std::int64_t repeats) {
  RationalMatrix result(block.rows * repeats, block.cols * repeats);
  for (std::int64_t r = 0; r < repeats; ++r)
    for (std::int64_t i = 0; i < block.rows; ++i)
      for (std::int64_t j = 0; j < block.cols; ++j) result.at(r * block.rows + i, r * block.cols + j) = block.at(i, j);
  return result;
}

// a_c I + b_c J on the plane (2c, 2c+1) of every head: what commutes with the rotations. a, b: one row of k/2 numbers.
Expr scaled_rotation_factor(Statement& statement, const Size& size, std::int64_t layer) {
  expr::Graph& graph = *statement.graph;
  const Expr a = ensure_input(statement, expr::layer_weight("a", layer), {1, size.k / 2});
  const Expr b = ensure_input(statement, expr::layer_weight("b", layer), {1, size.k / 2});
  Expr sum = graph.zeros({size.d, size.d});
  for (std::int64_t c = 0; c < size.k / 2; ++c) {
    RationalMatrix plane(size.k, size.k), turn(size.k, size.k);
    plane.at(2 * c, 2 * c) = plane.at(2 * c + 1, 2 * c + 1) = 1;
    turn.at(2 * c, 2 * c + 1) = 1;
    turn.at(2 * c + 1, 2 * c) = -1;
    sum = sum + expr::scale_by(columns(a, c, 1), graph.constant(repeated(plane, size.h))) +
          expr::scale_by(columns(b, c, 1), graph.constant(repeated(turn, size.h)));
  }
  return sum;
}

void require_equal(Statement& statement, const std::string& label, Weights weights, const TransformerSpec& spec,
                   const std::vector<QueryFactor>& factors) {
  set_queries(weights, spec, factors);
  require_same_function(statement, label, weights, head_basis(weights, spec, factors), spec);
}

Statement build_claim(const Size& size) {
  Statement statement = network_statement(size);
  expr::Graph& graph = *statement.graph;
  TransformerSpec spec = network_spec(statement, size, Skips::both, true);
  const Weights weights = add_weights_but_queries(statement, spec);
  const auto blocks = [&](std::int64_t layer) { return block_factor(statement, size, layer); };
  require_equal(statement, "block-diagonal factors", weights, spec,
                factors_of(spec, graph, same_order(spec.attention), blocks));
  if (claim::is_real_size(size)) return statement;
  require_equal(statement, "block-diagonal factors and reordered heads", weights, spec,
                factors_of(spec, graph, rotated_order(spec.attention), blocks));
  if (size.k % 2 != 0) return statement;
  spec.attention.rope =
      expr::Rope{ensure_input(statement, "rotation", {2, size.k / 2}, {.kind = Recipe::Kind::unit_circle}),
                 expr::Rope::Pairing::interleaved};
  const auto rotations = [&](std::int64_t layer) { return scaled_rotation_factor(statement, size, layer); };
  require_equal(statement, "RoPE, factors that commute with the rotations", weights, spec,
                factors_of(spec, graph, same_order(spec.attention), rotations));
  return statement;
}

// Column j of the identity goes on as column j mod rows: [I I ...] or [I] cut off.
RationalMatrix wrapped_identity(expr::Shape shape) {
  RationalMatrix result(shape.rows, shape.cols);
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.cols; ++j) result.at(i, j) = i % shape.cols == j % shape.rows ? 1 : 0;
  return result;
}

// A network in which the first layer's query is I already, embedding, keys and values go through unchanged and the MLPs
// are zero.
Weights bare_weights(Statement& statement, const TransformerSpec& spec) {
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    const bool in_mlp = name.starts_with("W_1") || name.starts_with("W_2");
    weights[name] = in_mlp ? statement.graph->zeros(shape) : statement.graph->constant(wrapped_identity(shape));
  }
  weights["W_Q.1"] = statement.graph->identity(spec.width);
  statement.ledger.push_back(
      "W_Q.1 = I, E, W_K, W_V and W_O are 0-1 matrices, the MLPs are zero: a special case suffices for a "
      "counterexample");
  return weights;
}

Expr general_factor(Statement& statement, const Size& size, std::int64_t layer) {
  return ensure_input(statement, expr::layer_weight("B", layer), {size.d, size.d});
}

// B.l dense: only its diagonal blocks can be moved into W_K.
void drop_block_diagonal(Statement& statement, const Size& size) {
  if (size.h < 2)
    throw InputError("size " + size.name + ": one head, for which every B is block-diagonal; choose h >= 2");
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  const auto dense = [&](std::int64_t layer) { return general_factor(statement, size, layer); };
  const auto factors = factors_of(spec, *statement.graph, same_order(spec.attention), dense);
  const Expr upper = slice(factors[1].B, 0, size.k, {size.k, size.d - size.k});
  statement.conditions.push_back({Condition::Kind::nonzero, {upper}, "block_diagonal"});
  require_equal(statement, "dense factor", bare_weights(statement, spec), spec, factors);
}

// QK-norm sees the size of q and k, which B moves from one to the other. The tokens are free here.
void drop_no_qk_norm(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  spec.attention.qk_norm_eps = 1;
  const auto blocks = [&](std::int64_t layer) { return block_factor(statement, size, layer); };
  const auto factors = factors_of(spec, *statement.graph, same_order(spec.attention), blocks);
  Weights weights = bare_weights(statement, spec);
  weights["E"] = ensure_input(statement, "E", {spec.vocabulary, spec.width});
  require_equal(statement, "QK-norm", weights, spec, factors);
}

// RoPE by quarter turns (3-4-5 turns in further planes): B must commute with them.
void drop_no_rope(Statement& statement, const Size& size) {
  if (size.k % 2 != 0)
    throw InputError("size " + size.name + ": k = " + std::to_string(size.k) + "; RoPE needs an even k");
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  RationalMatrix rotation(2, size.k / 2);
  for (std::int64_t c = 0; c < size.k / 2; ++c) {
    rotation.at(0, c) = c == 0 ? Rational(0) : Rational(3, 5);
    rotation.at(1, c) = c == 0 ? Rational(1) : Rational(4, 5);
  }
  spec.attention.rope = expr::Rope{statement.graph->constant(rotation), expr::Rope::Pairing::interleaved};
  const auto blocks = [&](std::int64_t layer) { return block_factor(statement, size, layer); };
  require_equal(statement, "RoPE", bare_weights(statement, spec), spec,
                factors_of(spec, *statement.graph, same_order(spec.attention), blocks));
}

Statement build(const Request& request) {
  if (request.dropped.empty()) return build_claim(request.size);
  if (request.size.L < 2)
    throw InputError("size " + request.size.name + ": L = " + std::to_string(request.size.L) +
                     "; a factor B relates two layers, choose a size with L >= 2");
  Statement statement = network_statement(request.size);
  if (request.dropped == "block_diagonal") drop_block_diagonal(statement, request.size);
  if (request.dropped == "no_qk_norm") drop_no_qk_norm(statement, request.size);
  if (request.dropped == "no_rope") drop_no_rope(statement, request.size);
  return statement;
}

std::vector<Size> search_sizes(const std::string& dropped) {
  if (dropped == "block_diagonal") return {{"search", 2, 2, 2, 2, 1, 2, 1}};
  if (dropped == "no_rope") return {{"search", 2, 2, 1, 1, 2, 2, 1}};
  return scalar_sizes(2, 2);
}

}  // namespace

void add_head_basis(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.head_basis";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "both skips: if W_Q^(l) = W_Q^(1) B_l P_l with B_l block-diagonal per head, equal inside a KV group, perhaps "
      "singular, and P_l a permutation of the heads that maps groups to groups, then T = W_Q^(1) makes every query "
      "weight "
      "I, with W_K,j -> T^-1 W_K,j B_(l,j)^T and K, V, O permuted alike";
  claim.formula =
      "W_Q^{(l)} = W_Q^{(1)} B_l, \\quad B_l = \\operatorname{diag}(B_{l,1}, \\ldots, B_{l,h}): \\quad "
      "W_Q^{(l)} \\mapsto I, \\quad W_{K,j}^{(l)} \\mapsto T^{-1} W_{K,j}^{(l)} B_{l,j}^\\top, \\quad T = W_Q^{(1)}";
  claim.source = "derived here, proof in reparam/README.md";
  claim.proof_idea =
      "In the basis T the query of head i is x'_i B_i; the logits x'_i B_i k_j^T = x'_i (k_j B_i^T)^T do not tell on "
      "which "
      "side B_i stands, as long as all heads that read k_j agree on it.";
  claim.how_checked =
      "Both networks are evaluated, L layers with both skips and a free scale: block-diagonal factors, the same with "
      "the "
      "heads rotated, and RoPE with factors a + b J in every plane.";
  claim.hypotheses = {{"block_diagonal", "every B_l is block-diagonal per head and equal inside KV groups"},
                      {"no_qk_norm", "no QK-norm"},
                      {"no_rope", "no RoPE, or every block commutes with the rotations"}};
  claim.build = build;
  claim.search_sizes = search_sizes;
  claim.sizes = {"small", "medium", "gpt2-small"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
