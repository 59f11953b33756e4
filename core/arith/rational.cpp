// Exact rational arithmetic on FLINT's fmpq_mat.

#include <cmath>

#include "core/arith/backend.h"
#include "core/arith/flint_matrix.h"
#include "core/arith/rational_functions.h"

namespace attest::arith {
namespace {

using expr::Shape;
using Result = Outcome<Matrix>;

const RationalStorage& read(const Matrix& a) {
  const auto* storage = dynamic_cast<const RationalStorage*>(a.get());
  ATTEST_CHECK(storage != nullptr, "a matrix of another arithmetic was given to the rational one");
  return *storage;
}

std::shared_ptr<RationalStorage> make(Shape shape) { return std::make_shared<RationalStorage>(shape); }

void write(fmpq* entry, const Rational& value) { fmpq_set_mpq(entry, value.get_mpq_t()); }

// Copies b into a with its first entry at (first_row, first_col).
void place(RationalStorage& a, const RationalStorage& b, std::int64_t first_row, std::int64_t first_col) {
  for (std::int64_t i = 0; i < b.shape.rows; ++i)
    for (std::int64_t j = 0; j < b.shape.cols; ++j) fmpq_set(a.at(first_row + i, first_col + j), b.at(i, j));
}

class RationalBackend final : public Backend {
 public:
  explicit RationalBackend(bool stand_ins) : stand_ins_(stand_ins) {}

  std::string name() const override { return "rational"; }
  Strength strength() const override { return Strength::exact; }
  bool associative() const override { return true; }
  bool uses_stand_ins() const override { return stand_ins_; }
  std::vector<std::string> ledger() const override;

  Result from_rational(const RationalMatrix& matrix) const override;
  Result from_doubles(const DoubleMatrix& matrix) const override;
  Result fill(Shape shape, const Rational& value) const override;
  Result identity(std::int64_t n) const override;

  Result add(const Matrix& a, const Matrix& b) const override;
  Result subtract(const Matrix& a, const Matrix& b) const override;
  Result multiply(const Matrix& a, const Matrix& b) const override;
  Result scale(const Rational& q, const Matrix& a) const override;
  Result scale_by(const Matrix& scalar, const Matrix& a) const override;
  Result scale_rows(const Matrix& column, const Matrix& a) const override;
  Result hadamard(const Matrix& a, const Matrix& b) const override;
  Result transpose(const Matrix& a) const override;
  Result concat_columns(const std::vector<Matrix>& parts) const override;
  Result concat_rows(const std::vector<Matrix>& parts) const override;
  Result slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const override;
  Result inverse(const Matrix& a) const override;
  Result solve_right(const Matrix& x, const Matrix& a, expr::Structure structure) const override;
  Result solve_left(const Matrix& a, const Matrix& y, expr::Structure structure) const override;

  Result softmax(const Matrix& logits, const expr::Mask& mask) const override;
  Result elementwise(expr::Function f, const Matrix& a) const override;

  Comparison compare(const Matrix& a, const Matrix& b) const override;
  Truth invertible(const Matrix& a) const override { return truth(rank_of(read(a)) == a->shape.rows); }
  Outcome<std::int64_t> rank(const Matrix& a) const override { return rank_of(read(a)); }
  Outcome<RationalMatrix> to_rational(const Matrix& a) const override;
  Outcome<DoubleMatrix> approx_doubles(const Matrix& a) const override;
  std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const override {
    return to_string(rational_of(read(a).at(row, col)));
  }

