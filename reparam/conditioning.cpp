// reparam.conditioning: what eliminating W_Q costs in floating-point arithmetic.
#include "reparam/conditioning.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "core/claim/evaluate.h"
#include "core/support/check.h"
#include "reparam/claims.h"
#include "reparam/rational_elimination.h"
#include "reparam/single_attention.h"
#include "reparam/transforms_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Measurement;
using claim::Size;

constexpr std::array<std::int64_t, 3> ladder{55, 108, 214};  // bits: whole numbers of MPFR digits
constexpr std::int64_t reference_precision = 512;
constexpr int decades = 12;
constexpr std::uint64_t draws = 3;  // instances a condition number
const Size measured_size{"measured", 3, 4, 2, 2, 2, 1, 1};

enum class QueryKind { generic, diagonal };
const char* name_of(QueryKind kind) { return kind == QueryKind::generic ? "generic W_Q" : "diagonal W_Q"; }

RationalMatrix small_integers(std::int64_t rows, std::int64_t cols, RandomStream stream) {
  RationalMatrix matrix(rows, cols);
  for (Rational& entry : matrix.entries) entry = Rational(stream.integer(-8, 8), 8);
  for (Rational& entry : matrix.entries) entry.canonicalize();
  return matrix;
}

// (I - S)(I + S)^-1 with S skew: exactly orthogonal.
RationalMatrix cayley(std::int64_t d, RandomStream stream) {
  const RationalMatrix A = small_integers(d, d, stream);
  RationalMatrix minus(d, d), plus(d, d);
  for (std::int64_t i = 0; i < d; ++i)
    for (std::int64_t j = 0; j < d; ++j) {
      const Rational skew = A.at(i, j) - A.at(j, i);
      minus.at(i, j) = Rational(i == j ? 1 : 0) - skew;
      plus.at(i, j) = Rational(i == j ? 1 : 0) + skew;
    }
  return solve(plus, minus);  // the two factors commute
}

// Every entry rounded to a double, which all precisions of the ladder hold exactly.
RationalMatrix rounded(RationalMatrix matrix) {
  for (Rational& entry : matrix.entries) entry = exact_rational(entry.get_d());
  return matrix;
}

// Singular values from 1 down to 10^-decade in equal ratios.
RationalMatrix query_of(QueryKind kind, int decade, std::int64_t d, RandomStream stream) {
  RationalMatrix D(d, d);
  for (std::int64_t i = 0; i < d; ++i)
    D.at(i, i) = exact_rational(std::pow(10.0, -decade * static_cast<double>(i) / static_cast<double>(d - 1)));
  if (kind == QueryKind::diagonal) return D;
  const RationalMatrix U = cayley(d, stream.child("U")), V = cayley(d, stream.child("V"));
  return rounded(product(product(U, D), V));
}

double frobenius(const RationalMatrix& A) {
  double sum = 0;
  for (const Rational& entry : A.entries) sum += entry.get_d() * entry.get_d();
  return std::sqrt(sum);
}

