#include "core/expr/transformer.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/core/expr/against_loops.h"
#include "property_tests/support/property.h"

namespace attest::test {

using expr::Expr;
using expr::Function;
using expr::NormKind;
using expr::NormPlace;
using expr::TransformerSpec;

namespace {

LoopComparison compare_network(const TransformerSpec& spec, std::uint64_t seed) {
  expr::Graph graph;
  std::map<std::string, RationalMatrix> instance;
  Tables tables;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    instance[name] = random_matrix(shape, RandomStream(seed).child(name));
    tables[name] = table_of(instance[name]);
  }
  LoopAttention attention;
  attention.heads = static_cast<std::size_t>(spec.attention.heads);
  attention.kv_heads = static_cast<std::size_t>(spec.attention.kv_heads);
  attention.width = static_cast<std::size_t>(spec.attention.width);
  attention.mask = spec.attention.mask;
  const Expr output = expr::transformer(graph, expr::input_weights(graph, spec), spec);
  return compare_with_loops(output, instance, loop_transformer(tables, spec, attention));
}

// Uniform whatever the size of the case, unlike rc::gen::inRange.
std::int64_t between(std::int64_t low, std::int64_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}

std::vector<bool> any_skips(std::int64_t layers) {
  std::vector<bool> skips;
  for (std::int64_t layer = 0; layer < layers; ++layer) skips.push_back(*rc::gen::arbitrary<bool>());
  return skips;
}

TransformerSpec any_spec() {
  TransformerSpec spec;
  const auto counts = *rc::gen::element(std::pair{1, 1}, std::pair{2, 2}, std::pair{4, 2}, std::pair{2, 1});
  spec.attention.heads = counts.first;
  spec.attention.kv_heads = counts.second;
  spec.attention.width = between(1, 2);
  spec.attention.mask = *rc::gen::element(expr::Mask::none(), expr::Mask::causal());
  spec.tokens = between(1, 3);
  spec.width = between(2, 4);
  spec.layers = between(1, 2);
  spec.hidden = between(1, 4);
  spec.vocabulary = between(1, 3);
  spec.activation = *rc::gen::element(Function::relu, Function::gelu, Function::gelu_tanh, Function::silu,
                                      Function::relu_squared, Function::tanh);
  spec.gated = *rc::gen::arbitrary<bool>();
  spec.biases = *rc::gen::arbitrary<bool>();
  spec.positions = *rc::gen::arbitrary<bool>();
  spec.readout = *rc::gen::arbitrary<bool>();
  spec.tied = *rc::gen::arbitrary<bool>();
  spec.parallel = *rc::gen::arbitrary<bool>();
  if (*rc::gen::arbitrary<bool>()) {
    spec.attention_skip = any_skips(spec.layers);
    spec.mlp_skip = any_skips(spec.layers);
  }
  spec.norm = *rc::gen::element(NormPlace::none, NormPlace::pre, NormPlace::post);
  spec.norm_kind = *rc::gen::element(NormKind::layer, NormKind::rms);
  spec.norm_eps = Rational(1, 8);
  spec.norm_affine = *rc::gen::arbitrary<bool>();
  return spec;
}

}  // namespace

TEST_CASE("transformers agree with plain loops for every kind of block", "[expr][transformer]") {
  const PropertyReport report = check_property(
      "transformer = loops",
      [] {
        const TransformerSpec spec = any_spec();
        RC_CLASSIFY(spec.parallel, "parallel");
        RC_CLASSIFY(!spec.parallel, "serial");
        RC_CLASSIFY(spec.norm == NormPlace::pre, "pre-norm");
        RC_CLASSIFY(spec.norm == NormPlace::post, "post-norm");
        RC_CLASSIFY(spec.gated, "gated");
        RC_CLASSIFY(spec.readout && spec.tied, "tied");
        RC_CLASSIFY(!spec.attention_skip.empty(), "some skips");
        RC_TAG(std::string(expr::to_string(spec.activation)));
        const LoopComparison comparison = compare_network(spec, *rc::gen::inRange<std::uint64_t>(1, 1000000));
        RC_ASSERT(comparison.evaluated);
        RC_ASSERT(comparison.contained);
        RC_ASSERT(comparison.radius < narrow);
        RC_ASSERT(comparison.ratio <= 1);
      },
      150);
  for (const char* tag : {"parallel", "serial", "pre-norm", "post-norm", "gated", "tied", "some skips", "relu", "gelu",
                          "gelu_tanh", "silu", "relu_squared", "tanh"})
    CHECK(report.count(tag) >= 5);
}

TEST_CASE("every activation of a one-layer network agrees with plain loops", "[expr][transformer]") {
  for (const Function f :
       {Function::relu, Function::gelu, Function::gelu_tanh, Function::silu, Function::relu_squared, Function::tanh}) {
    TransformerSpec spec;
    spec.tokens = spec.width = spec.hidden = 3;
    spec.vocabulary = 2;
    spec.activation = f;
    INFO(expr::to_string(f));
    const LoopComparison comparison = compare_network(spec, 7);
    CHECK(comparison.evaluated);
    CHECK(comparison.contained);
    CHECK(comparison.radius < narrow);
    CHECK(comparison.ratio <= 1);
  }
}

TEST_CASE("weights are named in the order of a forward pass", "[expr][transformer]") {
  TransformerSpec spec;
  spec.biases = spec.positions = spec.norm_affine = true;
  spec.norm = NormPlace::pre;
  std::vector<std::string> names;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) names.push_back(name);
  CHECK(names == std::vector<std::string>{"E",     "Pos",   "gamma_1.1", "beta_1.1", "W_Q.1",   "b_Q.1",     "W_K.1",
                                          "b_K.1", "W_V.1", "b_V.1",     "W_O.1",    "b_O.1",   "gamma_2.1", "beta_2.1",
                                          "W_1.1", "b_1.1", "W_2.1",     "b_2.1",    "gamma_f", "beta_f",    "U"});
}

TEST_CASE("a missing weight is named", "[expr][transformer]") {
  expr::Graph graph;
  TransformerSpec spec;
  spec.layers = 2;
  expr::Weights weights = expr::input_weights(graph, spec);
  weights.erase("W_V.2");
  CHECK_THROWS_WITH(expr::transformer(graph, weights, spec), Catch::Contains("W_V.2"));
  CHECK_THROWS_AS(expr::transformer(graph, weights, spec), InputError);
}

TEST_CASE("a norm without eps has no value at a constant row", "[expr][transformer]") {
  expr::Graph graph;
  TransformerSpec spec;
  spec.width = 2;
  spec.norm = NormPlace::pre;
  const Expr output = expr::transformer(graph, expr::input_weights(graph, spec), spec);
  std::map<std::string, RationalMatrix> instance;
  for (const auto& [name, shape] : expr::weight_shapes(spec)) {
    instance[name] = RationalMatrix(shape.rows, shape.cols);
    for (Rational& entry : instance[name].entries) entry = 1;
  }
  const auto rational = arith::make_backend("rational");
  CHECK(claim::evaluate({output}, *rational, claim::source_of(instance, *rational)).status() == Status::undefined);
}

}  // namespace attest::test
