#include <algorithm>
#include <string>

#include "core/arith/blas.h"
#include "core/arith/floating.h"

namespace attest::arith::floating {
namespace {

// k u / (1 - k u) rounded up, with two roundings to spare for a product accumulated over blocks.
double gamma(std::int64_t k, double unit) {
  const double ku = static_cast<double>(k + 2) * unit;
  return ku < 0.5 ? round_up(ku / (1 - ku) * (1 + 0x1p-50)) : std::numeric_limits<double>::infinity();
}

// Inflates a nonnegative sum of `terms` products computed in double, whose factors carry at most 8 roundings each, to
// an upper bound of its exact value.
double sum_up(double computed, std::int64_t terms) {
  const double factor = 1 + 4 * static_cast<double>(terms + 16) * double_unit;
  return computed * factor + static_cast<double>(terms + 1) * double_tiny * 2;
}

std::vector<double> absolute(const std::vector<double>& a) {
  std::vector<double> result(a.size());
  std::transform(a.begin(), a.end(), result.begin(), [](double x) { return std::abs(x); });
  return result;
}

constexpr std::int64_t panel_width = 256;

// sum += |A| (factor |B| + E_B) + E_A (|B| + E_B), in panels of the inner dimension so that temporaries stay small.
template <class Number>
void accumulate_bound(const Bounded<Number>& a, const Bounded<Number>& b, double factor, std::vector<double>& sum) {
  const std::int64_t m = a.shape.rows, k = a.shape.cols, n = b.shape.cols;
  std::vector<double> left(static_cast<std::size_t>(m * std::min(k, panel_width)));
  std::vector<double> right(static_cast<std::size_t>(n * std::min(k, panel_width)));
  for (std::int64_t first = 0; first < k; first += panel_width) {
    const std::int64_t width = std::min(panel_width, k - first);
    for (std::int64_t i = 0; i < m; ++i)
      for (std::int64_t l = 0; l < width; ++l)
        left[static_cast<std::size_t>(i * width + l)] =
            std::abs(static_cast<double>(a.value[static_cast<std::size_t>(i * k + first + l)]));
    const auto offset = static_cast<std::size_t>(first * n), count = static_cast<std::size_t>(width * n);
    for (std::size_t i = 0; i < count; ++i) {
      const double size = std::abs(static_cast<double>(b.value[offset + i]));
      right[i] = factor * size + b.bound_at(offset + i) + (size == 0 ? 0 : double_tiny);
    }
    blas::approx_multiply(m, n, width, left.data(), width, right.data(), n, 1, sum.data(), n);
    if (a.bound.empty()) continue;
    for (std::size_t i = 0; i < count; ++i)
      right[i] = std::abs(static_cast<double>(b.value[offset + i])) + b.bound_at(offset + i);
    blas::approx_multiply(m, n, width, a.bound.data() + first, k, right.data(), n, 1, sum.data(), n);
  }
}

template <class Number>
Bounded<double> as_double(const Bounded<Number>& a) {
  Bounded<double> result(a.shape);
  std::copy(a.value.begin(), a.value.end(), result.value.begin());
  result.bound = a.bound;
  return result;
}

// An upper bound of |I - R A*| for every A* within the bound of A.
std::vector<double> residual_bound(const Bounded<double>& r, const Bounded<double>& a) {
  const std::int64_t n = a.shape.rows;
  std::vector<double> residual(a.value.size()), bound(a.value.size(), 0);
  blas::approx_multiply(n, n, n, r.value.data(), n, a.value.data(), n, 0, residual.data(), n);
  accumulate_bound(r, a, gamma(n, double_unit), bound);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      const auto at = static_cast<std::size_t>(i * n + j);
      const double product = sum_up(bound[at], 2 * n) + static_cast<double>(n) * double_tiny;
      residual[at] = round_up(std::abs((i == j ? 1.0 : 0.0) - residual[at]) + product);
    }
  }
  return residual;
}

