// The prime field F_p on FLINT's nmod_mat: rational operations exact, functions as keyed pseudo-random functions.

#include <algorithm>
#include <cmath>

#include "core/arith/backend.h"
#include "core/arith/field_kernels.h"
#include "core/arith/field_solve.h"
#include "core/arith/flint_matrix.h"
#include "core/arith/keyed_function.h"
#include "core/arith/prime_field.h"

namespace attest::arith {
namespace {

using expr::Shape;
using expr::Structure;
using Result = Outcome<Matrix>;

constexpr const char* singular = "the matrix is singular modulo p";

const ResidueStorage& read(const Matrix& a) {
  const auto* storage = dynamic_cast<const ResidueStorage*>(a.get());
  ATTEST_CHECK(storage != nullptr, "a matrix of another arithmetic was given to the prime field");
  return *storage;
}

void copy_row(mp_limb_t* to, const mp_limb_t* from, std::int64_t count) { std::copy(from, from + count, to); }

class FieldBackend final : public Backend {
 public:
  FieldBackend(std::uint64_t p, const BackendOptions& options)
      : p_(p), options_(options), uniform_(p), reader_(p), row_function_(p, options.seed, "softmax") {
    nmod_init(&mod_, p);
  }

  std::string name() const override { return "field"; }
  Strength strength() const override { return Strength::probable; }
  bool associative() const override { return true; }
  bool uses_stand_ins() const override { return true; }
  std::vector<std::string> ledger() const override;

  Result from_rational(const RationalMatrix& matrix) const override;
  Result from_doubles(const DoubleMatrix& matrix) const override;
  Result fill(Shape shape, const Rational& value) const override;
  Result identity(std::int64_t n) const override;
  Result uniform(Shape shape, Structure structure, RandomStream stream) const override;

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
  Result solve_right(const Matrix& x, const Matrix& a, Structure structure) const override;
  Result solve_left(const Matrix& a, const Matrix& y, Structure structure) const override;

  Result softmax(const Matrix& logits, const expr::Mask& mask) const override;
  Result elementwise(expr::Function f, const Matrix& a) const override;

  Comparison compare(const Matrix& a, const Matrix& b) const override;
  Truth invertible(const Matrix& a) const override { return truth(nmod_mat_rank(read(a).matrix) == a->shape.rows); }
  Outcome<std::int64_t> rank(const Matrix& a) const override { return std::int64_t{nmod_mat_rank(read(a).matrix)}; }
  Outcome<DoubleMatrix> approx_doubles(const Matrix&) const override {
    return Outcome<DoubleMatrix>::unable("a residue modulo a prime has no size");
  }
  std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const override {
    return std::to_string(read(a).row(row)[col]);
  }

 private:
  std::shared_ptr<ResidueStorage> make(Shape shape) const { return std::make_shared<ResidueStorage>(shape, p_); }
  // The matrix whose entry (i, j) is entry(i, j).
  template <class Entry>
  Result each(Shape shape, Entry entry) const {
    auto result = make(shape);
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      mp_limb_t* row = result->row(i);
      for (std::int64_t j = 0; j < shape.cols; ++j) row[j] = entry(i, j);
    }
    return Matrix(result);
  }
  Result reciprocals(const ResidueStorage& a) const;
  Result denominator_vanishes(const Rational& value) const {
    return Result::undefined(to_string(value) + " has no residue: " + std::to_string(p_) + " divides its denominator");
  }

  std::uint64_t p_;
  BackendOptions options_;
  nmod_t mod_{};
  UniformResidues uniform_;
  ResidueReader reader_;
  KeyedFunction row_function_;
};

std::vector<std::string> FieldBackend::ledger() const {
  const std::string bits = std::to_string(options_.prime_bits);
  const std::string prime =
      options_.prime != 0
          ? "F_p only: p = " + std::to_string(p_) + " was given, not drawn, so nothing follows for rational numbers"
          : "modulo p = " + std::to_string(p_) + ", drawn uniformly from the primes of [2^" + bits + ", 2^(" + bits +
                " + 1)] with seed " + std::to_string(options_.seed);
  return {prime,
          "softmax, activations and inv_sqrt are keyed pseudo-random functions of their exact arguments (SipHash-2-4, "
          "assumed indistinguishable from random functions): equality is for every choice of these functions"};
}

Result FieldBackend::from_rational(const RationalMatrix& matrix) const {
  auto result = make({matrix.rows, matrix.cols});
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const auto residue = reader_.of(matrix.at(i, j));
      if (!residue) return denominator_vanishes(matrix.at(i, j));
      result->row(i)[j] = *residue;
    }
  return Matrix(result);
}

