#include "core/claim/instance.h"

#include <algorithm>

#include "core/claim/evaluate.h"
#include "core/claim/recipe.h"
#include "core/expr/print.h"
#include "core/support/check.h"

namespace attest::claim {
namespace {

using arith::Matrix;
using expr::Structure;

Truth rank_is(const Outcome<std::int64_t>& rank, std::int64_t wanted) {
  return rank.ok() ? truth(rank.value() == wanted) : Truth::unknown;
}

// rank [A_1 ... A_m] = sum of the ranks
Truth independent(const std::vector<Matrix>& operands, const arith::Backend& backend) {
  std::int64_t sum = 0;
  for (const Matrix& operand : operands) {
    const Outcome<std::int64_t> rank = backend.rank(operand);
    if (!rank.ok()) return Truth::unknown;
    sum += rank.value();
  }
  const Outcome<Matrix> together = backend.concat_columns(operands);
  return together.ok() ? rank_is(backend.rank(together.value()), sum) : Truth::unknown;
}

Truth is_zero(const Matrix& a, const arith::Backend& backend) {
  const Outcome<Matrix> zeros = backend.fill(a->shape, 0);
  return zeros.ok() ? backend.compare(a, zeros.value()).equal : Truth::unknown;
}

// rank of A_1, ..., A_m stacked = rank of every A_i
Truth equal_row_spaces(const std::vector<Matrix>& operands, const arith::Backend& backend) {
  const Outcome<Matrix> stacked = backend.concat_rows(operands);
  if (!stacked.ok()) return Truth::unknown;
  const Outcome<std::int64_t> together = backend.rank(stacked.value());
  if (!together.ok()) return Truth::unknown;
  Truth all = Truth::yes;
  for (const Matrix& operand : operands) all = both(all, rank_is(backend.rank(operand), together.value()));
  return all;
}

}  // namespace

Truth decide(Condition::Kind kind, const std::vector<Matrix>& operand, const arith::Backend& backend) {
  switch (kind) {
    case Condition::Kind::invertible:
      return backend.invertible(operand[0]);
    case Condition::Kind::singular:
      return negate(backend.invertible(operand[0]));
    case Condition::Kind::equal:
      return backend.compare(operand[0], operand[1]).equal;
    case Condition::Kind::different:
      return negate(backend.compare(operand[0], operand[1]).equal);
    case Condition::Kind::independent:
      return independent(operand, backend);
    case Condition::Kind::dependent:
      return negate(independent(operand, backend));
    case Condition::Kind::equal_row_spaces:
      return equal_row_spaces(operand, backend);
    case Condition::Kind::different_row_spaces:
      return negate(equal_row_spaces(operand, backend));
    case Condition::Kind::nonzero:
      return negate(is_zero(operand[0], backend));
    case Condition::Kind::full_rank:
      return rank_is(backend.rank(operand[0]), std::min(operand[0]->shape.rows, operand[0]->shape.cols));
  }
  return Truth::unknown;
}

RationalMatrix draw_free(expr::Shape shape, Structure structure, RandomStream stream) {
  RationalMatrix matrix(shape.rows, shape.cols);
  // About eight nonzero entries a row at most.
  const std::uint64_t one_in = static_cast<std::uint64_t>(std::max<std::int64_t>(1, shape.cols / 8));
  for (std::int64_t i = 0; i < shape.rows; ++i) {
    for (std::int64_t j = 0; j < shape.cols; ++j) {
      const std::int64_t entry = stream.below(one_in) == 0 ? stream.integer(-3, 3) : 0;
      const std::int64_t sign = stream.below(2) == 0 ? 1 : -1;
      switch (structure) {
        case Structure::general:
          matrix.at(i, j) = Rational(entry);
          break;
        case Structure::unit_lower:
          matrix.at(i, j) = Rational(i == j ? 1 : i > j ? entry : 0);
          break;
        case Structure::upper:
          matrix.at(i, j) = Rational(i == j ? sign * (entry % 2 + 2) : i < j ? entry : 0);
          break;
        case Structure::diagonal_signs:
          matrix.at(i, j) = Rational(i == j ? sign : 0);
          break;
      }
    }
  }
  return matrix;
}

Instance draw_instance(const Statement& statement, RandomStream stream) {
  const auto rational = arith::make_backend("rational");
  const InputSource source = [&](const expr::Node& input) {
    return rational->from_rational(draw_free(input.shape, input.structure, stream.child(input.name)));
  };
  Instance instance;
  for (const Input& input : statement.inputs) {
    const expr::Expr expression = recipe_expression(*statement.graph, input, {});
    const auto value = evaluate({expression}, *rational, source);
    ATTEST_CHECK(value.ok(), "a recipe always has a value: " + value.reason());
    instance.emplace(input.name, rational->to_rational(value.value().front()).value());
  }
  return instance;
}

Truth holds(const Condition& condition, const arith::Backend& backend, const InputSource& source) {
  const auto operands = evaluate(condition.operands, backend, source);
  // An expression without a value satisfies nothing; what only this arithmetic cannot compute stays open.
  if (!operands.ok()) return operands.status() == Status::undefined ? Truth::no : Truth::unknown;
  return decide(condition.kind, operands.value(), backend);
}

Truth satisfies(const Statement& statement, const Instance& instance, std::string* failed) {
  const auto rational = arith::make_backend("rational");
  const InputSource source = source_of(instance, *rational);
  Truth all = Truth::yes;
  for (const Condition& condition : statement.conditions) {
    const Truth one = holds(condition, *rational, source);
    if (one != Truth::yes && failed != nullptr && all == Truth::yes) *failed = to_text(condition);
    all = both(all, one);
  }
  return all;
}

std::string to_text(const Condition& condition) {
  std::vector<std::string> names;
  for (const expr::Expr& operand : condition.operands) names.push_back(expr::short_name(operand));
  std::string listed;
  for (const std::string& name : names) listed += (listed.empty() ? "" : ", ") + name;
  switch (condition.kind) {
    case Condition::Kind::invertible:
      return listed + " is invertible";
    case Condition::Kind::singular:
      return listed + " is singular";
    case Condition::Kind::equal:
      return names[0] + " = " + names[1];
    case Condition::Kind::different:
      return names[0] + " != " + names[1];
    case Condition::Kind::independent:
      return "the column spaces of " + listed + " are independent";
    case Condition::Kind::dependent:
      return "the column spaces of " + listed + " are dependent";
    case Condition::Kind::equal_row_spaces:
      return "the row spaces of " + listed + " are equal";
    case Condition::Kind::different_row_spaces:
      return "the row spaces of " + listed + " are not all equal";
    case Condition::Kind::nonzero:
      return listed + " is not zero";
    case Condition::Kind::full_rank:
      return listed + " has full rank";
  }
  return listed;
}

}  // namespace attest::claim
