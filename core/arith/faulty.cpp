#include "core/arith/faulty.h"

#include <atomic>
#include <utility>

#include "core/support/check.h"

namespace attest::arith {
namespace {

using expr::Shape;
using Result = Outcome<Matrix>;

class Faulty final : public Backend {
 public:
  Faulty(std::unique_ptr<Backend> inner, double rate, std::uint64_t seed)
      : inner_(std::move(inner)), rate_(rate), stream_(RandomStream(seed).child("faults")) {}

  std::string name() const override { return "faulty " + inner_->name(); }
  Strength strength() const override { return inner_->strength(); }
  std::vector<std::string> ledger() const override { return inner_->ledger(); }
  bool associative() const override { return inner_->associative(); }
  bool uses_stand_ins() const override { return inner_->uses_stand_ins(); }

  Result from_rational(const RationalMatrix& matrix) const override {
    return fails() ? unable<Matrix>() : inner_->from_rational(matrix);
  }
  Result from_doubles(const DoubleMatrix& matrix) const override {
    return fails() ? unable<Matrix>() : inner_->from_doubles(matrix);
  }
  Result fill(Shape shape, const Rational& value) const override {
    return fails() ? unable<Matrix>() : inner_->fill(shape, value);
  }
  Result identity(std::int64_t n) const override { return fails() ? unable<Matrix>() : inner_->identity(n); }
  Result uniform(Shape shape, expr::Structure structure, RandomStream stream) const override {
    return fails() ? unable<Matrix>() : inner_->uniform(shape, structure, stream);
  }

  Result add(const Matrix& a, const Matrix& b) const override { return fails() ? unable<Matrix>() : inner_->add(a, b); }
  Result subtract(const Matrix& a, const Matrix& b) const override {
    return fails() ? unable<Matrix>() : inner_->subtract(a, b);
  }
  Result multiply(const Matrix& a, const Matrix& b) const override {
    return fails() ? unable<Matrix>() : inner_->multiply(a, b);
  }
  Result scale(const Rational& q, const Matrix& a) const override {
    return fails() ? unable<Matrix>() : inner_->scale(q, a);
  }
  Result scale_by(const Matrix& scalar, const Matrix& a) const override {
    return fails() ? unable<Matrix>() : inner_->scale_by(scalar, a);
  }
  Result scale_rows(const Matrix& column, const Matrix& a) const override {
    return fails() ? unable<Matrix>() : inner_->scale_rows(column, a);
  }
  Result hadamard(const Matrix& a, const Matrix& b) const override {
    return fails() ? unable<Matrix>() : inner_->hadamard(a, b);
  }
  Result transpose(const Matrix& a) const override { return fails() ? unable<Matrix>() : inner_->transpose(a); }
  Result concat_columns(const std::vector<Matrix>& parts) const override {
    return fails() ? unable<Matrix>() : inner_->concat_columns(parts);
  }
  Result concat_rows(const std::vector<Matrix>& parts) const override {
    return fails() ? unable<Matrix>() : inner_->concat_rows(parts);
  }
  Result slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const override {
    return fails() ? unable<Matrix>() : inner_->slice(a, first_row, first_col, shape);
  }
  Result inverse(const Matrix& a) const override { return fails() ? unable<Matrix>() : inner_->inverse(a); }
  Result solve_right(const Matrix& x, const Matrix& a, expr::Structure structure) const override {
    return fails() ? unable<Matrix>() : inner_->solve_right(x, a, structure);
  }
  Result solve_left(const Matrix& a, const Matrix& y, expr::Structure structure) const override {
    return fails() ? unable<Matrix>() : inner_->solve_left(a, y, structure);
  }

  Result softmax(const Matrix& logits, const expr::Mask& mask) const override {
    return fails() ? unable<Matrix>() : inner_->softmax(logits, mask);
  }
  Result elementwise(expr::Function f, const Matrix& a) const override {
    return fails() ? unable<Matrix>() : inner_->elementwise(f, a);
  }

  Comparison compare(const Matrix& a, const Matrix& b) const override {
    Comparison result = inner_->compare(a, b);
    if (fails()) result.equal = Truth::unknown;
    return result;
  }
  Truth invertible(const Matrix& a) const override { return fails() ? Truth::unknown : inner_->invertible(a); }
  Outcome<std::int64_t> rank(const Matrix& a) const override {
    return fails() ? unable<std::int64_t>() : inner_->rank(a);
  }
  Outcome<RationalMatrix> to_rational(const Matrix& a) const override {
    return fails() ? unable<RationalMatrix>() : inner_->to_rational(a);
  }
  Outcome<DoubleMatrix> approx_doubles(const Matrix& a) const override {
    return fails() ? unable<DoubleMatrix>() : inner_->approx_doubles(a);
  }
  std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const override {
    return inner_->entry_text(a, row, col);
  }

 private:
  bool fails() const {
    const std::uint64_t word = stream_.word(calls_.fetch_add(1));
    return static_cast<double>(word >> 11) * 0x1p-53 < rate_;
  }
  template <class T>
  static Outcome<T> unable() {
    return Outcome<T>::unable("a fault injected for a test");
  }

  std::unique_ptr<Backend> inner_;
  double rate_;
  RandomStream stream_;
  mutable std::atomic<std::uint64_t> calls_{0};
};

}  // namespace

std::unique_ptr<Backend> make_faulty(std::unique_ptr<Backend> inner, double rate, std::uint64_t seed) {
  ATTEST_CHECK(rate >= 0 && rate <= 1, "a rate is a probability");
  return std::make_unique<Faulty>(std::move(inner), rate, seed);
}

}  // namespace attest::arith
