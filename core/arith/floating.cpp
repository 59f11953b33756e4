#include "core/arith/floating.h"

#include <mpfr.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "core/arith/backend.h"
#include "core/arith/blas.h"
#include "core/support/check.h"

namespace attest::arith {
namespace {

using expr::Shape;
using floating::Bounded;
using floating::Format;

// The double nearest to q and a bound on its distance from q.
double nearest_double(const Rational& q, double& bound) {
  const double truncated = q.get_d();
  if (std::isfinite(truncated) && Rational(truncated) == q) {
    bound = 0;
    return truncated;
  }
  mpfr_t rounded;
  mpfr_init2(rounded, 53);
  mpfr_set_q(rounded, q.get_mpq_t(), MPFR_RNDN);
  const double result = mpfr_get_d(rounded, MPFR_RNDN);
  mpfr_clear(rounded);
  // The second rounding, to a subnormal number, is within the smallest one.
  bound = floating::round_up(floating::rounding(result));
  return result;
}

template <class Number>
class Floating final : public Backend {
 public:
  using Storage = Bounded<Number>;

  std::string name() const override { return sizeof(Number) == 8 ? "double" : "float"; }
  Strength strength() const override { return Strength::consistent; }
  std::vector<std::string> ledger() const override {
    return {"IEEE 754 " + name() + ", round to nearest, gradual underflow",
            blas::description() + ": each entry of a product sums its k products in some order, fused or not",
            "the C library's exp, expm1, erf and tanh are within 4 units in the last place"};
  }
  bool associative() const override { return false; }
  bool uses_stand_ins() const override { return false; }

  Outcome<Matrix> from_rational(const RationalMatrix& matrix) const override {
    auto result = std::make_shared<Storage>(Shape{matrix.rows, matrix.cols});
    std::vector<double>& bound = result->bounds();
    for (std::size_t i = 0; i < matrix.entries.size(); ++i) result->value[i] = convert(matrix.entries[i], bound[i]);
    return finish(std::move(result), "the conversion of a rational number");
  }
  Outcome<Matrix> from_doubles(const DoubleMatrix& matrix) const override {
    auto result = std::make_shared<Storage>(Shape{matrix.rows, matrix.cols});
    if constexpr (sizeof(Number) == 8) {
      result->value = matrix.entries;
    } else {
      std::vector<double>& bound = result->bounds();
      for (std::size_t i = 0; i < matrix.entries.size(); ++i) {
        result->value[i] = static_cast<Number>(matrix.entries[i]);
        bound[i] =
            std::abs(matrix.entries[i] - static_cast<double>(result->value[i]));  // exact: both share a last place
      }
    }
    return finish(std::move(result), "the conversion of a double");
  }
  Outcome<Matrix> fill(Shape shape, const Rational& value) const override {
    auto result = std::make_shared<Storage>(shape);
    double bound = 0;
    std::fill(result->value.begin(), result->value.end(), convert(value, bound));
    if (bound != 0) result->bound.assign(result->value.size(), bound);
    return finish(std::move(result), "the conversion of a rational number");
  }
  Outcome<Matrix> identity(std::int64_t n) const override {
    auto result = std::make_shared<Storage>(Shape{n, n});
    for (std::int64_t i = 0; i < n; ++i) result->value[static_cast<std::size_t>(i * n + i)] = 1;
    return Outcome<Matrix>(std::move(result));
  }

  Outcome<Matrix> add(const Matrix& a, const Matrix& b) const override { return sum(cast(a), cast(b), Number(1)); }
  Outcome<Matrix> subtract(const Matrix& a, const Matrix& b) const override {
    return sum(cast(a), cast(b), Number(-1));
  }
  Outcome<Matrix> multiply(const Matrix& a, const Matrix& b) const override {
    return floating::multiply(cast(a), cast(b));
  }
  Outcome<Matrix> scale(const Rational& q, const Matrix& a) const override {
    double bound = 0;
    const Number factor = convert(q, bound);
    if (!std::isfinite(factor)) return Outcome<Matrix>::unable("a scalar beyond the range of " + name());
    return product(cast(a), [&](std::size_t) { return Scalar{factor, bound}; });
  }
  Outcome<Matrix> scale_by(const Matrix& scalar, const Matrix& a) const override {
    const Scalar factor{cast(scalar).value[0], cast(scalar).bound_at(0)};
    return product(cast(a), [&](std::size_t) { return factor; });
  }
  Outcome<Matrix> scale_rows(const Matrix& column, const Matrix& a) const override {
    const Storage& factors = cast(column);
    const auto width = static_cast<std::size_t>(a->shape.cols);
    return product(cast(a), [&](std::size_t i) {
      return Scalar{factors.value[i / width], factors.bound_at(i / width)};
    });
  }
  Outcome<Matrix> hadamard(const Matrix& a, const Matrix& b) const override {
    const Storage& factors = cast(b);
    return product(cast(a), [&](std::size_t i) { return Scalar{factors.value[i], factors.bound_at(i)}; });
  }
  Outcome<Matrix> transpose(const Matrix& a) const override {
    return rearrange({a}, Shape{a->shape.cols, a->shape.rows}, [](std::int64_t i, std::int64_t j) {
      return Place{0, j, i};
    });
  }
  Outcome<Matrix> concat_columns(const std::vector<Matrix>& parts) const override { return concat(parts, false); }
  Outcome<Matrix> concat_rows(const std::vector<Matrix>& parts) const override { return concat(parts, true); }
  Outcome<Matrix> slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col, Shape shape) const override {
    return rearrange({a}, shape, [=](std::int64_t i, std::int64_t j) {
      return Place{0, first_row + i, first_col + j};
    });
  }
  Outcome<Matrix> inverse(const Matrix& a) const override { return floating::inverse(cast(a)); }