// With H >= |I - R A*|, row sums h, alpha = max h < 1, W = H |R| and w its column maxima:
// |A*^-1 - R| <= W + h w^T / (1 - alpha). Returns false where alpha < 1 is not certain.
bool inverse_bound(const Bounded<double>& r, const std::vector<double>& h, std::vector<double>& bound) {
  const std::int64_t n = r.shape.rows;
  const auto size = static_cast<std::size_t>(n);
  std::vector<double> row_sum(size, 0), column_max(size, 0);
  double alpha = 0;
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t j = 0; j < size; ++j) row_sum[i] += h[i * size + j];
    row_sum[i] = sum_up(row_sum[i], n);
    if (!(row_sum[i] < 1)) return false;
    alpha = std::max(alpha, row_sum[i]);
  }
  const std::vector<double> size_r = absolute(r.value);
  bound.assign(h.size(), 0);
  blas::approx_multiply(n, n, n, h.data(), n, size_r.data(), n, 0, bound.data(), n);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j) column_max[j] = std::max(column_max[j], sum_up(bound[i * size + j], n));
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < size; ++j)
      bound[i * size + j] = round_up(sum_up(bound[i * size + j], n) + row_sum[i] * column_max[j] / (1 - alpha));
  return true;
}

}  // namespace

template <class Number>
Outcome<Matrix> finish(std::shared_ptr<Bounded<Number>> result, std::string_view operation) {
  bool finite = true, exact = true;
  for (const Number x : result->value) finite = finite && std::isfinite(x);
  for (const double x : result->bound) {
    finite = finite && std::isfinite(x);
    exact = exact && x == 0;
  }
  if (!finite) return Outcome<Matrix>::unable(std::string(operation) + " leaves the range of the format");
  if (exact) result->bound.clear();
  return Outcome<Matrix>(std::move(result));
}

template <class Number>
Outcome<Matrix> multiply(const Bounded<Number>& a, const Bounded<Number>& b) {
  const std::int64_t m = a.shape.rows, k = a.shape.cols, n = b.shape.cols;
  auto result = std::make_shared<Bounded<Number>>(expr::Shape{m, n});
  if (k == 0) return finish(std::move(result), "the product");
  blas::approx_multiply(m, n, k, a.value.data(), k, b.value.data(), n, Number(0), result->value.data(), n);
  std::vector<double>& bound = result->bounds();
  accumulate_bound(a, b, gamma(k, Format<Number>::unit), bound);
  const double underflow = static_cast<double>(k) * Format<Number>::tiny;
  for (double& x : bound) x = round_up(sum_up(x, 2 * k) + underflow);
  return finish(std::move(result), "the product");
}

template <class Number>
Outcome<Matrix> inverse(const Bounded<Number>& a) {
  const auto uncertain = [] {
    return Outcome<Matrix>::unable("cannot certify in " + std::string(sizeof(Number) == 8 ? "double" : "float") +
                                   " that the matrix is invertible");
  };
  auto result = std::make_shared<Bounded<Number>>(a.shape);
  result->value = a.value;
  if (!blas::approx_invert(a.shape.rows, result->value.data())) return uncertain();
  for (const Number x : result->value)
    if (!std::isfinite(x)) return uncertain();
  const Bounded<double> r = as_double(*result);
  const std::vector<double> residual = residual_bound(r, as_double(a));
  if (!inverse_bound(r, residual, result->bound)) return uncertain();
  return finish(std::move(result), "the inverse");
}

template Outcome<Matrix> finish(std::shared_ptr<Bounded<double>>, std::string_view);
template Outcome<Matrix> finish(std::shared_ptr<Bounded<float>>, std::string_view);
template Outcome<Matrix> multiply(const Bounded<double>&, const Bounded<double>&);
template Outcome<Matrix> multiply(const Bounded<float>&, const Bounded<float>&);
template Outcome<Matrix> inverse(const Bounded<double>&);
template Outcome<Matrix> inverse(const Bounded<float>&);

}  // namespace attest::arith::floating