 private:
  static std::int64_t rank_of(const RationalStorage& a);
  bool stand_ins_;
};

std::vector<std::string> RationalBackend::ledger() const {
  if (!stand_ins_) return {"exact rational arithmetic (FLINT)"};
  return {
      "exact rational arithmetic (FLINT)",
      "softmax is replaced by the rational row function w(t) / sum of w, w(t) in 1..64 a hash of the exact logit t: a "
      "difference refutes the statement for every row function, not for softmax alone",
      "gelu, gelu_tanh, silu, tanh are replaced by max(t, -t/2, 2t - c), c = 1, 2, 3, 4, and exp by "
      "1 + max(t, -t/2, 2t - 6): a difference refutes the statement for every activation"};
}

Result RationalBackend::from_rational(const RationalMatrix& matrix) const {
  auto result = make({matrix.rows, matrix.cols});
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) write(result->at(i, j), matrix.at(i, j));
  return Matrix(result);
}

Result RationalBackend::from_doubles(const DoubleMatrix& matrix) const {
  auto result = make({matrix.rows, matrix.cols});
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      if (!std::isfinite(matrix.at(i, j)))
        return Result::undefined("entry (" + std::to_string(i) + ", " + std::to_string(j) + ") is not finite");
      write(result->at(i, j), exact_rational(matrix.at(i, j)));
    }
  return Matrix(result);
}

Result RationalBackend::fill(Shape shape, const Rational& value) const {
  auto result = make(shape);
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.cols; ++j) write(result->at(i, j), value);
  return Matrix(result);
}

Result RationalBackend::identity(std::int64_t n) const {
  auto result = make({n, n});
  fmpq_mat_one(result->matrix);
  return Matrix(result);
}

Result RationalBackend::add(const Matrix& a, const Matrix& b) const {
  auto result = make(a->shape);
  fmpq_mat_add(result->matrix, read(a).matrix, read(b).matrix);
  return Matrix(result);
}

Result RationalBackend::subtract(const Matrix& a, const Matrix& b) const {
  auto result = make(a->shape);
  fmpq_mat_sub(result->matrix, read(a).matrix, read(b).matrix);
  return Matrix(result);
}

Result RationalBackend::multiply(const Matrix& a, const Matrix& b) const {
  auto result = make({a->shape.rows, b->shape.cols});
  fmpq_mat_mul(result->matrix, read(a).matrix, read(b).matrix);
  return Matrix(result);
}

Result RationalBackend::scale(const Rational& q, const Matrix& a) const {
  auto result = make(a->shape);
  const FlintRational factor(q);
  const RationalStorage& source = read(a);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) fmpq_mul(result->at(i, j), source.at(i, j), factor.value);
  return Matrix(result);
}

Result RationalBackend::scale_by(const Matrix& scalar, const Matrix& a) const {
  return scale(rational_of(read(scalar).at(0, 0)), a);
}

Result RationalBackend::scale_rows(const Matrix& column, const Matrix& a) const {
  auto result = make(a->shape);
  const RationalStorage& source = read(a);
  const RationalStorage& factors = read(column);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) fmpq_mul(result->at(i, j), source.at(i, j), factors.at(i, 0));
  return Matrix(result);
}

Result RationalBackend::hadamard(const Matrix& a, const Matrix& b) const {
  auto result = make(a->shape);
  const RationalStorage& left = read(a);
  const RationalStorage& right = read(b);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) fmpq_mul(result->at(i, j), left.at(i, j), right.at(i, j));
  return Matrix(result);
}

Result RationalBackend::transpose(const Matrix& a) const {
  auto result = make({a->shape.cols, a->shape.rows});
  fmpq_mat_transpose(result->matrix, read(a).matrix);
  return Matrix(result);
}

Result RationalBackend::concat_columns(const std::vector<Matrix>& parts) const {
  Shape shape{parts.front()->shape.rows, 0};
  for (const Matrix& part : parts) shape.cols += part->shape.cols;
  auto result = make(shape);
  std::int64_t first = 0;
  for (const Matrix& part : parts) {
    place(*result, read(part), 0, first);
    first += part->shape.cols;
  }
  return Matrix(result);
}

Result RationalBackend::concat_rows(const std::vector<Matrix>& parts) const {
  Shape shape{0, parts.front()->shape.cols};
  for (const Matrix& part : parts) shape.rows += part->shape.rows;
  auto result = make(shape);
  std::int64_t first = 0;
  for (const Matrix& part : parts) {
    place(*result, read(part), first, 0);
    first += part->shape.rows;
  }
  return Matrix(result);
}

Result RationalBackend::slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const {
  auto result = make(shape);
  const RationalStorage& source = read(a);
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.cols; ++j) fmpq_set(result->at(i, j), source.at(first_row + i, first_col + j));
  return Matrix(result);
}

