#include "core/support/error.h"
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
using expr::Expr;
using expr::TransformerSpec;
using expr::Weights;

// Both skips; W_Q is one matrix, and so are the weights with the listed base names.
Statement build_claim(const Size& size, bool share_all) {
  Statement statement = network_statement(size);
  TransformerSpec spec = network_spec(statement, size, Skips::both, true);
  spec.positions = true;
  std::vector<std::string> shared{"W_Q"};
  if (share_all) {
    const std::vector<std::string> others = bases_but_query(spec);
    shared.insert(shared.end(), others.begin(), others.end());
  }
  const Weights weights = add_weights(statement, spec, shared);
  require_same_function(statement, share_all ? "all weights shared" : "W_Q shared", weights,
                        shared_query(weights, spec), spec);
  return statement;
}

void drop_invertible(Statement& statement, const Size& size) {
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  const SingularMatrix singular = add_singular(statement, "W_Q", size.d);
  statement.conditions.push_back({Condition::Kind::singular, {singular.matrix}, "invertible"});
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    const std::string base = name.substr(0, name.find('.'));
    weights[name] = base == "W_Q" ? singular.matrix : ensure_input(statement, size.L == 1 ? name : base, shape);
  }
  const Basis basis{singular.matrix, singular.pseudo_inverse, {}};
  expr::Graph& graph = *statement.graph;
  // Back in the standard basis: what a readout T^-1 U would read.
  statement.equations.push_back({"last residual stream", network_output(graph, weights, spec),
                                 network_output(graph, shared_query(weights, spec, basis), spec) * basis.T_inverse});
}

// Different W_Q.l, one basis W_Q.1: the other layers' queries are not I in it. The MLPs are zero, the other weights
// shared: even then it fails.
void drop_sharing(Statement& statement, const Size& size, const std::string& hypothesis) {
  if (size.L < 2)
    throw InputError("size " + size.name + ": L = " + std::to_string(size.L) +
                     "; without sharing two layers are needed, choose a size with L >= 2");
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  const Weights weights = add_weights(statement, spec, {"W_K", "W_V", "W_O"}, {"W_1", "W_2"});
  statement.conditions.push_back({Condition::Kind::different, {weights.at("W_Q.1"), weights.at("W_Q.2")}, hypothesis});
  expr::Graph& graph = *statement.graph;
  statement.equations.push_back({"last residual stream in the basis of W_Q.1",
                                 network_output(graph, weights, spec) * weights.at("W_Q.1"),
                                 network_output(graph, shared_query(weights, spec), spec)});
}

Statement build(const Request& request, bool share_all) {
  if (request.dropped.empty()) return build_claim(request.size, share_all);
  Statement statement = network_statement(request.size);
  if (request.dropped == "invertible")
    drop_invertible(statement, request.size);
  else
    drop_sharing(statement, request.size, request.dropped);
  return statement;
}

Claim shared_claim(bool share_all) {
  Claim claim;
  claim.kind = claim::Kind::construction;
  claim.proof_idea =
      "One basis T = W_Q serves every layer, so that it may run along both skips; every layer's query is T^-1 W_Q = I.";
  claim.how_checked = "Both networks are evaluated, L layers with both skips, positions and a free scale.";
  claim.build = [share_all](const Request& request) { return build(request, share_all); };
  claim.search_sizes = [](const std::string& dropped) {
    return dropped == "invertible" ? scalar_sizes(1, 1) : scalar_sizes(2, 2);
  };
  claim.sizes = {"small", "medium", "gpt2-small"};
  return claim;
}

}  // namespace

void add_shared(claim::Registry& registry) {
  Claim all = shared_claim(true);
  all.id = "reparam.shared_weights";
  all.statement = "both skips: if all layers share all weights, one change of basis T = W_Q makes every query weight I";
  all.formula =
      "W_Q \\mapsto I, \\quad E \\mapsto E T, \\quad W_{K,V,1} \\mapsto T^{-1} W_{K,V,1}, \\quad "
      "W_{O,2} \\mapsto W_{O,2} T, \\quad U \\mapsto T^{-1} U, \\quad T = W_Q";
  all.source = "Karbevski and Mijoski, arXiv 2510.23912";
  all.hypotheses = {{"invertible", "W_Q is invertible"}, {"sharing", "all layers share their weights"}};
  registry.add(std::move(all));

  Claim query = shared_claim(false);
  query.id = "reparam.shared_query_only";
  query.statement =
      "both skips: it is enough that all layers share W_Q; W_K, W_V, W_O and the MLPs may differ from layer to layer";
  query.formula =
      "W_Q^{(1)} = \\cdots = W_Q^{(L)} = T: \\quad W_Q^{(l)} \\mapsto I, \\quad "
      "W_{K,V,1}^{(l)} \\mapsto T^{-1} W_{K,V,1}^{(l)}, \\quad W_{O,2}^{(l)} \\mapsto W_{O,2}^{(l)} T";
  query.source =
      "derived here, proof in reparam/README.md; weakens a hypothesis of Karbevski and Mijoski, arXiv 2510.23912";
  query.hypotheses = {{"invertible", "W_Q is invertible"}, {"same_query", "all layers have the same W_Q"}};
  registry.add(std::move(query));
}

}  // namespace attest::reparam
