#include "model/head_ranks.h"

#include <algorithm>
#include <memory>

#include "core/arith/backend.h"
#include "core/support/check.h"
#include "core/support/error.h"

namespace attest::model {
namespace {

using arith::Matrix;

// One layer modulo the prime. The field never fails at what is asked of it here.
class FieldLayer {
 public:
  FieldLayer(const std::map<std::string, DoubleMatrix>& layer, const claim::Size& size, std::uint64_t seed)
      : size_(size), stream_(RandomStream(seed).child("model.head_ranks")) {
    arith::BackendOptions options;
    options.seed = seed;
    field_ = arith::make_backend("field", options);
    query = load(layer, "W_Q", {size.d, size.h * size.k});
    key = load(layer, "W_K", {size.d, size.g * size.k});
    value = load(layer, "W_V", {size.d, size.g * size.k});
    output = load(layer, "W_O", {size.h * size.k, size.d});
  }

  std::vector<std::string> ledger() const { return field_->ledger(); }

  Matrix column_block(const Matrix& matrix, std::int64_t block) const {
    return field_->slice(matrix, 0, block * size_.k, {size_.d, size_.k}).value();
  }
  Matrix row_block(const Matrix& matrix, std::int64_t block) const {
    return field_->slice(matrix, block * size_.k, 0, {size_.k, size_.d}).value();
  }
  Matrix transpose(const Matrix& matrix) const { return field_->transpose(matrix).value(); }
  Matrix beside(const std::vector<Matrix>& parts) const { return field_->concat_columns(parts).value(); }

  // tall (right Omega), Omega a random d x k matrix: its column space is inside the one of tall * right (d x d), equal
  // to it but for bad luck, and it costs d k^2 instead of d^2 k.
  Matrix sampled_product(const Matrix& tall, const Matrix& right) {
    const auto sample =
        field_->uniform({size_.d, size_.k}, expr::Structure::general, stream_.child(samples_++)).value();
    return field_->multiply(tall, field_->multiply(right, sample).value()).value();
  }

  Rank rank(const Matrix& matrix, std::int64_t upper) const {
    const std::int64_t lower = field_->rank(matrix).value();
    ATTEST_CHECK(lower <= upper, "a rank modulo a prime above an upper bound over Q");
    return {lower, upper};
  }
  Rank rank(const Matrix& matrix) const { return rank(matrix, std::min(matrix->shape.rows, matrix->shape.cols)); }

  Matrix query, key, value, output;

 private:
  Matrix load(const std::map<std::string, DoubleMatrix>& layer, const std::string& name, expr::Shape shape) const {
    const auto found = layer.find(name);
    if (found == layer.end()) throw InputError("the layer has no weight '" + name + "', whose rank was asked for");
    const expr::Shape actual{found->second.rows, found->second.cols};
    if (!(actual == shape))
      throw InputError(name + " is " + expr::to_string(actual) + "; expected " + expr::to_string(shape));
    return field_->from_doubles(found->second).value();
  }

  claim::Size size_;
  std::unique_ptr<arith::Backend> field_;
  RandomStream stream_;
  std::uint64_t samples_ = 0;
};

// Everything about one head; its samples of col(B_i) and row(B_i) are handed on.
HeadRanks ranks_of_head(FieldLayer* layer, std::int64_t head, std::int64_t group, Matrix* columns, Matrix* rows) {
  const Matrix query = layer->column_block(layer->query, head), key = layer->column_block(layer->key, group);
  const Matrix value = layer->column_block(layer->value, group), output = layer->row_block(layer->output, head);
  HeadRanks ranks;
  ranks.query = layer->rank(query);
  ranks.key = layer->rank(key);
  ranks.value = layer->rank(value);
  ranks.output = layer->rank(output);
  *columns = layer->sampled_product(query, layer->transpose(key));
  *rows = layer->sampled_product(key, layer->transpose(query));
  ranks.logit_form = layer->rank(*columns, std::min(ranks.query.upper, ranks.key.upper));
  ranks.value_form =
      layer->rank(layer->sampled_product(value, output), std::min(ranks.value.upper, ranks.output.upper));
  return ranks;
}

// The dimension of a sum is at most the sum of the dimensions, with equality exactly for independent spaces.
void decide_columns(const FieldLayer& layer, const std::vector<Matrix>& columns, const claim::Size& size,
                    const std::vector<HeadRanks>& heads, QueryCondition* condition) {
  for (const auto& head : heads) {
    condition->sum_of_dimensions.lower += head.logit_form.lower;
    condition->sum_of_dimensions.upper += head.logit_form.upper;
  }
  condition->dimension_of_sum = layer.rank(layer.beside(columns), std::min(size.d, condition->sum_of_dimensions.upper));
  if (condition->dimension_of_sum.lower == condition->sum_of_dimensions.upper)
    condition->columns_independent = Truth::yes;
  else if (condition->dimension_of_sum.upper < condition->sum_of_dimensions.lower)
    condition->columns_independent = Truth::no;
}

// All row spaces of a group coincide iff each has the dimension of their sum.
Truth rows_coincide(const FieldLayer& layer, const std::vector<Matrix>& rows, const claim::Size& size,
                    const std::vector<HeadRanks>& heads) {
  Truth answer = Truth::yes;
  const std::int64_t width = size.h / size.g;
  for (std::int64_t group = 0; width > 1 && group < size.g; ++group) {
    const auto first = static_cast<std::size_t>(group * width), last = first + static_cast<std::size_t>(width);
    const Matrix all = layer.beside(
        {rows.begin() + static_cast<std::ptrdiff_t>(first), rows.begin() + static_cast<std::ptrdiff_t>(last)});
    const Rank sum = layer.rank(all, heads[first].key.upper);
    for (std::size_t head = first; head < last; ++head) {
      const Rank& own = heads[head].logit_form;
      const Truth same = own.lower == sum.upper ? Truth::yes : own.upper < sum.lower ? Truth::no : Truth::unknown;
      answer = both(answer, same);
    }
  }
  return answer;
}

}  // namespace

LayerRanks layer_ranks(const std::map<std::string, DoubleMatrix>& layer, const claim::Size& size, std::uint64_t seed) {
  FieldLayer field(layer, size, seed);
  LayerRanks ranks;
  ranks.W_Q = field.rank(field.query);
  ranks.W_K = field.rank(field.key);
  ranks.W_V = field.rank(field.value);
  ranks.W_O = field.rank(field.output);
  std::vector<Matrix> columns(static_cast<std::size_t>(size.h)), rows(static_cast<std::size_t>(size.h));
  for (std::int64_t head = 0; head < size.h; ++head) {
    const auto i = static_cast<std::size_t>(head);
    ranks.heads.push_back(ranks_of_head(&field, head, head * size.g / size.h, &columns[i], &rows[i]));
  }
  decide_columns(field, columns, size, ranks.heads, &ranks.query_condition);
  ranks.query_condition.rows_coincide = rows_coincide(field, rows, size, ranks.heads);
  ranks.ledger = field.ledger();
  return ranks;
}

}  // namespace attest::model
