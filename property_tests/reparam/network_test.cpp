#include "reparam/network.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"

namespace attest::test {

using claim::Size;
using claim::Statement;
using reparam::Skips;

namespace {

const Size size{"network", 2, 4, 2, 2, 2, 3, 5};

std::vector<std::string> names_of(const Statement& statement) {
  std::vector<std::string> names;
  for (const claim::Input& input : statement.inputs) names.push_back(input.name);
  return names;
}

}  // namespace

TEST_CASE("a network needs a square query weight", "[reparam][network]") {
  CHECK_THROWS_WITH(reparam::network_statement({"wide", 2, 4, 2, 2, 4, 1, 5}), Catch::Contains("h k = d"));
  CHECK_THROWS_AS(reparam::network_statement({"no tokens", 0, 4, 2, 2, 2, 1, 5}), InputError);
}

TEST_CASE("patterns of skips are laid out layer by layer", "[reparam][network]") {
  Statement statement = reparam::network_statement(size);
  const auto spec_of = [&](Skips skips) { return reparam::network_spec(statement, size, skips, true); };
  CHECK(spec_of(Skips::both).attention_skip == std::vector<bool>{true, true, true});
  CHECK(spec_of(Skips::attention).mlp_skip == std::vector<bool>{false, false, false});
  CHECK(spec_of(Skips::mlp).mlp_skip == std::vector<bool>{true, true, true});
  CHECK(spec_of(Skips::none).attention_skip == std::vector<bool>{false, false, false});
  CHECK(spec_of(Skips::mixed).attention_skip == std::vector<bool>{true, false, false});
  CHECK(spec_of(Skips::mixed).mlp_skip == std::vector<bool>{false, true, false});
  CHECK(names_of(statement) == std::vector<std::string>{"s"});
}

TEST_CASE("an input is added once and query weights are required to be invertible once", "[reparam][network]") {
  Statement statement = reparam::network_statement(size);
  const auto spec = reparam::network_spec(statement, size, Skips::both, false);
  const auto first = reparam::add_weights(statement, spec), second = reparam::add_weights(statement, spec);
  CHECK(first == second);
  CHECK(statement.inputs.size() == expr::weight_shapes(spec).size());
  CHECK(statement.conditions.size() == 3);
}

TEST_CASE("shared weights are one input and zero weights none", "[reparam][network]") {
  Statement statement = reparam::network_statement(size);
  const auto spec = reparam::network_spec(statement, size, Skips::both, false);
  const auto weights = reparam::add_weights(statement, spec, {"W_Q", "W_K"}, {"W_1", "W_2"});
  CHECK(weights.at("W_K.1") == weights.at("W_K.3"));
  CHECK(weights.at("W_K.1").node().name == "W_K");
  CHECK(weights.at("W_1.2") == statement.graph->zeros({4, 5}));
  CHECK(names_of(statement) ==
        std::vector<std::string>{"E", "W_Q", "W_K", "W_V.1", "W_O.1", "W_V.2", "W_O.2", "W_V.3", "W_O.3", "U"});
  CHECK(statement.conditions.size() == 1);
  CHECK(reparam::bases_but_query(spec) == std::vector<std::string>{"W_K", "W_V", "W_O", "W_1", "W_2"});
}

TEST_CASE("a readout bias is added to every row of the output", "[reparam][network]") {
  Statement statement = reparam::network_statement(size);
  const auto spec = reparam::network_spec(statement, size, Skips::both, false);
  auto weights = reparam::add_weights(statement, spec);
  const expr::Expr plain = reparam::network_output(*statement.graph, weights, spec);
  weights["b_U"] = statement.graph->input("b_U", {1, 2});
  CHECK(reparam::network_output(*statement.graph, weights, spec) == expr::add_bias(plain, weights["b_U"]));
}

}  // namespace attest::test
