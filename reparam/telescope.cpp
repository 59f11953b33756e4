#include "reparam/claims.h"
#include "reparam/network.h"
#include "reparam/single_attention.h"
#include "reparam/single_layer.h"
#include "reparam/transforms.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::Expr;
using expr::TransformerSpec;
using expr::Weights;

// Where both skips are present, one block from basis T_1 to T_2 is off by exactly Y (T_2 - T_1), Y = x + attn(x).
void require_defect(Statement& statement, const Size& size) {
  Size one_layer = size;
  one_layer.L = 1;
  TransformerSpec spec = network_spec(statement, one_layer, Skips::both, true);
  spec.readout = false;
  const Weights weights = add_weights(statement, spec);
  const Expr T_2 = ensure_input(statement, "T", {size.d, size.d}, {.kind = claim::Recipe::Kind::invertible});
  require_invertible(statement, T_2);
  const Weights moved = telescope(weights, spec, {basis_of(weights.at("W_Q.1")), basis_of(T_2)});
  expr::Graph& graph = *statement.graph;
  const Expr x = expr::embed(graph, weights, spec);
  const Expr Y = x + expr::attention(x, expr::attention_weights(weights, 1, spec), spec.attention);
  statement.equations.push_back({"defect of a block with both skips",
                                 network_output(graph, weights, spec) * T_2 - network_output(graph, moved, spec),
                                 Y * (T_2 - weights.at("W_Q.1"))});
}

Statement build_claim(const Size& size) {
  Statement statement = network_statement(size);
  std::vector<Skips> patterns{Skips::attention};
  if (!claim::is_real_size(size)) patterns.insert(patterns.end(), {Skips::mlp, Skips::none, Skips::mixed});
  for (const Skips skips : patterns) {
    TransformerSpec spec = network_spec(statement, size, skips, true);
    spec.positions = true;
    const Weights weights = add_weights(statement, spec);
    require_same_function(statement, to_string(skips), weights, telescope(weights, spec), spec);
  }
  if (!claim::is_real_size(size)) require_defect(statement, size);
  return statement;
}

void drop_invertible(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::attention, false);
  spec.readout = false;
  const SingularMatrix singular = add_singular(statement, "W_Q.1", size.d);
  statement.conditions.push_back({Condition::Kind::singular, {singular.matrix}, "invertible"});
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec))
    weights[name] = name == "W_Q.1" ? singular.matrix : ensure_input(statement, name, shape);
  std::vector<Basis> bases{{singular.matrix, singular.pseudo_inverse, {}}};
  for (std::int64_t layer = 2; layer <= size.L; ++layer)
    bases.push_back(basis_of(weights.at(expr::layer_weight("W_Q", layer))));
  bases.push_back(standard_basis(*statement.graph, size.d));
  require_same_function(statement, "a skip around attention only", weights, telescope(weights, spec, bases), spec);
}

// The embedding, moved into T_1, is also the readout, which wants to stay.
void drop_untied_readout(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::attention, false);
  spec.tied = true;
  const Weights weights = add_weights(statement, spec);
  require_same_function(statement, "tied readout", weights, telescope(weights, spec), spec);
}

// The layers may even share W_K, W_V, W_O and have no MLP.
void drop_missing_skip(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  const Weights weights = add_weights(statement, spec, {"W_K", "W_V", "W_O"}, {"W_1", "W_2"});
  require_same_function(statement, "both skips, last residual stream", weights, telescope(weights, spec), spec);
}

// Both skips, but the stream may stay in the last layer's basis, T_(L+1) = T_L: two layers are needed to fail.
void drop_missing_skip_absorbed(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  const Weights weights = add_weights(statement, spec, {"W_K", "W_V", "W_O"}, {"W_1", "W_2"});
  std::vector<Basis> bases = query_bases(weights, spec, false);
  bases.back() = bases[bases.size() - 2];
  expr::Graph& graph = *statement.graph;
  statement.equations.push_back({"both skips, last residual stream in the basis of W_Q.L",
                                 network_output(graph, weights, spec) * bases.back().T,
                                 network_output(graph, telescope(weights, spec, bases), spec)});
}

Statement build(const Request& request) {
  if (request.dropped.empty()) return build_claim(request.size);
  Statement statement = network_statement(request.size);
  if (request.dropped == "invertible") drop_invertible(statement, request.size);
  if (request.dropped == "untied_readout") drop_untied_readout(statement, request.size);
  if (request.dropped == "one_skip_missing") drop_missing_skip(statement, request.size);
  if (request.dropped == "one_skip_missing_absorbed") drop_missing_skip_absorbed(statement, request.size);
  return statement;
}

Claim telescope_claim() {
  Claim claim;
  claim.id = "reparam.telescope";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "every layer's W_Q becomes I at once, T_l = W_Q^(l) and T_(L+1) = I: with a skip around attention only W_O T_l, "
      "T_l^-1 W_1, W_2 T_(l+1); around the MLP only W_O T_(l+1), T_(l+1)^-1 W_1, W_2 T_(l+1); without skips W_O, W_1, "
      "W_2 T_(l+1); embedding T_1";
  claim.formula =
      "T_l = W_Q^{(l)}, \\quad W_Q^{(l)} \\mapsto I, \\quad W_O^{(l)} \\mapsto W_O^{(l)} T_l, \\quad "
      "W_1^{(l)} \\mapsto T_l^{-1} W_1^{(l)}, \\quad W_2^{(l)} \\mapsto W_2^{(l)} T_{l+1}, \\quad T_{L+1} = I";
  claim.source =
      "Karbevski and Mijoski, arXiv 2510.23912, for the skip around attention; the skip around the MLP is derived "
      "here, "
      "proof in reparam/README.md";
  claim.proof_idea =
      "A basis must be the same at both ends of a skip and may change across a sub-layer without one. One such "
      "sub-layer "
      "a layer is enough to go from T_l to T_(l+1).";
  claim.how_checked =
      "Whole networks are evaluated, L layers with positions and a free scale: skip around attention only, around the "
      "MLP "
      "only, none, mixed; at real sizes the first. With both skips the defect Y (T_2 - T_1) of a block is checked too.";
  claim.hypotheses = {{"invertible", "every W_Q^(l) is invertible"},
                      {"untied_readout", "the readout is untied"},
                      {"one_skip_missing", "each layer has a sub-layer without skip"},
                      {"one_skip_missing_absorbed",
                       "each layer but the last has a sub-layer without skip, if the readout may take T_L^-1"}};
  claim.build = build;
  claim.search_sizes = [](const std::string& dropped) {
    return scalar_sizes(1, dropped == "one_skip_missing_absorbed" ? 2 : 1);
  };
  claim.sizes = {"small", "medium", "gpt2-small", "kmg-300m", "kmg-1.2b"};
  return claim;
}

}  // namespace

void add_telescope(claim::Registry& registry) {
  registry.add(single_layer_claim());
  registry.add(telescope_claim());
}

}  // namespace attest::reparam
