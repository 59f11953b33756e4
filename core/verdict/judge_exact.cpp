// Rational and ball arithmetic on exact instances.
#include <cmath>

#include "core/verdict/cell.h"

namespace attest::verdict {
namespace {

using arith::Backend;
using claim::Instance;

constexpr std::int64_t least_precision = 128;
constexpr std::int64_t most_precision = 4096;

void fail(Result& result, Verdict verdict, const std::string& reason) {
  result.verdict = verdict;
  result.reason = reason;
}

// Exact values for what the checkpoint does not provide. That its matrices meet the hypotheses shows in the evaluation:
// a singular one has no inverse.
Instance draw_around_weights(const Cell& cell, RandomStream stream) {
  claim::Statement rest = cell.statement;
  std::erase_if(rest.inputs, [&](const claim::Input& input) { return cell.weights->matrices.contains(input.name); });
  return claim::draw_instance(rest, stream);
}

// The instance of trial i, or a result that says why there is none.
std::optional<Instance> instance_for(const Cell& cell, std::int64_t trial, Result& result) {
  const RandomStream stream = cell.stream.child("instance").child(static_cast<std::uint64_t>(trial));
  if (cell.weights != nullptr) return draw_around_weights(cell, stream);
  auto instance = draw_satisfying(cell.statement, stream, &result.rejected);
  if (!instance) fail(result, Verdict::vacuous, "no instance drawn satisfies the hypotheses");
  return instance;
}

struct Judged {
  bool differs = false;
  bool undefined = false;
  std::string unable;  // why an equation could not be evaluated
  bool stand_in = false;
  double radius = 0, magnitude = 0;
  std::vector<Side> sides;
};

Judged compare_all(const Cell& cell, const Instance& instance, const Backend& backend) {
  Judged judged;
  for (const claim::Equation& equation : cell.statement.equations) {
    const auto sides = evaluate_sides({equation}, backend, weighted_source(cell, instance, backend));
    if (!sides.ok()) {
      judged.undefined = judged.undefined || sides.status() == Status::undefined;
      judged.unable = equation.label + ": " + sides.reason();
      continue;
    }
    const auto comparison = backend.compare(sides.value().expected[0], sides.value().constructed[0]);
    if (comparison.equal == Truth::no) {
      judged.differs = true;
      if (!claim::is_real_size(cell.size))
        judged.sides.push_back(side_text(equation, backend, sides.value().expected[0], sides.value().constructed[0]));
    } else if (comparison.equal == Truth::unknown && backend.strength() == arith::Strength::exact) {
      judged.unable = equation.label + ": the comparison did not decide";
    }
    judged.radius = std::isnan(comparison.radius) ? INFINITY : std::max(judged.radius, comparison.radius);
    judged.magnitude = std::max(judged.magnitude, comparison.magnitude);
  }
  return judged;
}

Judged compare_rational(const Cell& cell, const Instance& instance) {
  Judged real = compare_all(cell, instance, *cell.options.make_backend("rational", {}));
  if (real.differs || real.unable.empty() || real.undefined) return real;
  Judged stand_in =
      compare_all(cell, instance, *cell.options.make_backend("rational", {.stand_in_row_function = true}));
  stand_in.stand_in = true;
  return stand_in;
}

void refute_with(const Cell& cell, const Instance& instance, const Judged& judged, const std::string& arithmetic,
                 std::int64_t precision, Result& result) {
  if (judged.stand_in) {
    result.scope = "every function";
    return fail(result, Verdict::undecided,
                "the sides differ with stand-ins for softmax or an activation; that refutes only the claim for every "
                "function, and the real one must decide");
  }
  result.verdict = Verdict::refuted;
  if (claim::is_real_size(cell.size)) return;
  Counterexample counterexample;
  counterexample.instance = instance;
  counterexample.sides = judged.sides;
  counterexample.arithmetic = arithmetic;
  counterexample.precision = precision;
  result.counterexample = std::move(counterexample);
}

bool necessity_fails(const Cell& cell, const Instance& instance, Result& result) {
  if (cell.statement.necessary.empty() || cell.weights != nullptr) return false;
  const auto rational = cell.options.make_backend("rational", {});
  const claim::InputSource source = claim::source_of(instance, *rational);
  std::vector<std::string> failing;
  for (const claim::Condition& condition : cell.statement.necessary)
    if (claim::holds(condition, *rational, source) == Truth::no) failing.push_back(claim::to_text(condition));
  if (failing.empty()) return false;
  result.verdict = Verdict::refuted;
  Counterexample counterexample;
  counterexample.instance = instance;
  counterexample.failing = failing;
  counterexample.arithmetic = "rational";
  result.counterexample = std::move(counterexample);
  return true;
}

// The balls of both sides, precision doubled until they are disjoint or narrow.
Judged compare_balls(const Cell& cell, const Instance& instance, std::int64_t* precision) {
  Judged judged;
  for (*precision = least_precision; *precision <= most_precision; *precision *= 2) {
    judged = compare_all(cell, instance, *cell.options.make_backend("ball", {.precision = *precision}));
    if (judged.differs || judged.undefined) return judged;
    const double narrow = std::ldexp(std::max(judged.magnitude, 1.0), static_cast<int>(-least_precision / 2));
    if (judged.unable.empty() && judged.radius <= narrow) return judged;
  }
  if (judged.unable.empty()) judged.unable = "the enclosures stayed wide up to 4096 bits";
  return judged;
}

bool supported_size(const Cell& cell, const std::string& arithmetic, Result& result) {
  const bool too_large = arithmetic == "rational" ? cell.size.d > 64 : cell.size.d > 64 && cell.weights == nullptr;
  if (!too_large) return true;
  fail(result, Verdict::unsupported,
       arithmetic + " arithmetic stops at d = 64 on random instances; use field or double");
  return false;
}

void judge_instances(const Cell& cell, const std::string& arithmetic, Verdict agreement, Result& result) {
  const std::int64_t trials = trials_for(cell);
  for (std::int64_t trial = 0; trial < trials; ++trial) {
    const auto instance = instance_for(cell, trial, result);
    if (!instance) return;
    result.trials = trial + 1;
    if (arithmetic == "rational" && necessity_fails(cell, *instance, result)) return;
    std::int64_t precision = 0;
    const Judged judged =
        arithmetic == "rational" ? compare_rational(cell, *instance) : compare_balls(cell, *instance, &precision);
    if (judged.stand_in)
      add_to_ledger(result, arith::make_backend("rational", {.stand_in_row_function = true})->ledger());
    if (judged.differs) return refute_with(cell, *instance, judged, arithmetic, precision, result);
    if (!judged.unable.empty()) return fail(result, Verdict::undecided, judged.unable);
    if (judged.stand_in) result.scope = "one stand-in function";
    result.measured.radius = std::max(result.measured.radius, judged.radius);
    if (precision > 0) add_to_ledger(result, {"balls of " + std::to_string(precision) + " bits"});
  }
  result.verdict = cell.is_ablation() ? Verdict::not_shown_needed : agreement;
}

}  // namespace

void judge_rational(const Cell& cell, Result& result) {
  if (supported_size(cell, "rational", result)) judge_instances(cell, "rational", Verdict::exact, result);
}

void judge_ball(const Cell& cell, Result& result) {
  if (cell.statement.equations.empty())
    return fail(result, Verdict::unsupported, "a statement about ranks over Q: rational arithmetic decides it");
  if (supported_size(cell, "ball", result)) judge_instances(cell, "ball", Verdict::certified, result);
}

}  // namespace attest::verdict
