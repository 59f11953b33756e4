#include "core/claim/degree_tracker.h"

#include <algorithm>
#include <cmath>

#include "core/support/check.h"

namespace attest::claim {
namespace {

using expr::Node;
using expr::Op;
using expr::Structure;

double log2_factorial(double n) { return std::lgamma(n + 1) / std::log(2.0); }

Fraction fresh_variables() {
  Fraction result;
  result.numerator.degree = 1;
  result.depends_on_calls = true;
  return result;
}

RationalMatrix single(const Rational& value) {
  RationalMatrix matrix(1, 1);
  matrix.at(0, 0) = value;
  return matrix;
}

bool is_diagonal(const Node& node) { return node.op == Op::input && node.structure == Structure::diagonal_signs; }

}  // namespace

Fraction DegreeTracker::input(const Node& node) const {
  Fraction result;
  result.numerator.degree = node.structure == Structure::diagonal_signs ? 0 : 1;
  return result;
}

Fraction DegreeTracker::constant(const RationalMatrix& matrix) {
  Fraction result;
  for (const Rational& entry : matrix.entries) result.constant = lcm(result.constant, entry.get_den());
  for (const Rational& entry : matrix.entries) {
    const Integer numerator = abs(Integer(entry * result.constant));
    if (numerator > 0) result.numerator.bits = std::max(result.numerator.bits, log2_of(numerator));
  }
  constant_bits_ += log2_of(result.constant);
  return result;
}

Fraction DegreeTracker::joined(const Node& node) const {
  Fraction result = at(*node.operands.front());
  for (const Node* operand : node.operands) result = common_of(result, at(*operand), determinants_);
  return result;
}

Fraction DegreeTracker::fraction_of(const Node& node) {
  const auto operand = [&](std::size_t i) -> const Node& { return *node.operands[i]; };
  switch (node.op) {
    case Op::input:
      return input(node);
    case Op::identity:
      return {};
    case Op::fill:
      return constant(single(node.value));
    case Op::constant:
      return constant(*node.matrix);
    case Op::add:
    case Op::subtract:
      return sum_of(at(operand(0)), at(operand(1)), determinants_);
    case Op::multiply: {
      const bool one_term = is_diagonal(operand(0)) || is_diagonal(operand(1));
      return product_of(at(operand(0)), at(operand(1)), one_term ? 1.0 : static_cast<double>(operand(0).shape.cols));
    }
    case Op::scale:
      return product_of(constant(single(node.value)), at(operand(0)), 1);
    case Op::scale_by:
    case Op::scale_rows:
    case Op::hadamard:
      return product_of(at(operand(0)), at(operand(1)), 1);
    case Op::transpose:
    case Op::slice:
      return at(operand(0));
    case Op::inverse:
      return inverse_of(operand(0));
    case Op::concat_columns:
    case Op::concat_rows:
      return joined(node);
    case Op::softmax:
      return call_rows(node);
    case Op::elementwise:
      return expr::is_rational_operation(node.function) ? reciprocals(node) : call_entries(node);
  }
  ATTEST_CHECK(false, "unknown operation");
}

void DegreeTracker::name_determinant(std::int64_t name, PolynomialBound bound, bool depends_on_calls) {
  determinants_[name] = bound;
  may_vanish_.insert(name);
  calls_in_determinants_ = calls_in_determinants_ || depends_on_calls;
}

// (A B)^-1 = B^-1 A^-1 for square factors keeps the determinants of the factors apart, and knows triangular ones.
Fraction DegreeTracker::inverse_of(const Node& node) {
  switch (node.op) {
    case Op::identity:
      return {};
    case Op::transpose:
      return inverse_of(*node.operands[0]);
    case Op::inverse:
      return at(*node.operands[0]);
    case Op::input:
      return node.structure == Structure::general ? inverse_of_any(node) : inverse_of_input(node);
    case Op::multiply: {
      const Node& a = *node.operands[0];
      const Node& b = *node.operands[1];
      if (a.shape.rows != a.shape.cols || b.shape.rows != b.shape.cols) return inverse_of_any(node);
      const bool one_term = is_diagonal(a) || is_diagonal(b);
      return product_of(inverse_of(b), inverse_of(a), one_term ? 1.0 : static_cast<double>(a.shape.rows));
    }
    default:
      return inverse_of_any(node);
  }
}

// An entry of the inverse of a triangular matrix is a signed sum over the chains from row to column, at most 2^(n-2),
// each a product of at most n - 1 entries over the diagonal ones it passes. The sampled diagonal has no zero.
Fraction DegreeTracker::inverse_of_input(const Node& node) {
  const double n = static_cast<double>(node.shape.rows);
  Fraction result;
  if (node.structure == Structure::diagonal_signs) return result;
  result.numerator = {n - 1, std::max(0.0, n - 2)};
  if (node.structure == Structure::upper) {
    determinants_[node.id] = {n, 0};
    result.exponents[node.id] = 1;
  }
  return result;
}

// (N / q)^-1 = q adj(N) / det(N): minors of N have at most (n-1)! products of n - 1 entries.
Fraction DegreeTracker::inverse_of_any(const Node& node) {
  const double n = static_cast<double>(node.shape.rows);
  const Fraction& a = at(node);
  const PolynomialBound q = denominator_of(a, determinants_);
  Fraction result;
  result.numerator.degree = (n - 1) * a.numerator.degree + q.degree;
  result.numerator.bits = (n - 1) * a.numerator.bits + log2_factorial(n - 1) + q.bits;
  result.depends_on_calls = a.depends_on_calls;
  name_determinant(node.id, {n * a.numerator.degree, n * a.numerator.bits + log2_factorial(n)}, a.depends_on_calls);
  result.exponents[node.id] = 1;
  return result;
}

// The entries q / N_ij over the product of all N_ij.
Fraction DegreeTracker::reciprocals(const Node& node) {
  const std::int64_t name = reciprocal_name(node);
  const Fraction& a = at(*node.operands[0]);
  const double count = static_cast<double>(node.shape.count());
  const PolynomialBound q = denominator_of(a, determinants_);
  Fraction result;
  result.numerator.degree = (count - 1) * a.numerator.degree + q.degree;
  result.numerator.bits = (count - 1) * a.numerator.bits + q.bits;
  result.depends_on_calls = a.depends_on_calls;
  name_determinant(name, {count * a.numerator.degree, count * a.numerator.bits}, a.depends_on_calls);
  result.exponents[name] = 1;
  return result;
}

void DegreeTracker::add_calls(const std::string& symbol, const Fraction& argument, double count) {
  std::vector<Calls>& known = calls_[symbol];
  const auto same = std::find_if(known.begin(), known.end(), [&](const Calls& c) { return c.argument == argument; });
  if (same == known.end())
    known.push_back({argument, count});
  else
    same->count += count;
}

// Rows that see different positions are told apart by their positions: only the others can coincide.
Fraction DegreeTracker::call_rows(const Node& node) {
  const expr::Shape shape = node.shape;
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    std::int64_t first = -1, last = -1, count = 0;
    for (std::int64_t j = 0; j < shape.cols; ++j) {
      if (!node.mask.visible(i, j, shape.rows, shape.cols)) continue;
      first = count == 0 ? j : first;
      last = j;
      ++count;
    }
    ATTEST_CHECK(count == 0 || count == last - first + 1, "a mask shows an interval of keys");
    add_calls("row function of keys " + std::to_string(first) + " to " + std::to_string(last), at(*node.operands[0]),
              1);
  }
  return fresh_variables();
}

