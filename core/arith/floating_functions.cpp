#include <algorithm>
#include <optional>
#include <string>

#include "core/arith/floating.h"

namespace attest::arith::floating {
namespace {

using expr::Function;

constexpr double infinity = std::numeric_limits<double>::infinity();

// A value and the bound on its distance from the exact one.
template <class Number>
struct Entry {
  Number value;
  double bound;
};

// The relative error of one call of the C library: `library_ulps` units in the last place are at most that many times
// 2 unit roundoffs.
template <class Number>
constexpr double library_error = 2 * library_ulps* Format<Number>::unit;

// e^b - 1, rounded up; safe for any library within 4 units.
double growth(double b) { return b == 0 ? 0 : std::expm1(b) * (1 + 0x1p-40) + 2 * library_ulps * double_tiny; }

template <class Number>
Entry<Number> relu(Number x, double bound) {
  const double highest = static_cast<double>(x) + bound;  // the sign of a rounded sum is exact
  if (highest <= 0) return {0, 0};
  return x < 0 ? Entry<Number>{0, round_up(highest)} : Entry<Number>{x, bound};
}

template <class Number>
Entry<Number> relu_squared(Number x, double bound) {
  const Entry<Number> r = relu(x, bound);
  const Number square = r.value * r.value;
  return {square, product_bound(r.value, r.bound, r.value, r.bound, square)};
}

template <class Number>
Entry<Number> hyperbolic_tangent(Number x, double bound) {
  const Number y = std::tanh(x);
  const double error =
      library_error<Number> * std::abs(static_cast<double>(y)) + 2 * library_ulps * Format<Number>::tiny;
  return {y, x == 0 ? bound : std::min(2.0, round_up(bound + error))};
}

template <class Number>
Entry<Number> exponential(Number x, double bound) {
  const Number y = std::exp(x);
  if (x == 0) return {y, growth(bound)};
  const double size = static_cast<double>(y) * (1 + 2 * library_error<Number>)+2 * Format<Number>::smallest_normal;
  const double error = 2 * library_error<Number> * static_cast<double>(y) + 2 * Format<Number>::smallest_normal;
  return {y, round_up(size * growth(bound) + error)};
}

template <class Number>
Entry<Number> silu(Number x, double bound) {
  const Number denominator = Number(1) + std::exp(-x);
  const Number y = x / denominator;
  if (x == 0) return {y, round_up(1.1 * bound)};
  double error =
      (library_error<Number> + 4 * Format<Number>::unit) * std::abs(static_cast<double>(y)) + 4 * Format<Number>::tiny;
  if (!std::isfinite(denominator)) error += 2000 / Format<Number>::largest;
  return {y, round_up(1.1 * bound + error)};
}

template <class Number>
Entry<Number> gelu(Number x, double bound) {
  constexpr auto inverse_sqrt2 = static_cast<Number>(0.70710678118654752440084436210484903928L);
  const Number y = Number(0.5) * x * (Number(1) + std::erf(x * inverse_sqrt2));
  if (x == 0) return {y, round_up(1.13 * bound)};
  const double error = 8 * Format<Number>::unit * std::abs(static_cast<double>(x)) + 4 * Format<Number>::tiny;
  return {y, round_up(1.13 * bound + error)};
}

template <class Number>
Entry<Number> gelu_tanh(Number x, double bound) {
  constexpr auto factor = static_cast<Number>(0.79788456080286535587989211986876373695L);
  constexpr auto cubic = static_cast<Number>(0.044715L);
  const Number y = Number(0.5) * x * (Number(1) + std::tanh(factor * (x + cubic * (x * x * x))));
  if (x == 0) return {y, round_up(1.13 * bound)};
  const double error = 10 * Format<Number>::unit * std::abs(static_cast<double>(x)) + 8 * Format<Number>::tiny;
  return {y, round_up(1.13 * bound + error)};
}

// 1/x with |x - exact| <= bound < |x|; the caller has checked that.
template <class Number>
Entry<Number> reciprocal(Number x, double bound) {
  const Number y = Number(1) / x;
  const double size = std::abs(static_cast<double>(x));
  const double low = (size - bound) * (1 - 4 * double_unit);
  return {y, round_up(bound / low / size + rounding(y))};
}

// 1/sqrt(x) with bound < x.
template <class Number>
Entry<Number> inverse_root(Number x, double bound) {
  const Number y = Number(1) / std::sqrt(x);
  const double size = static_cast<double>(x);
  const double low = (size - bound) * (1 - 4 * double_unit);
  const double root = std::sqrt(size), low_root = std::sqrt(low);
  return {y, round_up(bound / low_root / root / (low_root + root) + 3 * rounding(y))};
}

template <class Number>
std::optional<Outcome<Matrix>> outside_domain(Function f, Number x, double bound) {
  const double size = static_cast<double>(x);
  const std::string name(to_string(f));
  if (f == Function::reciprocal) {
    if (size == 0 && bound == 0) return Outcome<Matrix>::undefined("reciprocal of 0");
    if (!(std::abs(size) * (1 - 4 * double_unit) > bound))
      return Outcome<Matrix>::unable("reciprocal of an entry that cannot be told from 0");
  }
  if (f == Function::inv_sqrt) {
    if ((size == 0 && bound == 0) || size * (1 - 4 * double_unit) < -bound * (1 + 4 * double_unit))
      return Outcome<Matrix>::undefined("inv_sqrt of a number that is not positive");
    if (!(size * (1 - 4 * double_unit) > bound))
      return Outcome<Matrix>::unable("inv_sqrt of an entry that cannot be told from a number that is not positive");
  }
  return std::nullopt;
}

template <class Number>
Entry<Number> evaluate(Function f, Number x, double bound) {
  switch (f) {
    case Function::relu:
      return relu(x, bound);
    case Function::gelu:
      return gelu(x, bound);
    case Function::gelu_tanh:
      return gelu_tanh(x, bound);
    case Function::silu:
      return silu(x, bound);
    case Function::relu_squared:
      return relu_squared(x, bound);
    case Function::tanh:
      return hyperbolic_tangent(x, bound);
    case Function::exp:
      return exponential(x, bound);
    case Function::reciprocal:
      return reciprocal(x, bound);
    case Function::inv_sqrt:
      return inverse_root(x, bound);
  }
  return {x, infinity};
}

// One row of softmax over the visible keys, all of them logits of this row (error_bounds.md#softmax).
template <class Number>
void softmax_row(const std::vector<Number>& logits, const std::vector<double>& logit_bounds,
                 std::vector<Number>& result, std::vector<double>& bounds) {
  const auto count = logits.size();
  const Number largest = *std::max_element(logits.begin(), logits.end());
  const double spread = *std::max_element(logit_bounds.begin(), logit_bounds.end());
  const double visible = static_cast<double>(count);
  Number sum = 0;
  double worst = 0;
  result.resize(count);
  bounds.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const Number shifted = logits[j] - largest;
    result[j] = std::exp(shifted);
    sum += result[j];
    bounds[j] = 2 * (Format<Number>::unit * -static_cast<double>(shifted) + library_error<Number>);
    worst = std::max(worst, bounds[j]);
  }
  const double tail = 2 * Format<Number>::smallest_normal;
  const double common = worst + 2 * (visible + 2) * Format<Number>::unit + 2 * visible * tail + spread;
  for (std::size_t j = 0; j < count; ++j) {
    result[j] /= sum;
    const double size = static_cast<double>(result[j]);
    const double distance = round_up(bounds[j] + logit_bounds[j] + common);
    bounds[j] = std::min(round_up((size + 2 * tail) * growth(distance) + 3 * tail), std::max(size, 1.0));
  }
  if (count == 1) bounds[0] = 0;  // e^0 / e^0, computed exactly
}

}  // namespace

