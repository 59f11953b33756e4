#include "core/expr/attention.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/core/expr/against_loops.h"
#include "property_tests/support/property.h"

namespace attest::test {

using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;
using expr::Mask;
using expr::Shape;

namespace {

struct Choice {
  std::int64_t n_q = 2, n_k = 2, d = 3, d_keys = 3, heads = 1, kv_heads = 1, width = 2;
  Mask mask;
  bool scale = false, additive = false, alibi = false, rope = false, interleaved = true, qk_norm = false;
  bool biases = false;
  std::uint64_t seed = 1;
};

// One attention twice: as an expression and in loops, on the same numbers.
class Trial {
 public:
  explicit Trial(const Choice& choice) : choice_(choice) {
    spec_.heads = choice.heads;
    spec_.kv_heads = choice.kv_heads;
    spec_.width = choice.width;
    spec_.mask = loops_.mask = choice.mask;
    loops_.heads = static_cast<std::size_t>(choice.heads);
    loops_.kv_heads = static_cast<std::size_t>(choice.kv_heads);
    loops_.width = static_cast<std::size_t>(choice.width);
    if (choice.scale) add_scale();
    if (choice.additive) add_additive();
    if (choice.alibi) add_slopes();
    if (choice.rope) add_rope();
    if (choice.qk_norm) {
      spec_.qk_norm_eps = Rational(1, 4);
      loops_.qk_norm_eps = Real(0.25);
    }
  }

  LoopComparison compare() {
    const std::int64_t hk = choice_.heads * choice_.width, gk = choice_.kv_heads * choice_.width;
    const Expr X = draw("X", {choice_.n_q, choice_.d}), Z = draw("Z", {choice_.n_k, choice_.d_keys});
    AttentionWeights weights{draw("W_Q", {choice_.d, hk}),
                             draw("W_K", {choice_.d_keys, gk}),
                             draw("W_V", {choice_.d_keys, gk}),
                             draw("W_O", {hk, choice_.d}),
                             {},
                             {},
                             {},
                             {}};
    if (choice_.biases) {
      weights.b_Q = draw("b_Q", {1, hk});
      weights.b_K = draw("b_K", {1, gk});
      weights.b_V = draw("b_V", {1, gk});
      weights.b_O = draw("b_O", {1, choice_.d});
    }
    Tables tables;
    for (const auto& [name, matrix] : instance_) tables[name] = table_of(matrix);
    return compare_with_loops(expr::cross_attention(X, Z, weights, spec_), instance_,
                              loop_attention(tables.at("X"), tables.at("Z"), tables, loops_));
  }

 private:
  Expr draw(const std::string& name, Shape shape) {
    instance_[name] = random_matrix(shape, RandomStream(choice_.seed).child(name));
    return graph_.input(name, shape);
  }
  void add_scale() {
    spec_.scale = draw("s", {1, 1});
    loops_.scale = table_of(instance_.at("s")).at(0, 0);
  }
  void add_additive() {
    spec_.additive = draw("M", {choice_.n_q, choice_.n_k});
    loops_.additive = table_of(instance_.at("M"));
  }
  void add_slopes() {
    spec_.alibi_slopes = draw("slopes", {1, choice_.heads});
    loops_.slopes = table_of(instance_.at("slopes")).entries;
  }
  // Rational points of the circle; the loops turn by the angle itself.
  void add_rope() {
    RationalMatrix rotation(2, choice_.width / 2);
    for (std::int64_t c = 0; c < choice_.width / 2; ++c) {
      const Rational t(c + 1, 2 + static_cast<long>(choice_.seed % 5));
      rotation.at(0, c) = (1 - t * t) / (1 + t * t);
      rotation.at(1, c) = 2 * t / (1 + t * t);
    }
    instance_["rotation"] = rotation;
    spec_.rope = expr::Rope{graph_.input("rotation", {2, choice_.width / 2}),
                            choice_.interleaved ? expr::Rope::Pairing::interleaved : expr::Rope::Pairing::halves};
    const Table points = table_of(rotation);
    for (std::size_t c = 0; c < points.cols; ++c) loops_.angles.push_back(atan2(points.at(1, c), points.at(0, c)));
    loops_.interleaved = choice_.interleaved;
  }

