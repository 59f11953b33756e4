#include "core/expr/attention.h"

#include "core/support/error.h"
#include "property_tests/core/expr/exact_values.h"

using namespace attest::expr;
using attest::InputError;
using attest::Rational;
using attest::RationalMatrix;
using attest::test::draw_missing;
using attest::test::Instance;
using attest::test::product;
using attest::test::value_of;

namespace {

// Three queries over five keys, four heads of width two that share two KV heads.
struct Layer {
  Graph g;
  AttentionSpec spec{.heads = 4, .kv_heads = 2, .width = 2};
  Expr X = g.input("X", {3, 6}), Z = g.input("Z", {5, 7});
  AttentionWeights weights{.W_Q = g.input("W_Q", {6, 8}),
                           .W_K = g.input("W_K", {7, 4}),
                           .W_V = g.input("W_V", {7, 4}),
                           .W_O = g.input("W_O", {8, 6}),
                           .b_Q = g.input("b_Q", {1, 8}),
                           .b_K = g.input("b_K", {1, 4}),
                           .b_V = g.input("b_V", {1, 4}),
                           .b_O = g.input("b_O", {1, 6})};
  Instance instance;

  Layer() { spec.scale = g.input("s", {1, 1}); }
};

RationalMatrix plus_row(RationalMatrix a, const RationalMatrix& row) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.cols; ++j) a.at(i, j) += row.at(0, j);
  return a;
}

// Turns (a, b) by the angle whose cosine and sine are given, `times` times.
std::pair<Rational, Rational> turned(Rational a, Rational b, const Rational& c, const Rational& s, std::int64_t times) {
  for (std::int64_t t = 0; t < times; ++t) {
    const Rational next = c * a - s * b;
    b = s * a + c * b;
    a = next;
  }
  return {a, b};
}

}  // namespace

TEST_CASE("logits are the scaled products of a query head with its key head, plus what is added", "[expr][attention]") {
  Layer layer;
  layer.spec.additive = layer.g.input("B", {3, 5});
  layer.spec.alibi_slopes = layer.g.input("m", {1, 4});
  const auto logits = attention_logits(layer.X, layer.Z, layer.weights, layer.spec);
  REQUIRE(logits.size() == 4);
  Instance& v = layer.instance;
  for (const Expr& logit : logits) draw_missing(v, logit);
  const RationalMatrix Q = plus_row(product(v["X"], v["W_Q"]), v["b_Q"]);
  const RationalMatrix K = plus_row(product(v["Z"], v["W_K"]), v["b_K"]);
  const std::vector<std::int64_t> kv_head{0, 0, 1, 1};
  for (std::int64_t h = 0; h < 4; ++h) {
    RationalMatrix expected(3, 5);
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t j = 0; j < 5; ++j) {
        Rational dot = 0;
        for (std::int64_t c = 0; c < 2; ++c)
          dot += Q.at(i, 2 * h + c) * K.at(j, 2 * kv_head[static_cast<std::size_t>(h)] + c);
        // Query i of three sits at position i + 2 of five.
        expected.at(i, j) = v["s"].at(0, 0) * dot + v["B"].at(i, j) + v["m"].at(0, h) * Rational(j - (i + 2));
      }
    CHECK(value_of(logits[static_cast<std::size_t>(h)], v) == expected);
  }
}

TEST_CASE("equal logits make attention the mean of the visible values, head by head", "[expr][attention]") {
  for (const Mask mask : {Mask::none(), Mask::causal(), Mask::window(2), Mask::window(1)}) {
    Layer layer;
    layer.spec.mask = mask;
    layer.weights.W_Q = layer.g.zeros({6, 8});
    layer.weights.b_Q.reset();
    const Expr output = cross_attention(layer.X, layer.Z, layer.weights, layer.spec);
    CHECK(output.shape() == Shape{3, 6});
    Instance& v = layer.instance;
    draw_missing(v, output);
    const RationalMatrix V = plus_row(product(v["Z"], v["W_V"]), v["b_V"]);
    RationalMatrix heads(3, 8);
    for (std::int64_t i = 0; i < 3; ++i)
      for (std::int64_t column = 0; column < 8; ++column) {
        const std::int64_t last = mask.kind == Mask::Kind::none ? 4 : i + 2;
        const std::int64_t first = mask.kind == Mask::Kind::window ? last - mask.width + 1 : 0;
        const std::int64_t kv_column = 2 * (column / 4) + column % 2;
        for (std::int64_t j = first; j <= last; ++j) heads.at(i, column) += V.at(j, kv_column);
        heads.at(i, column) /= Rational(last - first + 1);
      }
    INFO("mask " << to_string(mask));
    CHECK(value_of(output, v) == plus_row(product(heads, v["W_O"]), v["b_O"]));
  }
}

TEST_CASE("self-attention attends to its own stream, with the scale 1 over the root of k", "[expr][attention]") {
  Graph g;
  const Expr X = g.input("X", {2, 4}), W = g.input("W", {4, 4});
  const AttentionWeights weights{.W_Q = W, .W_K = W, .W_V = W, .W_O = W};
  const AttentionSpec spec{.heads = 1, .kv_heads = 1, .width = 4};
  CHECK(attention(X, weights, spec) == cross_attention(X, X, weights, spec));
  const Expr scale = apply(Function::inv_sqrt, g.fill({1, 1}, 4));
  CHECK(attention_logits(X, X, weights, spec).front() == scale_by(scale, X * W * transpose(X * W)));
}