Fraction DegreeTracker::call_entries(const Node& node) {
  add_calls(std::string(expr::to_string(node.function)), at(*node.operands[0]),
            static_cast<double>(node.shape.count()));
  return fresh_variables();
}

void DegreeTracker::add_pairs(FailureBound& bound) const {
  for (const auto& [symbol, groups] : calls_)
    for (std::size_t i = 0; i < groups.size(); ++i)
      for (std::size_t j = i; j < groups.size(); ++j) {
        const double pairs = i == j ? groups[i].count * (groups[i].count - 1) / 2 : groups[i].count * groups[j].count;
        const Fraction difference = sum_of(groups[i].argument, groups[j].argument, determinants_);
        bound.degree_sum += pairs * difference.numerator.degree;
        bound.bit_sum += pairs * difference.numerator.bits;
      }
}

void DegreeTracker::add_determinants(FailureBound& bound) const {
  bound.determinant_degree += condition_minors_.degree;
  bound.determinant_bits += constant_bits_ + condition_minors_.bits;
  for (const std::int64_t name : may_vanish_) {
    bound.determinant_degree += determinants_.at(name).degree;
    bound.determinant_bits += determinants_.at(name).bits;
  }
  // A determinant of function values is the formal one only while no two calls have coincided.
  if (!calls_in_determinants_) return;
  FailureBound pairs;
  add_pairs(pairs);
  bound.determinant_degree += pairs.degree_sum;
  bound.determinant_bits += pairs.bit_sum;
}

// Ranks modulo p are the formal ones unless a largest nonzero minor of an operand, or of the operands together,
// vanishes; a formally nonzero entry or difference is one such minor.
void DegreeTracker::add_condition(const Condition& condition) {
  Fraction together = at(condition.operands.front().node());
  double rows = 0, cols = 0;
  const auto add_minor = [&](const Fraction& entries, double size) {
    const PolynomialBound q = entries.numerator;
    condition_minors_.degree += size * q.degree;
    condition_minors_.bits += size * q.bits + log2_factorial(size);
    calls_in_determinants_ = calls_in_determinants_ || entries.depends_on_calls;
  };
  for (const expr::Expr& operand : condition.operands) {
    together = sum_of(together, at(operand.node()), determinants_);
    rows += static_cast<double>(operand.rows());
    cols += static_cast<double>(operand.cols());
    add_minor(at(operand.node()), static_cast<double>(std::min(operand.rows(), operand.cols())));
  }
  if (condition.operands.size() > 1) add_minor(together, std::min(rows, cols));
}

}  // namespace attest::claim
