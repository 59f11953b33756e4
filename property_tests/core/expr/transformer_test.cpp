#include "core/expr/transformer.h"

#include <catch2/catch.hpp>
#include <set>

#include "core/expr/normalization.h"
#include "core/support/error.h"
#include "property_tests/support/property.h"

using namespace attest::expr;
using attest::InputError;

namespace {

TransformerSpec random_spec() {
  TransformerSpec spec;
  spec.tokens = *rc::gen::inRange(1, 4);
  spec.layers = *rc::gen::inRange(1, 4);
  spec.vocabulary = *rc::gen::inRange(1, 4);
  spec.hidden = *rc::gen::inRange(1, 4);
  spec.width = 2;
  spec.attention.width = 2;
  spec.attention.heads = 2;
  spec.attention.kv_heads = *rc::gen::inRange(1, 3);
  for (bool* flag :
       {&spec.gated, &spec.biases, &spec.positions, &spec.readout, &spec.tied, &spec.parallel, &spec.norm_affine})
    *flag = *rc::gen::arbitrary<bool>();
  spec.norm = *rc::gen::element(NormPlace::none, NormPlace::pre, NormPlace::post);
  spec.norm_kind = *rc::gen::element(NormKind::layer, NormKind::rms);
  return spec;
}

// One layer with everything named, to write the blocks down by hand.
struct Block {
  Graph g;
  TransformerSpec spec;
  Weights w;
  Expr x;

  explicit Block(const TransformerSpec& given) : spec(given) {
    spec.tokens = 2, spec.width = 3, spec.hidden = 5;
    spec.attention.width = 3;
    w = input_weights(g, spec);
    x = g.input("x", {2, 3});
  }
  Expr block() { return transformer_block(x, w, 1, spec); }
  Expr attend(Expr y) {
    return attention(y, {.W_Q = w.at("W_Q.1"), .W_K = w.at("W_K.1"), .W_V = w.at("W_V.1"), .W_O = w.at("W_O.1")},
                     spec.attention);
  }
  Expr feed(Expr y) { return apply(Function::relu, y * w.at("W_1.1")) * w.at("W_2.1"); }
};

}  // namespace

TEST_CASE("a network reads exactly the weights that its specification lists", "[expr][transformer]") {
  const auto report = attest::test::check_property(
      "inputs are weight_shapes",
      [] {
        const TransformerSpec spec = random_spec();
        RC_CLASSIFY(spec.gated, "gated");
        RC_CLASSIFY(spec.parallel, "parallel");
        RC_CLASSIFY(spec.norm == NormPlace::pre && spec.norm_affine, "affine pre-norm");
        Graph graph;
        const Expr output = transformer(graph, input_weights(graph, spec), spec);
        RC_ASSERT(output.shape() == (Shape{spec.tokens, spec.readout ? spec.vocabulary : spec.width}));
        std::map<std::string, Shape> read, listed;
        for (const Node* input : inputs_of({output})) read[input->name] = input->shape;
        for (const auto& [name, shape] : weight_shapes(spec)) RC_ASSERT(listed.emplace(name, shape).second);
        RC_ASSERT(read == listed);
      },
      300);
  for (const auto* tag : {"gated", "parallel", "affine pre-norm"}) CHECK(report.count(tag) > 0);
}

TEST_CASE("a missing weight is named", "[expr][transformer]") {
  Graph g;
  TransformerSpec spec{.tokens = 1, .width = 2, .layers = 2, .hidden = 2, .vocabulary = 2};
  spec.attention.width = 2;
  const Weights all = input_weights(g, spec);
  for (const auto& [name, expression] : all) {
    Weights less = all;
    less.erase(name);
    CHECK_THROWS_AS(transformer(g, less, spec), InputError);
    CHECK_THROWS_WITH(transformer(g, less, spec), Catch::Contains("weight " + name + ","));
  }
}

