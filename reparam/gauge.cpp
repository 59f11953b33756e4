// reparam.gauge: the changes of weights inside the heads that an attention layer does not see.
#include <algorithm>

#include "core/support/error.h"
#include "reparam/claims.h"
#include "reparam/single_attention.h"
#include "reparam/transforms_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Recipe;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

using Order = std::vector<std::int64_t>;

std::vector<Expr> inverses(const std::vector<Expr>& blocks) {
  std::vector<Expr> inverted;
  for (const Expr& block : blocks) inverted.push_back(inverse(block));
  return inverted;
}

std::vector<Expr> add_blocks(Statement& statement, const std::string& letter, const Size& size) {
  std::vector<Expr> blocks;
  for (std::int64_t j = 0; j < size.g; ++j)
    blocks.push_back(add_invertible(statement, letter + "." + std::to_string(j), size.k, ""));
  return blocks;
}

// The last head first: KV group j goes to g - 1 - j.
Order reversed_heads(const Size& size) {
  Order order(static_cast<std::size_t>(size.h));
  for (std::int64_t i = 0; i < size.h; ++i) order[static_cast<std::size_t>(i)] = size.h - 1 - i;
  return order;
}

// Each KV group moves on by one, and the heads inside every group too.
Order cycled_heads(const Size& size) {
  const std::int64_t per_group = size.h / size.g;
  Order order;
  for (std::int64_t j = 0; j < size.g; ++j)
    for (std::int64_t i = 0; i < per_group; ++i) order.push_back((j + 1) % size.g * per_group + (i + 1) % per_group);
  return order;
}

// A rotation times a factor in every plane of coordinates that RoPE turns: diag(x) + diag(y) J with J a quarter turn of
// every plane, x and y constant on it. planes is 2 x k/2: row 0 x, row 1 y.
Expr scaled_rotations(Expr planes, expr::Rope::Pairing pairing) {
  expr::Graph& graph = planes.graph();
  const std::int64_t pairs = planes.cols(), k = 2 * pairs;
  RationalMatrix placed(k, pairs), quarter_turn(k, k);
  for (std::int64_t c = 0; c < pairs; ++c) {
    const bool interleaved = pairing == expr::Rope::Pairing::interleaved;
    const std::int64_t first = interleaved ? 2 * c : c, second = interleaved ? 2 * c + 1 : c + pairs;
    placed.at(first, c) = placed.at(second, c) = 1;
    quarter_turn.at(first, second) = 1;
    quarter_turn.at(second, first) = -1;
  }
  const Expr place = graph.constant(std::move(placed));
  const Expr x = place * transpose(rows(planes, 0, 1)), y = place * transpose(rows(planes, 1, 1));
  return scale_rows(x, graph.identity(k)) + scale_rows(y, graph.constant(std::move(quarter_turn)));
}

// Scaled rotations leave the layer unchanged under RoPE, in either convention of the pairs.
void add_rope_equations(Statement& statement, AttentionSpec spec, Expr X, const AttentionWeights& weights,
                        const std::vector<Expr>& C, const Size& size) {
  expr::Rope rope = add_rope_input(statement, size.k);
  std::vector<Expr> planes;
  for (std::int64_t j = 0; j < size.g; ++j)
    planes.push_back(add_input(statement, "B_planes." + std::to_string(j), {2, size.k / 2}));
  for (const auto pairing : {expr::Rope::Pairing::interleaved, expr::Rope::Pairing::halves}) {
    std::vector<Expr> B;
    for (const Expr& plane : planes) {
      B.push_back(scaled_rotations(plane, pairing));
      statement.conditions.push_back({claim::Condition::Kind::invertible, {B.back()}, ""});
    }
    rope.pairing = pairing;
    spec.rope = rope;
    const AttentionWeights changed = change_head_bases(weights, spec, {B, inverses(B), C, inverses(C)});
    const bool interleaved = pairing == expr::Rope::Pairing::interleaved;
    statement.equations.push_back({std::string("attention output, RoPE on ") +
                                       (interleaved ? "neighbouring coordinates" : "halves") + ", scaled rotations",
                                   attention(X, weights, spec), attention(X, changed, spec)});
  }
}

void add_permutation(Statement& statement, const AttentionSpec& spec, Expr X, const AttentionWeights& weights,
                     const std::string& label, const Order& order) {
  statement.equations.push_back({"attention output, " + label, attention(X, weights, spec),
                                 attention(X, permute_heads(weights, spec, order), spec)});
}

