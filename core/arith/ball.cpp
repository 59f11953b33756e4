#include "core/arith/ball.h"

#include <mpfr.h>

#include <algorithm>

#include "core/arith/backend.h"
#include "core/support/check.h"
#include "core/support/error.h"

namespace attest::arith {
namespace {

using ball::Balls;
using ball::Scalar;
using expr::Shape;

void set_rational(arb_t result, const Rational& q, slong precision) {
  fmpq_t exact;
  fmpq_init(exact);
  fmpq_set_mpq(exact, q.get_mpq_t());
  arb_set_fmpq(result, exact, precision);
  fmpq_clear(exact);
}

// Midpoint rounded to double; beyond the range of double it is infinite.
double approx_double(const arb_t x) { return arf_get_d(arb_midref(x), ARF_RND_NEAR); }

std::string text_and_free(char* text) {
  std::string result(text);
  flint_free(text);
  return result;
}

class Ball final : public Backend {
 public:
  explicit Ball(slong precision) : precision_(precision) {}

  std::string name() const override { return "ball"; }
  Strength strength() const override { return Strength::certified; }
  std::vector<std::string> ledger() const override {
    return {"enclosures by Arb at " + std::to_string(precision_) + " bits"};
  }
  // Both orders enclose the same exact matrix.
  bool associative() const override { return true; }
  bool uses_stand_ins() const override { return false; }

  Outcome<Matrix> from_rational(const RationalMatrix& matrix) const override;
  Outcome<Matrix> from_doubles(const DoubleMatrix& matrix) const override;
  Outcome<Matrix> fill(Shape shape, const Rational& value) const override;
  Outcome<Matrix> identity(std::int64_t n) const override {
    auto result = std::make_shared<Balls>(Shape{n, n});
    arb_mat_one(result->entries);
    return Outcome<Matrix>(std::move(result));
  }

  Outcome<Matrix> add(const Matrix& a, const Matrix& b) const override {
    auto result = std::make_shared<Balls>(a->shape);
    arb_mat_add(result->entries, cast(a).entries, cast(b).entries, precision_);
    return finish(std::move(result));
  }
  Outcome<Matrix> subtract(const Matrix& a, const Matrix& b) const override {
    auto result = std::make_shared<Balls>(a->shape);
    arb_mat_sub(result->entries, cast(a).entries, cast(b).entries, precision_);
    return finish(std::move(result));
  }
  Outcome<Matrix> multiply(const Matrix& a, const Matrix& b) const override {
    auto result = std::make_shared<Balls>(Shape{a->shape.rows, b->shape.cols});
    arb_mat_mul(result->entries, cast(a).entries, cast(b).entries, precision_);
    return finish(std::move(result));
  }
  Outcome<Matrix> scale(const Rational& q, const Matrix& a) const override {
    Scalar factor;
    set_rational(factor.value, q, precision_);
    return each(a, [&](arb_t result, arb_srcptr x, auto, auto) { arb_mul(result, x, factor.value, precision_); });
  }
  Outcome<Matrix> scale_by(const Matrix& scalar, const Matrix& a) const override {
    arb_srcptr factor = cast(scalar).at(0, 0);
    return each(a, [&](arb_t result, arb_srcptr x, auto, auto) { arb_mul(result, x, factor, precision_); });
  }
  Outcome<Matrix> scale_rows(const Matrix& column, const Matrix& a) const override {
    const Balls& factors = cast(column);
    return each(
        a, [&](arb_t result, arb_srcptr x, std::int64_t i, auto) { arb_mul(result, x, factors.at(i, 0), precision_); });
  }
  Outcome<Matrix> hadamard(const Matrix& a, const Matrix& b) const override {
    const Balls& factors = cast(b);
    return each(a, [&](arb_t result, arb_srcptr x, std::int64_t i, std::int64_t j) {
      arb_mul(result, x, factors.at(i, j), precision_);
    });
  }
  Outcome<Matrix> transpose(const Matrix& a) const override {
    auto result = std::make_shared<Balls>(Shape{a->shape.cols, a->shape.rows});
    arb_mat_transpose(result->entries, cast(a).entries);
    return Outcome<Matrix>(std::move(result));
  }
  Outcome<Matrix> concat_columns(const std::vector<Matrix>& parts) const override;
  Outcome<Matrix> concat_rows(const std::vector<Matrix>& parts) const override;
  Outcome<Matrix> slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const override;