Result FieldBackend::from_doubles(const DoubleMatrix& matrix) const {
  auto result = make({matrix.rows, matrix.cols});
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const double value = matrix.at(i, j);
      const auto residue = reader_.of(value);
      if (!residue && std::isfinite(value)) return denominator_vanishes(exact_rational(value));
      if (!residue)
        return Result::undefined("entry (" + std::to_string(i) + ", " + std::to_string(j) + ") is not finite");
      result->row(i)[j] = *residue;
    }
  return Matrix(result);
}

Result FieldBackend::fill(Shape shape, const Rational& value) const {
  const auto residue = reader_.of(value);
  if (!residue) return denominator_vanishes(value);
  return each(shape, [&](std::int64_t, std::int64_t) { return *residue; });
}

Result FieldBackend::identity(std::int64_t n) const {
  auto result = make({n, n});
  nmod_mat_one(result->matrix);
  return Matrix(result);
}

Result FieldBackend::uniform(Shape shape, Structure structure, RandomStream stream) const {
  auto result = make(shape);
  if (structure != Structure::general) ATTEST_CHECK(shape.rows == shape.cols, "a structured matrix is square");
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    mp_limb_t* row = result->row(i);
    switch (structure) {
      case Structure::general:
        uniform_.fill(row, shape.cols, stream);
        break;
      case Structure::unit_lower:
        uniform_.fill(row, i, stream);
        row[i] = 1;
        break;
      case Structure::upper:
        row[i] = uniform_.next_nonzero(stream);
        uniform_.fill(row + i + 1, shape.cols - i - 1, stream);
        break;
      case Structure::diagonal_signs:
        row[i] = stream.below(2) == 0 ? 1 : p_ - 1;
        break;
    }
  }
  return Matrix(result);
}

Result FieldBackend::add(const Matrix& a, const Matrix& b) const {
  auto result = make(a->shape);
  nmod_mat_add(result->matrix, read(a).matrix, read(b).matrix);
  return Matrix(result);
}

Result FieldBackend::subtract(const Matrix& a, const Matrix& b) const {
  auto result = make(a->shape);
  nmod_mat_sub(result->matrix, read(a).matrix, read(b).matrix);
  return Matrix(result);
}

Result FieldBackend::multiply(const Matrix& a, const Matrix& b) const {
  auto result = make({a->shape.rows, b->shape.cols});
  if (a->shape.rows <= thin_rows)
    thin_multiply(*result, read(a), read(b));
  else
    nmod_mat_mul(result->matrix, read(a).matrix, read(b).matrix);
  return Matrix(result);
}

Result FieldBackend::scale(const Rational& q, const Matrix& a) const {
  const auto factor = reader_.of(q);
  if (!factor) return denominator_vanishes(q);
  auto result = make(a->shape);
  nmod_mat_scalar_mul(result->matrix, read(a).matrix, *factor);
  return Matrix(result);
}

Result FieldBackend::scale_by(const Matrix& scalar, const Matrix& a) const {
  auto result = make(a->shape);
  nmod_mat_scalar_mul(result->matrix, read(a).matrix, read(scalar).row(0)[0]);
  return Matrix(result);
}

Result FieldBackend::scale_rows(const Matrix& column, const Matrix& a) const {
  const ResidueStorage& factors = read(column);
  const ResidueStorage& source = read(a);
  return each(a->shape,
              [&](std::int64_t i, std::int64_t j) { return nmod_mul(factors.row(i)[0], source.row(i)[j], mod_); });
}

Result FieldBackend::hadamard(const Matrix& a, const Matrix& b) const {
  const ResidueStorage& left = read(a);
  const ResidueStorage& right = read(b);
  return each(a->shape,
              [&](std::int64_t i, std::int64_t j) { return nmod_mul(left.row(i)[j], right.row(i)[j], mod_); });
}

Result FieldBackend::transpose(const Matrix& a) const {
  auto result = make({a->shape.cols, a->shape.rows});
  nmod_mat_transpose(result->matrix, read(a).matrix);
  return Matrix(result);
}

