#include "reparam/claims.h"
#include "reparam/network.h"
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

std::vector<Basis> everywhere(const TransformerSpec& spec, Expr T) {
  return std::vector<Basis>(static_cast<std::size_t>(stream_points(spec)), basis_of(T));
}

Statement build_claim(const Size& size) {
  Statement statement = network_statement(size);
  TransformerSpec spec = network_spec(statement, size, Skips::both, true);
  spec.positions = spec.biases = true;
  const Weights weights = add_weights(statement, spec);
  const Expr T = ensure_input(statement, "T", {size.d, size.d}, {.kind = Recipe::Kind::invertible});
  require_invertible(statement, T);
  require_same_function(statement, "serial blocks", weights, change_basis(weights, spec, everywhere(spec, T)), spec);
  if (claim::is_real_size(size)) return statement;
  spec.parallel = true;
  require_same_function(statement, "parallel blocks", weights, change_basis(weights, spec, everywhere(spec, T)), spec);
  return statement;
}

// A basis of its own at every point of the stream, not all equal. Equal logits (W_Q = W_K = 0) suffice.
Statement build_different_bases(const Size& size) {
  Statement statement = network_statement(size);
  TransformerSpec spec = network_spec(statement, size, Skips::both, false);
  spec.readout = false;
  Weights weights;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    const bool logits = name.starts_with("W_Q") || name.starts_with("W_K");
    weights[name] = logits ? statement.graph->zeros(shape) : ensure_input(statement, name, shape);
  }
  std::vector<Basis> points;
  std::vector<Expr> all;
  for (std::int64_t point = 0; point < stream_points(spec); ++point) {
    const Expr T =
        ensure_input(statement, expr::layer_weight("T", point), {size.d, size.d}, {.kind = Recipe::Kind::invertible});
    statement.conditions.push_back({Condition::Kind::invertible, {T}, ""});
    points.push_back(basis_of(T));
    all.push_back(T);
  }
  const std::vector<Expr> without_last(all.begin(), all.end() - 1), without_first(all.begin() + 1, all.end());
  statement.conditions.push_back({Condition::Kind::different,
                                  {expr::concat_columns(without_last), expr::concat_columns(without_first)},
                                  "equal_bases"});
  expr::Graph& graph = *statement.graph;
  statement.equations.push_back({"last residual stream in the basis T.N",
                                 network_output(graph, weights, spec) * all.back(),
                                 network_output(graph, change_basis(weights, spec, points), spec)});
  return statement;
}

}  // namespace

void add_local_basis(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.local_basis";
  claim.kind = claim::Kind::construction;
  claim.statement =
      "sub-blocks l = 1..N, all with skips, reads T_(l-1)^-1 *, writes * T_l, embedding * T_0, readout T_N^-1 *: the "
      "function is preserved for all parameter values iff T_0 = ... = T_N (row function and activation not identically "
      "0)";
  claim.formula =
      "f(\\cdot\\,; \\theta) = f(\\cdot\\,; \\theta^{T_0, \\ldots, T_N}) \\text{ for all } \\theta \\iff "
      "T_0 = T_1 = \\cdots = T_N";
  claim.source = "Karbevski, Skip connections are gauge fixes";
  claim.proof_idea =
      "If: one global change of basis. Only if: with all writes zero T_N = T_0; with only sub-block j writing its "
      "output "
      "T_j T_0^-1 must commute with every W, so it is a number, and that number is 1 by induction over j.";
  claim.how_checked =
      "The direction from equal bases is evaluated on whole networks with biases, serial and parallel; the other one "
      "is "
      "the ablation: bases that are not all equal fail for some parameters.";
  claim.hypotheses = {{"equal_bases", "T_0 = T_1 = ... = T_N"}};
  claim.build = [](const Request& request) {
    return request.dropped.empty() ? build_claim(request.size) : build_different_bases(request.size);
  };
  claim.search_sizes = [](const std::string&) { return scalar_sizes(1, 1); };
  claim.sizes = {"small", "medium"};
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
