#include <mpfr.h>

#include <Eigen/Dense>
#include <algorithm>
#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <boost/version.hpp>
#include <condition_variable>
#include <mutex>

#include "core/arith/backend.h"
#include "core/support/check.h"
#include "core/support/error.h"

namespace attest::arith {
namespace {

using expr::Function;
using expr::Shape;
using Number =
    boost::multiprecision::number<boost::multiprecision::mpfr_float_backend<0>, boost::multiprecision::et_off>;
using EigenMatrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Boost gives every temporary that Eigen makes the default precision, which some versions share between all threads.
// While a scope lives the default is its own; a scope of another precision waits. Scopes do not nest.
class PrecisionScope {
 public:
  explicit PrecisionScope(unsigned digits) {
    std::unique_lock<std::mutex> lock(mutex());
    released().wait(lock, [&] { return users() == 0 || current() == digits; });
    ++users();
    current() = digits;
    Number::default_precision(digits);
#if BOOST_VERSION >= 107900
    Number::thread_default_precision(digits);
#endif
  }
  ~PrecisionScope() {
    const std::lock_guard<std::mutex> lock(mutex());
    if (--users() == 0) released().notify_all();
  }
  PrecisionScope(const PrecisionScope&) = delete;
  PrecisionScope& operator=(const PrecisionScope&) = delete;

 private:
  static std::mutex& mutex() {
    static std::mutex value;
    return value;
  }
  static std::condition_variable& released() {
    static std::condition_variable value;
    return value;
  }
  static int& users() {
    static int value = 0;
    return value;
  }
  static unsigned& current() {
    static unsigned value = 0;
    return value;
  }
};

struct Storage final : MatrixStorage {
  explicit Storage(EigenMatrix m) : MatrixStorage(Shape{m.rows(), m.cols()}), entries(std::move(m)) {}
  EigenMatrix entries;
};

// The bits that Boost allots to a number of that many decimal digits.
std::int64_t bits_of(unsigned digits) {
  return static_cast<std::int64_t>(boost::multiprecision::detail::digits10_2_2(digits));
}

// The fewest decimal digits, Boost's unit, that give at least these bits.
unsigned digits_for(std::int64_t bits) {
  auto digits = static_cast<unsigned>(static_cast<double>(bits) * 0.30103);
  while (digits > 1 && bits_of(digits - 1) >= bits) --digits;
  while (bits_of(digits) < bits) ++digits;
  return digits;
}

Number from_exact(const Rational& q) {
  Number result;
  mpfr_set_q(result.backend().data(), q.get_mpq_t(), MPFR_RNDN);
  return result;
}

Number approx_value(Function f, const Number& x) {
  const Number one(1), half(0.5), two(2);
  const Number positive = x > 0 ? x : Number(0);
  switch (f) {
    case Function::relu:
      return positive;
    case Function::relu_squared:
      return positive * positive;
    case Function::gelu:
      return half * x * boost::multiprecision::erfc(-x / sqrt(two));
    case Function::gelu_tanh: {
      Number pi;
      mpfr_const_pi(pi.backend().data(), MPFR_RNDN);
      const Number q = sqrt(two / pi) * (x + from_exact(Rational(44715, 1000000)) * x * x * x);
      return x / (one + exp(-two * q));
    }
    case Function::silu:
      return x / (one + exp(-x));
    case Function::tanh:
      return tanh(x);
    case Function::exp:
      return exp(x);
    case Function::reciprocal:
      return one / x;
    case Function::inv_sqrt:
      return one / sqrt(x);
  }
  return x;
}

class Multiprecision final : public Backend {
 public:
  explicit Multiprecision(std::int64_t bits) : digits_(digits_for(bits)) {}

  std::string name() const override { return "multiprecision"; }
  Strength strength() const override { return Strength::consistent; }
  std::vector<std::string> ledger() const override {
    return {"MPFR at " + std::to_string(bits_of(digits_)) + " bits, no error bound: differences are only measured"};
  }
  bool associative() const override { return false; }
  bool uses_stand_ins() const override { return false; }

  Outcome<Matrix> from_rational(const RationalMatrix& matrix) const override {
    return make({matrix.rows, matrix.cols},
                [&](Eigen::Index i, Eigen::Index j) { return from_exact(matrix.at(i, j)); });
  }
  Outcome<Matrix> from_doubles(const DoubleMatrix& matrix) const override {
    return make({matrix.rows, matrix.cols}, [&](Eigen::Index i, Eigen::Index j) { return Number(matrix.at(i, j)); });
  }
  Outcome<Matrix> fill(Shape shape, const Rational& value) const override {
    return make(shape, [&](Eigen::Index, Eigen::Index) { return from_exact(value); });
  }
  Outcome<Matrix> identity(std::int64_t n) const override {
    return make({n, n}, [](Eigen::Index i, Eigen::Index j) { return Number(i == j ? 1 : 0); });
  }

