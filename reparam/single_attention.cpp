#include "reparam/single_attention.h"

#include <algorithm>

#include "core/support/error.h"

namespace attest::reparam {

using claim::Condition;
using claim::Recipe;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

namespace {
// The pseudo-inverse of a product inverts two matrices of this size at most, also where d is that of a real model.
constexpr std::int64_t largest_deficient_rank = 8;
}  // namespace

const char* const karbevski_mijoski = "Karbevski and Mijoski, arXiv 2510.23912";
const char* const derived_here = "derived in reparam/README.md";

Statement start_statement(const Size& size) {
  claim::require_valid(size);
  Statement statement;
  statement.graph = std::make_shared<expr::Graph>();
  return statement;
}

AttentionSpec attention_spec(const Size& size, expr::Graph& graph, bool free_scale) {
  AttentionSpec spec;
  spec.heads = size.h;
  spec.kv_heads = size.g;
  spec.width = size.k;
  if (free_scale) spec.scale = graph.input("s", {1, 1});
  return spec;
}

AttentionSpec add_attention_spec(Statement& statement, const Size& size, bool free_scale) {
  if (free_scale) add_input(statement, "s", {1, 1});
  return attention_spec(size, *statement.graph, free_scale);
}

Expr add_input(Statement& statement, const std::string& name, expr::Shape shape, Recipe recipe) {
  statement.inputs.push_back({name, shape, recipe});
  return statement.graph->input(name, shape);
}

AttentionWeights add_attention_inputs(Statement& statement, const Size& size, Recipe query_recipe) {
  return {add_input(statement, "W_Q", {size.d, size.h * size.k}, query_recipe),
          add_input(statement, "W_K", {size.d, size.g * size.k}),
          add_input(statement, "W_V", {size.d, size.g * size.k}),
          add_input(statement, "W_O", {size.h * size.k, size.d}),
          {},
          {},
          {},
          {}};
}

Expr add_invertible(Statement& statement, const std::string& name, std::int64_t d, const std::string& hypothesis) {
  const Expr matrix = add_input(statement, name, {d, d}, {.kind = Recipe::Kind::invertible});
  statement.conditions.push_back({Condition::Kind::invertible, {matrix}, hypothesis});
  return matrix;
}

SingularMatrix add_singular(Statement& statement, const std::string& name, std::int64_t d) {
  if (d == 1) return {statement.graph->zeros({1, 1}), statement.graph->zeros({1, 1})};
  const std::int64_t rank = std::min<std::int64_t>(d - 1, largest_deficient_rank);
  const Expr A = add_input(statement, "A_" + name, {d, rank});
  const Expr B = add_input(statement, "B_" + name, {rank, d});
  statement.conditions.push_back({Condition::Kind::full_rank, {A}, ""});
  statement.conditions.push_back({Condition::Kind::full_rank, {B}, ""});
  const Expr right = transpose(B) * inverse(B * transpose(B));
  const Expr left = inverse(transpose(A) * A) * transpose(A);
  return {A * B, right * left};
}

expr::Rope add_rope_input(Statement& statement, std::int64_t k, expr::Rope::Pairing pairing) {
  if (k % 2 != 0)
    throw InputError("RoPE on heads of width k = " + std::to_string(k) +
                     "; it turns pairs of coordinates: choose an "
                     "even k");
  const Expr rotation = add_input(statement, "rotation", {2, k / 2}, {.kind = Recipe::Kind::unit_circle});
  const Expr cosine = rows(rotation, 0, 1), sine = rows(rotation, 1, 1);
  statement.conditions.push_back({Condition::Kind::equal,
                                  {hadamard(cosine, cosine) + hadamard(sine, sine), statement.graph->ones({1, k / 2})},
                                  ""});
  return {rotation, pairing};
}

std::vector<MaskedSpec> add_masks(Statement& statement, const AttentionSpec& spec, std::int64_t n) {
  std::vector<MaskedSpec> masks;
  const auto add = [&](const std::string& label, expr::Mask mask) {
    masks.push_back({label, spec});
    masks.back().spec.mask = mask;
  };
  add("no mask", expr::Mask::none());
  add("causal mask", expr::Mask::causal());
  add("window of two keys", expr::Mask::window(2));
  add("additive mask", expr::Mask::none());
  masks.back().spec.additive = add_input(statement, "M", {n, n});
  return masks;
}

void add_masked_equations(Statement& statement, const std::vector<MaskedSpec>& masks, Expr X,
                          const AttentionWeights& weights, Expr X_moved, const AttentionWeights& moved) {
  for (const MaskedSpec& mask : masks)
    statement.equations.push_back({"attention output, " + mask.label, expr::attention(X, weights, mask.spec),
                                   expr::attention(X_moved, moved, mask.spec)});
}

Expr rectangular_identity(expr::Graph& graph, expr::Shape shape) {
  return slice(graph.identity(std::max(shape.rows, shape.cols)), 0, 0, shape);
}

Expr block_diagonal(const std::vector<Expr>& blocks) {
  expr::Graph& graph = blocks.front().graph();
  std::int64_t total = 0, before = 0;
  for (const Expr& block : blocks) total += block.cols();
  std::vector<Expr> bands;
  for (const Expr& block : blocks) {
    const std::int64_t after = total - before - block.cols();
    std::vector<Expr> band;
    if (before > 0) band.push_back(graph.zeros({block.rows(), before}));
    band.push_back(block);
    if (after > 0) band.push_back(graph.zeros({block.rows(), after}));
    bands.push_back(concat_columns(band));
    before += block.cols();
  }
  return concat_rows(bands);
}

void require_square_query(const Size& size) {
  if (size.h * size.k != size.d)
    throw InputError("W_Q is " + std::to_string(size.d) + " x " + std::to_string(size.h * size.k) +
                     " (d x h k); eliminating it needs a square W_Q, h k = d");
}

Size search_size(std::int64_t n, std::int64_t d, std::int64_t h, std::int64_t g, std::int64_t k) {
  return {"search", n, d, h, g, k, 1, 1};
}

}  // namespace attest::reparam
