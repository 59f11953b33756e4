#include "reparam/claims.h"
#include "reparam/network.h"
#include "reparam/single_attention.h"
#include "reparam/transforms.h"

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
using expr::TransformerSpec;
using expr::Weights;

constexpr Recipe invertible_recipe{.kind = Recipe::Kind::invertible};

AttentionWeights changed(AttentionWeights weights, Expr T_inverse) {
  weights.W_Q = T_inverse * weights.W_Q;
  weights.W_K = T_inverse * weights.W_K;
  weights.W_V = T_inverse * weights.W_V;
  return weights;
}

struct Variant {
  std::string label;
  AttentionSpec spec;
};

// One of the things that happen to queries, keys and logits at a time; each leaves the projections as they are.
std::vector<Variant> variants(Statement& statement, const Size& size, const AttentionSpec& plain) {
  std::vector<Variant> list;
  const auto add = [&](const std::string& label) -> AttentionSpec& {
    list.push_back({label, plain});
    return list.back().spec;
  };
  if (size.k % 2 == 0) {
    const Expr rotation = ensure_input(statement, "rotation", {2, size.k / 2}, {.kind = Recipe::Kind::unit_circle});
    add("RoPE, pairs (2c, 2c+1)").rope = expr::Rope{rotation, expr::Rope::Pairing::interleaved};
    add("RoPE, pairs (c, c+k/2)").rope = expr::Rope{rotation, expr::Rope::Pairing::halves};
  }
  add("ALiBi").alibi_slopes = ensure_input(statement, "slopes", {1, size.h});
  add("QK-norm").qk_norm_eps = Rational(1, 100000);
  add("additive mask").additive = ensure_input(statement, "M", {size.n, size.n});
  add("window").mask = expr::Mask::window(2);
  return list;
}

// The lemma under each variant, any invertible T; with T = W_Q, "eliminate".
void require_lemma(Statement& statement, const Size& size, const AttentionSpec& plain) {
  const Expr X = ensure_input(statement, "X", {size.n, size.d});
  const Expr T = ensure_input(statement, "T", {size.d, size.d}, invertible_recipe);
  require_invertible(statement, T);
  const AttentionWeights weights = add_attention_inputs(statement, size, invertible_recipe);
  require_invertible(statement, weights.W_Q);
  for (const auto& [label, spec] : variants(statement, size, plain)) {
    const Expr expected = expr::attention(X, weights, spec);
    statement.equations.push_back(
        {"lemma, " + label, expected, expr::attention(X * T, changed(weights, inverse(T)), spec)});
    AttentionWeights eliminated = changed(weights, inverse(weights.W_Q));
    eliminated.W_Q = statement.graph->identity(size.d);
    statement.equations.push_back(
        {"query eliminated, " + label, expected, expr::attention(X * weights.W_Q, eliminated, spec)});
  }
}

// The same with T = W_K and T = W_V, which have to be square for it: no grouped queries. Weights of their own, since
// the equations above do not ask that these two are invertible.
void require_key_and_value(Statement& statement, const Size& size, const AttentionSpec& plain) {
  if (size.g != size.h) return;
  const Expr X = ensure_input(statement, "X", {size.n, size.d});
  AttentionWeights weights{ensure_input(statement, "W_Q", {size.d, size.d}),
                           ensure_input(statement, "W_K.0", {size.d, size.d}, invertible_recipe),
                           ensure_input(statement, "W_V.0", {size.d, size.d}, invertible_recipe),
                           ensure_input(statement, "W_O", {size.d, size.d}),
                           {},
                           {},
                           {},
                           {}};
  for (const Expr& T : {weights.W_K, weights.W_V}) {
    require_invertible(statement, T);
    const bool key = T == weights.W_K;
    AttentionWeights eliminated = changed(weights, inverse(T));
    (key ? eliminated.W_K : eliminated.W_V) = statement.graph->identity(size.d);
    for (const auto& [label, spec] : variants(statement, size, plain))
      statement.equations.push_back({std::string(key ? "key" : "value") + " eliminated, " + label,
                                     expr::attention(X, weights, spec), expr::attention(X * T, eliminated, spec)});
  }
}

// Cross-attention to a stream Z of n + 1 tokens: only the query changes basis.
void require_cross(Statement& statement, const Size& size, const AttentionSpec& plain) {
  const Expr X = ensure_input(statement, "X", {size.n, size.d});
  const Expr Z = ensure_input(statement, "Z", {size.n + 1, size.d});
  const Expr T = ensure_input(statement, "T", {size.d, size.d}, invertible_recipe);
  const AttentionWeights weights{statement.graph->input("W_Q", {size.d, size.h * size.k}),
                                 statement.graph->input("W_K", {size.d, size.g * size.k}),
                                 statement.graph->input("W_V", {size.d, size.g * size.k}),
                                 statement.graph->input("W_O", {size.h * size.k, size.d}),
                                 {},
                                 {},
                                 {},
                                 {}};
  AttentionWeights moved = weights;
  moved.W_Q = inverse(T) * weights.W_Q;
  statement.equations.push_back(
      {"cross-attention", expr::cross_attention(X, Z, weights, plain), expr::cross_attention(X * T, Z, moved, plain)});
}

std::vector<std::string> shared_bases(const TransformerSpec& spec) {
  std::vector<std::string> bases = bases_but_query(spec);
  bases.emplace_back("W_Q");
  return bases;
}