template <class Number>
Outcome<Matrix> softmax(const Bounded<Number>& logits, const expr::Mask& mask) {
  const std::int64_t rows = logits.shape.rows, cols = logits.shape.cols;
  auto result = std::make_shared<Bounded<Number>>(logits.shape);
  std::vector<double>& bound = result->bounds();
  std::vector<Number> visible, weights;
  std::vector<double> visible_bounds, weight_bounds;
  std::vector<std::size_t> places;
  for (std::int64_t i = 0; i < rows; ++i) {
    visible.clear();
    visible_bounds.clear();
    places.clear();
    for (std::int64_t j = 0; j < cols; ++j) {
      if (!mask.visible(i, j, rows, cols)) continue;
      places.push_back(static_cast<std::size_t>(i * cols + j));
      visible.push_back(logits.value[places.back()]);
      visible_bounds.push_back(logits.bound_at(places.back()));
    }
    if (places.empty()) return Outcome<Matrix>::undefined("softmax row " + std::to_string(i) + " sees no key");
    softmax_row(visible, visible_bounds, weights, weight_bounds);
    for (std::size_t j = 0; j < places.size(); ++j) {
      result->value[places[j]] = weights[j];
      bound[places[j]] = weight_bounds[j];
    }
  }
  return finish(std::move(result), "softmax");
}

template <class Number>
Outcome<Matrix> elementwise(Function f, const Bounded<Number>& a) {
  auto result = std::make_shared<Bounded<Number>>(a.shape);
  std::vector<double>& bound = result->bounds();
  for (std::size_t i = 0; i < a.value.size(); ++i) {
    if (auto failure = outside_domain(f, a.value[i], a.bound_at(i))) return *failure;
    const Entry<Number> entry = evaluate(f, a.value[i], a.bound_at(i));
    result->value[i] = entry.value;
    bound[i] = entry.bound;
  }
  return finish(std::move(result), to_string(f));
}

template Outcome<Matrix> softmax(const Bounded<double>&, const expr::Mask&);
template Outcome<Matrix> softmax(const Bounded<float>&, const expr::Mask&);
template Outcome<Matrix> elementwise(Function, const Bounded<double>&);
template Outcome<Matrix> elementwise(Function, const Bounded<float>&);

}  // namespace attest::arith::floating
