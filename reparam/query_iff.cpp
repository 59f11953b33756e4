// reparam.query_iff: when a layer has the same logits with an identity query.
#include "core/support/error.h"
#include "reparam/claims.h"
#include "reparam/single_attention.h"
#include "reparam/transforms_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Recipe;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

// B_i = W_Q,i W_K,j(i)^T, the bilinear form of head i.
std::vector<Expr> bilinear_forms(const AttentionWeights& weights, const AttentionSpec& spec) {
  const std::int64_t k = spec.width;
  std::vector<Expr> forms;
  for (std::int64_t i = 0; i < spec.heads; ++i)
    forms.push_back(columns(weights.W_Q, i * k, k) * transpose(columns(weights.W_K, kv_head_of(i, spec) * k, k)));
  return forms;
}

// One condition a KV group of at least two heads.
std::vector<Condition> row_conditions(const std::vector<Expr>& forms, const AttentionSpec& spec, Condition::Kind kind) {
  std::vector<Condition> conditions;
  const std::int64_t per_group = spec.heads / spec.kv_heads;
  if (per_group == 1) return conditions;
  for (std::int64_t j = 0; j < spec.kv_heads; ++j)
    conditions.push_back({kind, {forms.begin() + j * per_group, forms.begin() + (j + 1) * per_group}, "equal_rows"});
  return conditions;
}

void append(std::vector<Condition>& conditions, const std::vector<Condition>& more) {
  conditions.insert(conditions.end(), more.begin(), more.end());
}

void add_logit_equations(Statement& statement, const AttentionSpec& spec, Expr X, const AttentionWeights& weights,
                         Expr X_moved, const AttentionWeights& moved) {
  const std::vector<Expr> expected = attention_logits(X, X, weights, spec);
  const std::vector<Expr> constructed = attention_logits(X_moved, X_moved, moved, spec);
  for (std::size_t i = 0; i < expected.size(); ++i)
    statement.equations.push_back({"logits of head " + std::to_string(i), expected[i], constructed[i]});
}

// The head blocks T_i P_j(i) of a query that satisfies the condition: P_j of any rank.
Expr blockwise_query(Expr T, const std::vector<Expr>& P, const AttentionSpec& spec) {
  std::vector<Expr> blocks;
  for (std::int64_t i = 0; i < spec.heads; ++i)
    blocks.push_back(columns(T, i * spec.width, spec.width) * P[static_cast<std::size_t>(kv_head_of(i, spec))]);
  return concat_columns(blocks);
}

// k x k of rank k - 1.
Expr add_deficient(Statement& statement, const std::string& name, std::int64_t k) {
  if (k == 1) return statement.graph->zeros({1, 1});
  return add_input(statement, name, {k, k}, {.kind = Recipe::Kind::singular, .rank = k - 1});
}

std::string block_name(std::int64_t index) { return "P." + std::to_string(index); }

// A yes-instance: W_Q = [T_0 P_0 ... ] with a singular first block, so that W_Q itself is singular.
Statement build_claim(const Size& size) {
  Statement statement = start_statement(size);
  require_square_query(size);
  const AttentionSpec spec = add_attention_spec(statement, size, true);
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const Expr T = add_invertible(statement, "T", size.d, "");
  std::vector<Expr> P{add_deficient(statement, block_name(0), size.k)};
  for (std::int64_t j = 1; j < size.g; ++j) P.push_back(add_input(statement, block_name(j), {size.k, size.k}));
  AttentionWeights weights;
  weights.W_Q = blockwise_query(T, P, spec);
  weights.W_K = add_input(statement, "W_K", {size.d, size.g * size.k});
  weights.W_V = add_input(statement, "W_V", {size.d, size.g * size.k});
  weights.W_O = add_input(statement, "W_O", {size.h * size.k, size.d});
  statement.ledger.push_back(
      "a difference refutes the T and K' that the proof constructs, not the existence of others");
  const std::vector<Expr> forms = bilinear_forms(weights, spec);
  statement.conditions.push_back({Condition::Kind::independent, forms, "independence"});
  append(statement.conditions, row_conditions(forms, spec, Condition::Kind::equal_row_spaces));
  const AttentionWeights moved = eliminate_blockwise_query(weights, P, inverse(T));
  add_logit_equations(statement, spec, X, weights, X * T, moved);
  statement.equations.push_back({"attention output", attention(X, weights, spec), attention(X * T, moved, spec)});
  return statement;
}

// W_Q of rank d - 1 with heads of full rank: their column spaces meet. No T and K' exist.
Statement build_dependent(const Size& size) {
  Statement statement = start_statement(size);
  require_square_query(size);
  if (size.h == 1) throw InputError("h = 1: the column space of one head is independent by itself; take h >= 2");
  const AttentionSpec spec = attention_spec(size, *statement.graph, false);
  AttentionWeights weights;
  weights.W_Q = add_input(statement, "W_Q", {size.d, size.d}, {.kind = Recipe::Kind::singular, .rank = size.d - 1});
  weights.W_K = add_input(statement, "W_K", {size.d, size.g * size.k});
  const std::vector<Expr> forms = bilinear_forms(weights, spec);
  statement.conditions.push_back({Condition::Kind::dependent, forms, "independence"});
  append(statement.conditions, row_conditions(forms, spec, Condition::Kind::equal_row_spaces));
  statement.necessary.push_back({Condition::Kind::independent, forms, "independence"});
  return statement;
}

