#include "model/conditioning.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "core/arith/backend.h"
#include "core/support/error.h"

namespace attest::model {
namespace {

struct Format {
  const char* name;
  int precision;  // bits of the significand
};
constexpr Format formats[] = {{"double", 53}, {"float", 24}};

// T^-1 W in one arithmetic.
Outcome<arith::Matrix> eliminate(const arith::Backend& backend, const DoubleMatrix& T, const DoubleMatrix& weight) {
  const auto divisor = backend.from_doubles(T);
  if (!divisor.ok()) return divisor;
  const auto operand = backend.from_doubles(weight);
  if (!operand.ok()) return operand;
  return backend.solve_left(divisor.value(), operand.value(), expr::Structure::general);
}

// The result of a floating-point arithmetic as points of the certified one, without rounding.
Outcome<arith::Matrix> as_points(const arith::Backend& floating, const arith::Matrix& computed,
                                 const arith::Backend& certified) {
  const auto doubles = floating.approx_doubles(computed);
  if (!doubles.ok()) return Outcome<arith::Matrix>::failure_of(doubles);
  for (const double entry : doubles.value().entries)
    if (!std::isfinite(entry)) return Outcome<arith::Matrix>::undefined("the result overflows in " + floating.name());
  return certified.from_doubles(doubles.value());
}

void measure(const arith::Backend& certified, const arith::Matrix& exact, const arith::Matrix& computed,
             EliminationCost* cost) {
  const arith::Comparison difference = certified.compare(computed, exact);
  if (difference.magnitude == 0) {
    cost->digits_kept = cost->format_digits;
    return;
  }
  cost->relative_error = difference.error / difference.magnitude;
  cost->certified_radius = difference.radius / difference.magnitude;
  const double digits = cost->relative_error > 0 ? -std::log10(cost->relative_error) : cost->format_digits;
  cost->digits_kept = std::clamp(digits, 0.0, cost->format_digits);
  cost->digits_lost = cost->format_digits - cost->digits_kept;
}

EliminationCost cost_in(const Format& format, const std::string& name, const DoubleMatrix& T,
                        const DoubleMatrix& weight, const arith::Backend& certified,
                        const Outcome<arith::Matrix>& exact) {
  EliminationCost cost;
  cost.weight = name;
  cost.format = format.name;
  cost.format_digits = format.precision * std::log10(2.0);
  if (!exact.ok()) {
    cost.failure = exact.reason();
    return cost;
  }
  const auto floating = arith::make_backend(format.name);
  const auto computed = eliminate(*floating, T, weight);
  const auto points = computed.ok() ? as_points(*floating, computed.value(), certified) : computed;
  if (!points.ok()) {
    cost.failure = points.reason();
    return cost;
  }
  measure(certified, exact.value(), points.value(), &cost);
  return cost;
}

// The weights next to each other, in the order of their names.
DoubleMatrix beside(std::int64_t rows, const std::map<std::string, DoubleMatrix>& weights) {
  std::int64_t cols = 0;
  for (const auto& [name, weight] : weights) {
    if (weight.rows != rows)
      throw InputError(name + " is " + std::to_string(weight.rows) + " x " + std::to_string(weight.cols) +
                       "; expected " + std::to_string(rows) + " rows, as many as T");
    cols += weight.cols;
  }
  DoubleMatrix all(rows, cols);
  std::int64_t first = 0;
  for (const auto& item : weights) {
    for (std::int64_t row = 0; row < rows; ++row)
      for (std::int64_t col = 0; col < item.second.cols; ++col) all.at(row, first + col) = item.second.at(row, col);
    first += item.second.cols;
  }
  return all;
}

const DoubleMatrix& required(const std::map<std::string, DoubleMatrix>& layer, const std::string& name) {
  const auto found = layer.find(name);
  if (found == layer.end()) throw InputError("the layer has no weight '" + name + "', which this elimination needs");
  return found->second;
}

}  // namespace

std::vector<EliminationCost> elimination_costs(const DoubleMatrix& T,
                                               const std::map<std::string, DoubleMatrix>& weights,
                                               std::int64_t precision) {
  if (T.rows != T.cols)
    throw InputError(
        "T is " + std::to_string(T.rows) + " x " + std::to_string(T.cols) +
        "; expected a square matrix: a projection can be eliminated where its heads fill the residual width");
  arith::BackendOptions options;
  options.precision = precision;
  const auto certified = arith::make_backend("ball", options);
  // One certified solve for all weights side by side.
  const auto exact = eliminate(*certified, T, beside(T.rows, weights));
  std::vector<EliminationCost> costs;
  std::int64_t first = 0;
  for (const auto& [name, weight] : weights) {
    const auto own = exact.ok() ? certified->slice(exact.value(), 0, first, {weight.rows, weight.cols}) : exact;
    for (const auto& format : formats) costs.push_back(cost_in(format, name, T, weight, *certified, own));
    first += weight.cols;
  }
  return costs;
}

QueryElimination query_elimination(const std::map<std::string, DoubleMatrix>& layer, std::int64_t precision) {
  const DoubleMatrix& W_Q = required(layer, "W_Q");
  return {singular_values(W_Q),
          elimination_costs(W_Q, {{"W_K", required(layer, "W_K")}, {"W_V", required(layer, "W_V")}}, precision)};
}

}  // namespace attest::model