// The largest singular value by power iteration on A^T A: converges from below.
double approx_two_norm(const RationalMatrix& A) {
  constexpr int steps = 300;
  std::vector<double> x(static_cast<std::size_t>(A.cols), 1.0);
  const auto at = [&](std::int64_t i, std::int64_t j) { return A.at(i, j).get_d(); };
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    std::vector<double> y(static_cast<std::size_t>(A.rows), 0.0), z(x.size(), 0.0);
    double size_x = 0, size_y = 0;
    for (const double value : x) size_x += value * value;
    for (std::int64_t i = 0; i < A.rows; ++i)
      for (std::int64_t j = 0; j < A.cols; ++j)
        y[static_cast<std::size_t>(i)] += at(i, j) * x[static_cast<std::size_t>(j)];
    for (const double value : y) size_y += value * value;
    norm = std::sqrt(size_y / size_x);
    for (std::int64_t i = 0; i < A.rows; ++i)
      for (std::int64_t j = 0; j < A.cols; ++j)
        z[static_cast<std::size_t>(j)] += at(i, j) * y[static_cast<std::size_t>(i)];
    const double largest =
        std::abs(*std::max_element(z.begin(), z.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    for (std::size_t j = 0; j < x.size(); ++j) x[j] = z[j] / largest;
  }
  return norm;
}

using Instance = std::map<std::string, RationalMatrix>;

// One drawn layer: what is evaluated, and the sizes that the bound is made of.
struct Layer {
  Instance instance;
  double condition = 0, lambda = 0, scale = 0;
};

Layer draw_layer(QueryKind kind, int decade, RandomStream stream) {
  const auto [name, n, d, h, g, k, L, m] = measured_size;
  Layer layer;
  layer.instance = {{"X", small_integers(n, d, stream.child("X"))},
                    {"W_Q", query_of(kind, decade, d, stream.child("W_Q"))},
                    {"W_K", small_integers(d, g * k, stream.child("W_K"))},
                    {"W_V", small_integers(d, g * k, stream.child("W_V"))},
                    {"W_O", small_integers(h * k, d, stream.child("W_O"))}};
  const RationalMatrix& W_Q = layer.instance.at("W_Q");
  RationalMatrix identity(d, d);
  for (std::int64_t i = 0; i < d; ++i) identity.at(i, i) = 1;
  const double size_of_query = approx_two_norm(W_Q), size_of_X = frobenius(layer.instance.at("X"));
  layer.condition = size_of_query * approx_two_norm(solve(W_Q, identity));
  layer.lambda =
      size_of_X * size_of_X * size_of_query * frobenius(layer.instance.at("W_K")) / std::sqrt(static_cast<double>(k));
  layer.scale = size_of_X * frobenius(layer.instance.at("W_V")) * frobenius(layer.instance.at("W_O"));
  return layer;
}

// The layer as it is, and with W_Q eliminated.
struct Sides {
  expr::Graph graph;
  expr::Expr expected, constructed;
  Sides() {
    const auto [name, n, d, h, g, k, L, m] = measured_size;
    const expr::AttentionSpec spec = attention_spec(measured_size, graph, false);
    const expr::Expr X = graph.input("X", {n, d});
    const expr::AttentionWeights weights{graph.input("W_Q", {d, h * k}),
                                         graph.input("W_K", {d, g * k}),
                                         graph.input("W_V", {d, g * k}),
                                         graph.input("W_O", {h * k, d}),
                                         {},
                                         {},
                                         {},
                                         {}};
    expected = attention(X, weights, spec);
    const expr::AttentionWeights moved = eliminate(weights, Projection::query, inverse(weights.W_Q));
    constructed = attention(X * weights.W_Q, moved, spec);
  }
};

arith::Matrix value_of(expr::Expr root, const arith::Backend& backend, const Instance& instance) {
  const auto values = claim::evaluate({root}, backend, claim::source_of(instance, backend));
  ATTEST_CHECK(values.ok(), values.reason());
  return values.value().front();
}

// ||computed - exact||_F over the factors' norms, from above by the radius of the reference.
double relative_error(const Sides& sides, const Layer& layer, std::int64_t precision) {
  const auto ball = arith::make_backend("ball", {.precision = reference_precision});
  const auto rounding = arith::make_backend("multiprecision", {.precision = precision});
  const arith::Matrix exact = value_of(sides.expected, *ball, layer.instance);
  const arith::Matrix computed = value_of(sides.constructed, *rounding, layer.instance);
  const arith::Matrix lifted = ball->from_rational(rounding->to_rational(computed).value()).value();
  const DoubleMatrix difference = ball->approx_doubles(ball->subtract(lifted, exact).value()).value();
  const double radius = ball->compare(lifted, exact).radius;
  double sum = 0;
  for (const double entry : difference.entries) sum += (std::abs(entry) + radius) * (std::abs(entry) + radius);
  return std::sqrt(sum) / layer.scale;
}

// The least-squares slope of log y against log x over the points with x >= 100.
double fitted_slope(const std::vector<std::pair<double, double>>& points) {
  double count = 0, sum_x = 0, sum_y = 0, sum_xx = 0, sum_xy = 0;
  for (const auto& [condition, error] : points) {
    if (condition < 100 || !(error > 0)) continue;
    const double x = std::log10(condition), y = std::log10(error);
    count += 1;
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  return (count * sum_xy - sum_x * sum_y) / (count * sum_xx - sum_x * sum_x);
}

std::string text_of(double value) {
  std::ostringstream text;
  text.precision(3);
  text << value;
  return text.str();
}

// One line of the plot: the largest error of the draws at every condition number.
std::vector<std::pair<double, double>> measure_line(const Sides& sides, QueryKind kind, std::int64_t precision,
                                                    RandomStream stream, Measurement& measurement) {
  const double unit = std::ldexp(1.0, static_cast<int>(-precision));
  const double c = conditioning_constant(measured_size.n, measured_size.d);
  std::vector<std::pair<double, double>> line;
  for (int decade = 0; decade <= decades; ++decade) {
    std::pair<double, double> point{0, 0};
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      const RandomStream own = stream.child(static_cast<std::uint64_t>(decade)).child(draw);
      const Layer layer = draw_layer(kind, decade, own);
      const double error = relative_error(sides, layer, precision);
      const double bound = c * (1 + layer.lambda) * unit * layer.condition;
      if (bound <= 1) {  // the theorem's hypothesis: u cond small
        ++measurement.cases;
        // Written so that a NaN counts as the worst.
        if (!(error / bound <= measurement.ratio)) measurement.ratio = error / bound;
      }
      point = {std::max(point.first, layer.condition), std::max(point.second, error)};
    }
    line.push_back(point);
  }
  return line;
}

void conclude(Measurement& measurement, bool slopes_fit) {
  if (measurement.cases == 0) {
    measurement.reason = "no case satisfies the hypothesis that u cond is small";
    return;
  }
  const bool within = measurement.ratio <= 1;
  measurement.within_bound = truth(within && slopes_fit);
  if (!within)
    measurement.reason = "an error exceeds its derived bound";
  else if (!slopes_fit)
    measurement.reason = "the nearest integers to the fitted slopes are not 1 (generic) and 0 (diagonal)";
}

}  // namespace

