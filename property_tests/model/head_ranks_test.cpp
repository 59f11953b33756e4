#include "model/head_ranks.h"

#include <catch2/catch.hpp>

#include "core/support/random.h"
#include "property_tests/model/scratch.h"

namespace attest::model {
namespace {

using Layer = std::map<std::string, DoubleMatrix>;

DoubleMatrix random_matrix(std::int64_t rows, std::int64_t cols, RandomStream stream) {
  DoubleMatrix matrix(rows, cols);
  for (double& entry : matrix.entries) entry = static_cast<double>(stream.integer(-99, 99)) / 64;
  return matrix;
}

claim::Size size_of(std::int64_t d, std::int64_t h, std::int64_t g, std::int64_t k) {
  return {"test", 1, d, h, g, k, 1, 1};
}

Layer random_layer(const claim::Size& size, std::uint64_t seed) {
  const RandomStream stream(seed);
  return {{"W_Q", random_matrix(size.d, size.h * size.k, stream.child("W_Q"))},
          {"W_K", random_matrix(size.d, size.g * size.k, stream.child("W_K"))},
          {"W_V", random_matrix(size.d, size.g * size.k, stream.child("W_V"))},
          {"W_O", random_matrix(size.h * size.k, size.d, stream.child("W_O"))}};
}

void copy_column(DoubleMatrix* matrix, std::int64_t from, std::int64_t to) {
  for (std::int64_t row = 0; row < matrix->rows; ++row) matrix->at(row, to) = matrix->at(row, from);
}

TEST_CASE("generic heads have full rank and satisfy the query condition, proved", "[model][head_ranks]") {
  const claim::Size size = size_of(6, 3, 3, 2);
  const LayerRanks ranks = layer_ranks(random_layer(size, 1), size);
  CHECK(ranks.W_Q.lower == 6);
  CHECK(ranks.W_Q.proved());
  REQUIRE(ranks.heads.size() == 3);
  for (const auto& head : ranks.heads) {
    CHECK(head.logit_form.lower == 2);
    CHECK(head.logit_form.proved());
    CHECK(head.value_form.lower == 2);
    CHECK(head.query.proved());
  }
  CHECK(ranks.query_condition.dimension_of_sum.lower == 6);
  CHECK(ranks.query_condition.holds() == Truth::yes);
  CHECK_FALSE(ranks.ledger.empty());
}

TEST_CASE("a rank that is not full is reported as a lower bound only", "[model][head_ranks]") {
  const claim::Size size = size_of(6, 3, 3, 2);
  Layer layer = random_layer(size, 2);
  copy_column(&layer["W_Q"], 0, 1);  // head 0 has query rank 1
  copy_column(&layer["W_V"], 4, 5);  // head 2 has value rank 1
  const LayerRanks ranks = layer_ranks(layer, size);
  CHECK(ranks.W_Q.lower == 5);
  CHECK(ranks.W_Q.upper == 6);
  CHECK(ranks.heads[0].query.lower == 1);
  CHECK(ranks.heads[0].logit_form.lower == 1);
  CHECK_FALSE(ranks.heads[0].logit_form.proved());
  CHECK(ranks.heads[1].logit_form.lower == 2);
  CHECK(ranks.heads[2].value_form.lower == 1);
  // The columns are independent over Q, but a rank modulo a prime cannot prove an upper bound.
  CHECK(ranks.query_condition.sum_of_dimensions.lower == 5);
  CHECK(ranks.query_condition.dimension_of_sum.lower == 5);
  CHECK(ranks.query_condition.holds() == Truth::unknown);
}

TEST_CASE("heads that are wider together than the residual stream have dependent columns, proved",
          "[model][head_ranks]") {
  const claim::Size size = size_of(5, 3, 3, 2);
  const LayerRanks ranks = layer_ranks(random_layer(size, 3), size);
  CHECK(ranks.query_condition.sum_of_dimensions.lower == 6);
  CHECK(ranks.query_condition.dimension_of_sum.upper == 5);
  CHECK(ranks.query_condition.columns_independent == Truth::no);
  CHECK(ranks.query_condition.holds() == Truth::no);
}

TEST_CASE("heads that share a query column are not called independent", "[model][head_ranks]") {
  const claim::Size size = size_of(6, 3, 3, 2);
  Layer layer = random_layer(size, 4);
  copy_column(&layer["W_Q"], 0, 2);
  const LayerRanks ranks = layer_ranks(layer, size);
  CHECK(ranks.query_condition.sum_of_dimensions.lower == 6);
  CHECK(ranks.query_condition.dimension_of_sum.lower == 5);
  CHECK(ranks.query_condition.columns_independent == Truth::unknown);
}

TEST_CASE("query heads of one KV group read it with equal row spaces where their ranks are full",
          "[model][head_ranks]") {
  const claim::Size size = size_of(8, 4, 2, 2);
  Layer layer = random_layer(size, 5);
  CHECK(layer_ranks(layer, size).query_condition.rows_coincide == Truth::yes);
  copy_column(&layer["W_Q"], 0, 1);
  CHECK(layer_ranks(layer, size).query_condition.rows_coincide != Truth::yes);
}

TEST_CASE("heads are matched to KV heads by floor(i g / h)", "[model][head_ranks]") {
  const claim::Size size = size_of(8, 4, 2, 2);
  Layer layer = random_layer(size, 6);
  copy_column(&layer["W_K"], 0, 1);  // KV head 0 has rank 1
  const LayerRanks ranks = layer_ranks(layer, size);
  CHECK(ranks.heads[0].logit_form.lower == 1);
  CHECK(ranks.heads[1].logit_form.lower == 1);
  CHECK(ranks.heads[2].logit_form.lower == 2);
  CHECK(ranks.heads[3].logit_form.lower == 2);
  // In group 0 all row spaces have dimension 1 modulo p, which does not prove that they coincide over Q.
  CHECK(ranks.query_condition.rows_coincide == Truth::unknown);
}

TEST_CASE("a missing or misshapen projection is refused", "[model][head_ranks]") {
  const claim::Size size = size_of(6, 3, 3, 2);
  Layer layer = random_layer(size, 7);
  layer["W_O"] = DoubleMatrix(6, 5);
  CHECK_THAT(test::error_of([&] { (void)layer_ranks(layer, size); }), Catch::Contains("W_O is 6 x 5; expected 6 x 6"));
  layer.erase("W_O");
  CHECK_THAT(test::error_of([&] { (void)layer_ranks(layer, size); }), Catch::Contains("no weight 'W_O'"));
}

}  // namespace
}  // namespace attest::model
