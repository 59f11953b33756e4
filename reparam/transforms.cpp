#include "reparam/transforms.h"

#include "core/support/check.h"
#include "core/support/error.h"

namespace attest::reparam {

using expr::Expr;
using expr::layer_weight;
using expr::TransformerSpec;
using expr::Weights;

namespace {

[[noreturn]] void no_bias(const std::string& weight) {
  throw InputError("the shift t of the basis needs a bias beside " + weight +
                   ", which the network does not have; give the network biases or use a linear change of basis");
}

// W -> T^-1 W, b -> b - t T^-1 W.
void read(Weights& weights, const std::string& weight, const std::string& bias, const Basis& basis) {
  const Expr moved = basis.T_inverse * weights.at(weight);
  weights[weight] = moved;
  if (!basis.t) return;
  const auto found = weights.find(bias);
  if (found == weights.end()) no_bias(weight);
  found->second = found->second - *basis.t * moved;
}

// W -> W T, b -> b T, plus t where `shift` says that no skip brings it along.
void write(Weights& weights, const std::string& weight, const std::string& bias, const Basis& basis, bool shift) {
  weights[weight] = weights.at(weight) * basis.T;
  const auto found = weights.find(bias);
  if (found != weights.end()) {
    found->second = found->second * basis.T;
    if (shift && basis.t) found->second = found->second + *basis.t;
  } else if (shift && basis.t) {
    no_bias(weight);
  }
}

void embed_in(Weights& weights, const Basis& basis) {
  Expr& embedding = weights.at("E");
  embedding = embedding * basis.T;
  const auto positions = weights.find("Pos");
  if (positions != weights.end()) positions->second = positions->second * basis.T;
  if (!basis.t) return;
  Expr& shifted = positions != weights.end() ? positions->second : embedding;
  shifted = expr::add_bias(shifted, basis.t);
}

// The readout has no bias of its own: a shift gives it one, b_U = -t T^-1 U.
void read_out(Weights& weights, const Basis& basis) {
  const auto readout = weights.find("U");
  if (readout == weights.end()) return;
  const auto zero = [&] { return readout->second.graph().zeros({1, readout->second.cols()}); };
  if (basis.t && !weights.contains("b_U")) weights["b_U"] = zero();
  read(weights, "U", "b_U", basis);
}

void read_mlp(Weights& weights, std::int64_t layer, const TransformerSpec& spec, const Basis& basis) {
  const auto named = [&](const char* base) { return layer_weight(base, layer); };
  if (!spec.gated) return read(weights, named("W_1"), named("b_1"), basis);
  read(weights, named("W_gate"), "", basis);
  read(weights, named("W_up"), "", basis);
}

void change_layer(Weights& weights, const TransformerSpec& spec, std::int64_t layer, const std::vector<Basis>& points) {
  const auto named = [&](const char* base) { return layer_weight(base, layer); };
  const auto point = [&](std::int64_t index) -> const Basis& { return points[static_cast<std::size_t>(index)]; };
  const std::int64_t start = spec.parallel ? layer - 1 : 2 * layer - 2;
  const std::int64_t middle = spec.parallel ? layer - 1 : 2 * layer - 1;
  const std::int64_t end = spec.parallel ? layer : 2 * layer;
  for (const auto& [weight, bias] : {std::pair{"W_Q", "b_Q"}, {"W_K", "b_K"}, {"W_V", "b_V"}})
    read(weights, named(weight), named(bias), point(start));
  read_mlp(weights, layer, spec, point(middle));
  write(weights, named("W_O"), named("b_O"), point(spec.parallel ? end : middle), !has_attention_skip(spec, layer));
  const bool shift_after_mlp = !spec.parallel && !has_mlp_skip(spec, layer);
  write(weights, named(spec.gated ? "W_down" : "W_2"), named("b_2"), point(end), shift_after_mlp);
}

std::vector<Basis> everywhere(const TransformerSpec& spec, const Basis& basis) {
  return std::vector<Basis>(static_cast<std::size_t>(stream_points(spec)), basis);
}

}  // namespace

Basis standard_basis(expr::Graph& graph, std::int64_t d) { return {graph.identity(d), graph.identity(d), {}}; }

Basis basis_of(Expr T, const std::optional<Expr>& t) { return {T, inverse(T), t}; }

std::int64_t stream_points(const TransformerSpec& spec) { return (spec.parallel ? spec.layers : 2 * spec.layers) + 1; }

Weights change_basis(const Weights& weights, const TransformerSpec& spec, const std::vector<Basis>& points) {
  ATTEST_CHECK(static_cast<std::int64_t>(points.size()) == stream_points(spec), "one basis for every stream point");
  Weights moved = weights;
  embed_in(moved, points.front());
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) change_layer(moved, spec, layer, points);
  read_out(moved, points.back());
  return moved;
}

