#include "core/expr/attention.h"

#include "core/expr/normalization.h"
#include "core/support/error.h"

namespace attest::expr {
namespace {

Expr scale_of(const AttentionSpec& spec, Graph& graph) {
  if (spec.scale) return *spec.scale;
  return apply(Function::inv_sqrt, graph.fill({1, 1}, Rational(spec.width)));
}

// j - position of query i, the distances that ALiBi weighs.
Expr relative_positions(Graph& graph, std::int64_t n_q, std::int64_t n_k) {
  RationalMatrix distances(n_q, n_k);
  for (std::int64_t i = 0; i < n_q; ++i)
    for (std::int64_t j = 0; j < n_k; ++j) distances.at(i, j) = Rational(j - (i + n_k - n_q));
  return graph.constant(std::move(distances));
}

// Powers 0 .. count-1 of the one-step rotations, shifted by first: cosines and sines, each count x k/2.
std::pair<Expr, Expr> rotation_table(const Rope& rope, std::int64_t first, std::int64_t count) {
  Graph& graph = rope.rotation.graph();
  const Expr cosine = rows(rope.rotation, 0, 1);
  const Expr sine = rows(rope.rotation, 1, 1);
  Expr c = graph.ones(cosine.shape());
  Expr s = graph.zeros(cosine.shape());
  std::vector<Expr> cosines, sines;
  for (std::int64_t p = 0; p < first + count; ++p) {
    if (p >= first) {
      cosines.push_back(c);
      sines.push_back(s);
    }
    const Expr next_c = hadamard(c, cosine) - hadamard(s, sine);
    s = hadamard(s, cosine) + hadamard(c, sine);
    c = next_c;
  }
  return {concat_rows(cosines), concat_rows(sines)};
}

// k/2 x k matrices that place a pair's cosine at both of its coordinates, and its sine with the signs of a rotation.
struct Placement {
  RationalMatrix cosine, sine, swap;
};

Placement placement(std::int64_t k, Rope::Pairing pairing) {
  Placement made{RationalMatrix(k / 2, k), RationalMatrix(k / 2, k), RationalMatrix(k, k)};
  for (std::int64_t c = 0; c < k / 2; ++c) {
    const std::int64_t first = pairing == Rope::Pairing::interleaved ? 2 * c : c;
    const std::int64_t second = pairing == Rope::Pairing::interleaved ? 2 * c + 1 : c + k / 2;
    made.cosine.at(c, first) = made.cosine.at(c, second) = 1;
    made.sine.at(c, first) = -1;
    made.sine.at(c, second) = 1;
    made.swap.at(first, second) = made.swap.at(second, first) = 1;
  }
  return made;
}

}  // namespace

void require_valid(const AttentionSpec& spec, const AttentionWeights& weights) {
  if (spec.heads < 1 || spec.kv_heads < 1 || spec.width < 1)
    throw InputError("attention with h = " + std::to_string(spec.heads) + ", g = " + std::to_string(spec.kv_heads) +
                     ", k = " + std::to_string(spec.width) + "; expected positive counts");
  if (spec.heads % spec.kv_heads != 0)
    throw InputError("g = " + std::to_string(spec.kv_heads) + " KV heads do not divide h = " +
                     std::to_string(spec.heads) + " heads; choose g among the divisors of h");
  const auto require_width = [](const char* name, Expr weight, std::int64_t width, const char* meaning) {
    if (weight.cols() != width)
      throw InputError(std::string(name) + " is " + to_string(weight.shape()) + "; expected " + std::to_string(width) +
                       " columns (" + meaning + ")");
  };
  require_width("W_Q", weights.W_Q, spec.heads * spec.width, "h k");
  require_width("W_K", weights.W_K, spec.kv_heads * spec.width, "g k");
  require_width("W_V", weights.W_V, spec.kv_heads * spec.width, "g k");
}

Expr add_bias(Expr Y, const std::optional<Expr>& b) {
  if (!b) return Y;
  return Y + Y.graph().ones({Y.rows(), 1}) * *b;
}

std::int64_t kv_head_of(std::int64_t head, const AttentionSpec& spec) { return head * spec.kv_heads / spec.heads; }

Expr apply_rope(Expr X, const Rope& rope, std::int64_t first_position) {
  Graph& graph = X.graph();
  const std::int64_t k = X.cols();
  if (k % 2 != 0 || rope.rotation.shape() != Shape{2, k / 2})
    throw InputError("RoPE on heads of width " + std::to_string(k) + " with a rotation of " +
                     to_string(rope.rotation.shape()) + "; expected an even width k and a 2 x k/2 rotation");
  const auto [cosines, sines] = rotation_table(rope, first_position, X.rows());
  Placement place = placement(k, rope.pairing);
  const Expr turned =
      hadamard(X * graph.constant(std::move(place.swap)), sines * graph.constant(std::move(place.sine)));
  return hadamard(X, cosines * graph.constant(std::move(place.cosine))) + turned;
}

std::vector<Expr> attention_logits(Expr X, Expr Z, const AttentionWeights& weights, const AttentionSpec& spec) {
  require_valid(spec, weights);
  Graph& graph = X.graph();
  const std::int64_t n_q = X.rows(), n_k = Z.rows(), k = spec.width;
  const Expr Q = add_bias(X * weights.W_Q, weights.b_Q);
  const Expr K = add_bias(Z * weights.W_K, weights.b_K);
  const Expr scale = scale_of(spec, graph);
  const auto prepared = [&](Expr head, std::int64_t first_position) {
    if (spec.qk_norm_eps) head = rms_norm(head, *spec.qk_norm_eps);
    return spec.rope ? apply_rope(head, *spec.rope, first_position) : head;
  };
  std::vector<Expr> logits;
  for (std::int64_t i = 0; i < spec.heads; ++i) {
    const Expr q = prepared(columns(Q, i * k, k), n_k - n_q);
    const Expr keys = prepared(columns(K, kv_head_of(i, spec) * k, k), 0);
    Expr s = scale_by(scale, q * transpose(keys));
    if (spec.additive) s = s + *spec.additive;
    if (spec.alibi_slopes) s = s + scale_by(columns(*spec.alibi_slopes, i, 1), relative_positions(graph, n_q, n_k));
    logits.push_back(s);
  }
  return logits;
}

Expr cross_attention(Expr X, Expr Z, const AttentionWeights& weights, const AttentionSpec& spec) {
  const std::vector<Expr> logits = attention_logits(X, Z, weights, spec);
  const Expr V = add_bias(Z * weights.W_V, weights.b_V);
  std::vector<Expr> heads;
  for (std::int64_t i = 0; i < spec.heads; ++i)
    heads.push_back(softmax(logits[static_cast<std::size_t>(i)], spec.mask) *
                    columns(V, kv_head_of(i, spec) * spec.width, spec.width));
  return add_bias(concat_columns(heads) * weights.W_O, weights.b_O);
}

Expr attention(Expr X, const AttentionWeights& weights, const AttentionSpec& spec) {
  return cross_attention(X, X, weights, spec);
}

}  // namespace attest::expr