  Outcome<Matrix> add(const Matrix& a, const Matrix& b) const override {
    return make(a->shape, [&](auto i, auto j) { return Number(cast(a)(i, j) + cast(b)(i, j)); });
  }
  Outcome<Matrix> subtract(const Matrix& a, const Matrix& b) const override {
    return make(a->shape, [&](auto i, auto j) { return Number(cast(a)(i, j) - cast(b)(i, j)); });
  }
  Outcome<Matrix> multiply(const Matrix& a, const Matrix& b) const override {
    const PrecisionScope scope(digits_);
    return finish(cast(a) * cast(b));
  }
  Outcome<Matrix> scale(const Rational& q, const Matrix& a) const override {
    return make(a->shape, [&](auto i, auto j) { return Number(from_exact(q) * cast(a)(i, j)); });
  }
  Outcome<Matrix> scale_by(const Matrix& scalar, const Matrix& a) const override {
    return make(a->shape, [&](auto i, auto j) { return Number(cast(scalar)(0, 0) * cast(a)(i, j)); });
  }
  Outcome<Matrix> scale_rows(const Matrix& column, const Matrix& a) const override {
    return make(a->shape, [&](auto i, auto j) { return Number(cast(column)(i, 0) * cast(a)(i, j)); });
  }
  Outcome<Matrix> hadamard(const Matrix& a, const Matrix& b) const override {
    return make(a->shape, [&](auto i, auto j) { return Number(cast(a)(i, j) * cast(b)(i, j)); });
  }
  Outcome<Matrix> transpose(const Matrix& a) const override {
    return make({a->shape.cols, a->shape.rows}, [&](auto i, auto j) { return cast(a)(j, i); });
  }
  Outcome<Matrix> concat_columns(const std::vector<Matrix>& parts) const override { return concat(parts, false); }
  Outcome<Matrix> concat_rows(const std::vector<Matrix>& parts) const override { return concat(parts, true); }
  Outcome<Matrix> slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const override {
    return make(shape, [&](auto i, auto j) { return cast(a)(first_row + i, first_col + j); });
  }
  Outcome<Matrix> inverse(const Matrix& a) const override {
    const PrecisionScope scope(digits_);
    if (a->shape.rows == 0) return finish(EigenMatrix(0, 0));
    return finish(cast(a).partialPivLu().inverse());
  }
  Outcome<Matrix> solve_left(const Matrix& a, const Matrix& y, expr::Structure) const override {
    const PrecisionScope scope(digits_);
    return finish(cast(a).partialPivLu().solve(cast(y)));
  }
  Outcome<Matrix> solve_right(const Matrix& x, const Matrix& a, expr::Structure) const override {
    const PrecisionScope scope(digits_);
    const EigenMatrix turned = cast(a).transpose();
    const EigenMatrix solution = turned.partialPivLu().solve(cast(x).transpose());
    return finish(solution.transpose());
  }

  Outcome<Matrix> softmax(const Matrix& logits, const expr::Mask& mask) const override;
  Outcome<Matrix> elementwise(Function f, const Matrix& a) const override;

  Comparison compare(const Matrix& a, const Matrix& b) const override;
  Truth invertible(const Matrix&) const override { return Truth::unknown; }
  Outcome<std::int64_t> rank(const Matrix&) const override {
    return Outcome<std::int64_t>::unable("no rank is decided without an error bound");
  }
  // The rounded numbers themselves, exactly: they are dyadic rationals.
  Outcome<RationalMatrix> to_rational(const Matrix& a) const override {
    RationalMatrix result(a->shape.rows, a->shape.cols);
    for (std::int64_t i = 0; i < result.rows; ++i)
      for (std::int64_t j = 0; j < result.cols; ++j)
        mpfr_get_q(result.at(i, j).get_mpq_t(), cast(a)(i, j).backend().data());
    return result;
  }
  Outcome<DoubleMatrix> approx_doubles(const Matrix& a) const override {
    DoubleMatrix result(a->shape.rows, a->shape.cols);
    for (std::int64_t i = 0; i < result.rows; ++i)
      for (std::int64_t j = 0; j < result.cols; ++j) result.at(i, j) = approx_double(cast(a)(i, j));
    return result;
  }
  // Rounded to as many decimals as the precision carries; no bound.
  std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const override {
    return cast(a)(row, col).str(digits_, std::ios_base::fmtflags(0));
  }

