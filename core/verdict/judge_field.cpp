// Equality modulo a random prime, with function symbols as keyed random functions.
#include <algorithm>
#include <cmath>

#include "core/claim/degree.h"
#include "core/claim/recipe.h"
#include "core/verdict/cell.h"

namespace attest::verdict {
namespace {

using arith::Backend;
using arith::Matrix;
using claim::Statement;

constexpr int default_prime_bits = 60;
constexpr std::int64_t most_runs = 256;
constexpr std::uint64_t redraws_of_a_run = 20;

bool has_function_symbol(const claim::Equation& equation) {
  for (const expr::Node* node : expr::reachable({equation.expected, equation.constructed})) {
    if (node->op == expr::Op::softmax) return true;
    if (node->op == expr::Op::elementwise && !expr::is_rational_operation(node->function)) return true;
  }
  return false;
}

claim::InputSource random_source(const Cell& cell, const Backend& field, RandomStream stream) {
  return [&cell, &field, stream](const expr::Node& input) -> Outcome<Matrix> {
    if (cell.weights != nullptr) {
      const auto weight = cell.weights->matrices.find(input.name);
      if (weight != cell.weights->matrices.end()) return field.from_doubles(weight->second);
    }
    return field.uniform(input.shape, input.structure, stream.child(input.name));
  };
}

// The weights of a checkpoint are given, so their recipes (invertible, ...) are not replaced by expressions.
claim::Parametrized free_statement(const Cell& cell) {
  if (cell.weights == nullptr) return claim::parametrize(cell.statement, {});
  Statement given = cell.statement;
  for (claim::Input& input : given.inputs)
    if (cell.weights->matrices.contains(input.name)) input.recipe = {};
  return claim::parametrize(given, {});
}

// The bits of the integers that the given weights become over their common power-of-two denominator, and of that
// denominator: what one factor of a monomial adds to a coefficient when the weight is a number instead of a variable.
double bits_of_weights(const WeightSource& weights) {
  int highest = 0, lowest = 0;
  for (const auto& [name, matrix] : weights.matrices) {
    for (const double entry : matrix.entries) {
      if (entry == 0) continue;
      const int exponent = std::ilogb(entry);
      highest = std::max(highest, exponent + 1);
      lowest = std::min(lowest, exponent - 52);  // the last bit a double of that size can have
    }
  }
  return static_cast<double>(highest - lowest) + static_cast<double>(-lowest);
}

claim::FailureBound bound_of(const Cell& cell, const Statement& statement) {
  // Redrawing where a condition fails conditions the draw on it: the bound accounts for those that are enforced.
  const bool enforced = !claim::is_real_size(cell.size);
  claim::FailureBound bound =
      claim::failure_bound(statement.equations, enforced ? statement.conditions : std::vector<claim::Condition>{});
  if (cell.weights == nullptr) return bound;
  const double bits = bits_of_weights(*cell.weights);
  bound.bit_sum += bits * bound.degree_sum;
  bound.determinant_bits += bits * bound.determinant_degree;
  return bound;
}

enum class RunResult { equal, different_everywhere, different_with_symbols, undefined, unable };

struct Run {
  RunResult result = RunResult::equal;
  std::string detail;
};

Run run_once(const Statement& statement, const Backend& field, const claim::InputSource& source) {
  const Outcome<Evaluated> sides = evaluate_sides(statement.equations, field, source);
  if (!sides.ok())
    return {sides.status() == Status::undefined ? RunResult::undefined : RunResult::unable, sides.reason()};
  Run run;
  for (std::size_t i = 0; i < statement.equations.size(); ++i) {
    const auto comparison = field.compare(sides.value().expected[i], sides.value().constructed[i]);
    if (comparison.equal == Truth::yes) continue;
    if (comparison.equal == Truth::unknown) return {RunResult::unable, "the comparison did not decide"};
    const bool symbols = has_function_symbol(statement.equations[i]);
    if (run.result != RunResult::different_everywhere)
      run = {symbols ? RunResult::different_with_symbols : RunResult::different_everywhere,
             statement.equations[i].label};
  }
  return run;
}

// Conditions that the parametrization does not already guarantee; too expensive at real sizes, where the small witness
// stands for them.
Truth conditions_hold(const Cell& cell, const Statement& statement, const Backend& field,
                      const claim::InputSource& source) {
  if (claim::is_real_size(cell.size)) return Truth::yes;
  Truth all = Truth::yes;
  for (const claim::Condition& condition : statement.conditions)
    all = both(all, claim::holds(condition, field, source));
  return all;
}

struct Drawn {
  Run run;
  std::vector<std::string> ledger;
};

// One run: a fresh prime, fresh inputs, fresh keys; redrawn while a hypothesis or an inverse fails.
Drawn draw_run(const Cell& cell, const Statement& statement, std::uint64_t index, Result& result) {
  const RandomStream stream = cell.stream.child("field").child(index);
  Drawn drawn;
  for (std::uint64_t attempt = 0; attempt < redraws_of_a_run; ++attempt) {
    const RandomStream fresh = stream.child(attempt);
    const auto field = cell.options.make_backend("field", {.seed = fresh.key(), .prime = cell.options.prime});
    const claim::InputSource source = random_source(cell, *field, fresh.child("inputs"));
    drawn.ledger = field->ledger();
    const Truth conditions = conditions_hold(cell, statement, *field, source);
    if (conditions == Truth::no) {
      ++result.rejected;
      drawn.run = {RunResult::undefined, "no draw satisfied the hypotheses modulo p"};
      continue;
    }
    drawn.run = conditions == Truth::yes ? run_once(statement, *field, source)
                                         : Run{RunResult::unable, "a hypothesis could not be decided"};
    if (drawn.run.result != RunResult::undefined) return drawn;
    ++result.rejected;
  }
  return drawn;
}

void conclude_failure(const Run& run, Result& result) {
  switch (run.result) {
    case RunResult::equal:
      return;
    case RunResult::different_everywhere:
      result.verdict = Verdict::refuted;
      result.reason = run.detail + ": the sides differ as rational functions";
      return;
    case RunResult::different_with_symbols:
      result.verdict = Verdict::undecided;
      result.scope = "every function";
      result.reason = run.detail +
                      ": the sides differ when functions are replaced by random ones; that refutes only the claim for "
                      "every function, and the real one must decide";
      return;
    case RunResult::undefined:
    case RunResult::unable:
      result.verdict = Verdict::undecided;
      result.reason = run.detail;
      return;
  }
}

// Runs until the probability of passing falsely is small enough. bits_after(runs) is its -log2.
template <class Bits>
void judge_runs(const Cell& cell, const Statement& statement, const Bits& bits_after, Result& result) {
  std::int64_t runs = 0;
  do {
    const Drawn drawn = draw_run(cell, statement, static_cast<std::uint64_t>(runs), result);
    add_to_ledger(result, drawn.ledger);
    result.trials = ++runs;
    if (drawn.run.result != RunResult::equal) return conclude_failure(drawn.run, result);
    result.error_bits = bits_after(static_cast<int>(runs));
  } while (result.error_bits > 0 && result.error_bits < cell.options.error_bits && runs < most_runs);
  if (result.error_bits >= cell.options.error_bits) {
    result.verdict = Verdict::probable;
    return;
  }
  result.verdict = Verdict::undecided;
  result.reason = "the sides agreed in " + std::to_string(runs) + (runs == 1 ? " run" : " runs") +
                  ", but the bound of the error probability stayed above the target";
}

}  // namespace

void judge_field(const Cell& cell, Result& result) {
  const Statement statement = free_statement(cell).statement;
  if (statement.equations.empty()) {
    result.verdict = Verdict::unsupported;
    result.reason = "a statement about ranks over Q: rational arithmetic decides it";
    return;
  }
  const claim::FailureBound bound = bound_of(cell, statement);
  if (cell.options.prime != 0) {
    judge_runs(
        cell, statement,
        [&](int runs) { return bound.error_bits_modulo(static_cast<double>(cell.options.prime), runs); }, result);
    result.scope = "F_p only";
    return;
  }
  judge_runs(
      cell, statement, [&](int runs) { return bound.error_bits(default_prime_bits, runs); }, result);
  if (cell.weights != nullptr)
    add_to_ledger(result, {"the checkpoint's matrices are fixed: modulo p the statement is about these weights; the "
                           "error probability is over the prime, the other inputs and the function keys"});
}

}  // namespace attest::verdict