// The first head of a KV group of lower rank than the others. No T and K' exist.
Statement build_different_rows(const Size& size) {
  Statement statement = start_statement(size);
  require_square_query(size);
  if (size.g == size.h)
    throw InputError("g = h = " + std::to_string(size.h) +
                     ": a KV group of one head has one row space; without equal_rows take g < h");
  const AttentionSpec spec = attention_spec(size, *statement.graph, false);
  const Expr T = add_invertible(statement, "T", size.d, "");
  const Expr first = columns(T, 0, size.k) * add_deficient(statement, block_name(0), size.k);
  AttentionWeights weights;
  weights.W_Q = expr::concat_columns({first, columns(T, size.k, size.d - size.k)});
  weights.W_K = add_input(statement, "W_K", {size.d, size.g * size.k});
  const std::vector<Expr> forms = bilinear_forms(weights, spec);
  statement.conditions.push_back({Condition::Kind::independent, forms, "independence"});
  const std::int64_t per_group = size.h / size.g;
  const std::vector<Expr> group(forms.begin(), forms.begin() + per_group);
  statement.conditions.push_back({Condition::Kind::different_row_spaces, group, "equal_rows"});
  statement.necessary.push_back({Condition::Kind::equal_row_spaces, group, "equal_rows"});
  return statement;
}

// The construction of the yes-side where heads are normalized or rotated between the projection and the product.
Statement build_between(const Size& size, bool rope) {
  Statement statement = start_statement(size);
  require_square_query(size);
  AttentionSpec spec = attention_spec(size, *statement.graph, false);
  expr::Graph& graph = *statement.graph;
  const Expr X = add_input(statement, "X", {size.n, size.d});
  if (!rope) spec.qk_norm_eps = Rational(1, 1000000);
  const Expr T = rope ? graph.identity(size.d) : add_invertible(statement, "T", size.d, "");
  std::vector<Expr> P;
  for (std::int64_t j = 0; j < size.g; ++j) P.push_back(add_input(statement, block_name(j), {size.k, size.k}));
  const expr::Shape key_shape{size.d, size.g * size.k};
  AttentionWeights weights;
  weights.W_Q = blockwise_query(T, P, spec);
  weights.W_K = rope ? rectangular_identity(graph, key_shape) : add_input(statement, "W_K", key_shape);
  weights.W_V = weights.W_K;  // the logits do not read it
  if (rope) {
    spec.rope = add_rope_input(statement, size.k);
    statement.ledger.push_back("counterexamples are sought among T = I and W_K = I");
  }
  const std::vector<Expr> forms = bilinear_forms(weights, spec);
  statement.conditions.push_back({Condition::Kind::independent, forms, "independence"});
  append(statement.conditions, row_conditions(forms, spec, Condition::Kind::equal_row_spaces));
  add_logit_equations(statement, spec, X, weights, X * T, eliminate_blockwise_query(weights, P, inverse(T)));
  return statement;
}

Statement build_query_iff(const Request& request) {
  if (request.dropped == "independence") return build_dependent(request.size);
  if (request.dropped == "equal_rows") return build_different_rows(request.size);
  if (request.dropped == "no_qk_norm") return build_between(request.size, false);
  if (request.dropped == "no_rope") return build_between(request.size, true);
  return build_claim(request.size);
}

std::vector<Size> search_sizes(const std::string& dropped) {
  if (dropped == "independence" || dropped == "equal_rows") return {search_size(1, 2, 2, 1, 1)};
  if (dropped == "no_rope") return {search_size(2, 2, 1, 1, 2)};
  return {search_size(1, 1, 1, 1, 1)};
}

}  // namespace

void add_query_iff(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.query_iff";
  claim.kind = claim::Kind::decision;
  claim.statement =
      "For h k = d: some invertible T and some K' give the same logits head by head with an identity query if and only "
      "if the column spaces of the B_i = W_Q,i W_K,j(i)^T are independent and inside each KV group all B_i have the "
      "same row space; a singular W_Q can be fine";
  claim.formula =
      "\\exists T, K': X B_i X^\\top = (X T)_i (X T K'_{j(i)})^\\top \\text{ for all } X, i \\iff "
      "\\operatorname{rank} (B_0 \\cdots B_{h-1}) = \\sum_i \\operatorname{rank} B_i \\text{ and } "
      "\\operatorname{row}(B_i) = \\operatorname{row}(B_{i'}) \\text{ where } j(i) = j(i')";
  claim.source = derived_here;
  claim.proof_idea =
      "B_i = T_i L_j^T with T_i the columns of T that head i reads: col(B_i) lies in col(T_i), which are independent, "
      "and T_i is injective, so row(B_i) = col(L_j) for the whole group. Conversely factor B_i over a common row basis "
      "of its group and complete the left factors to a basis.";
  claim.how_checked =
      "Yes: W_Q with blocks T_i P_j, P_0 singular, logits and output with I, T^-1 W_K,j P_j^T, T^-1 W_V. No: instances "
      "that violate one condition, whose exact ranks refute existence. QK-norm and RoPE: the construction of the "
      "yes-side changes the logits. For given weights reparam::decide_query_iff constructs T and K' or gives a kernel "
      "vector that excludes them.";
  claim.hypotheses = {
      {"independence", "the column spaces col(B_i) are independent"},
      {"equal_rows", "inside each KV group all row spaces row(B_i) coincide"},
      {"no_qk_norm", "queries and keys are not normalized; dropped, the T and K' of the proof fail (others may not)"},
      {"no_rope", "queries and keys are not rotated; dropped, the T and K' of the proof fail (others may not)"}};
  claim.build = build_query_iff;
  claim.search_sizes = search_sizes;
  claim.sizes = {"small", "medium"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
