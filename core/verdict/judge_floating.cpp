// double, float and the precision ladder of multiprecision.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/claim/recipe.h"
#include "core/verdict/cell.h"

namespace attest::verdict {
namespace {

using arith::Backend;
using arith::Matrix;
using claim::Instance;

void fail(Result& result, Verdict verdict, const std::string& reason) {
  result.verdict = verdict;
  result.reason = reason;
}

// How the entries of an instance are drawn, all rounded to float and hence exact in float and double.
enum class Family {
  // Both signs, variance 1/(4 rows), so that activations keep their size through a layer.
  signed_entries,
  // None negative, columns that sum to about 1/2: products of such matrices do not cancel, so that a bound in absolute
  // values follows the values through any number of layers instead of outgrowing them by sqrt(width) a product.
  nonnegative_entries,
};

// Near the identity where the matrix has to be inverted, so that the error bound speaks about the construction and not
// about an ill-conditioned draw.
DoubleMatrix well_conditioned(const expr::Node& input, bool invertible, Family family, RandomStream stream) {
  DoubleMatrix matrix(input.shape.rows, input.shape.cols);
  const double rows = static_cast<double>(input.shape.rows);
  const bool nonnegative = family == Family::nonnegative_entries;
  const double size =
      (nonnegative ? 1.0 / rows : 0.5 / std::sqrt(rows)) * (invertible ? (nonnegative ? 0.1 : 0.5) : 1.0);
  for (double& entry : matrix.entries)
    entry = static_cast<float>(size * (nonnegative ? stream.unit() : stream.normal()));
  if (invertible)
    for (std::int64_t i = 0; i < input.shape.rows; ++i) matrix.at(i, i) = static_cast<float>(matrix.at(i, i) + 1);
  return matrix;
}

// A network of several layers at a real size. There the derived bound of a signed instance exceeds the values.
Family family_for(const Cell& cell, const std::vector<claim::Equation>& equations) {
  if (!claim::is_real_size(cell.size) || cell.size.L == 1 || cell.weights != nullptr) return Family::signed_entries;
  for (const claim::Equation& equation : equations)
    for (const expr::Node* node : expr::reachable({equation.expected}))
      if (node->op == expr::Op::elementwise && node->function != expr::Function::inv_sqrt)
        return Family::nonnegative_entries;
  return Family::signed_entries;
}

Outcome<Matrix> signs(const expr::Node& input, const Backend& backend, RandomStream stream) {
  return backend.from_rational(claim::draw_free(input.shape, input.structure, stream));
}

claim::InputSource scaled_source(const Cell& cell, const Backend& backend, Family family, RandomStream stream) {
  std::map<std::string, bool> invertible;
  for (const claim::Input& input : cell.statement.inputs)
    invertible[input.name] = input.recipe.kind == claim::Recipe::Kind::invertible;
  return [&cell, &backend, family, stream, invertible](const expr::Node& input) -> Outcome<Matrix> {
    if (cell.weights != nullptr) {
      const auto weight = cell.weights->matrices.find(input.name);
      if (weight != cell.weights->matrices.end()) return backend.from_doubles(weight->second);
    }
    if (input.structure == expr::Structure::diagonal_signs) return signs(input, backend, stream.child(input.name));
    const auto known = invertible.find(input.name);
    const bool inverted = known != invertible.end() && known->second;
    return backend.from_doubles(well_conditioned(input, inverted, family, stream.child(input.name)));
  };
}

// The equations over inputs that floating point can hold: constraint sets as expressions, except invertible matrices.
std::vector<claim::Equation> floating_equations(const Cell& cell) {
  claim::Statement statement = cell.statement;
  if (cell.weights != nullptr)
    for (claim::Input& input : statement.inputs)
      if (cell.weights->matrices.contains(input.name)) input.recipe = {};
  return claim::parametrize(statement, {.invertible = true}).statement.equations;
}

struct Worst {
  double ratio = 0, error = 0, radius = 0, magnitude = 0;
  bool vacuous_bound = false;
};

void take_worst(const arith::Comparison& comparison, Worst& worst) {
  // Written so that a NaN counts as the worst.
  if (!(comparison.ratio <= worst.ratio)) worst.ratio = comparison.ratio;
  worst.error = std::max(worst.error, comparison.error);
  worst.radius = std::max(worst.radius, comparison.radius);
  worst.magnitude = std::max(worst.magnitude, comparison.magnitude);
  if (!(comparison.radius <= std::max(comparison.magnitude, 1e-300))) worst.vacuous_bound = true;
}

void conclude(const Cell& cell, const Worst& worst, Result& result) {
  result.measured.ratio = worst.ratio;
  result.measured.radius = worst.radius;
  if (worst.error > 0 && worst.magnitude > 0) result.measured.digits = -std::log10(worst.error / worst.magnitude);
  if (!(worst.ratio <= 1)) return fail(result, Verdict::differs, "the difference exceeds its derived bound");
  if (worst.vacuous_bound)
    return fail(result, Verdict::undecided, "the derived bound is larger than the values: agreement shows nothing");
  if (cell.is_ablation()) return fail(result, Verdict::undecided, "the difference stays within its derived bound");
  result.verdict = Verdict::consistent;
}

// At real sizes T^-1 W is applied and not formed (the bound is about the same exact value either way), and all
// equations are evaluated together, so that what they share is computed once.
bool compare_equations(const Cell& cell, const std::vector<claim::Equation>& equations, const Backend& backend,
                       const claim::InputSource& source, Worst& worst, Result& result) {
  const auto sides = evaluate_sides(equations, backend, source, claim::is_real_size(cell.size));
  if (!sides.ok()) {
    fail(result, Verdict::undecided, sides.reason());
    return false;
  }
  for (std::size_t i = 0; i < equations.size(); ++i)
    take_worst(backend.compare(sides.value().expected[i], sides.value().constructed[i]), worst);
  return true;
}

}  // namespace

void judge_floating(const Cell& cell, const std::string& arithmetic, Result& result) {
  if (cell.statement.equations.empty())
    return fail(result, Verdict::unsupported, "a statement about ranks over Q: rational arithmetic decides it");
  const auto backend = cell.options.make_backend(arithmetic, {});
  add_to_ledger(result, backend->ledger());
  Worst worst;
  const std::vector<claim::Equation> equations = floating_equations(cell);
  const Family family = family_for(cell, equations);
  if (family == Family::nonnegative_entries)
    add_to_ledger(result, {"weights and inputs are drawn without negative entries: with signed ones the derived bound "
                           "outgrows the values at this depth"});
  for (std::int64_t trial = 0; trial < trials_for(cell) && worst.ratio <= 1; ++trial) {
    const RandomStream stream = cell.stream.child("floating").child(static_cast<std::uint64_t>(trial));
    result.trials = trial + 1;
    if (!compare_equations(cell, equations, *backend, scaled_source(cell, *backend, family, stream), worst, result))
      return;
  }
  conclude(cell, worst, result);
}

namespace {

constexpr std::array<std::int64_t, 4> ladder{64, 128, 256, 512};

// The largest error relative to the largest entry at each rung. Below 2^-precision nothing can be told, so an error
// smaller than that (sides that agree bit for bit by luck) counts as 2^-precision.
bool climb(const Cell& cell, const Instance& instance, std::vector<std::pair<double, double>>& points, Result& result) {
  for (const std::int64_t bits : ladder) {
    const auto backend = cell.options.make_backend("multiprecision", {.precision = bits});
    const auto sides = evaluate_sides(cell.statement.equations, *backend, claim::source_of(instance, *backend));
    if (!sides.ok()) {
      fail(result, Verdict::undecided, sides.reason());
      return false;
    }
    double relative = std::ldexp(1.0, static_cast<int>(-bits));
    for (std::size_t i = 0; i < cell.statement.equations.size(); ++i) {
      const auto comparison = backend->compare(sides.value().expected[i], sides.value().constructed[i]);
      if (comparison.error > 0) relative = std::max(relative, comparison.error / comparison.magnitude);
    }
    points.emplace_back(static_cast<double>(bits), relative);
  }
  return true;
}

// Bits of agreement gained per bit of precision between the first and the last rung.
double slope(const std::vector<std::pair<double, double>>& points) {
  return (std::log2(points.front().second) - std::log2(points.back().second)) /
         (points.back().first - points.front().first);
}

}  // namespace

void judge_ladder(const Cell& cell, Result& result) {
  if (cell.statement.equations.empty())
    return fail(result, Verdict::unsupported, "a statement about ranks over Q: rational arithmetic decides it");
  if (cell.size.d > 8 || cell.weights != nullptr)
    return fail(result, Verdict::unsupported, "the precision ladder runs at d <= 8");
  const auto instance =
      draw_satisfying(cell.statement, cell.stream.child("instance").child(std::uint64_t{0}), &result.rejected);
  if (!instance) return fail(result, Verdict::vacuous, "no instance drawn satisfies the hypotheses");
  std::vector<std::pair<double, double>> points;
  if (!climb(cell, *instance, points, result)) return;
  result.trials = 1;
  const double gained = slope(points);
  result.facts["bits gained per bit of precision"] = std::to_string(gained);
  // A true identity gains one bit a bit, a false one none; nothing in between is a verdict.
  if (gained > 0.9)
    result.verdict = cell.is_ablation() ? Verdict::undecided : Verdict::consistent;
  else if (gained < 0.1)
    fail(result, Verdict::differs, "the error does not fall with the precision");
  else
    fail(result, Verdict::undecided, "the error falls neither as 2^-precision nor stays");
  if (cell.is_ablation() && result.verdict == Verdict::undecided && result.reason.empty())
    result.reason = "the sides agree to every precision tried";
  result.series.push_back({"Error on the precision ladder",
                           "bits of precision",
                           "relative error",
                           {"largest entry"},
                           {points},
                           false,
                           true});
}

}  // namespace attest::verdict
