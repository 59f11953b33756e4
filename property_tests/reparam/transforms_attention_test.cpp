#include "reparam/transforms_attention.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/reparam/sides.h"
#include "property_tests/reparam/slips.h"
#include "reparam/single_attention.h"

using namespace attest;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;
using reparam::Projection;
using test::layer_size;

namespace {

// A layer before and after a transform, all inputs free.
struct Transformed {
  claim::Statement statement;
  AttentionSpec spec;
  Expr X;
  AttentionWeights weights;
  Expr X_moved;
  AttentionWeights moved;
};

Transformed layer(const claim::Size& size) {
  Transformed made;
  made.statement = reparam::start_statement(size);
  made.spec = reparam::add_attention_spec(made.statement, size, true);
  made.spec.mask = expr::Mask::causal();
  made.X = made.X_moved = reparam::add_input(made.statement, "X", {size.n, size.d});
  made.weights = made.moved = reparam::add_attention_inputs(made.statement, size);
  return made;
}

Transformed lemma(const claim::Size& size) {
  Transformed made = layer(size);
  const Expr T = reparam::add_invertible(made.statement, "T", size.d, "");
  made.X_moved = made.X * T;
  made.moved = reparam::read_in_basis(made.weights, inverse(T));
  return made;
}

Transformed elimination(const claim::Size& size, Projection projection) {
  Transformed made = layer(size);
  const Expr T = reparam::weight_of(made.weights, projection);
  made.X_moved = made.X * T;
  made.moved = reparam::eliminate(made.weights, projection, inverse(T));
  return made;
}

Transformed merging(const claim::Size& size) {
  Transformed made = layer(size);
  made.moved = reparam::merge_query_into_key(made.weights);
  return made;
}

Transformed head_bases(const claim::Size& size) {
  Transformed made = layer(size);
  reparam::HeadBases bases;
  for (std::int64_t j = 0; j < size.g; ++j) {
    const std::string index = std::to_string(j);
    bases.B.push_back(reparam::add_invertible(made.statement, "B." + index, size.k, ""));
    bases.B_inverse.push_back(inverse(bases.B.back()));
    bases.C.push_back(reparam::add_invertible(made.statement, "C." + index, size.k, ""));
    bases.C_inverse.push_back(inverse(bases.C.back()));
  }
  made.moved = reparam::change_head_bases(made.weights, made.spec, bases);
  return made;
}

Transformed permutation(const claim::Size& size, const std::vector<std::int64_t>& order) {
  Transformed made = layer(size);
  made.moved = reparam::permute_heads(made.weights, made.spec, order);
  return made;
}

Transformed blockwise(const claim::Size& size) {
  Transformed made = layer(size);
  const Expr T = reparam::add_invertible(made.statement, "T", size.d, "");
  std::vector<Expr> P, query;
  for (std::int64_t j = 0; j < size.g; ++j)
    P.push_back(reparam::add_input(made.statement, "P." + std::to_string(j), {size.k, size.k}));
  for (std::int64_t i = 0; i < size.h; ++i)
    query.push_back(columns(T, i * size.k, size.k) * P[static_cast<std::size_t>(kv_head_of(i, made.spec))]);
  made.weights.W_Q = concat_columns(query);
  made.X_moved = made.X * T;
  made.moved = reparam::eliminate_blockwise_query(made.weights, P, inverse(T));
  return made;
}

test::Agreement agreement(const Transformed& made, Expr X_moved, const AttentionWeights& moved) {
  claim::Statement statement = made.statement;
  statement.equations = {{"output", attention(made.X, made.weights, made.spec), attention(X_moved, moved, made.spec)}};
  return test::in_prime_fields(statement, 1);
}

std::vector<Expr> inputs_of(const Transformed& made) {
  std::vector<Expr> inputs;
  for (const claim::Input& input : made.statement.inputs)
    inputs.push_back(made.statement.graph->input(input.name, input.shape));
  return inputs;
}

// The transform preserves the layer, and no single slip in one of its weights does.
void check_transform(const std::string& name, const Transformed& made, int least_mutants) {
  CHECK(agreement(made, made.X_moved, made.moved).equal == 1);
  const std::vector<Expr> inputs = inputs_of(made);
  int mutants = 0;
  const auto check_all = [&](const char* weight, Expr right,
                             const std::function<void(Expr, Expr&, AttentionWeights&)>& set) {
    for (const test::Mutant& mutant : test::mutants_of(right, inputs)) {
      Expr X_moved = made.X_moved;
      AttentionWeights moved = made.moved;
      set(mutant.expression, X_moved, moved);
      INFO(name << ", " << weight << ": " << mutant.what);
      CHECK(agreement(made, X_moved, moved).different == 1);
      ++mutants;
    }
  };
  check_all("X", made.X_moved, [](Expr wrong, Expr& X, AttentionWeights&) { X = wrong; });
  check_all("W_Q", made.moved.W_Q, [](Expr wrong, Expr&, AttentionWeights& w) { w.W_Q = wrong; });
  check_all("W_K", made.moved.W_K, [](Expr wrong, Expr&, AttentionWeights& w) { w.W_K = wrong; });
  check_all("W_V", made.moved.W_V, [](Expr wrong, Expr&, AttentionWeights& w) { w.W_V = wrong; });
  check_all("W_O", made.moved.W_O, [](Expr wrong, Expr&, AttentionWeights& w) { w.W_O = wrong; });
  CAPTURE(name);
  CHECK(mutants >= least_mutants);
}

}  // namespace