  Outcome<Matrix> inverse(const Matrix& a) const override {
    auto result = std::make_shared<Balls>(a->shape);
    if (!arb_mat_inv(result->entries, cast(a).entries, precision_)) return not_invertible(cast(a));
    return finish(std::move(result));
  }
  Outcome<Matrix> solve_right(const Matrix& x, const Matrix& a, expr::Structure structure) const override;
  Outcome<Matrix> solve_left(const Matrix& a, const Matrix& y, expr::Structure structure) const override;

  Outcome<Matrix> softmax(const Matrix& logits, const expr::Mask& mask) const override {
    return ball::softmax(cast(logits), mask, precision_);
  }
  Outcome<Matrix> elementwise(expr::Function f, const Matrix& a) const override;

  Comparison compare(const Matrix& a, const Matrix& b) const override;
  Truth invertible(const Matrix& a) const override;
  Outcome<std::int64_t> rank(const Matrix& a) const override;
  Outcome<DoubleMatrix> approx_doubles(const Matrix& a) const override;
  std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const override;

 private:
  static const Balls& cast(const Matrix& a) {
    const auto* balls = dynamic_cast<const Balls*>(a.get());
    ATTEST_CHECK(balls != nullptr, "a matrix of another arithmetic");
    return *balls;
  }

  Outcome<Matrix> finish(std::shared_ptr<Balls> result) const {
    if (arb_mat_is_finite(result->entries)) return Outcome<Matrix>(std::move(result));
    return Outcome<Matrix>::unable("an enclosure is not finite at " + std::to_string(precision_) + " bits");
  }

  // Entry (i, j) becomes operation(result, x_ij, i, j).
  template <class Operation>
  Outcome<Matrix> each(const Matrix& a, const Operation& operation) const {
    const Balls& from = cast(a);
    auto result = std::make_shared<Balls>(a->shape);
    for (std::int64_t i = 0; i < a->shape.rows; ++i)
      for (std::int64_t j = 0; j < a->shape.cols; ++j) operation(result->at(i, j), from.at(i, j), i, j);
    return finish(std::move(result));
  }

  Outcome<Matrix> not_invertible(const Balls& a) const {
    if (certainly_singular(a)) return Outcome<Matrix>::undefined("the inverse of a singular matrix");
    return Outcome<Matrix>::unable("cannot certify at " + std::to_string(precision_) +
                                   " bits that the matrix is invertible");
  }
  static bool certainly_singular(const Balls& a) {
    if (a.shape.rows > ball::exact_rank_limit) return false;
    const auto exact = ball::exact_rank(a);
    return exact.ok() && exact.value() < a.shape.rows;
  }

  slong precision_;
};

Outcome<Matrix> Ball::from_rational(const RationalMatrix& matrix) const {
  auto result = std::make_shared<Balls>(Shape{matrix.rows, matrix.cols});
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) set_rational(result->at(i, j), matrix.at(i, j), precision_);
  return finish(std::move(result));
}

Outcome<Matrix> Ball::from_doubles(const DoubleMatrix& matrix) const {
  auto result = std::make_shared<Balls>(Shape{matrix.rows, matrix.cols});
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) arb_set_d(result->at(i, j), matrix.at(i, j));
  return finish(std::move(result));
}