Result FieldBackend::concat_columns(const std::vector<Matrix>& parts) const {
  Shape shape{parts.front()->shape.rows, 0};
  for (const Matrix& part : parts) shape.cols += part->shape.cols;
  auto result = make(shape);
  std::int64_t first = 0;
  for (const Matrix& part : parts) {
    for (std::int64_t i = 0; i < shape.rows; ++i) copy_row(result->row(i) + first, read(part).row(i), part->shape.cols);
    first += part->shape.cols;
  }
  return Matrix(result);
}

Result FieldBackend::concat_rows(const std::vector<Matrix>& parts) const {
  Shape shape{0, parts.front()->shape.cols};
  for (const Matrix& part : parts) shape.rows += part->shape.rows;
  auto result = make(shape);
  std::int64_t first = 0;
  for (const Matrix& part : parts)
    for (std::int64_t i = 0; i < part->shape.rows; ++i) copy_row(result->row(first++), read(part).row(i), shape.cols);
  return Matrix(result);
}

Result FieldBackend::slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const {
  auto result = make(shape);
  const ResidueStorage& source = read(a);
  for (std::int64_t i = 0; i < shape.rows; ++i)
    copy_row(result->row(i), source.row(first_row + i) + first_col, shape.cols);
  return Matrix(result);
}

Result FieldBackend::inverse(const Matrix& a) const {
  auto result = make(a->shape);
  if (nmod_mat_inv(result->matrix, read(a).matrix) == 0) return Result::undefined(singular);
  return Matrix(result);
}

Result FieldBackend::solve_right(const Matrix& x, const Matrix& a, Structure structure) const {
  auto result = make(x->shape);
  if (!solve_from_right(*result, read(x), read(a), structure)) return Result::undefined(singular);
  return Matrix(result);
}

Result FieldBackend::solve_left(const Matrix& a, const Matrix& y, Structure structure) const {
  auto result = make(y->shape);
  if (!solve_from_left(*result, read(a), read(y), structure)) return Result::undefined(singular);
  return Matrix(result);
}

Result FieldBackend::softmax(const Matrix& logits, const expr::Mask& mask) const {
  const Shape shape = logits->shape;
  const ResidueStorage& source = read(logits);
  auto result = make(shape);
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    std::vector<std::int64_t> positions;
    std::vector<std::uint64_t> visible;
    for (std::int64_t j = 0; j < shape.cols; ++j) {
      if (!mask.visible(i, j, shape.rows, shape.cols)) continue;
      positions.push_back(j);
      visible.push_back(source.row(i)[j]);
    }
    if (positions.empty()) return Result::undefined("softmax of row " + std::to_string(i) + ", which sees no key");
    const auto values = row_function_.row(positions, visible);
    for (std::size_t c = 0; c < positions.size(); ++c) result->row(i)[positions[c]] = values[c];
  }
  return Matrix(result);
}

Result FieldBackend::reciprocals(const ResidueStorage& a) const {
  for (std::int64_t i = 0; i < a.shape.rows; ++i)
    if (std::find(a.row(i), a.row(i) + a.shape.cols, mp_limb_t{0}) != a.row(i) + a.shape.cols)
      return Result::undefined("1/0 has no value (a denominator vanishes modulo p)");
  return each(a.shape, [&](std::int64_t i, std::int64_t j) { return n_invmod(a.row(i)[j], p_); });
}

Result FieldBackend::elementwise(expr::Function f, const Matrix& a) const {
  const ResidueStorage& source = read(a);
  if (expr::is_rational_operation(f)) return reciprocals(source);
  const KeyedFunction function(p_, options_.seed, expr::to_string(f));
  return each(a->shape, [&](std::int64_t i, std::int64_t j) { return function.value(source.row(i)[j]); });
}

Comparison FieldBackend::compare(const Matrix& a, const Matrix& b) const {
  Comparison result;
  result.equal = Truth::yes;
  for (std::int64_t i = 0; i < a->shape.rows; ++i) {
    const mp_limb_t* left = read(a).row(i);
    const mp_limb_t* right = read(b).row(i);
    const auto differing = std::mismatch(left, left + a->shape.cols, right).first - left;
    if (differing == a->shape.cols) continue;
    result.equal = Truth::no;
    result.row = i;
    result.col = differing;
    return result;
  }
  return result;
}

}  // namespace

std::unique_ptr<Backend> make_field(const BackendOptions& options) {
  const std::uint64_t p = options.prime != 0
                              ? require_prime(options.prime)
                              : random_prime(options.prime_bits, RandomStream(options.seed).child("prime"));
  return std::make_unique<FieldBackend>(p, options);
}

}  // namespace attest::arith