void eliminate_query(Weights& weights, const TransformerSpec& spec, std::int64_t layer) {
  expr::Graph& graph = weights.at("E").graph();
  weights[layer_weight("W_Q", layer)] = graph.identity(spec.width);
  if (spec.biases) weights[layer_weight("b_Q", layer)] = graph.zeros({1, spec.width});
}

namespace {

// W_Q of a layer becomes I, its bias stays as it is.
void identity_query(Weights& weights, const TransformerSpec& spec, std::int64_t layer) {
  weights[layer_weight("W_Q", layer)] = weights.at("E").graph().identity(spec.width);
}

void identity_queries(Weights& weights, const TransformerSpec& spec) {
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) identity_query(weights, spec, layer);
}

}  // namespace

Weights single_layer(const Weights& weights, const TransformerSpec& spec, std::int64_t layer) {
  return single_layer(weights, spec, layer, basis_of(weights.at(layer_weight("W_Q", layer))));
}

Weights single_layer(const Weights& weights, const TransformerSpec& spec, std::int64_t layer, const Basis& basis) {
  Weights moved = change_basis(weights, spec, everywhere(spec, basis));
  identity_query(moved, spec, layer);
  return moved;
}

std::vector<Basis> query_bases(const Weights& weights, const TransformerSpec& spec, bool affine) {
  std::vector<Basis> bases;
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    std::optional<Expr> t;
    if (affine) t = weights.at(layer_weight("b_Q", layer));
    bases.push_back(basis_of(weights.at(layer_weight("W_Q", layer)), t));
  }
  bases.push_back(standard_basis(weights.at("E").graph(), spec.width));
  return bases;
}

std::vector<Basis> telescoping_points(const TransformerSpec& spec, const std::vector<Basis>& bases) {
  ATTEST_CHECK(static_cast<std::int64_t>(bases.size()) == spec.layers + 1, "bases T_1 ... T_(L+1)");
  if (spec.parallel) return bases;
  std::vector<Basis> points;
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    const Basis& here = bases[static_cast<std::size_t>(layer - 1)];
    const Basis& next = bases[static_cast<std::size_t>(layer)];
    points.push_back(here);
    if (has_attention_skip(spec, layer))
      points.push_back(here);
    else if (has_mlp_skip(spec, layer))
      points.push_back(next);
    else
      points.push_back(standard_basis(here.T.graph(), spec.width));
  }
  points.push_back(bases.back());
  return points;
}

Weights telescope(const Weights& weights, const TransformerSpec& spec) {
  return telescope(weights, spec, query_bases(weights, spec, false));
}

Weights telescope(const Weights& weights, const TransformerSpec& spec, const std::vector<Basis>& bases) {
  Weights moved = change_basis(weights, spec, telescoping_points(spec, bases));
  identity_queries(moved, spec);
  return moved;
}

Weights affine_telescope(const Weights& weights, const TransformerSpec& spec) {
  Weights moved = change_basis(weights, spec, telescoping_points(spec, query_bases(weights, spec, true)));
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) eliminate_query(moved, spec, layer);
  return moved;
}

Weights shared_query(const Weights& weights, const TransformerSpec& spec) {
  return shared_query(weights, spec, basis_of(weights.at("W_Q.1")));
}

Weights shared_query(const Weights& weights, const TransformerSpec& spec, const Basis& basis) {
  Weights moved = change_basis(weights, spec, everywhere(spec, basis));
  identity_queries(moved, spec);
  return moved;
}

Weights affine_shared_query(const Weights& weights, const TransformerSpec& spec) {
  const Expr t = weights.at("b_Q.1");
  Weights moved = change_basis(weights, spec, everywhere(spec, basis_of(weights.at("W_Q.1"), t)));
  eliminate_query(moved, spec, 1);
  for (std::int64_t layer = 2; layer <= spec.layers; ++layer) {
    identity_query(moved, spec, layer);
    moved[layer_weight("b_Q", layer)] = weights.at(layer_weight("b_Q", layer)) - t;
  }
  return moved;
}

}  // namespace attest::reparam
