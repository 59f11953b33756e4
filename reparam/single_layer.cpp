#include "reparam/single_layer.h"

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
using expr::Expr;
using expr::TransformerSpec;
using expr::Weights;

void require_layer(Statement& statement, const std::string& label, const TransformerSpec& spec, std::int64_t layer) {
  const Weights weights = add_weights(statement, spec);
  require_same_function(statement, label + ", layer " + std::to_string(layer), weights,
                        single_layer(weights, spec, layer), spec);
}

// Positions and biases with the plain MLP (GPT-2); gated MLP and RoPE without biases (Llama).
TransformerSpec plain_spec(Statement& statement, const Size& size, Skips skips) {
  TransformerSpec spec = network_spec(statement, size, skips, true);
  spec.positions = spec.biases = true;
  return spec;
}

TransformerSpec gated_spec(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, true);
  spec.gated = true;
  if (size.k % 2 == 0)
    spec.attention.rope =
        expr::Rope{ensure_input(statement, "rotation", {2, size.k / 2}, {.kind = Recipe::Kind::unit_circle}),
                   expr::Rope::Pairing::halves};
  return spec;
}

// A tied readout survives where T T^T E^T = E^T: shown for an orthogonal W_Q, named R.
void require_orthogonal_tied(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, true);
  spec.tied = true;
  Weights weights = add_weights(statement, spec);
  weights["W_Q.1"] = ensure_input(statement, "R", {size.d, size.d}, {.kind = Recipe::Kind::orthogonal});
  require_same_function(statement, "tied readout, orthogonal W_Q.1 = R", weights, single_layer(weights, spec, 1), spec);
}

Statement build_claim(const Size& size) {
  Statement statement = network_statement(size);
  const std::int64_t middle = (size.L + 1) / 2;
  if (claim::is_real_size(size)) {
    // Grouped heads are those of the gated, rotary models.
    const bool gated = size.g < size.h;
    const TransformerSpec spec = gated ? gated_spec(statement, size) : plain_spec(statement, size, Skips::both);
    require_layer(statement, gated ? "both skips, gated MLP and RoPE" : "both skips", spec, middle);
    return statement;
  }
  std::int64_t layer = 0;
  for (const Skips skips : {Skips::both, Skips::attention, Skips::mlp, Skips::none, Skips::mixed})
    require_layer(statement, to_string(skips), plain_spec(statement, size, skips), layer++ % size.L + 1);
  TransformerSpec parallel = plain_spec(statement, size, Skips::both);
  parallel.parallel = true;
  require_layer(statement, "parallel blocks", parallel, middle);
  require_layer(statement, "gated MLP and RoPE", gated_spec(statement, size), size.L);
  require_orthogonal_tied(statement, size);
  return statement;
}

// W_Q.1 = A B of rank d - 1 and its pseudo-inverse in the place of T^-1.
void drop_invertible(Statement& statement, const Size& size) {
  const TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  const SingularMatrix singular = add_singular(statement, "W_Q.1", size.d);
  statement.conditions.push_back({Condition::Kind::singular, {singular.matrix}, "invertible"});
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec))
    weights[name] = name == "W_Q.1" ? singular.matrix : ensure_input(statement, name, shape);
  require_same_function(statement, "both skips, layer 1", weights,
                        single_layer(weights, spec, 1, {singular.matrix, singular.pseudo_inverse, {}}), spec);
}

void drop_untied_readout(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.tied = true;
  const Weights weights = add_weights(statement, spec);
  const Expr T = weights.at("W_Q.1"), readout = transpose(weights.at("E"));
  statement.conditions.push_back(
      {Condition::Kind::different, {T * (transpose(T) * readout), readout}, "untied_readout"});
  require_same_function(statement, "tied readout, layer 1", weights, single_layer(weights, spec, 1), spec);
}

void drop_no_norm(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.norm = expr::NormPlace::pre;
  spec.norm_kind = expr::NormKind::rms;
  const Weights weights = add_weights(statement, spec, {}, {"W_1", "W_2"});
  require_same_function(statement, "RMS norms, layer 1", weights, single_layer(weights, spec, 1), spec);
}

Statement build(const Request& request) {
  if (request.dropped.empty()) return build_claim(request.size);
  Statement statement = network_statement(request.size);
  if (request.dropped == "invertible") drop_invertible(statement, request.size);
  if (request.dropped == "untied_readout") drop_untied_readout(statement, request.size);
  if (request.dropped == "no_norm") drop_no_norm(statement, request.size);
  return statement;
}

}  // namespace

Claim single_layer_claim() {
  Claim claim;
  claim.id = "reparam.single_layer";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "in a network of L layers with any pattern of skips, the W_Q of one layer becomes I by one change of basis of "
      "the "
      "whole stream: embedding and positions * T, every read T^-1 *, every write * T, readout T^-1 *, T = W_Q of the "
      "layer";
  claim.formula =
      "W_Q^{(l)} \\mapsto I, \\quad E \\mapsto E T, \\quad W_{K,V,1} \\mapsto T^{-1} W_{K,V,1}, \\quad "
      "W_{O,2} \\mapsto W_{O,2} T, \\quad U \\mapsto T^{-1} U, \\quad T = W_Q^{(l)}";
  claim.source = "Karbevski and Mijoski, arXiv 2510.23912";
  claim.proof_idea =
      "By induction the stream of the new network is x T at every point: a read sees x T T^-1 = x, a write adds y T, "
      "and "
      "skips add x T to y T. The readout undoes T.";
  claim.how_checked =
      "Both networks are evaluated, with a free scale: every pattern of skips, parallel blocks, biases, positions, "
      "gated "
      "MLPs with RoPE, and a tied readout with an orthogonal W_Q; at real sizes the middle layer with both skips.";
  claim.hypotheses = {{"invertible", "W_Q of the layer is invertible"},
                      {"untied_readout", "the readout is untied, or T T^T E^T = E^T"},
                      {"no_norm", "no normalization stands in the stream"}};
  claim.build = build;
  claim.search_sizes = [](const std::string&) { return scalar_sizes(1, 1); };
  claim.sizes = {"small", "medium", "gpt2-small", "kmg-300m", "kmg-1.2b", "llama3-8b"};
  return claim;
}

}  // namespace attest::reparam
