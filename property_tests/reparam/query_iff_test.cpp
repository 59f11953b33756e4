#include <catch2/catch.hpp>

#include "core/claim/instance.h"
#include "core/support/error.h"
#include "property_tests/reparam/sides.h"
#include "reparam/query_iff_decide.h"
#include "reparam/single_attention.h"

using namespace attest;
using test::layer_size;

TEST_CASE("a singular W_Q can be eliminated where its blocks are those of an invertible T", "[reparam][query_iff]") {
  test::check_claim_side("reparam.query_iff", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2),
                                               layer_size(3, 4, 4, 2, 1), layer_size(2, 4, 2, 1, 2)});
}

TEST_CASE("each condition of query_iff is necessary", "[reparam][query_iff]") {
  test::check_ablation("reparam.query_iff", "independence",
                       {layer_size(1, 2, 2, 2, 1), layer_size(1, 4, 2, 2, 2), layer_size(1, 4, 4, 2, 1)});
  test::check_ablation("reparam.query_iff", "equal_rows", {layer_size(1, 2, 2, 1, 1), layer_size(1, 4, 2, 1, 2)});
}

TEST_CASE("the construction of query_iff fails under QK-norm and RoPE", "[reparam][query_iff]") {
  test::check_ablation("reparam.query_iff", "no_qk_norm", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 1, 2)});
  test::check_ablation("reparam.query_iff", "no_rope", {layer_size(2, 2, 1, 1, 2), layer_size(3, 4, 2, 2, 2)});
}

TEST_CASE("sizes at which a hypothesis of query_iff is empty are input errors", "[reparam][query_iff]") {
  const auto& claim = test::claim_named("reparam.query_iff");
  CHECK_THROWS_AS(claim.build({layer_size(1, 2, 1, 1, 2), "independence"}), InputError);
  CHECK_THROWS_AS(claim.build({layer_size(1, 2, 2, 2, 1), "equal_rows"}), InputError);
  CHECK_THROWS_AS(claim.build({layer_size(1, 4, 2, 2, 1), ""}), InputError);
}

TEST_CASE("the decider answers no on the instances of both ablations", "[reparam][query_iff]") {
  const auto& claim = test::claim_named("reparam.query_iff");
  const claim::Size size = layer_size(1, 4, 2, 2, 2);
  const auto statement = claim.build({size, "independence"});
  int checked = 0;
  for (std::uint64_t i = 0; i < 20; ++i) {
    const auto instance = claim::draw_instance(statement, RandomStream(3).child(i));
    if (claim::satisfies(statement, instance) != Truth::yes) continue;
    ++checked;
    CHECK(reparam::decide_query_iff(instance.at("W_Q"), instance.at("W_K"), size.h, size.g, size.k).obstruction);
  }
  CHECK(checked > 5);
}

TEST_CASE("under RoPE the logits of a head with B = 0 need not vanish", "[reparam][query_iff]") {
  claim::Statement statement = reparam::start_statement(layer_size(2, 2, 1, 1, 2));
  expr::Graph& graph = *statement.graph;
  const auto unit = [&](std::int64_t place) {
    RationalMatrix matrix(2, 2);
    matrix.at(place, place) = 1;
    return graph.constant(matrix);
  };
  RationalMatrix quarter_turn(2, 1);
  quarter_turn.at(1, 0) = 1;
  expr::AttentionWeights weights;
  weights.W_Q = unit(0);
  weights.W_K = weights.W_V = unit(1);
  expr::AttentionSpec spec = reparam::attention_spec(layer_size(2, 2, 1, 1, 2), graph, false);
  spec.scale = graph.ones({1, 1});
  const expr::Expr X = graph.ones({2, 2}), zeros = graph.zeros({2, 2});
  const auto logits = [&] { return attention_logits(X, X, weights, spec).front(); };
  statement.equations = {{"without positions", zeros, logits()}};
  CHECK(test::in_rationals(statement, 1).equal == 1);
  spec.rope = expr::Rope{graph.constant(quarter_turn)};
  statement.equations = {{"with RoPE", zeros, logits()}};
  CHECK(test::in_rationals(statement, 1).different == 1);
}
