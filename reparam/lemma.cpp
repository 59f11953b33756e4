// reparam.lemma: a change of basis of the stream is invisible to an attention layer whose projections undo it.
#include "reparam/claims.h"
#include "reparam/single_attention.h"
#include "reparam/transforms_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

// The last token attends to all of them, as in decoding with a cache: n_q = 1, n_k = n.
void add_decoding_equation(Statement& statement, AttentionSpec spec, Expr X, const AttentionWeights& weights,
                           Expr X_moved, const AttentionWeights& moved) {
  spec.mask = expr::Mask::causal();
  const Expr last = rows(X, X.rows() - 1, 1), last_moved = rows(X_moved, X.rows() - 1, 1);
  statement.equations.push_back({"attention output, last token only", cross_attention(last, X, weights, spec),
                                 cross_attention(last_moved, X_moved, moved, spec)});
}

// [T T_2] is d x (d + 1) with the right inverse [T^-1 (I - T_2 N) ; N]; up to the order of columns every matrix with a
// right inverse has this form, and N free gives all its right inverses.
void add_wide_equation(Statement& statement, const AttentionSpec& spec, Expr X, const AttentionWeights& weights,
                       Expr T) {
  const std::int64_t d = T.rows();
  const Expr T_2 = add_input(statement, "T_2", {d, 1});
  const Expr N = add_input(statement, "N", {1, d});
  const Expr wide = expr::concat_columns({T, T_2});
  const Expr right_inverse = expr::concat_rows({inverse(T) * (statement.graph->identity(d) - T_2 * N), N});
  statement.equations.push_back({"attention output, T of shape d x (d + 1)", attention(X, weights, spec),
                                 attention(X * wide, read_in_basis(weights, right_inverse), spec)});
}

Statement build_lemma(const Request& request) {
  const Size& size = request.size;
  Statement statement = start_statement(size);
  const bool holds = request.dropped.empty();
  const AttentionSpec spec = add_attention_spec(statement, size, holds);
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const AttentionWeights weights = add_attention_inputs(statement, size);
  if (!holds) {
    const SingularMatrix T = add_singular(statement, "T", size.d);
    statement.conditions.push_back({Condition::Kind::singular, {T.matrix}, "invertible"});
    const AttentionWeights moved = read_in_basis(weights, T.pseudo_inverse);
    statement.equations.push_back(
        {"attention output", attention(X, weights, spec), attention(X * T.matrix, moved, spec)});
    return statement;
  }
  const Expr T = add_invertible(statement, "T", size.d, "invertible");
  const AttentionWeights moved = read_in_basis(weights, inverse(T));
  add_masked_equations(statement, add_masks(statement, spec, size.n), X, weights, X * T, moved);
  add_decoding_equation(statement, spec, X, weights, X * T, moved);
  // A matrix inverse of real size is formed here, not applied to n rows: left to the smaller sizes.
  if (!claim::is_real_size(size)) add_wide_equation(statement, spec, X, weights, T);
  return statement;
}

}  // namespace

void add_lemma(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.lemma";
  claim.kind = claim::Kind::identity;
  claim.statement =
      "mha(X; W_Q, W_K, W_V, W_O) = mha(X T; T^-1 W_Q, T^-1 W_K, T^-1 W_V, W_O) for any mask, scale and number of KV "
      "heads";
  claim.formula =
      "\\operatorname{mha}(X; W_Q, W_K, W_V, W_O) = \\operatorname{mha}(X T; T^{-1} W_Q, T^{-1} W_K, T^{-1} W_V, W_O)";
  claim.source = karbevski_mijoski;
  claim.proof_idea = "X T T^-1 = X in each of the three projections; everything after the projections is unchanged.";
  claim.how_checked =
      "Both sides with a free scale under no mask, a causal mask, a window and a free additive mask, for all tokens "
      "and "
      "for the last one alone; T is drawn as L U. Below the real sizes also a T of shape d x (d + 1) with a general "
      "right inverse. The ablation takes a singular T and its pseudo-inverse.";
  claim.hypotheses = {{"invertible", "T is invertible (a d x d' matrix with a right inverse will do)"}};
  claim.build = build_lemma;
  claim.search_sizes = [](const std::string&) {
    return std::vector<Size>{search_size(1, 1, 1, 1, 1), search_size(1, 2, 1, 1, 2)};
  };
  claim.sizes = {"small", "medium", "gpt2-small", "kmg-300m", "kmg-1.2b", "llama3-8b"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
