#include "reparam/network.h"

#include <algorithm>

#include "reparam/single_attention.h"

namespace attest::reparam {

using claim::Condition;
using claim::Recipe;
using claim::Size;
using claim::Statement;
using expr::Expr;
using expr::TransformerSpec;
using expr::Weights;

namespace {

// "W_K.2" -> "W_K"; "E" -> "".
std::string base_of(const std::string& name) {
  const auto dot = name.find('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

bool attention_skips(Skips skips, std::int64_t layer) {
  return skips == Skips::both || skips == Skips::attention || (skips == Skips::mixed && layer % 3 == 1);
}

bool mlp_skips(Skips skips, std::int64_t layer) {
  return skips == Skips::both || skips == Skips::mlp || (skips == Skips::mixed && layer % 3 == 2);
}

}  // namespace

std::string to_string(Skips skips) {
  switch (skips) {
    case Skips::both:
      return "both skips";
    case Skips::attention:
      return "a skip around attention only";
    case Skips::mlp:
      return "a skip around the MLP only";
    case Skips::none:
      return "no skip";
    case Skips::mixed:
      return "skips that differ from layer to layer";
  }
  return "?";
}

Statement network_statement(const Size& size) {
  claim::require_valid(size);
  require_square_query(size);
  Statement statement;
  statement.graph = std::make_shared<expr::Graph>();
  if (claim::is_real_size(size)) statement.ledger.push_back("the embedding has n rows: it acts row by row");
  return statement;
}

Expr ensure_input(Statement& statement, const std::string& name, expr::Shape shape, Recipe recipe) {
  const auto same_name = [&](const claim::Input& input) { return input.name == name; };
  if (std::any_of(statement.inputs.begin(), statement.inputs.end(), same_name))
    return statement.graph->input(name, shape);
  return add_input(statement, name, shape, recipe);
}

TransformerSpec network_spec(Statement& statement, const Size& size, Skips skips, bool free_scale) {
  TransformerSpec spec;
  spec.tokens = size.n;
  spec.width = size.d;
  spec.layers = size.L;
  spec.hidden = size.m;
  spec.vocabulary = size.n;
  if (free_scale) ensure_input(statement, "s", {1, 1});
  spec.attention = attention_spec(size, *statement.graph, free_scale);
  spec.attention.mask = expr::Mask::causal();
  for (std::int64_t layer = 1; layer <= size.L; ++layer) {
    spec.attention_skip.push_back(attention_skips(skips, layer));
    spec.mlp_skip.push_back(mlp_skips(skips, layer));
  }
  return spec;
}

void add_positional_terms(Statement& statement, TransformerSpec& spec, const Rational& qk_norm_eps) {
  expr::AttentionSpec& attention = spec.attention;
  if (attention.width % 2 == 0)
    attention.rope =
        expr::Rope{ensure_input(statement, "rotation", {2, attention.width / 2}, {.kind = Recipe::Kind::unit_circle}),
                   expr::Rope::Pairing::interleaved};
  attention.alibi_slopes = ensure_input(statement, "slopes", {1, attention.heads});
  attention.additive = ensure_input(statement, "M", {spec.tokens, spec.tokens});
  attention.qk_norm_eps = qk_norm_eps;
}

Weights add_weights(Statement& statement, const TransformerSpec& spec, const std::vector<std::string>& shared,
                    const std::vector<std::string>& zero) {
  const auto listed = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    const std::string base = base_of(name);
    if (listed(zero, base)) {
      weights[name] = statement.graph->zeros(shape);
      continue;
    }
    const bool query = base == "W_Q";
    const Recipe recipe{.kind = query ? Recipe::Kind::invertible : Recipe::Kind::general};
    const std::string input = !listed(shared, base) ? name : spec.layers == 1 ? expr::layer_weight(base, 1) : base;
    weights[name] = ensure_input(statement, input, shape, recipe);
    if (query) require_invertible(statement, weights[name]);
  }
  return weights;
}

std::vector<std::string> bases_but_query(const TransformerSpec& spec) {
  std::vector<std::string> bases;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    const std::string base = base_of(name);
    const bool known = std::find(bases.begin(), bases.end(), base) != bases.end();
    if (!base.empty() && base != "W_Q" && base != "b_Q" && !known) bases.push_back(base);
  }
  return bases;
}

void require_invertible(Statement& statement, Expr matrix) {
  for (const Condition& condition : statement.conditions)
    if (condition.kind == Condition::Kind::invertible && condition.operands.front() == matrix) return;
  statement.conditions.push_back({Condition::Kind::invertible, {matrix}, "invertible"});
}

Expr network_output(expr::Graph& graph, const Weights& weights, const TransformerSpec& spec) {
  const Expr output = expr::transformer(graph, weights, spec);
  const auto bias = weights.find("b_U");
  return bias == weights.end() ? output : expr::add_bias(output, bias->second);
}

void require_same_function(Statement& statement, const std::string& label, const Weights& weights, const Weights& moved,
                           const TransformerSpec& spec) {
  expr::Graph& graph = *statement.graph;
  statement.equations.push_back({label, network_output(graph, weights, spec), network_output(graph, moved, spec)});
}

std::vector<Size> scalar_sizes(std::int64_t tokens, std::int64_t layers) {
  return {{"search", tokens, 1, 1, 1, 1, layers, 1}};
}

}  // namespace attest::reparam