Statement build_claim(const Size& size) {
  Statement statement = start_statement(size);
  AttentionSpec spec = add_attention_spec(statement, size, true);
  spec.mask = expr::Mask::causal();
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const AttentionWeights weights = add_attention_inputs(statement, size);
  const std::vector<Expr> B = add_blocks(statement, "B", size), C = add_blocks(statement, "C", size);
  statement.equations.push_back(
      {"attention output, change of head bases", attention(X, weights, spec),
       attention(X, change_head_bases(weights, spec, {B, inverses(B), C, inverses(C)}), spec)});
  add_permutation(statement, spec, X, weights, "heads reversed", reversed_heads(size));
  add_permutation(statement, spec, X, weights, "heads and groups cycled", cycled_heads(size));
  if (size.k % 2 == 0) add_rope_equations(statement, spec, X, weights, C, size);
  return statement;
}

// B general where heads are rotated or normalized after the projection. W_V and W_O play no part.
Statement build_between(const Size& size, bool rope) {
  Statement statement = start_statement(size);
  AttentionSpec spec = attention_spec(size, *statement.graph, false);
  expr::Graph& graph = *statement.graph;
  const Expr X = add_input(statement, "X", {size.n, size.d});
  AttentionWeights weights;
  weights.W_Q = add_input(statement, "W_Q", {size.d, size.h * size.k});
  weights.W_K = add_input(statement, "W_K", {size.d, size.g * size.k});
  weights.W_V = rectangular_identity(graph, {size.d, size.g * size.k});
  weights.W_O = rectangular_identity(graph, {size.h * size.k, size.d});
  statement.ledger.push_back("counterexamples are sought among W_V = I and W_O = I");
  if (rope)
    spec.rope = add_rope_input(statement, size.k);
  else
    spec.qk_norm_eps = Rational(1, 1000000);
  const std::vector<Expr> B = add_blocks(statement, "B", size);
  const std::vector<Expr> I(B.size(), graph.identity(size.k));
  const AttentionWeights changed = change_head_bases(weights, spec, {B, inverses(B), I, I});
  statement.equations.push_back({"attention output", attention(X, weights, spec), attention(X, changed, spec)});
  return statement;
}

Statement build_gauge(const Request& request) {
  if (request.dropped == "scaled_rotations") return build_between(request.size, true);
  if (request.dropped == "no_qk_norm") return build_between(request.size, false);
  return build_claim(request.size);
}

}  // namespace

void add_gauge(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.gauge";
  claim.kind = claim::Kind::identity;
  claim.statement =
      "For each KV head j and B_j, C_j in GL(k): W_Q,i B_j, W_K,j B_j^-T, W_V,j C_j, C_j^-1 W_O,i, and head "
      "permutations "
      "that map groups to groups, leave mha unchanged; under RoPE those B_j that are scaled rotations in every plane, "
      "and for full-rank projections, n >= 2 and distinct, non-real, non-conjugate frequencies no others";
  claim.formula =
      "(W_{Q,i}, W_{K,j}, W_{V,j}, W_{O,i}) \\text{ and } (W_{Q,i} B_j, W_{K,j} B_j^{-\\top}, W_{V,j} C_j, C_j^{-1} "
      "W_{O,i}) \\text{ give the same } \\operatorname{mha}";
  claim.source = derived_here;
  claim.proof_idea =
      "The logits see Q_i K_j^T and the output sees A_i V_j W_O,i: B B^-1 and C C^-1 cancel. Under RoPE B must commute "
      "with a rotation of distinct angles, whose commutant is the scaled rotations of its planes.";
  claim.how_checked =
      "Both sides under a causal mask: general B, C; two permutations of heads; under RoPE, in both conventions of the "
      "pairs, scaled rotations. The ablations take a general B under RoPE and under QK-norm.";
  claim.hypotheses = {{"scaled_rotations", "under RoPE every B_j is a scaled rotation in each plane"},
                      {"no_qk_norm", "queries and keys are not normalized"}};
  claim.build = build_gauge;
  claim.search_sizes = [](const std::string& dropped) {
    if (dropped == "scaled_rotations") return std::vector<Size>{search_size(2, 1, 1, 1, 2)};
    return std::vector<Size>{search_size(2, 1, 1, 1, 1)};
  };
  claim.sizes = {"small", "medium", "gpt2-small", "kmg-300m"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
