#include "core/support/error.h"
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
using expr::Expr;
using expr::layer_weight;
using expr::TransformerSpec;
using expr::Weights;

constexpr Recipe invertible_recipe{.kind = Recipe::Kind::invertible};

TransformerSpec skipless_spec(Statement& statement, const Size& size, bool parallel) {
  TransformerSpec spec = network_spec(statement, size, Skips::none, true);
  spec.parallel = parallel;
  spec.positions = true;
  return spec;
}

// The weights with one projection's matrices invertible: "R.l" takes the place of the weight of that name.
Weights with_invertible(Statement& statement, Weights weights, const char* base, const TransformerSpec& spec) {
  for (std::int64_t layer = 1; layer <= spec.layers; ++layer) {
    Expr& weight = weights.at(layer_weight(base, layer));
    weight = ensure_input(statement, layer_weight("R", layer), weight.shape(), invertible_recipe);
    require_invertible(statement, weight);
  }
  return weights;
}

void require_serial(Statement& statement, const Size& size) {
  const TransformerSpec spec = skipless_spec(statement, size, false);
  const Weights weights = add_weights(statement, spec);
  require_same_function(statement, "serial, W_Q and W_O removed", weights,
                        skipless_serial(weights, spec, Projection::query), spec);
  if (size.g != size.h || claim::is_real_size(size)) return;
  const Weights keys = with_invertible(statement, weights, "W_K", spec);
  require_same_function(statement, "serial, W_K = R and W_O removed", keys,
                        skipless_serial(keys, spec, Projection::key), spec);
  const Weights values = with_invertible(statement, weights, "W_V", spec);
  require_same_function(statement, "serial, W_V = R and W_O removed", values,
                        skipless_serial(values, spec, Projection::value), spec);
}

// W_O.l W_Q.(l+1) = B.(l+1), block-diagonal: W_Q.(l+1) = W_O.l^-1 B.(l+1).
void require_parallel_blocks(Statement& statement, const Size& size, Weights weights, const TransformerSpec& spec) {
  std::vector<Expr> blocks;
  for (std::int64_t layer = 2; layer <= spec.layers; ++layer) {
    blocks.push_back(ensure_input(statement, layer_weight("B", layer), {size.d, size.d},
                                  {.kind = Recipe::Kind::block_diagonal, .block = size.k, .group = size.h / size.g}));
    weights[layer_weight("W_Q", layer)] = inverse(weights.at(layer_weight("W_O", layer - 1))) * blocks.back();
  }
  require_same_function(statement, "parallel, W_O = R, block-diagonal W_O W_Q: both removed", weights,
                        skipless_parallel_blocks(weights, spec, blocks), spec);
}

void require_parallel(Statement& statement, const Size& size) {
  const TransformerSpec spec = skipless_spec(statement, size, true);
  const Weights weights = add_weights(statement, spec);
  require_same_function(statement, "parallel, every W_Q removed", weights, skipless_parallel_query(weights, spec),
                        spec);
  if (claim::is_real_size(size)) return;
  const Weights outputs = with_invertible(statement, weights, "W_O", spec);
  require_same_function(statement, "parallel, every W_O = R removed", outputs, skipless_parallel_output(outputs, spec),
                        spec);
  require_parallel_blocks(statement, size, outputs, spec);
}

void drop_no_skip(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::attention, false);
  spec.readout = false;
  const Weights weights = add_weights(statement, spec);
  require_same_function(statement, "serial with a skip around attention", weights,
                        skipless_serial(weights, spec, Projection::query), spec);
}

// W_Q.1 of rank d - 1 with its pseudo-inverse; W_O goes into W_1 as before.
void drop_invertible(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::none, false);
  spec.readout = false;
  const SingularMatrix singular = add_singular(statement, "W_Q.1", size.d);
  statement.conditions.push_back({Condition::Kind::singular, {singular.matrix}, "invertible"});
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec))
    weights[name] = name == "W_Q.1" ? singular.matrix : ensure_input(statement, name, shape);
  std::vector<Basis> bases = query_bases(weights, spec, false);
  bases.front().T_inverse = singular.pseudo_inverse;
  require_same_function(statement, "serial, W_Q removed", weights, telescope(weights, spec, bases), spec);
}

