#include <algorithm>

#include "reparam/claims.h"
#include "reparam/network.h"
#include "reparam/single_attention.h"
#include "reparam/transforms.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::TransformerSpec;
using expr::Weights;

TransformerSpec biased_spec(Statement& statement, const Size& size, Skips skips) {
  TransformerSpec spec = network_spec(statement, size, skips, true);
  spec.biases = spec.positions = true;
  return spec;
}

Statement build_claim(const Size& size) {
  Statement statement = network_statement(size);
  std::vector<Skips> patterns{Skips::attention};
  if (!claim::is_real_size(size)) patterns.insert(patterns.end(), {Skips::mlp, Skips::none, Skips::mixed});
  for (const Skips skips : patterns) {
    const TransformerSpec spec = biased_spec(statement, size, skips);
    const Weights weights = add_weights(statement, spec);
    require_same_function(statement, to_string(skips), weights, affine_telescope(weights, spec), spec);
  }
  if (claim::is_real_size(size)) return statement;
  const TransformerSpec spec = biased_spec(statement, size, Skips::both);
  const Weights shared = add_weights(statement, spec, {"W_Q"});
  require_same_function(statement, "both skips, W_Q shared", shared, affine_shared_query(shared, spec), spec);
  return statement;
}

// T = W_Q without the shift t, and b_Q left out: a query bias is not nothing. Everything but one attention is zero.
void drop_affine(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.biases = true;
  spec.readout = false;
  Weights weights = add_weights(statement, spec, {"W_Q", "b_Q", "W_K", "W_V", "W_O"},
                                {"W_1", "b_1", "W_2", "b_2", "b_K", "b_V", "b_O"});
  statement.conditions.push_back({Condition::Kind::nonzero, {weights.at("b_Q.1")}, "affine"});
  Weights moved = shared_query(weights, spec);
  for (std::int64_t layer = 1; layer <= size.L; ++layer) eliminate_query(moved, spec, layer);
  expr::Graph& graph = *statement.graph;
  statement.equations.push_back({"last residual stream in the basis of W_Q.1",
                                 network_output(graph, weights, spec) * weights.at("W_Q.1"),
                                 network_output(graph, moved, spec)});
}

// W_Q.1 = 0 or of rank d - 1, with its pseudo-inverse; the only bias is b_Q.
void drop_invertible(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::attention, false);
  spec.biases = true;
  spec.readout = false;
  const SingularMatrix singular = add_singular(statement, "W_Q.1", size.d);
  statement.conditions.push_back({Condition::Kind::singular, {singular.matrix}, "invertible"});
  const std::vector<std::string> zero{"b_1", "b_2", "b_K", "b_V", "b_O"};
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    const bool is_zero = std::find(zero.begin(), zero.end(), name.substr(0, name.find('.'))) != zero.end();
    weights[name] = name == "W_Q.1" ? singular.matrix
                    : is_zero       ? statement.graph->zeros(shape)
                                    : ensure_input(statement, name, shape);
  }
  std::vector<Basis> bases = query_bases(weights, spec, true);
  bases.front().T_inverse = singular.pseudo_inverse;
  Weights moved = change_basis(weights, spec, telescoping_points(spec, bases));
  for (std::int64_t layer = 1; layer <= size.L; ++layer) eliminate_query(moved, spec, layer);
  require_same_function(statement, "a skip around attention only", weights, moved, spec);
}

Statement build(const Request& request) {
  if (request.dropped.empty()) return build_claim(request.size);
  Statement statement = network_statement(request.size);
  if (request.dropped == "affine") drop_affine(statement, request.size);
  if (request.dropped == "invertible") drop_invertible(statement, request.size);
  return statement;
}

}  // namespace

void add_bias(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.bias";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "with biases the affine change x -> x T + t, T = W_Q, t = b_Q, makes query weight and bias I and 0: embedding "
      "E T_1 + t_1; b_K - t T^-1 W_K, b_V and b_1 alike; b_O T, b_2 T under a skip, plus t of the next basis without "
      "one; "
      "t_(L+1) = 0, or the readout gets -t T^-1 U";
  claim.formula =
      "x \\mapsto x T + t, \\quad T_l = W_Q^{(l)}, \\quad t_l = b_Q^{(l)}: \\quad b_K \\mapsto b_K - t T^{-1} W_K, "
      "\\quad "
      "b_O \\mapsto b_O T_l, \\quad b_2 \\mapsto b_2 T_{l+1} + t_{l+1}";
  claim.source = "derived here, proof in reparam/README.md";
  claim.proof_idea =
      "(x T + t) T^-1 W + b - t T^-1 W = x W + b. A skip brings t along by itself; where a sub-layer has no skip its "
      "bias "
      "must supply the t of the next basis.";
  claim.how_checked =
      "Both networks are evaluated, L layers with all biases, positions and a free scale, for every pattern of skips; "
      "with both skips W_Q is shared, b_Q differs, and layer l keeps b_Q^(l) - t.";
  claim.hypotheses = {{"affine", "the change of basis is affine: t = b_Q takes part"},
                      {"invertible", "every W_Q^(l) is invertible (with both skips: the shared W_Q)"}};
  claim.build = build;
  claim.search_sizes = [](const std::string& dropped) { return scalar_sizes(dropped == "affine" ? 2 : 1, 1); };
  claim.sizes = {"small", "medium", "gpt2-small"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
