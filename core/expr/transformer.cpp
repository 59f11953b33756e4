#include "core/expr/transformer.h"

#include "core/expr/normalization.h"
#include "core/support/error.h"

namespace attest::expr {
namespace {

Expr weight(const Weights& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) throw InputError("the transformer needs the weight " + name + ", which is not given");
  return found->second;
}

std::optional<Expr> bias(const Weights& weights, const std::string& base, std::int64_t layer, bool present) {
  if (!present) return std::nullopt;
  return weight(weights, layer_weight(base, layer));
}

Expr normalize(Expr x, const Weights& weights, const std::string& suffix, const TransformerSpec& spec) {
  std::optional<Expr> gamma, beta;
  if (spec.norm_affine) {
    gamma = weight(weights, "gamma_" + suffix);
    if (spec.norm_kind == NormKind::layer) beta = weight(weights, "beta_" + suffix);
  }
  return spec.norm_kind == NormKind::layer ? layer_norm(x, spec.norm_eps, gamma, beta)
                                           : rms_norm(x, spec.norm_eps, gamma);
}

Expr block_mlp(Expr y, const Weights& weights, std::int64_t layer, const TransformerSpec& spec) {
  const auto named = [&](const char* base) { return weight(weights, layer_weight(base, layer)); };
  if (spec.gated) return gated_mlp(y, named("W_gate"), named("W_up"), named("W_down"), spec.activation);
  return mlp(y, named("W_1"), bias(weights, "b_1", layer, spec.biases), named("W_2"),
             bias(weights, "b_2", layer, spec.biases), spec.activation);
}

using Shapes = std::vector<std::pair<std::string, Shape>>;

void add_norm_shapes(Shapes& shapes, const std::string& suffix, const TransformerSpec& spec) {
  if (!spec.norm_affine || spec.norm == NormPlace::none) return;
  shapes.emplace_back("gamma_" + suffix, Shape{1, spec.width});
  if (spec.norm_kind == NormKind::layer) shapes.emplace_back("beta_" + suffix, Shape{1, spec.width});
}

void add_attention_shapes(Shapes& shapes, std::int64_t layer, const TransformerSpec& spec) {
  const std::int64_t d = spec.width;
  const std::int64_t q_width = spec.attention.heads * spec.attention.width;
  const std::int64_t kv_width = spec.attention.kv_heads * spec.attention.width;
  const auto add = [&](const char* letter, std::int64_t in, std::int64_t out) {
    shapes.emplace_back(layer_weight(std::string("W_") + letter, layer), Shape{in, out});
    if (spec.biases) shapes.emplace_back(layer_weight(std::string("b_") + letter, layer), Shape{1, out});
  };
  add("Q", d, q_width);
  add("K", d, kv_width);
  add("V", d, kv_width);
  add("O", q_width, d);
}

void add_mlp_shapes(Shapes& shapes, std::int64_t layer, const TransformerSpec& spec) {
  const std::int64_t d = spec.width, m = spec.hidden;
  const auto add = [&](const char* base, Shape shape) { shapes.emplace_back(layer_weight(base, layer), shape); };
  if (spec.gated) {
    add("W_gate", {d, m});
    add("W_up", {d, m});
    add("W_down", {m, d});
    return;
  }
  add("W_1", {d, m});
  if (spec.biases) add("b_1", {1, m});
  add("W_2", {m, d});
  if (spec.biases) add("b_2", {1, d});
}

}  // namespace

Expr mlp(Expr Y, Expr W_1, const std::optional<Expr>& b_1, Expr W_2, const std::optional<Expr>& b_2, Function f) {
  return add_bias(apply(f, add_bias(Y * W_1, b_1)) * W_2, b_2);
}

Expr gated_mlp(Expr Y, Expr W_gate, Expr W_up, Expr W_down, Function f) {
  return hadamard(apply(f, Y * W_gate), Y * W_up) * W_down;
}