TEST_CASE("a basis change preserves the layer, and no slip in one of its weights does", "[reparam][transforms]") {
  check_transform("lemma", lemma(layer_size(3, 4, 2, 2, 2)), 40);
  check_transform("lemma, grouped", lemma(layer_size(3, 4, 4, 2, 1)), 20);
}

TEST_CASE("each elimination preserves the layer, and no slip in one of its weights does", "[reparam][transforms]") {
  for (const Projection projection : {Projection::query, Projection::key, Projection::value})
    check_transform(std::string("elimination of ") + reparam::weight_name(projection),
                    elimination(layer_size(3, 4, 2, 2, 2), projection), 30);
  check_transform("elimination of W_Q, grouped", elimination(layer_size(3, 4, 4, 2, 1), Projection::query), 15);
}

TEST_CASE("merging query and key preserves the layer, and no slip does", "[reparam][transforms]") {
  check_transform("merging", merging(layer_size(3, 4, 1, 1, 4)), 15);
}

TEST_CASE("changes of head bases and permutations preserve the layer, and no slip does", "[reparam][transforms]") {
  check_transform("head bases", head_bases(layer_size(3, 4, 4, 2, 2)), 20);
  check_transform("heads reversed", permutation(layer_size(3, 4, 4, 2, 1), {3, 2, 1, 0}), 8);
  check_transform("heads exchanged in a group", permutation(layer_size(3, 4, 4, 2, 1), {1, 0, 2, 3}), 8);
}

TEST_CASE("eliminating a blockwise query preserves the layer, and no slip does", "[reparam][transforms]") {
  check_transform("blockwise query", blockwise(layer_size(3, 4, 2, 2, 2)), 30);
  check_transform("blockwise query, grouped", blockwise(layer_size(3, 8, 4, 2, 2)), 20);
}

TEST_CASE("overwriting the query preserves nothing", "[reparam][transforms]") {
  const Transformed made = layer(layer_size(3, 4, 2, 2, 2));
  CHECK(agreement(made, made.X, reparam::overwrite_query(made.weights)).different == 1);
}

TEST_CASE("a head permutation that tears a KV group apart is an input error", "[reparam][transforms]") {
  const Transformed made = layer(layer_size(2, 4, 4, 2, 1));
  const auto permute = [&](const std::vector<std::int64_t>& order) {
    return reparam::permute_heads(made.weights, made.spec, order);
  };
  CHECK_THROWS_AS(permute({0, 2, 1, 3}), InputError);
  CHECK_THROWS_AS(permute({0, 1, 2}), InputError);
  CHECK_THROWS_AS(permute({0, 1, 2, 2}), InputError);
  CHECK_NOTHROW(permute({3, 2, 0, 1}));
}
