#include "core/claim/recipe.h"

#include "core/support/check.h"

namespace attest::claim {
namespace {

using expr::Expr;
using expr::Graph;
using expr::Structure;

Expr orthogonal(Graph& graph, const std::string& name, std::int64_t n) {
  const Expr S = graph.input(name + "/S", {n, n});
  const Expr skew = S - transpose(S);
  const Expr I = graph.identity(n);
  const Expr D = graph.input(name + "/D", {n, n}, Structure::diagonal_signs);
  return D * ((I - skew) * inverse(I + skew));
}

Expr block_diagonal(Graph& graph, const Input& input) {
  const std::int64_t n = input.shape.rows, width = input.recipe.block;
  ATTEST_CHECK(width > 0 && n % width == 0 && input.shape.rows == input.shape.cols, "blocks must tile the diagonal");
  std::vector<Expr> bands;
  for (std::int64_t b = 0; b < n / width; ++b) {
    const std::string name = input.name + "/" + std::to_string(b / input.recipe.group);
    std::vector<Expr> band;
    if (b > 0) band.push_back(graph.zeros({width, b * width}));
    band.push_back(graph.input(name, {width, width}));
    if ((b + 1) * width < n) band.push_back(graph.zeros({width, n - (b + 1) * width}));
    bands.push_back(expr::concat_columns(band));
  }
  return expr::concat_rows(bands);
}

// ((1 - t^2) / (1 + t^2), 2 t / (1 + t^2)): every rational point of the circle but (-1, 0).
Expr unit_circle(Graph& graph, const Input& input) {
  const Expr t = graph.input(input.name + "/t", {1, input.shape.cols});
  const Expr one = graph.ones(t.shape());
  const Expr scale = apply(expr::Function::reciprocal, one + hadamard(t, t));
  return expr::concat_rows({hadamard(one - hadamard(t, t), scale), hadamard(Rational(2) * t, scale)});
}

// The order in which inputs are made is the order in which a search walks them: one statement each, since C++ leaves
// the order of operands open.
Expr invertible(Graph& graph, const Input& input) {
  const Expr L = graph.input(input.name + "/L", input.shape, Structure::unit_lower);
  const Expr U = graph.input(input.name + "/U", input.shape, Structure::upper);
  return L * U;
}

Expr singular(Graph& graph, const Input& input) {
  const std::int64_t rank = input.recipe.rank >= 0 ? input.recipe.rank : input.shape.rows - 1;
  if (rank == 0) return graph.zeros(input.shape);
  const Expr A = graph.input(input.name + "/A", {input.shape.rows, rank});
  const Expr B = graph.input(input.name + "/B", {rank, input.shape.cols});
  return A * B;
}

}  // namespace

Expr recipe_expression(Graph& graph, const Input& input, const KeptInputs& kept) {
  const expr::Shape shape = input.shape;
  switch (input.recipe.kind) {
    case Recipe::Kind::general:
      break;
    case Recipe::Kind::invertible:
      if (kept.invertible) break;
      return invertible(graph, input);
    case Recipe::Kind::singular:
      if (kept.singular) break;
      return singular(graph, input);
    case Recipe::Kind::orthogonal:
      return orthogonal(graph, input.name, shape.rows);
    case Recipe::Kind::block_diagonal:
      return block_diagonal(graph, input);
    case Recipe::Kind::unit_circle:
      return unit_circle(graph, input);
    case Recipe::Kind::diagonal:
      return scale_rows(graph.input(input.name + "/diagonal", {shape.rows, 1}), graph.identity(shape.rows));
    case Recipe::Kind::symmetric: {
      const Expr S = graph.input(input.name + "/S", shape);
      return S + transpose(S);
    }
  }
  return graph.input(input.name, shape);
}

Parametrized parametrize(const Statement& statement, const KeptInputs& kept) {
  Parametrized result;
  result.statement.graph = statement.graph;
  result.statement.ledger = statement.ledger;
  Graph& graph = *statement.graph;
  std::map<const expr::Node*, Expr> replacement;
  std::vector<Expr> expressions;
  for (const Input& input : statement.inputs) {
    const Expr expression = recipe_expression(graph, input, kept);
    result.originals.emplace(input.name, expression);
    const Expr original = graph.input(input.name, input.shape);
    if (expression != original) replacement[original.address()] = expression;
    expressions.push_back(expression);
  }
  for (const expr::Node* node : expr::inputs_of(expressions))
    result.statement.inputs.push_back({node->name, node->shape, {}});
  const auto replaced = [&](const Condition& condition) {
    return Condition{condition.kind, expr::substitute(condition.operands, replacement), condition.hypothesis};
  };
  for (const Condition& condition : statement.conditions) result.statement.conditions.push_back(replaced(condition));
  for (const Condition& condition : statement.necessary) result.statement.necessary.push_back(replaced(condition));
  for (const Equation& equation : statement.equations)
    result.statement.equations.push_back({equation.label, expr::substitute(equation.expected, replacement),
                                          expr::substitute(equation.constructed, replacement)});
  return result;
}

}  // namespace attest::claim