Outcome<Matrix> Ball::fill(Shape shape, const Rational& value) const {
  auto result = std::make_shared<Balls>(shape);
  Scalar entry;
  set_rational(entry.value, value, precision_);
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.cols; ++j) arb_set(result->at(i, j), entry.value);
  return Outcome<Matrix>(std::move(result));
}

Outcome<Matrix> Ball::concat_columns(const std::vector<Matrix>& parts) const {
  Shape shape{parts.front()->shape.rows, 0};
  for (const Matrix& part : parts) shape.cols += part->shape.cols;
  auto result = std::make_shared<Balls>(shape);
  std::int64_t offset = 0;
  for (const Matrix& part : parts) {
    for (std::int64_t i = 0; i < shape.rows; ++i)
      for (std::int64_t j = 0; j < part->shape.cols; ++j) arb_set(result->at(i, offset + j), cast(part).at(i, j));
    offset += part->shape.cols;
  }
  return Outcome<Matrix>(std::move(result));
}

Outcome<Matrix> Ball::concat_rows(const std::vector<Matrix>& parts) const {
  Shape shape{0, parts.front()->shape.cols};
  for (const Matrix& part : parts) shape.rows += part->shape.rows;
  auto result = std::make_shared<Balls>(shape);
  std::int64_t offset = 0;
  for (const Matrix& part : parts) {
    for (std::int64_t i = 0; i < part->shape.rows; ++i)
      for (std::int64_t j = 0; j < shape.cols; ++j) arb_set(result->at(offset + i, j), cast(part).at(i, j));
    offset += part->shape.rows;
  }
  return Outcome<Matrix>(std::move(result));
}

Outcome<Matrix> Ball::slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const {
  auto result = std::make_shared<Balls>(shape);
  for (std::int64_t i = 0; i < shape.rows; ++i)
    for (std::int64_t j = 0; j < shape.cols; ++j) arb_set(result->at(i, j), cast(a).at(first_row + i, first_col + j));
  return Outcome<Matrix>(std::move(result));
}

// X A^-1 = ((A^T)^-1 X^T)^T.
Outcome<Matrix> Ball::solve_right(const Matrix& x, const Matrix& a, expr::Structure) const {
  const auto turned = transpose(x), matrix = transpose(a);
  const auto solution = solve_left(matrix.value(), turned.value(), expr::Structure::general);
  return solution.ok() ? transpose(solution.value()) : solution;
}

Outcome<Matrix> Ball::solve_left(const Matrix& a, const Matrix& y, expr::Structure) const {
  auto result = std::make_shared<Balls>(y->shape);
  if (!arb_mat_solve(result->entries, cast(a).entries, cast(y).entries, precision_)) return not_invertible(cast(a));
  return finish(std::move(result));
}

Outcome<Matrix> Ball::elementwise(expr::Function f, const Matrix& a) const {
  const Balls& from = cast(a);
  auto result = std::make_shared<Balls>(a->shape);
  const std::string name(to_string(f));
  for (std::int64_t i = 0; i < a->shape.rows; ++i) {
    for (std::int64_t j = 0; j < a->shape.cols; ++j) {
      switch (ball::enclose(f, result->at(i, j), from.at(i, j), precision_)) {
        case Status::success:
          break;
        case Status::undefined:
          return Outcome<Matrix>::undefined(name + " outside its domain");
        case Status::unable:
          return Outcome<Matrix>::unable(name + " of an entry known too poorly at " + std::to_string(precision_) +
                                         " bits");
      }
    }
  }
  return Outcome<Matrix>(std::move(result));
}