Statement build(const Request& request) {
  Statement statement = network_statement(request.size);
  if (request.dropped.empty()) {
    require_serial(statement, request.size);
    require_parallel(statement, request.size);
  }
  if (request.dropped == "no_skip") drop_no_skip(statement, request.size);
  if (request.dropped == "invertible") drop_invertible(statement, request.size);
  return statement;
}

// W_O.l := I and W_Q.(l+1) := I at every junction; the layers share all weights but W_Q.
Statement build_both(const Request& request) {
  if (request.size.L < 2)
    throw InputError("size " + request.size.name + ": L = " + std::to_string(request.size.L) +
                     "; a junction lies between two layers, choose a size with L >= 2");
  Statement statement = network_statement(request.size);
  TransformerSpec spec = network_spec(statement, request.size, Skips::none, false);
  spec.parallel = true;
  spec.readout = false;
  const Weights weights = add_weights(statement, spec, bases_but_query(spec));
  require_same_function(statement, "the serial formulas", weights, skipless_parallel_both(weights, spec, false), spec);
  if (request.size.h > 1)
    require_same_function(statement, "the diagonal blocks of W_O W_Q absorbed in W_V", weights,
                          skipless_parallel_both(weights, spec, true), spec);
  return statement;
}

Claim skipless_claim() {
  Claim claim;
  claim.id = "reparam.skipless";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "without skips, serial: W_O goes into W_1 and W_Q (or W_K, W_V where g k = d) into the previous W_2. Parallel: T "
      "goes "
      "into both W_2 and W_O before a junction and T^-1 into all reads after it, which removes W_Q^(l+1) or W_O^(l); "
      "both "
      "only where W_O^(l) W_Q^(l+1) is block-diagonal up to a permutation of the heads";
  claim.formula =
      "W_1 \\mapsto W_O W_1, \\quad W_O \\mapsto I, \\quad W_2^{(l)} \\mapsto W_2^{(l)} T, \\quad "
      "W_{K,V}^{(l+1)} \\mapsto T^{-1} W_{K,V}^{(l+1)}, \\quad T = W_Q^{(l+1)}";
  claim.source =
      "Graef, arXiv 2404.12362, for serial blocks; parallel blocks are derived here, proof in reparam/README.md";
  claim.proof_idea =
      "Where only linear maps stand between two nonlinear ones, a factor T T^-1 may be put between them. In a parallel "
      "block the junction has two writers, and both must be multiplied by the same T.";
  claim.how_checked =
      "Both networks are evaluated, L layers without skips and a free scale: serial with W_Q, W_K, W_V removed, "
      "parallel "
      "with W_Q, with W_O, and with both removed for a block-diagonal W_O W_Q.";
  claim.hypotheses = {{"no_skip", "no skip around attention or MLP"},
                      {"invertible", "the removed projection is invertible"}};
  claim.build = build;
  claim.search_sizes = [](const std::string&) { return scalar_sizes(1, 1); };
  claim.sizes = {"small", "medium", "gpt2-small"};
  return claim;
}

Claim both_claim() {
  Claim claim;
  claim.id = "reparam.skipless_parallel_both";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "in parallel blocks without skips W_Q^(l+1) and W_O^(l) can both be dropped at one junction, "
      "by "
      "the formulas of the serial case";
  claim.formula =
      "W_O^{(l)} \\mapsto I, \\quad W_Q^{(l+1)} \\mapsto I, \\quad W_2^{(l)} \\mapsto W_2^{(l)} T, \\quad "
      "W_{K,V,1}^{(l+1)} \\mapsto T^{-1} W_{K,V,1}^{(l+1)}, \\quad T = W_Q^{(l+1)}";
  claim.source = "Graef, arXiv 2404.12362, figure 3 read as an equivalence; the refutation is derived here";
  claim.proof_idea =
      "The attention branch must arrive as concat_i(A_i V_i) W_O T; with W_O = I only the diagonal blocks of W_O T can "
      "be "
      "made up for, by W_V.";
  claim.how_checked =
      "The counterexample search finds weights for which the two networks differ, and where h > 1 also with the "
      "diagonal "
      "blocks of W_O T absorbed in W_V.";
  claim.false_on_purpose = true;
  claim.build = build_both;
  claim.search_sizes = [](const std::string&) { return scalar_sizes(1, 2); };
  claim.sizes = {"small", "medium"};
  return claim;
}

}  // namespace

void add_skipless(claim::Registry& registry) {
  registry.add(skipless_claim());
  registry.add(both_claim());
}

}  // namespace attest::reparam
