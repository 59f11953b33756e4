// reparam.merge_qk, and two reparametrizations that look like it and are not: merge_qk_rope and overwrite_query.
#include "core/support/error.h"
#include "reparam/claims.h"
#include "reparam/single_attention.h"
#include "reparam/transforms_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

// The claim is about one head of width d = h k, whatever heads the named size has.
Size one_head(Size size, Statement& statement) {
  require_square_query(size);
  if (size.h != 1 || size.g != 1 || size.k != size.d)
    statement.ledger.push_back("one head of width d = " + std::to_string(size.d));
  size.h = size.g = 1;
  size.k = size.d;
  return size;
}

// The sides differ in their logits only; W_V and W_O are identities where a counterexample is sought.
AttentionWeights add_query_and_key(Statement& statement, const Size& size) {
  expr::Graph& graph = *statement.graph;
  statement.ledger.push_back("counterexamples are sought among W_V = I and W_O = I");
  return {add_input(statement, "W_Q", {size.d, size.h * size.k}),
          add_input(statement, "W_K", {size.d, size.g * size.k}),
          rectangular_identity(graph, {size.d, size.g * size.k}),
          rectangular_identity(graph, {size.h * size.k, size.d}),
          {},
          {},
          {},
          {}};
}

void add_output_equation(Statement& statement, const AttentionSpec& spec, Expr X, const AttentionWeights& weights,
                         const AttentionWeights& changed) {
  statement.equations.push_back({"attention output", attention(X, weights, spec), attention(X, changed, spec)});
}

Statement build_merge(const Request& request) {
  Statement statement = start_statement(request.size);
  if (request.dropped.empty()) {
    const Size size = one_head(request.size, statement);
    const AttentionSpec spec = add_attention_spec(statement, size, true);
    const Expr X = add_input(statement, "X", {size.n, size.d});
    const AttentionWeights weights = add_attention_inputs(statement, size);
    add_masked_equations(statement, add_masks(statement, spec, size.n), X, weights, X, merge_query_into_key(weights));
    return statement;
  }
  const Size& size = request.size;
  require_square_query(size);
  if (size.h == 1 || size.g != size.h)
    throw InputError("h = " + std::to_string(size.h) + ", g = " + std::to_string(size.g) +
                     "; without single_head take h = g >= 2, so that W_K W_Q^T has the keys' shape");
  const AttentionSpec spec = attention_spec(size, *statement.graph, false);
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const AttentionWeights weights = add_query_and_key(statement, size);
  add_output_equation(statement, spec, X, weights, merge_query_into_key(weights));
  return statement;
}

Statement build_merge_rope(const Request& request) {
  Statement statement = start_statement(request.size);
  const Size size = one_head(request.size, statement);
  AttentionSpec spec = attention_spec(size, *statement.graph, false);
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const AttentionWeights weights = add_query_and_key(statement, size);
  spec.rope = add_rope_input(statement, size.k);
  add_output_equation(statement, spec, X, weights, merge_query_into_key(weights));
  return statement;
}

Statement build_overwrite(const Request& request) {
  const Size& size = request.size;
  Statement statement = start_statement(size);
  require_square_query(size);
  const AttentionSpec spec = attention_spec(size, *statement.graph, false);
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const AttentionWeights weights = add_attention_inputs(statement, size);
  add_output_equation(statement, spec, X, weights, overwrite_query(weights));
  return statement;
}

Claim merge_claim() {
  Claim claim;
  claim.id = "reparam.merge_qk";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "One head: W_Q -> I and W_K -> W_K W_Q^T leave the attention unchanged, for any W_Q and without a basis change";
  claim.formula =
      "h = 1: \\operatorname{mha}(X; W_Q, W_K, W_V, W_O) = \\operatorname{mha}(X; I, W_K W_Q^\\top, W_V, W_O)";
  claim.source = derived_here;
  claim.proof_idea = "X W_Q W_K^T X^T = X (X W_K W_Q^T)^T: only the product W_Q W_K^T enters the logits of a head.";
  claim.how_checked =
      "Both sides with a free scale under four kinds of mask. The ablation merges the whole W_Q and W_K of several "
      "heads.";
  claim.hypotheses = {{"single_head", "h = 1"}};
  claim.build = build_merge;
  claim.search_sizes = [](const std::string&) { return std::vector<Size>{search_size(2, 2, 2, 2, 1)}; };
  claim.sizes = {"small", "medium", "gpt2-small"};
  return claim;
}

Claim merge_rope_claim() {
  Claim claim;
  claim.id = "reparam.merge_qk_rope";
  claim.kind = claim::Kind::construction;
  claim.false_on_purpose = true;
  claim.statement = "One head under RoPE: W_Q -> I and W_K -> W_K W_Q^T leave the attention unchanged (false)";
  claim.formula = "X_m W_Q R_{n-m} W_K^\\top X_n^\\top = X_m R_{n-m} W_Q W_K^\\top X_n^\\top \\text{ for all } m, n";
  claim.source = derived_here;
  claim.proof_idea = "The rotation stands between W_Q and W_K^T and does not commute with a general W_Q.";
  claim.how_checked = "A counterexample with rational rotations and the real softmax.";
  claim.build = build_merge_rope;
  claim.search_sizes = [](const std::string&) { return std::vector<Size>{search_size(2, 2, 1, 1, 2)}; };
  claim.sizes = {"small"};
  return claim;
}

Claim overwrite_claim() {
  Claim claim;
  claim.id = "reparam.overwrite_query";
  claim.kind = claim::Kind::construction;
  claim.false_on_purpose = true;
  claim.statement = "For h k = d: W_Q := I, nothing else changed, leaves the attention unchanged (false)";
  claim.formula = "\\operatorname{mha}(X; W_Q, W_K, W_V, W_O) = \\operatorname{mha}(X; I, W_K, W_V, W_O)";
  claim.source =
      "a public model-editing tool that cites Karbevski and Mijoski, arXiv 2510.23912, and Graef, arXiv 2404.12362; "
      "not "
      "a statement of theirs";
  claim.proof_idea =
      "Eliminating W_Q moves it into the stream and into the other weights; dropping it changes the logits.";
  claim.how_checked = "A counterexample with the real softmax.";
  claim.build = build_overwrite;
  claim.search_sizes = [](const std::string&) { return std::vector<Size>{search_size(2, 1, 1, 1, 1)}; };
  claim.sizes = {"small"};
  return claim;
}

}  // namespace

void add_merge(claim::Registry& registry) {
  registry.add(merge_claim());
  registry.add(merge_rope_claim());
  registry.add(overwrite_claim());
}

}  // namespace attest::reparam
