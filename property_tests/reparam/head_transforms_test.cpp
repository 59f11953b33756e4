#include <catch2/catch.hpp>

#include "property_tests/reparam/network_mutants.h"
#include "reparam/network.h"
#include "reparam/transforms.h"

namespace attest::test {

using claim::Recipe;
using claim::Size;
using expr::Expr;
using expr::layer_weight;
using expr::Weights;
using reparam::Projection;
using reparam::Skips;

namespace {

Transformed network(const std::string& name, const Size& size, Skips skips) {
  Transformed made{name, reparam::network_statement(size), {}, {}, {}, {}};
  made.spec = reparam::network_spec(made.statement, size, skips, true);
  made.weights = reparam::add_weights(made.statement, made.spec);
  return made;
}

Expr block_input(Transformed& made, const Size& size, std::int64_t layer) {
  return reparam::ensure_input(made.statement, layer_weight("B", layer), {size.d, size.d},
                               {.kind = Recipe::Kind::block_diagonal, .block = size.k, .group = size.h / size.g});
}

// Replaces the layers' weights of this name by invertible ones.
void make_invertible(Transformed& made, const char* base) {
  for (std::int64_t layer = 1; layer <= made.spec.layers; ++layer) {
    Expr& weight = made.weights.at(layer_weight(base, layer));
    weight = reparam::ensure_input(made.statement, layer_weight("R", layer), weight.shape(),
                                   {.kind = Recipe::Kind::invertible});
    reparam::require_invertible(made.statement, weight);
  }
}

const Size multi_head{"multi-head", 3, 4, 2, 2, 2, 2, 6};
const Size grouped{"grouped", 3, 8, 4, 2, 2, 2, 6};

}  // namespace

TEST_CASE("every wrong entry of a head-basis change is noticed", "[reparam][head_transforms][mutants]") {
  for (const Size& size : {multi_head, grouped}) {
    Transformed made = network("head_basis, " + size.name, size, Skips::both);
    const Expr B = block_input(made, size, 2);
    const auto order = reparam::rotated_order(made.spec.attention);
    made.weights["W_Q.2"] =
        made.weights.at("W_Q.1") * reparam::reorder_columns(B, reparam::inverse_order(order), size.k);
    const Expr one = made.statement.graph->identity(size.d);
    made.moved =
        reparam::head_basis(made.weights, made.spec, {{one, reparam::same_order(made.spec.attention)}, {B, order}});
    CHECK(require_mutants_killed(made) >= 25);
  }
}

TEST_CASE("every wrong entry of a serial network without skips is noticed", "[reparam][head_transforms][mutants]") {
  Transformed queries = network("skipless_serial, query", multi_head, Skips::none);
  queries.moved = reparam::skipless_serial(queries.weights, queries.spec, Projection::query);
  CHECK(require_mutants_killed(queries) >= 25);
  for (const auto& [projection, base] : {std::pair{Projection::key, "W_K"}, {Projection::value, "W_V"}}) {
    Transformed made = network(std::string("skipless_serial, ") + base, multi_head, Skips::none);
    make_invertible(made, base);
    made.moved = reparam::skipless_serial(made.weights, made.spec, projection);
    CHECK(require_mutants_killed(made) >= 20);
  }
}

TEST_CASE("every wrong entry of a parallel network without skips is noticed", "[reparam][head_transforms][mutants]") {
  for (const Size& size : {multi_head, grouped}) {
    Transformed made = network("skipless_parallel_query, " + size.name, size, Skips::none);
    made.spec.parallel = true;
    made.moved = reparam::skipless_parallel_query(made.weights, made.spec);
    CHECK(require_mutants_killed(made) >= 25);
    make_invertible(made, "W_O");
    made.name = "skipless_parallel_output, " + size.name;
    made.moved = reparam::skipless_parallel_output(made.weights, made.spec);
    CHECK(require_mutants_killed(made) >= 20);
    const Expr B = block_input(made, size, 2);
    made.name = "skipless_parallel_blocks, " + size.name;
    made.weights["W_Q.2"] = inverse(made.weights.at("W_O.1")) * B;
    made.moved = reparam::skipless_parallel_blocks(made.weights, made.spec, {B});
    CHECK(require_mutants_killed(made) >= 25);
  }
}

TEST_CASE("orders of heads keep groups together and can be undone", "[reparam][head_transforms]") {
  expr::AttentionSpec spec;
  spec.heads = 6;
  spec.kv_heads = 3;
  const auto order = reparam::rotated_order(spec);
  CHECK(order == reparam::HeadOrder{3, 2, 5, 4, 1, 0});
  const auto back = reparam::inverse_order(order);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(back[static_cast<std::size_t>(order[i])] == std::int64_t(i));
  CHECK(reparam::same_order(spec) == reparam::HeadOrder{0, 1, 2, 3, 4, 5});
}

}  // namespace attest::test