 private:
  static const EigenMatrix& cast(const Matrix& a) {
    const auto* storage = dynamic_cast<const Storage*>(a.get());
    ATTEST_CHECK(storage != nullptr, "a matrix of another arithmetic");
    return storage->entries;
  }
  static double approx_double(const Number& x) { return mpfr_get_d(x.backend().data(), MPFR_RNDN); }

  static Outcome<Matrix> finish(EigenMatrix result) {
    for (Eigen::Index i = 0; i < result.size(); ++i)
      if (!mpfr_number_p(result.data()[i].backend().data()))
        return Outcome<Matrix>::unable("a multiprecision result is not finite");
    return Outcome<Matrix>(std::make_shared<Storage>(std::move(result)));
  }

  // The matrix of entry(i, j), evaluated at this precision.
  template <class Entry>
  Outcome<Matrix> make(Shape shape, const Entry& entry) const {
    const PrecisionScope scope(digits_);
    EigenMatrix result(shape.rows, shape.cols);
    for (Eigen::Index i = 0; i < shape.rows; ++i)
      for (Eigen::Index j = 0; j < shape.cols; ++j) result(i, j) = entry(i, j);
    return finish(std::move(result));
  }

  Outcome<Matrix> concat(const std::vector<Matrix>& parts, bool by_rows) const {
    const PrecisionScope scope(digits_);
    Shape shape = by_rows ? Shape{0, parts.front()->shape.cols} : Shape{parts.front()->shape.rows, 0};
    for (const Matrix& part : parts)
      (by_rows ? shape.rows : shape.cols) += by_rows ? part->shape.rows : part->shape.cols;
    EigenMatrix result(shape.rows, shape.cols);
    std::int64_t offset = 0;
    for (const Matrix& part : parts) {
      result.block(by_rows ? offset : 0, by_rows ? 0 : offset, part->shape.rows, part->shape.cols) = cast(part);
      offset += by_rows ? part->shape.rows : part->shape.cols;
    }
    return finish(std::move(result));
  }

  unsigned digits_;
};

Outcome<Matrix> Multiprecision::softmax(const Matrix& logits, const expr::Mask& mask) const {
  const auto [rows, cols] = logits->shape;
  const EigenMatrix& from = cast(logits);
  const PrecisionScope scope(digits_);
  EigenMatrix result = EigenMatrix::Zero(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i) {
    std::int64_t largest = -1;
    for (std::int64_t j = 0; j < cols; ++j)
      if (mask.visible(i, j, rows, cols) && (largest < 0 || from(i, j) > from(i, largest))) largest = j;
    if (largest < 0) return Outcome<Matrix>::undefined("softmax row " + std::to_string(i) + " sees no key");
    Number sum(0);
    for (std::int64_t j = 0; j < cols; ++j) {
      if (!mask.visible(i, j, rows, cols)) continue;
      result(i, j) = exp(Number(from(i, j) - from(i, largest)));
      sum += result(i, j);
    }
    for (std::int64_t j = 0; j < cols; ++j) result(i, j) /= sum;
  }
  return finish(std::move(result));
}

// Without a bound only an exact conversion would prove an entry to be outside the domain, so the answer is unable.
Outcome<Matrix> Multiprecision::elementwise(Function f, const Matrix& a) const {
  const EigenMatrix& from = cast(a);
  for (Eigen::Index i = 0; i < from.size(); ++i) {
    const int sign = mpfr_sgn(from.data()[i].backend().data());
    if ((f == Function::reciprocal && sign == 0) || (f == Function::inv_sqrt && sign <= 0))
      return Outcome<Matrix>::unable(std::string(to_string(f)) + " outside its domain as far as rounded numbers show");
  }
  return make(a->shape, [&](auto i, auto j) { return approx_value(f, from(i, j)); });
}

Comparison Multiprecision::compare(const Matrix& a, const Matrix& b) const {
  const EigenMatrix& left = cast(a);
  const EigenMatrix& right = cast(b);
  const PrecisionScope scope(digits_);
  Comparison result;
  for (std::int64_t i = 0; i < a->shape.rows; ++i) {
    for (std::int64_t j = 0; j < a->shape.cols; ++j) {
      const double error = std::abs(approx_double(left(i, j) - right(i, j)));
      if (error > result.error) {
        result.error = error;
        result.row = i;
        result.col = j;
      }
      result.magnitude =
          std::max({result.magnitude, std::abs(approx_double(left(i, j))), std::abs(approx_double(right(i, j)))});
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<Backend> make_multiprecision(const BackendOptions& options) {
  if (options.precision < 2 || options.precision > 1'000'000)
    throw InputError("multiprecision precision " + std::to_string(options.precision) +
                     " is outside 2 .. 1000000 bits; choose one in that range");
  return std::make_unique<Multiprecision>(options.precision);
}

}  // namespace attest::arith