Result RationalBackend::inverse(const Matrix& a) const {
  auto result = make(a->shape);
  if (fmpq_mat_inv(result->matrix, read(a).matrix) == 0) return Result::undefined("the matrix is singular");
  return Matrix(result);
}

// Y A = X is A^T Y^T = X^T.
Result RationalBackend::solve_right(const Matrix& x, const Matrix& a, expr::Structure structure) const {
  const Result solved = solve_left(transpose(a).value(), transpose(x).value(), structure);
  return solved.ok() ? transpose(solved.value()) : solved;
}

Result RationalBackend::solve_left(const Matrix& a, const Matrix& y, expr::Structure) const {
  auto result = make({a->shape.rows, y->shape.cols});
  if (fmpq_mat_solve(result->matrix, read(a).matrix, read(y).matrix) == 0)
    return Result::undefined("the matrix is singular");
  return Matrix(result);
}

Result RationalBackend::softmax(const Matrix& logits, const expr::Mask& mask) const {
  const Shape shape = logits->shape;
  const RationalStorage& source = read(logits);
  auto result = make(shape);
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    std::vector<Rational> visible;
    for (std::int64_t j = 0; j < shape.cols; ++j)
      if (mask.visible(i, j, shape.rows, shape.cols)) visible.push_back(rational_of(source.at(i, j)));
    const auto weights = stand_ins_ ? stand_in_softmax(visible) : exact_softmax(visible);
    if (!weights.ok()) return Result::failure_of(weights);
    auto weight = weights.value().begin();
    for (std::int64_t j = 0; j < shape.cols; ++j)
      if (mask.visible(i, j, shape.rows, shape.cols)) write(result->at(i, j), *weight++);
  }
  return Matrix(result);
}

Result RationalBackend::elementwise(expr::Function f, const Matrix& a) const {
  auto result = make(a->shape);
  const RationalStorage& source = read(a);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) {
      const Rational argument = rational_of(source.at(i, j));
      const auto value = stand_ins_ ? stand_in_value(f, argument) : exact_value(f, argument);
      if (!value.ok()) return Result::failure_of(value);
      write(result->at(i, j), value.value());
    }
  return Matrix(result);
}

Comparison RationalBackend::compare(const Matrix& a, const Matrix& b) const {
  const RationalStorage& left = read(a);
  const RationalStorage& right = read(b);
  Comparison result;
  result.equal = Truth::yes;
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) {
      const Rational x = rational_of(left.at(i, j));
      const Rational y = rational_of(right.at(i, j));
      result.magnitude = std::max({result.magnitude, std::abs(x.get_d()), std::abs(y.get_d())});
      if (x == y) continue;
      if (result.equal == Truth::yes) {
        result.row = i;
        result.col = j;
      }
      result.equal = Truth::no;
      result.error = std::max(result.error, std::abs(Rational(x - y).get_d()));
    }
  return result;
}

// The rank of the integer matrix with each row's denominators cleared.
std::int64_t RationalBackend::rank_of(const RationalStorage& a) {
  IntegerMatrix numerators(a.shape.rows, a.shape.cols);
  IntegerMatrix denominators(a.shape.rows, 1);
  fmpq_mat_get_fmpz_mat_rowwise(numerators.matrix, denominators.matrix->entries, a.matrix);
  return fmpz_mat_rank(numerators.matrix);
}

Outcome<RationalMatrix> RationalBackend::to_rational(const Matrix& a) const {
  RationalMatrix result(a->shape.rows, a->shape.cols);
  const RationalStorage& source = read(a);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) result.at(i, j) = rational_of(source.at(i, j));
  return result;
}

Outcome<DoubleMatrix> RationalBackend::approx_doubles(const Matrix& a) const {
  DoubleMatrix result(a->shape.rows, a->shape.cols);
  const RationalStorage& source = read(a);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) result.at(i, j) = rational_of(source.at(i, j)).get_d();
  return result;
}

}  // namespace

std::unique_ptr<Backend> make_rational(const BackendOptions& options) {
  return std::make_unique<RationalBackend>(options.stand_in_row_function);
}

}  // namespace attest::arith