Comparison Ball::compare(const Matrix& a, const Matrix& b) const {
  const Balls& left = cast(a);
  const Balls& right = cast(b);
  Comparison result;
  Scalar difference;
  bool all_equal = true, disjoint = false;
  double worst = -1;
  for (std::int64_t i = 0; i < a->shape.rows; ++i) {
    for (std::int64_t j = 0; j < a->shape.cols; ++j) {
      arb_srcptr x = left.at(i, j), y = right.at(i, j);
      arb_sub(difference.value, x, y, precision_);
      const double error = std::abs(approx_double(difference.value));
      all_equal = all_equal && arb_is_exact(x) && arb_equal(x, y);
      if (!disjoint && (!arb_overlaps(x, y) || error > worst)) {
        result.row = i;
        result.col = j;
        worst = error;
        disjoint = !arb_overlaps(x, y);
      }
      result.error = std::max(result.error, error);
      result.radius = std::max(result.radius, mag_get_d(arb_radref(difference.value)));
      result.magnitude = std::max({result.magnitude, std::abs(approx_double(x)), std::abs(approx_double(y))});
    }
  }
  result.equal = disjoint ? Truth::no : all_equal ? Truth::yes : Truth::unknown;
  return result;
}

Truth Ball::invertible(const Matrix& a) const {
  Balls scratch(a->shape);
  if (arb_mat_inv(scratch.entries, cast(a).entries, precision_)) return Truth::yes;
  return certainly_singular(cast(a)) ? Truth::no : Truth::unknown;
}

// Exact entries: over the integers. Otherwise only full rank can be certified, by an invertible Gram matrix.
Outcome<std::int64_t> Ball::rank(const Matrix& a) const {
  const Balls& balls = cast(a);
  const auto [rows, cols] = a->shape;
  const std::int64_t smaller = std::min(rows, cols);
  if (smaller <= ball::exact_rank_limit) {
    const auto exact = ball::exact_rank(balls);
    if (exact.ok()) return exact;
  }
  const Matrix turned = transpose(a).value();
  const auto gram = rows <= cols ? multiply(a, turned) : multiply(turned, a);
  if (gram.ok()) {
    Balls scratch(gram.value()->shape);
    if (arb_mat_inv(scratch.entries, cast(gram.value()).entries, precision_)) return smaller;
  }
  return Outcome<std::int64_t>::unable("no rank can be certified at " + std::to_string(precision_) + " bits");
}

Outcome<DoubleMatrix> Ball::approx_doubles(const Matrix& a) const {
  DoubleMatrix result(a->shape.rows, a->shape.cols);
  for (std::int64_t i = 0; i < a->shape.rows; ++i)
    for (std::int64_t j = 0; j < a->shape.cols; ++j) result.at(i, j) = approx_double(cast(a).at(i, j));
  return result;
}

// Exact values of moderate size as "p/q"; others as "[mid +/- rad]", decimals whose interval contains the ball.
std::string Ball::entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const {
  arb_srcptr x = cast(a).at(row, col);
  constexpr slong largest_exponent = 1 << 14;
  const bool moderate = arb_is_zero(x) || (arf_cmpabs_2exp_si(arb_midref(x), largest_exponent) < 0 &&
                                           arf_cmpabs_2exp_si(arb_midref(x), -largest_exponent) > 0);
  if (arb_is_exact(x) && moderate) {
    fmpq_t exact;
    fmpq_init(exact);
    arf_get_fmpq(exact, arb_midref(x));
    std::string text = text_and_free(fmpq_get_str(nullptr, 10, exact));
    fmpq_clear(exact);
    return text;
  }
  const auto digits = static_cast<slong>(static_cast<double>(precision_) * 0.30103) + 3;
  std::string text = text_and_free(arb_get_str(x, digits, ARB_STR_MORE));
  if (text.rfind("[+/-", 0) == 0) text.insert(1, "0 ");
  return text.front() == '[' ? text : "[" + text + " +/- 0]";
}

}  // namespace

std::unique_ptr<Backend> make_ball(const BackendOptions& options) {
  if (options.precision < 2 || options.precision > 1'000'000)
    throw InputError("ball precision " + std::to_string(options.precision) +
                     " is outside 2 .. 1000000 bits; choose one in that range");
  return std::make_unique<Ball>(options.precision);
}

}  // namespace attest::arith