TEST_CASE("RoPE turns each pair of coordinates by its angle times the position", "[expr][attention]") {
  for (const auto pairing : {Rope::Pairing::interleaved, Rope::Pairing::halves}) {
    Graph g;
    const Expr X = g.input("X", {3, 4});
    const Rope rope{g.input("R", {2, 2}), pairing};
    Instance v;
    v["R"] = RationalMatrix(2, 2);
    v["R"].entries = {Rational(3, 5), Rational(5, 13), Rational(4, 5), Rational(12, 13)};
    const std::int64_t first_position = 2;
    const Expr rotated = apply_rope(X, rope, first_position);
    draw_missing(v, rotated);
    RationalMatrix expected(3, 4);
    for (std::int64_t p = 0; p < 3; ++p)
      for (std::int64_t c = 0; c < 2; ++c) {
        const std::int64_t a = pairing == Rope::Pairing::interleaved ? 2 * c : c;
        const std::int64_t b = pairing == Rope::Pairing::interleaved ? 2 * c + 1 : c + 2;
        std::tie(expected.at(p, a), expected.at(p, b)) =
            turned(v["X"].at(p, a), v["X"].at(p, b), v["R"].at(0, c), v["R"].at(1, c), first_position + p);
      }
    CHECK(value_of(rotated, v) == expected);
  }
}

TEST_CASE("with RoPE a logit depends on the distance between query and key only", "[expr][attention]") {
  Layer layer;
  layer.spec.rope = Rope{layer.g.input("R", {2, 1}), Rope::Pairing::halves};
  Instance& v = layer.instance;
  v["R"] = RationalMatrix(2, 1);
  v["R"].entries = {Rational(3, 5), Rational(4, 5)};
  v["X"] = attest::test::random_matrix(3, 6, attest::RandomStream(5));
  v["Z"] = attest::test::random_matrix(5, 7, attest::RandomStream(6));
  for (std::int64_t j = 0; j < 7; ++j) v["Z"].at(3, j) = v["Z"].at(2, j);  // keys 2 and 3 are one token
  for (std::int64_t j = 0; j < 6; ++j) v["X"].at(1, j) = v["X"].at(0, j);  // so are the queries at positions 2 and 3
  for (const Expr& logit : attention_logits(layer.X, layer.Z, layer.weights, layer.spec)) {
    draw_missing(v, logit);
    const RationalMatrix value = value_of(logit, v);
    CHECK(value.at(0, 2) == value.at(1, 3));
    CHECK_FALSE(value.at(0, 2) == value.at(0, 3));
  }
}

TEST_CASE("query and key normalization divides each head by its own root mean square", "[expr][attention]") {
  Layer layer;
  layer.spec.qk_norm_eps = Rational(9);
  layer.spec.heads = layer.spec.kv_heads = 1;
  const AttentionWeights plain{.W_Q = layer.g.input("P", {6, 2}),
                               .W_K = layer.g.input("S", {7, 2}),
                               .W_V = layer.g.input("T", {7, 2}),
                               .W_O = layer.g.input("O", {2, 6})};
  Instance& v = layer.instance;
  // Every projected row is (4, 4) up to signs, whose mean square plus eps is 25.
  v["X"] = RationalMatrix(3, 6);
  v["Z"] = RationalMatrix(5, 7);
  for (std::int64_t i = 0; i < 3; ++i) v["X"].at(i, 0) = i == 1 ? -1 : 1;
  for (std::int64_t i = 0; i < 5; ++i) v["Z"].at(i, 0) = 1;
  v["P"] = RationalMatrix(6, 2);
  v["S"] = RationalMatrix(7, 2);
  v["P"].at(0, 0) = v["P"].at(0, 1) = v["S"].at(0, 0) = 4;
  v["S"].at(0, 1) = -4;
  v["s"] = RationalMatrix(1, 1);
  v["s"].at(0, 0) = 1;
  const Expr logit = attention_logits(layer.X, layer.Z, plain, layer.spec).front();
  CHECK(value_of(logit, v) == RationalMatrix(3, 5));  // (4, 4) and (4, -4) are orthogonal
  v["S"].at(0, 1) = 4;
  const RationalMatrix value = value_of(logit, v);
  CHECK(value.at(0, 0) == Rational(32, 25));
  CHECK(value.at(1, 4) == Rational(-32, 25));
}

TEST_CASE("attention that does not fit is refused with the values", "[expr][attention]") {
  Layer layer;
  const auto build = [&] { return cross_attention(layer.X, layer.Z, layer.weights, layer.spec); };
  layer.spec.kv_heads = 3;
  CHECK_THROWS_WITH(build(), Catch::Contains("g = 3") && Catch::Contains("h = 4"));
  layer.spec.kv_heads = 0;
  CHECK_THROWS_AS(build(), InputError);
  layer.spec.kv_heads = 4;
  CHECK_THROWS_WITH(build(), Catch::Contains("W_K is 7 x 4") && Catch::Contains("8 columns"));
  layer.spec.kv_heads = 2;
  layer.spec.rope = Rope{layer.g.input("R", {2, 3}), Rope::Pairing::halves};
  CHECK_THROWS_WITH(build(), Catch::Contains("width 2") && Catch::Contains("2 x 3"));
  layer.spec.rope.reset();
  layer.weights.W_O = layer.g.input("O", {7, 6});
  CHECK_THROWS_WITH(build(), Catch::Contains("O is 7 x 6"));
}