bool has_attention_skip(const TransformerSpec& spec, std::int64_t layer) {
  return spec.attention_skip.empty() || spec.attention_skip.at(static_cast<std::size_t>(layer - 1));
}

bool has_mlp_skip(const TransformerSpec& spec, std::int64_t layer) {
  return spec.mlp_skip.empty() || spec.mlp_skip.at(static_cast<std::size_t>(layer - 1));
}

std::string layer_weight(const std::string& base, std::int64_t layer) { return base + "." + std::to_string(layer); }

std::vector<std::pair<std::string, Shape>> weight_shapes(const TransformerSpec& spec) {
  Shapes shapes{{"E", {spec.vocabulary, spec.width}}};
  if (spec.positions) shapes.emplace_back("Pos", Shape{spec.tokens, spec.width});
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    add_norm_shapes(shapes, layer_weight("1", layer), spec);
    add_attention_shapes(shapes, layer, spec);
    if (!spec.parallel) add_norm_shapes(shapes, layer_weight("2", layer), spec);
    add_mlp_shapes(shapes, layer, spec);
  }
  if (spec.norm == NormPlace::pre) add_norm_shapes(shapes, "f", spec);
  if (spec.readout && !spec.tied) shapes.emplace_back("U", Shape{spec.width, spec.vocabulary});
  return shapes;
}

Weights input_weights(Graph& graph, const TransformerSpec& spec) {
  Weights weights;
  for (const auto& [name, shape] : weight_shapes(spec)) weights[name] = graph.input(name, shape);
  return weights;
}

AttentionWeights attention_weights(const Weights& weights, std::int64_t layer, const TransformerSpec& spec) {
  const auto named = [&](const char* base) { return weight(weights, layer_weight(base, layer)); };
  const auto biased = [&](const char* base) { return bias(weights, base, layer, spec.biases); };
  return {named("W_Q"),  named("W_K"),  named("W_V"),  named("W_O"),
          biased("b_Q"), biased("b_K"), biased("b_V"), biased("b_O")};
}

Expr embed(Graph& graph, const Weights& weights, const TransformerSpec& spec) {
  RationalMatrix selection(spec.tokens, spec.vocabulary);
  for (std::int64_t i = 0; i < spec.tokens; ++i) selection.at(i, i % spec.vocabulary) = 1;
  Expr x = graph.constant(std::move(selection)) * weight(weights, "E");
  if (spec.positions) x = x + weight(weights, "Pos");
  return x;
}

Expr transformer_block(Expr x, const Weights& weights, std::int64_t layer, const TransformerSpec& spec) {
  const auto normed = [&](Expr y, const char* which) {
    return normalize(y, weights, layer_weight(which, layer), spec);
  };
  const auto read = [&](Expr y, const char* which) { return spec.norm == NormPlace::pre ? normed(y, which) : y; };
  const auto written = [&](Expr y, const char* which) { return spec.norm == NormPlace::post ? normed(y, which) : y; };
  const AttentionWeights projections = attention_weights(weights, layer, spec);
  if (spec.parallel) {
    const Expr y = read(x, "1");
    const Expr sum = attention(y, projections, spec.attention) + block_mlp(y, weights, layer, spec);
    return written(has_attention_skip(spec, layer) ? x + sum : sum, "1");
  }
  const Expr attended = attention(read(x, "1"), projections, spec.attention);
  x = written(has_attention_skip(spec, layer) ? x + attended : attended, "1");
  const Expr transformed = block_mlp(read(x, "2"), weights, layer, spec);
  return written(has_mlp_skip(spec, layer) ? x + transformed : transformed, "2");
}

Expr transformer(Graph& graph, const Weights& weights, const TransformerSpec& spec) {
  Expr x = embed(graph, weights, spec);
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) x = transformer_block(x, weights, layer, spec);
  if (spec.norm == NormPlace::pre) x = normalize(x, weights, "f", spec);
  if (!spec.readout) return x;
  return x * (spec.tied ? transpose(weight(weights, "E")) : weight(weights, "U"));
}

}  // namespace attest::expr
