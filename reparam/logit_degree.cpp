// reparam.logit_degree: eliminating the query makes the logits linear in the one weight that is left.
#include "core/support/error.h"
#include "reparam/claims.h"
#include "reparam/single_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

// The logits of all heads, side by side.
Expr logits_of(Expr X, Expr W_Q, Expr W_K, const AttentionSpec& spec) {
  AttentionWeights weights;
  weights.W_Q = W_Q;
  weights.W_K = W_K;
  weights.W_V = W_K;  // not read by the logits
  return concat_columns(attention_logits(X, X, weights, spec));
}

// The value at t = order that a polynomial of degree below order has, by its values f(0), ..., f(order - 1): the
// forward difference of that order is 0. sum_(t < order) (-1)^(order - t + 1) binomial(order, t) f(t).
Expr extrapolated(const std::vector<Expr>& values) {
  const auto order = static_cast<std::int64_t>(values.size());
  std::int64_t binomial = order;  // binomial(order, t), from t = order - 1 down
  Expr sum;
  for (std::int64_t t = order - 1; t >= 0; --t) {
    const std::int64_t sign = (order - t) % 2 == 1 ? 1 : -1;
    const Expr term = Rational(sign * binomial) * values[static_cast<std::size_t>(t)];
    sum = sum.valid() ? sum + term : term;
    binomial = binomial * t / (order - t + 1);
  }
  return sum;
}

struct Weights {
  Expr X, W_Q, W_K, D_Q, D_K;
};

// Along (W_Q + t D_Q, W_K + t D_K): the third difference vanishes and the second is 2 times the logits of (D_Q, D_K).
void add_before(Statement& statement, const Weights& w, const AttentionSpec& spec, bool leading) {
  std::vector<Expr> values;
  for (int t = 0; t <= 3; ++t)
    values.push_back(logits_of(w.X, w.W_Q + Rational(t) * w.D_Q, w.W_K + Rational(t) * w.D_K, spec));
  statement.equations.push_back(
      {"third difference in (W_Q, W_K)", values[3], extrapolated({values[0], values[1], values[2]})});
  if (!leading) return;
  statement.equations.push_back(
      {"second difference in (W_Q, W_K)", values[2],
       extrapolated({values[0], values[1]}) + Rational(2) * logits_of(w.X, w.D_Q, w.D_K, spec)});
}

// With X' = X W_Q fixed and an identity query, along W_K' + t D_K: the second difference vanishes and the first is the
// logits of D_K.
void add_after(Statement& statement, const Weights& w, const AttentionSpec& spec, bool leading) {
  const Expr I = statement.graph->identity(w.W_Q.cols());
  const Expr X_moved = w.X * w.W_Q;
  std::vector<Expr> values;
  for (int t = 0; t <= 2; ++t) values.push_back(logits_of(X_moved, I, w.W_K + Rational(t) * w.D_K, spec));
  statement.equations.push_back(
      {"second difference in W_K' after the elimination", values[2], extrapolated({values[0], values[1]})});
  if (!leading) return;
  statement.equations.push_back(
      {"first difference in W_K' after the elimination", values[1], values[0] + logits_of(X_moved, I, w.D_K, spec)});
}

Statement build_logit_degree(const Request& request) {
  const Size& size = request.size;
  Statement statement = start_statement(size);
  require_square_query(size);
  const bool holds = request.dropped.empty();
  AttentionSpec spec = add_attention_spec(statement, size, holds);
  if (!holds) spec.qk_norm_eps = Rational(1, 1000000);
  const expr::Shape query_shape{size.d, size.h * size.k}, key_shape{size.d, size.g * size.k};
  Weights weights;
  weights.X = add_input(statement, "X", {size.n, size.d});
  weights.W_Q = add_input(statement, "W_Q", query_shape);
  weights.W_K = add_input(statement, "W_K", key_shape);
  weights.D_Q = add_input(statement, "D_Q", query_shape);
  weights.D_K = add_input(statement, "D_K", key_shape);
  add_before(statement, weights, spec, holds);
  add_after(statement, weights, spec, holds);
  return statement;
}

}  // namespace

void add_logit_degree(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.logit_degree";
  claim.kind = claim::Kind::identity;
  claim.statement =
      "The logits are polynomials of degree 2 in (W_Q, W_K); with the query eliminated and X' = X W_Q fixed they are "
      "of "
      "degree 1 in W_K'";
  claim.formula =
      "\\Delta^3 \\ell(W_Q, W_K) = 0, \\quad \\Delta^2 \\ell(W_Q, W_K) = 2 \\ell(D_Q, D_K), \\quad \\Delta^2 "
      "\\ell'(W_K') "
      "= 0, \\quad \\Delta \\ell'(W_K') = \\ell'(D_K)";
  claim.source = karbevski_mijoski;
  claim.proof_idea = "X W_Q,i W_K,j^T X^T is bilinear; X'_i (X' W_K,j')^T is linear in W_K'.";
  claim.how_checked =
      "Exact forward differences along a general direction (D_Q, D_K): a polynomial has degree at most r if and only "
      "if "
      "all its differences of order r + 1 vanish; the difference of order r is compared with its value, so the degree "
      "is exactly r. The ablation normalizes queries and keys.";
  claim.hypotheses = {{"no_qk_norm", "queries and keys are not normalized"}};
  claim.build = build_logit_degree;
  claim.search_sizes = [](const std::string&) { return std::vector<Size>{search_size(1, 1, 1, 1, 1)}; };
  claim.sizes = {"small", "medium", "gpt2-small"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