// RoPE, ALiBi, QK-norm and an additive mask at once in whole networks.
void require_networks(Statement& statement, const Size& size) {
  const auto spec_of = [&](Skips skips) {
    TransformerSpec spec = network_spec(statement, size, skips, true);
    add_positional_terms(statement, spec, Rational(1, 100000));
    return spec;
  };
  const TransformerSpec both = spec_of(Skips::both);
  const Weights weights = add_weights(statement, both);
  require_same_function(statement, "single layer, both skips", weights, single_layer(weights, both, size.L), both);
  const TransformerSpec attention = spec_of(Skips::attention);
  require_same_function(statement, "telescope, skip around attention", weights, telescope(weights, attention),
                        attention);
  const Weights shared = add_weights(statement, both, {"W_Q"});
  require_same_function(statement, "shared query, both skips", shared, shared_query(shared, both), both);
  const Weights all_shared = add_weights(statement, both, shared_bases(both));
  require_same_function(statement, "all weights shared, both skips", all_shared, shared_query(all_shared, both), both);
  TransformerSpec biased_both = both;
  biased_both.biases = true;
  const Weights shared_with_biases = add_weights(statement, biased_both, {"W_Q"});
  require_same_function(statement, "biases, both skips, W_Q shared", shared_with_biases,
                        affine_shared_query(shared_with_biases, biased_both), biased_both);
  TransformerSpec biased = attention;
  biased.biases = true;
  const Weights with_biases = add_weights(statement, biased);
  require_same_function(statement, "biases, skip around attention", with_biases, affine_telescope(with_biases, biased),
                        biased);
}

Statement build_claim(const Size& size) {
  Statement statement = network_statement(size);
  ensure_input(statement, "s", {1, 1});
  AttentionSpec plain = attention_spec(size, *statement.graph, true);
  plain.mask = expr::Mask::causal();
  require_lemma(statement, size, plain);
  require_key_and_value(statement, size, plain);
  require_cross(statement, size, plain);
  require_networks(statement, size);
  return statement;
}

// W_Q of rank d - 1 and its pseudo-inverse, under ALiBi with slopes 1.
void drop_invertible(Statement& statement, const Size& size) {
  AttentionSpec spec = attention_spec(size, *statement.graph, false);
  spec.mask = expr::Mask::causal();
  spec.alibi_slopes = statement.graph->ones({1, size.h});
  const Expr X = ensure_input(statement, "X", {size.n, size.d});
  const SingularMatrix T = add_singular(statement, "T", size.d);
  statement.conditions.push_back({Condition::Kind::singular, {T.matrix}, "invertible"});
  const AttentionWeights weights = add_attention_inputs(statement, size);
  statement.equations.push_back({"lemma, ALiBi", expr::attention(X, weights, spec),
                                 expr::attention(X * T.matrix, changed(weights, T.pseudo_inverse), spec)});
}

// Z stays in its basis, but its W_K and W_V change as if it had gone along.
void drop_keys_keep_basis(Statement& statement, const Size& size) {
  const AttentionSpec spec = attention_spec(size, *statement.graph, false);
  const Expr X = ensure_input(statement, "X", {size.n, size.d});
  const Expr Z = ensure_input(statement, "Z", {size.n, size.d});
  const Expr T = ensure_input(statement, "T", {size.d, size.d}, invertible_recipe);
  require_invertible(statement, T);
  const AttentionWeights weights = add_attention_inputs(statement, size);
  statement.equations.push_back({"cross-attention", expr::cross_attention(X, Z, weights, spec),
                                 expr::cross_attention(X * T, Z, changed(weights, inverse(T)), spec)});
}

Statement build(const Request& request) {
  if (request.dropped.empty()) return build_claim(request.size);
  Statement statement = network_statement(request.size);
  if (request.dropped == "invertible") drop_invertible(statement, request.size);
  if (request.dropped == "keys_keep_basis") drop_keys_keep_basis(statement, request.size);
  return statement;
}

}  // namespace

void add_rope(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.rope";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "RoPE, ALiBi, QK-norm, any mask and cross-attention (only Q changes basis, the other stream's K and V stay) "
      "leave the "
      "lemma, the eliminations of W_Q, W_K and W_V, single_layer, telescope, shared_* and bias true; query_iff and "
      "head_basis are "
      "not "
      "among them";
  claim.formula = "(X T)(T^{-1} W_Q) = X W_Q, \\quad (X T)(T^{-1} W_K) = X W_K, \\quad (X T)(T^{-1} W_V) = X W_V";
  claim.source = "derived here, proof in reparam/README.md";
  claim.proof_idea =
      "The constructions preserve the projections X W_Q, X W_K, X W_V themselves, not only the logits; whatever is "
      "done "
      "to them afterwards is done to the same numbers.";
  claim.how_checked =
      "One attention under each of RoPE (both pairings), ALiBi, QK-norm, an additive mask and a window, "
      "cross-attention to "
      "a longer stream, and whole networks with RoPE, ALiBi, QK-norm and an additive mask at once.";
  claim.hypotheses = {{"invertible", "T is invertible"},
                      {"keys_keep_basis", "in cross-attention the other stream's W_K and W_V keep their basis"}};
  claim.build = build;
  claim.search_sizes = [](const std::string&) { return scalar_sizes(1, 1); };
  claim.sizes = {"small", "medium"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
