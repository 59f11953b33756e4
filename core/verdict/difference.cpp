#include "core/verdict/difference.h"

#include "core/verdict/cell.h"

namespace attest::verdict {

using arith::Matrix;
using claim::EvaluationPlan;
using claim::Instance;

namespace {

Truth decide(const claim::Condition& condition, const EvaluationPlan& plan, const arith::Backend& rational,
             const claim::InputSource& source) {
  const auto operands = plan.run(rational, source);
  if (!operands.ok()) return operands.status() == Status::undefined ? Truth::no : Truth::unknown;
  return claim::decide(condition.kind, operands.value(), rational);
}

std::vector<EvaluationPlan> plans_of(const std::vector<claim::Condition>& conditions) {
  std::vector<EvaluationPlan> plans;
  for (const claim::Condition& condition : conditions) plans.emplace_back(condition.operands, true);
  return plans;
}

}  // namespace

DifferenceFinder::DifferenceFinder(const claim::Statement& statement)
    : statement_(statement), conditions_(plans_of(statement.conditions)), necessary_(plans_of(statement.necessary)) {
  for (const std::int64_t precision : {0, 64, 256}) {
    Arithmetic arithmetic;
    arithmetic.precision = precision;
    arithmetic.backend =
        precision == 0 ? arith::make_backend("rational") : arith::make_backend("ball", {.precision = precision});
    for (const claim::Equation& equation : statement_.equations)
      arithmetic.equations.emplace_back(std::vector<expr::Expr>{equation.expected, equation.constructed},
                                        arithmetic.backend->associative());
    arithmetics_.push_back(std::move(arithmetic));
  }
}

Truth DifferenceFinder::satisfies(const Instance& instance) const {
  const arith::Backend& rational = *arithmetics_.front().backend;
  const claim::InputSource source = claim::source_of(instance, rational);
  Truth all = Truth::yes;
  for (std::size_t i = 0; i < conditions_.size() && all != Truth::no; ++i)
    all = both(all, decide(statement_.conditions[i], conditions_[i], rational, source));
  return all;
}

std::vector<std::string> DifferenceFinder::false_necessities(const Instance& instance) const {
  const arith::Backend& rational = *arithmetics_.front().backend;
  const claim::InputSource source = claim::source_of(instance, rational);
  std::vector<std::string> failing;
  for (std::size_t i = 0; i < necessary_.size(); ++i)
    if (decide(statement_.necessary[i], necessary_[i], rational, source) == Truth::no)
      failing.push_back(claim::to_text(statement_.necessary[i]));
  return failing;
}

std::vector<Side> DifferenceFinder::differing(const Arithmetic& arithmetic, const Instance& instance,
                                              bool* undecided) const {
  const arith::Backend& backend = *arithmetic.backend;
  const claim::InputSource source = claim::source_of(instance, backend);
  std::vector<Side> sides;
  *undecided = false;
  // One equation at a time: one that this arithmetic cannot evaluate does not hide another that it can.
  for (std::size_t i = 0; i < statement_.equations.size(); ++i) {
    const auto values = arithmetic.equations[i].run(backend, source);
    if (!values.ok()) {
      *undecided = *undecided || values.status() == Status::unable;
      continue;
    }
    const Matrix& expected = values.value()[0];
    const Matrix& constructed = values.value()[1];
    const Truth equal = backend.compare(expected, constructed).equal;
    if (equal == Truth::no) sides.push_back(side_text(statement_.equations[i], backend, expected, constructed));
    *undecided = *undecided || equal == Truth::unknown;
  }
  return sides;
}

std::optional<Counterexample> DifferenceFinder::find(const Instance& instance) const {
  Counterexample found;
  found.instance = instance;
  found.arithmetic = "rational";
  found.failing = false_necessities(instance);
  if (!found.failing.empty()) return found;
  for (const Arithmetic& arithmetic : arithmetics_) {
    bool undecided = false;
    found.sides = differing(arithmetic, instance, &undecided);
    found.arithmetic = arithmetic.backend->name();
    found.precision = arithmetic.precision;
    if (!found.sides.empty()) return found;
    // Both sides known and equal, or without a value: no precision will separate them.
    if (!undecided) return std::nullopt;
  }
  return std::nullopt;
}

bool DifferenceFinder::differs(const Instance& instance) const { return find(instance).has_value(); }

}  // namespace attest::verdict