TEST_CASE("skips, norms and parallel blocks are where they are said to be", "[expr][transformer]") {
  const auto norm = [](Expr y) { return rms_norm(y, 1); };
  TransformerSpec spec;
  Block plain(spec);
  const Expr after_attention = plain.x + plain.attend(plain.x);
  CHECK(plain.block() == after_attention + plain.feed(after_attention));

  spec.attention_skip = {false};
  Block no_attention_skip(spec);
  const Expr attended = no_attention_skip.attend(no_attention_skip.x);
  CHECK(no_attention_skip.block() == attended + no_attention_skip.feed(attended));

  spec.mlp_skip = {false};
  Block skipless(spec);
  CHECK(skipless.block() == skipless.feed(skipless.attend(skipless.x)));

  spec = {.norm = NormPlace::pre, .norm_kind = NormKind::rms, .norm_eps = 1};
  Block pre(spec);
  const Expr middle = pre.x + pre.attend(norm(pre.x));
  CHECK(pre.block() == middle + pre.feed(norm(middle)));

  spec.norm = NormPlace::post;
  Block post(spec);
  const Expr first = norm(post.x + post.attend(post.x));
  CHECK(post.block() == norm(first + post.feed(first)));

  spec = {.parallel = true, .norm = NormPlace::pre, .norm_kind = NormKind::rms, .norm_eps = 1};
  Block parallel(spec);
  const Expr y = norm(parallel.x);
  CHECK(parallel.block() == parallel.x + (parallel.attend(y) + parallel.feed(y)));
}

TEST_CASE("an affine norm uses the weights of its place and kind", "[expr][transformer]") {
  Block layer({.norm = NormPlace::pre, .norm_kind = NormKind::layer, .norm_eps = 1, .norm_affine = true});
  const Weights& w = layer.w;
  const Expr middle = layer.x + layer.attend(layer_norm(layer.x, 1, w.at("gamma_1.1"), w.at("beta_1.1")));
  CHECK(layer.block() == middle + layer.feed(layer_norm(middle, 1, w.at("gamma_2.1"), w.at("beta_2.1"))));
}

TEST_CASE("both kinds of MLP have their formulas", "[expr][transformer]") {
  Graph g;
  const Expr y = g.input("Y", {2, 3}), up = g.input("W_1", {3, 4}), down = g.input("W_2", {4, 3});
  const Expr gate = g.input("W_gate", {3, 4}), b_1 = g.input("b_1", {1, 4}), b_2 = g.input("b_2", {1, 3});
  const Expr ones = g.ones({2, 1});
  CHECK(mlp(y, up, {}, down, {}, Function::gelu) == apply(Function::gelu, y * up) * down);
  CHECK(mlp(y, up, b_1, down, b_2, Function::relu) == apply(Function::relu, y * up + ones * b_1) * down + ones * b_2);
  CHECK(gated_mlp(y, gate, up, down, Function::silu) == hadamard(apply(Function::silu, y * gate), y * up) * down);
}

TEST_CASE("the network embeds tokens and positions and reads out with U or the embedding", "[expr][transformer]") {
  Graph g;
  TransformerSpec spec{.tokens = 3, .width = 2, .layers = 2, .hidden = 2, .vocabulary = 2, .positions = true};
  spec.attention.width = 2;
  const Weights w = input_weights(g, spec);
  attest::RationalMatrix selection(3, 2);
  selection.at(0, 0) = selection.at(1, 1) = selection.at(2, 0) = 1;
  const Expr embedded = g.constant(selection) * w.at("E") + w.at("Pos");
  CHECK(embed(g, w, spec) == embedded);
  const Expr stream = transformer_block(transformer_block(embedded, w, 1, spec), w, 2, spec);
  CHECK(transformer(g, w, spec) == stream * w.at("U"));
  spec.tied = true;
  CHECK(transformer(g, w, spec) == stream * transpose(w.at("E")));
  spec.readout = false;
  CHECK(transformer(g, w, spec) == stream);
}
