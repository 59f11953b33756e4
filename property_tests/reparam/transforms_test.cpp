#include "reparam/transforms.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/reparam/network_mutants.h"
#include "reparam/network.h"

namespace attest::test {

using claim::Size;
using claim::Statement;
using expr::TransformerSpec;
using expr::Weights;
using reparam::Skips;

namespace {

const Size size{"mutants", 3, 4, 2, 2, 2, 2, 6};

// A network with biases and positions and the invisible key biases noted.
Transformed biased(const std::string& name, Skips skips) {
  Transformed made{name, reparam::network_statement(size), {}, {}, {}, {"b_K.1", "b_K.2"}};
  made.spec = reparam::network_spec(made.statement, size, skips, true);
  made.spec.biases = made.spec.positions = true;
  made.weights = reparam::add_weights(made.statement, made.spec);
  return made;
}

}  // namespace

TEST_CASE("every wrong entry of a single-layer basis change is noticed", "[reparam][transforms][mutants]") {
  for (const Skips skips : {Skips::both, Skips::none}) {
    Transformed made = biased("single_layer, " + to_string(skips), skips);
    made.moved = reparam::single_layer(made.weights, made.spec, 2);
    CHECK(require_mutants_killed(made) >= 40);
  }
}

TEST_CASE("every wrong entry of a telescoped network is noticed", "[reparam][transforms][mutants]") {
  for (const Skips skips : {Skips::attention, Skips::mlp, Skips::none, Skips::mixed}) {
    Transformed made = biased("telescope, " + to_string(skips), skips);
    made.moved = reparam::telescope(made.weights, made.spec);
    CHECK(require_mutants_killed(made) >= 30);
  }
}

TEST_CASE("every wrong entry of an affine basis change is noticed", "[reparam][transforms][mutants]") {
  for (const Skips skips : {Skips::attention, Skips::mlp, Skips::none}) {
    Transformed made = biased("affine_telescope, " + to_string(skips), skips);
    made.moved = reparam::affine_telescope(made.weights, made.spec);
    CHECK(require_mutants_killed(made) >= 40);
  }
}

TEST_CASE("every wrong entry of a shared basis change is noticed", "[reparam][transforms][mutants]") {
  Transformed made = biased("shared_query", Skips::both);
  made.weights = reparam::add_weights(made.statement, made.spec, {"W_Q"});
  made.moved = reparam::shared_query(made.weights, made.spec);
  CHECK(require_mutants_killed(made) >= 40);
  made.name = "affine_shared_query";
  made.moved = reparam::affine_shared_query(made.weights, made.spec);
  CHECK(require_mutants_killed(made) >= 40);
}

TEST_CASE("every wrong entry of a gated network's basis change is noticed", "[reparam][transforms][mutants]") {
  Transformed made{"single_layer, gated", reparam::network_statement(size), {}, {}, {}, {}};
  made.spec = reparam::network_spec(made.statement, size, Skips::both, true);
  made.spec.gated = true;
  made.weights = reparam::add_weights(made.statement, made.spec);
  made.moved = reparam::single_layer(made.weights, made.spec, 1);
  CHECK(require_mutants_killed(made) >= 30);
}

TEST_CASE("a shift that has no bias to go into is an error", "[reparam][transforms]") {
  Transformed made = biased("no bias", Skips::none);
  TransformerSpec bare = made.spec;
  bare.biases = false;
  const Weights weights = reparam::add_weights(made.statement, bare);
  const auto bases = reparam::query_bases(made.weights, made.spec, true);
  CHECK_THROWS_WITH(reparam::telescope(weights, bare, bases), Catch::Contains("W_Q.1"));
}

TEST_CASE("the bases of a telescope follow the skips", "[reparam][transforms]") {
  Statement statement = reparam::network_statement(size);
  for (const Skips skips : {Skips::attention, Skips::mlp, Skips::none}) {
    const TransformerSpec spec = reparam::network_spec(statement, size, skips, true);
    const Weights weights = reparam::add_weights(statement, spec);
    const auto bases = reparam::query_bases(weights, spec, false);
    const auto points = reparam::telescoping_points(spec, bases);
    REQUIRE(points.size() == 5);
    CHECK(reparam::stream_points(spec) == 5);
    const expr::Expr standard = statement.graph->identity(size.d);
    const expr::Expr middle = skips == Skips::attention ? bases[0].T : skips == Skips::mlp ? bases[1].T : standard;
    CHECK(points[0].T == bases[0].T);
    CHECK(points[1].T == middle);
    CHECK(points[2].T == bases[1].T);
    CHECK(points[4].T == standard);
  }
}

}  // namespace attest::test