  Outcome<Matrix> softmax(const Matrix& logits, const expr::Mask& mask) const override {
    return floating::softmax(cast(logits), mask);
  }
  Outcome<Matrix> elementwise(expr::Function f, const Matrix& a) const override {
    return floating::elementwise(f, cast(a));
  }

  Comparison compare(const Matrix& a, const Matrix& b) const override;
  Truth invertible(const Matrix& a) const override { return inverse(a).ok() ? Truth::yes : Truth::unknown; }
  Outcome<std::int64_t> rank(const Matrix&) const override {
    return Outcome<std::int64_t>::unable("no rank is decided in " + name());
  }
  Outcome<DoubleMatrix> approx_doubles(const Matrix& a) const override {
    DoubleMatrix result(a->shape.rows, a->shape.cols);
    std::copy(cast(a).value.begin(), cast(a).value.end(), result.entries.begin());
    return result;
  }
  std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const override;

 private:
  struct Scalar {
    Number value;
    double bound;
  };
  struct Place {
    std::size_t part;
    std::int64_t row, col;
  };

  static const Storage& cast(const Matrix& a) {
    const auto* storage = dynamic_cast<const Storage*>(a.get());
    ATTEST_CHECK(storage != nullptr, "a matrix of another arithmetic");
    return *storage;
  }

  static Number convert(const Rational& q, double& bound) {
    const double value = nearest_double(q, bound);
    const auto result = static_cast<Number>(value);
    const double second = std::abs(value - static_cast<double>(result));
    if (second != 0) bound = floating::round_up(bound + second);
    return result;
  }

  static Outcome<Matrix> sum(const Storage& a, const Storage& b, Number sign) {
    auto result = std::make_shared<Storage>(a.shape);
    std::vector<double>& bound = result->bounds();
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const Number term = sign * b.value[i];
      result->value[i] = a.value[i] + term;
      bound[i] = floating::sum_bound(a.value[i], a.bound_at(i), term, b.bound_at(i), result->value[i]);
    }
    return floating::finish(std::move(result), "the sum");
  }

  // a_i times the factor of place i.
  template <class Factor>
  static Outcome<Matrix> product(const Storage& a, const Factor& factor_at) {
    auto result = std::make_shared<Storage>(a.shape);
    std::vector<double>& bound = result->bounds();
    for (std::size_t i = 0; i < bound.size(); ++i) {
      const Scalar factor = factor_at(i);
      result->value[i] = factor.value * a.value[i];
      const bool sign_only = std::abs(factor.value) == 1 && factor.bound == 0;
      bound[i] = sign_only
                     ? a.bound_at(i)
                     : floating::product_bound(factor.value, factor.bound, a.value[i], a.bound_at(i), result->value[i]);
    }
    return floating::finish(std::move(result), "the product by a scalar");
  }