  Choice choice_;
  expr::Graph graph_;
  std::map<std::string, RationalMatrix> instance_;
  AttentionSpec spec_;
  LoopAttention loops_;
};

void require_agreement(const Choice& choice) {
  const LoopComparison comparison = Trial(choice).compare();
  REQUIRE(comparison.evaluated);
  CHECK(comparison.contained);
  CHECK(comparison.radius < narrow);
  CHECK(comparison.ratio <= 1);
}

// Uniform whatever the size of the case, unlike rc::gen::inRange.
std::int64_t between(std::int64_t low, std::int64_t high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
}

Choice any_choice() {
  Choice choice;
  const auto counts = *rc::gen::element(std::pair{1, 1}, std::pair{2, 2}, std::pair{2, 1}, std::pair{4, 2},
                                        std::pair{6, 3}, std::pair{6, 2}, std::pair{3, 1});
  choice.heads = counts.first;
  choice.kv_heads = counts.second;
  choice.n_q = between(1, 4);
  choice.n_k = choice.n_q + between(0, 3);
  choice.d = between(1, 4);
  choice.d_keys = between(1, 4);
  choice.width = between(1, 4);
  choice.mask = *rc::gen::element(Mask::none(), Mask::causal(), Mask::window(1), Mask::window(2), Mask::window(3));
  choice.scale = *rc::gen::arbitrary<bool>();
  choice.additive = *rc::gen::arbitrary<bool>();
  choice.alibi = *rc::gen::arbitrary<bool>();
  choice.rope = choice.width % 2 == 0 && *rc::gen::arbitrary<bool>();
  choice.interleaved = *rc::gen::arbitrary<bool>();
  choice.qk_norm = *rc::gen::arbitrary<bool>();
  choice.biases = *rc::gen::arbitrary<bool>();
  choice.seed = *rc::gen::inRange<std::uint64_t>(1, 1000000);
  return choice;
}

}  // namespace

TEST_CASE("attention agrees with plain loops for every feature", "[expr][attention]") {
  const PropertyReport report = check_property(
      "attention = loops",
      [] {
        const Choice choice = any_choice();
        RC_CLASSIFY(choice.n_k > choice.n_q && choice.mask.kind != Mask::Kind::none,
                    "masked with more keys than queries");
        RC_CLASSIFY(choice.kv_heads > 1 && choice.kv_heads < choice.heads, "grouped heads");
        RC_CLASSIFY(choice.rope && choice.interleaved, "interleaved RoPE");
        RC_CLASSIFY(choice.rope && !choice.interleaved, "halved RoPE");
        RC_CLASSIFY(choice.alibi, "ALiBi");
        RC_CLASSIFY(choice.qk_norm, "QK-norm");
        const LoopComparison comparison = Trial(choice).compare();
        RC_ASSERT(comparison.evaluated);
        RC_ASSERT(comparison.contained);
        RC_ASSERT(comparison.radius < narrow);
        RC_ASSERT(comparison.ratio <= 1);
      },
      150);
  for (const char* tag :
       {"masked with more keys than queries", "grouped heads", "interleaved RoPE", "halved RoPE", "ALiBi", "QK-norm"})
    CHECK(report.count(tag) >= 5);
}

TEST_CASE("a causal mask with more keys than queries is aligned at the bottom right", "[expr][attention]") {
  require_agreement({.n_q = 2, .n_k = 5, .mask = Mask::causal()});
  CHECK(Mask::causal().visible(0, 3, 2, 5));
  CHECK(!Mask::causal().visible(0, 4, 2, 5));
  CHECK(Mask::window(2).visible(1, 3, 2, 5));
  CHECK(!Mask::window(2).visible(1, 2, 2, 5));
}

TEST_CASE("query heads read their group's key and value head", "[expr][attention]") {
  require_agreement({.n_q = 3, .n_k = 3, .heads = 6, .kv_heads = 3, .mask = Mask::causal()});
  AttentionSpec spec;
  spec.heads = 6;
  spec.kv_heads = 3;
  const std::vector<std::int64_t> expected{0, 0, 1, 1, 2, 2};
  for (std::int64_t head = 0; head < 6; ++head)
    CHECK(expr::kv_head_of(head, spec) == expected[static_cast<std::size_t>(head)]);
}

TEST_CASE("RoPE turns the pairs that its pairing names", "[expr][attention]") {
  for (const bool interleaved : {true, false})
    for (const std::int64_t width : {2, 4, 6})
      require_agreement(
          {.n_q = 2, .n_k = 4, .width = width, .mask = Mask::causal(), .rope = true, .interleaved = interleaved});
}

TEST_CASE("ALiBi adds the slope times the key's distance from the query, which ends at the last key",
          "[expr][attention]") {
  expr::Graph graph;
  AttentionSpec spec;
  spec.heads = spec.kv_heads = 2;
  spec.alibi_slopes = graph.input("slopes", {1, 2});
  const Expr zeros = graph.zeros({2, 2});
  const auto logits = expr::attention_logits(graph.zeros({2, 2}), graph.zeros({4, 2}),
                                             {zeros, zeros, zeros, zeros, {}, {}, {}, {}}, spec);
  RationalMatrix slopes(1, 2);
  slopes.at(0, 0) = 1;
  slopes.at(0, 1) = Rational(1, 2);
  const std::map<std::string, RationalMatrix> instance{{"slopes", slopes}};
  const auto real = arith::make_backend("double");
  const auto values = claim::evaluate(logits, *real, claim::source_of(instance, *real));
  REQUIRE(values.ok());
  const DoubleMatrix first = real->approx_doubles(values.value()[0]).value();
  const DoubleMatrix second = real->approx_doubles(values.value()[1]).value();
  CHECK(first.entries == std::vector<double>{-2, -1, 0, 1, -3, -2, -1, 0});
  CHECK(second.entries == std::vector<double>{-1, -0.5, 0, 0.5, -1.5, -1, -0.5, 0});
}

TEST_CASE("a query row without a visible key has no value", "[expr][attention]") {
  expr::Graph graph;
  const Expr logits = graph.input("logits", {3, 2});
  const std::map<std::string, RationalMatrix> instance{{"logits", RationalMatrix(3, 2)}};
  for (const char* name : {"ball", "rational", "double"}) {
    const auto backend = arith::make_backend(name);
    const auto value =
        claim::evaluate({softmax(logits, Mask::causal())}, *backend, claim::source_of(instance, *backend));
    CHECK(value.status() == Status::undefined);
  }
}

TEST_CASE("weights that do not fit the heads are refused by name", "[expr][attention]") {
  expr::Graph graph;
  const Expr X = graph.input("X", {2, 4});
  AttentionSpec spec;
  spec.heads = 3;
  spec.kv_heads = 2;
  const Expr W = graph.input("W", {4, 4});
  CHECK_THROWS_WITH(expr::attention(X, {W, W, W, W, {}, {}, {}, {}}, spec), Catch::Contains("g = 2"));
  spec.heads = spec.kv_heads = 2;
  spec.width = 3;
  CHECK_THROWS_WITH(expr::attention(X, {W, W, W, W, {}, {}, {}, {}}, spec), Catch::Contains("W_Q is 4 x 4"));
  spec.width = 1;
  spec.heads = spec.kv_heads = 4;
  spec.rope = expr::Rope{graph.input("rotation", {2, 1}), expr::Rope::Pairing::halves};
  CHECK_THROWS_WITH(expr::attention(X, {W, W, W, W, {}, {}, {}, {}}, spec), Catch::Contains("width 1"));
}

}  // namespace attest::test
