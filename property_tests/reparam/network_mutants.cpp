#include "property_tests/reparam/network_mutants.h"

#include <catch2/catch.hpp>
#include <iostream>

#include "core/claim/evaluate.h"
#include "core/claim/instance.h"
#include "property_tests/reparam/network_checks.h"
#include "reparam/network.h"

namespace attest::test {

using arith::Backend;
using claim::Instance;
using expr::Expr;
using expr::Node;
using expr::Op;
using expr::Weights;

namespace {

struct Mutant {
  std::string weight, variant;
  Expr value;
};

// T for T^-1 throughout; where there is no inverse, the inverse of every square basis.
Expr inverted(Expr value) {
  std::map<const Node*, Expr> replacement;
  for (const Node* node : expr::reachable({value}))
    if (node->op == Op::inverse) replacement[node] = Expr(node->operands[0]);
  if (replacement.empty())
    for (const Node* node : expr::inputs_of({value}))
      if (node->name.starts_with("W_Q")) replacement[node] = inverse(Expr(node));
  return expr::substitute(value, replacement);
}

// W_Q.1 for W_Q.2 and the other way round.
Expr neighbour(Expr value, const Weights& weights) {
  const auto first = weights.find("W_Q.1"), second = weights.find("W_Q.2");
  if (second == weights.end() || first->second == second->second) return value;
  return expr::substitute(value,
                          {{first->second.address(), second->second}, {second->second.address(), first->second}});
}

void add_mutants(std::vector<Mutant>& mutants, const Transformed& transformed, const std::string& name, Expr value) {
  const auto original = transformed.weights.find(name);
  const auto add = [&](const std::string& variant, Expr wrong) {
    if (wrong == value || wrong.shape() != value.shape()) return;
    for (const Mutant& mutant : mutants)
      if (mutant.weight == name && mutant.value == wrong) return;
    mutants.push_back({name, variant, wrong});
  };
  if (original != transformed.weights.end()) add("untransformed", original->second);
  add("T and T^-1 exchanged", inverted(value));
  if (value.rows() == value.cols() && value.rows() > 1 && value.node().op != Op::identity)
    add("transposed", transpose(value));
  add("another layer's T", neighbour(value, transformed.weights));
  const Node& node = value.node();
  if (node.op == Op::add || node.op == Op::subtract) {
    add("second term left out", Expr(node.operands[0]));
    add("first term left out", Expr(node.operands[1]));
  }
  add("zero", value.graph().zeros(value.shape()));
}

std::vector<Mutant> mutants_of(const Transformed& transformed) {
  std::vector<Mutant> mutants;
  for (const auto& [name, value] : transformed.moved) {
    const auto original = transformed.weights.find(name);
    if (original == transformed.weights.end() || original->second != value)
      add_mutants(mutants, transformed, name, value);
  }
  return mutants;
}

struct Arithmetic {
  std::unique_ptr<Backend> backend;
  arith::Matrix expected;
};

// Ball with the real functions, then the stand-ins; the unmutated transform is right in each.
std::vector<Arithmetic> arithmetics(const Transformed& transformed, const Instance& instance) {
  std::vector<Arithmetic> list;
  list.push_back({arith::make_backend("ball", {.precision = 256}), {}});
  list.push_back({arith::make_backend("rational", {.stand_in_row_function = true}), {}});
  list.push_back({arith::make_backend("field"), {}});
  expr::Graph& graph = *transformed.statement.graph;
  const Expr output = reparam::network_output(graph, transformed.weights, transformed.spec);
  const Expr moved = reparam::network_output(graph, transformed.moved, transformed.spec);
  for (Arithmetic& one : list) {
    const auto values = claim::evaluate({output, moved}, *one.backend, claim::source_of(instance, *one.backend));
    REQUIRE(values.ok());
    one.expected = values.value()[0];
    REQUIRE(one.backend->compare(one.expected, values.value()[1]).equal != Truth::no);
  }
  return list;
}

// A mutant without a value (T singular where it must be inverted) is dead too.
bool kills(const Arithmetic& arithmetic, Expr output, const Instance& instance) {
  const auto value = claim::evaluate({output}, *arithmetic.backend, claim::source_of(instance, *arithmetic.backend));
  if (!value.ok()) return value.status() == Status::undefined;
  return arithmetic.backend->compare(arithmetic.expected, value.value().front()).equal == Truth::no;
}

}  // namespace

int require_mutants_killed(const Transformed& transformed) {
  // A dead ReLU can hide a mutant on one instance; one that none of these kills is a survivor.
  constexpr std::uint64_t instances = 8;
  const std::vector<Mutant> mutants = mutants_of(transformed);
  std::set<std::size_t> by_real, by_stand_in;
  for (std::uint64_t seed = 1; seed <= instances && by_real.size() < mutants.size(); ++seed) {
    Instance instance = satisfying_instance(transformed.statement, seed);
    // Logits of moderate size: a saturated softmax differs by less than any ball shows.
    instance.at("s").at(0, 0) = Rational(1, 1000);
    const auto list = arithmetics(transformed, instance);
    for (std::size_t i = 0; i < mutants.size(); ++i) {
      if (by_real.contains(i)) continue;
      Weights weights = transformed.moved;
      weights[mutants[i].weight] = mutants[i].value;
      const Expr output = reparam::network_output(*transformed.statement.graph, weights, transformed.spec);
      if (kills(list[0], output, instance))
        by_real.insert(i);
      else if (kills(list[1], output, instance) || kills(list[2], output, instance))
        by_stand_in.insert(i);
    }
  }
  for (const std::size_t i : by_real) by_stand_in.erase(i);
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    INFO(transformed.name << ": " << mutants[i].weight << ", " << mutants[i].variant);
    const bool hidden = transformed.invisible_to_softmax.contains(mutants[i].weight);
    const bool killed = by_real.contains(i) || (hidden && by_stand_in.contains(i));
    CHECK(killed);
  }
  std::cout << "mutants of " << transformed.name << ": " << mutants.size() << ", killed with the real functions "
            << by_real.size() << ", with stand-ins only " << by_stand_in.size() << "\n";
  return static_cast<int>(mutants.size());
}

}  // namespace attest::test