  // The matrix whose entry (i, j) is the entry of the parts that source(i, j) names; in tiles, for the sake of
  // transposes.
  template <class Source>
  static Outcome<Matrix> rearrange(const std::vector<Matrix>& parts, Shape shape, const Source& source) {
    std::vector<const Storage*> storages;
    bool exact = true;
    for (const Matrix& part : parts) {
      storages.push_back(&cast(part));
      exact = exact && storages.back()->bound.empty();
    }
    auto result = std::make_shared<Storage>(shape);
    if (!exact) result->bounds();
    const auto copy = [&](std::int64_t i, std::int64_t j) {
      const Place place = source(i, j);
      const Storage& part = *storages[place.part];
      const auto from = static_cast<std::size_t>(place.row * part.shape.cols + place.col);
      const auto to = static_cast<std::size_t>(i * shape.cols + j);
      result->value[to] = part.value[from];
      if (!exact) result->bound[to] = part.bound_at(from);
    };
    constexpr std::int64_t tile = 32;
    for (std::int64_t i0 = 0; i0 < shape.rows; i0 += tile)
      for (std::int64_t j0 = 0; j0 < shape.cols; j0 += tile)
        for (std::int64_t i = i0; i < std::min(i0 + tile, shape.rows); ++i)
          for (std::int64_t j = j0; j < std::min(j0 + tile, shape.cols); ++j) copy(i, j);
    return Outcome<Matrix>(std::move(result));
  }

  static Outcome<Matrix> concat(const std::vector<Matrix>& parts, bool by_rows) {
    Shape shape = parts.front()->shape;
    std::vector<std::pair<std::size_t, std::int64_t>> owner;  // part and offset of each row (or column)
    for (std::size_t part = 0; part < parts.size(); ++part) {
      const std::int64_t extent = by_rows ? parts[part]->shape.rows : parts[part]->shape.cols;
      for (std::int64_t i = 0; i < extent; ++i) owner.emplace_back(part, i);
    }
    (by_rows ? shape.rows : shape.cols) = static_cast<std::int64_t>(owner.size());
    return rearrange(parts, shape, [&](std::int64_t i, std::int64_t j) {
      const auto& [part, offset] = owner[static_cast<std::size_t>(by_rows ? i : j)];
      return by_rows ? Place{part, offset, j} : Place{part, i, offset};
    });
  }
};

// error / bound with 0 / 0 = 0; in halves where either overflows, so that it is never NaN.
double ratio_of(double x, double y, double bound_x, double bound_y) {
  if (x == y) return 0;
  if (bound_x == 0 && bound_y == 0) return std::numeric_limits<double>::infinity();
  const double error = std::abs(x - y);
  const double bound = floating::round_up(bound_x + bound_y + floating::double_unit * error);
  if (std::isfinite(error) && std::isfinite(bound)) return error / bound;
  const double half_error = std::abs(x / 2 - y / 2);
  return half_error / (floating::round_up(bound_x / 2 + bound_y / 2 + floating::double_unit * half_error));
}

template <class Number>
Comparison Floating<Number>::compare(const Matrix& a, const Matrix& b) const {
  const Storage& left = cast(a);
  const Storage& right = cast(b);
  Comparison result;
  std::size_t worst = 0;
  for (std::size_t i = 0; i < left.value.size(); ++i) {
    const double x = static_cast<double>(left.value[i]), y = static_cast<double>(right.value[i]);
    const double error = std::abs(x - y);
    const double bounds = left.bound_at(i) + right.bound_at(i);
    const double bound = bounds == 0 ? 0 : floating::round_up(bounds + floating::double_unit * error);
    const double ratio = ratio_of(x, y, left.bound_at(i), right.bound_at(i));
    if (i == 0 || ratio > result.ratio || (ratio == result.ratio && error > result.error)) worst = i;
    result.radius = std::max(result.radius, bound);
    result.error = std::max(result.error, error);
    result.ratio = std::max(result.ratio, ratio);
    result.magnitude = std::max({result.magnitude, std::abs(x), std::abs(y)});
  }
  if (left.shape.cols > 0) {
    result.row = static_cast<std::int64_t>(worst) / left.shape.cols;
    result.col = static_cast<std::int64_t>(worst) % left.shape.cols;
  }
  return result;
}

// Exact values as "p/q"; others as "[value +/- bound]", decimals whose interval contains the exact value: the bound is
// printed large enough for the rounding of both to decimal.
template <class Number>
std::string Floating<Number>::entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const {
  const Storage& storage = cast(a);
  const auto at = static_cast<std::size_t>(row * a->shape.cols + col);
  const double value = static_cast<double>(storage.value[at]), bound = storage.bound_at(at);
  if (bound == 0) return to_string(exact_rational(value));
  std::array<char, 80> text{};
  std::snprintf(text.data(), text.size(), "[%.17g +/- %.3g]", value, 1.01 * (bound + 1e-16 * std::abs(value)));
  return text.data();
}

}  // namespace

std::unique_ptr<Backend> make_double(const BackendOptions&) { return std::make_unique<Floating<double>>(); }
std::unique_ptr<Backend> make_float(const BackendOptions&) { return std::make_unique<Floating<float>>(); }

}  // namespace attest::arith