double conditioning_constant(std::int64_t n, std::int64_t d) {
  const double N = static_cast<double>(n), D = static_cast<double>(d), root = std::sqrt(D);
  const double growth = D * (D + 1) / 2 * std::ldexp(1.0, static_cast<int>(d - 1));  // ||L||_F ||U||_F / ||W_Q||_2
  const double a = 2 * (3 * D * growth * root + 2 * D * root + D * D);               // keys and values
  const double b = a + 3 * D * root + 3 * (D + 3);                                   // logits
  return std::sqrt(N) * (8 * b + 6 * N + 4 * D + 10);
}

Measurement measure_conditioning(std::uint64_t seed) {
  const Sides sides;
  const RandomStream stream = RandomStream(seed).child("reparam.conditioning");
  Measurement measurement;
  bool slopes_fit = true;
  for (const QueryKind kind : {QueryKind::generic, QueryKind::diagonal}) {
    claim::Series series;
    series.title = std::string("Error after eliminating W_Q, ") + name_of(kind);
    series.x_label = "cond(W_Q)";
    series.y_label = "error / factors' norms";
    series.log_x = series.log_y = true;
    for (const std::int64_t precision : ladder) {
      // The same layers at every precision.
      series.points.push_back(measure_line(sides, kind, precision, stream.child(name_of(kind)), measurement));
      series.names.push_back(std::to_string(precision) + " bits");
      const double slope = fitted_slope(series.points.back());
      measurement.facts["slope, " + std::string(name_of(kind)) + ", " + series.names.back()] = text_of(slope);
      slopes_fit = slopes_fit && std::lround(slope) == (kind == QueryKind::generic ? 1 : 0);
    }
    measurement.series.push_back(std::move(series));
  }
  measurement.facts["c(n, d)"] = text_of(conditioning_constant(measured_size.n, measured_size.d));
  measurement.facts["largest error over bound"] = text_of(measurement.ratio);
  conclude(measurement, slopes_fit);
  return measurement;
}

void add_conditioning(claim::Registry& registry) {
  Claim claim;
  claim.id = "reparam.conditioning";
  claim.kind = claim::Kind::identity;
  claim.statement =
      "Eliminating W_Q in arithmetic of unit roundoff u, with u cond(W_Q) small, changes the output by at most c(n, d) "
      "(1 "
      "+ Lambda) u cond_2(W_Q) relative to the factors' norms, Lambda the size of the logits; the first power of cond "
      "is "
      "attained for generic singular vectors, and a diagonal W_Q costs nothing that grows with cond";
  claim.formula =
      "\\|\\widehat{O} - O\\|_F \\le c(n, d) (1 + \\Lambda) u \\operatorname{cond}_2(W_Q) \\|X\\|_F \\|W_V\\|_F "
      "\\|W_O\\|_F";
  claim.source = derived_here;
  claim.proof_idea =
      "LU with partial pivoting leaves a right residual W_Q Z - I of size u cond, and the stream meets W_Q before the "
      "computed inverse, so cond enters once; softmax multiplies an error of the logits by at most a constant.";
  claim.how_checked =
      "On a ladder of MPFR precisions against balls of 512 bits, for condition numbers from 1 to 10^12: every error "
      "against the bound wherever its hypothesis holds, and the slope of log error against log cond, whose nearest "
      "integer must be 1 for generic singular vectors and 0 for a diagonal W_Q.";
  claim.measure = [](const std::string&, std::uint64_t seed) { return measure_conditioning(seed); };
  registry.add(std::move(claim));
}

}  // namespace attest::reparam
