#pragma once

#include "core/claim/evaluate.h"
#include "core/claim/instance.h"
#include "core/verdict/engine.h"

namespace attest::verdict {

// What every judge of a cell works on.
struct Cell {
  const claim::Claim& claim;
  const std::string& dropped;
  const claim::Size& size;
  const claim::Statement& statement;
  const WeightSource* weights;
  const Options& options;
  RandomStream stream;  // derived from the seed, the claim, the side and the size: the same for every arithmetic
  bool is_ablation() const { return !dropped.empty() || claim.false_on_purpose; }
};

// Each fills verdict, trials, rejected, reason, ledger, measured, counterexample of the result.
void judge_field(const Cell& cell, Result& result);
void judge_rational(const Cell& cell, Result& result);
void judge_ball(const Cell& cell, Result& result);
void judge_ladder(const Cell& cell, Result& result);  // multiprecision
void judge_floating(const Cell& cell, const std::string& arithmetic, Result& result);

// An exact instance that satisfies every condition, or nothing after so many redraws; counts the rejected draws.
std::optional<claim::Instance> draw_satisfying(const claim::Statement& statement, RandomStream stream,
                                               std::int64_t* rejected);

// The number of instances to try at this size, unless the options say.
std::int64_t trials_for(const Cell& cell);

// Both sides of every equation, evaluated; pairs (expected, constructed) in order. thin_first: products may be taken in
// the cheapest order, so that T^-1 W is applied instead of being formed; by default where that changes no value.
struct Evaluated {
  std::vector<arith::Matrix> expected, constructed;
};
Outcome<Evaluated> evaluate_sides(const std::vector<claim::Equation>& equations, const arith::Backend& backend,
                                  const claim::InputSource& source, std::optional<bool> thin_first = {});

// The values of a failing equation as text.
Side side_text(const claim::Equation& equation, const arith::Backend& backend, const arith::Matrix& expected,
               const arith::Matrix& constructed);

// Adds the lines that are not there yet.
void add_to_ledger(Result& result, const std::vector<std::string>& lines);

// An instance's exact values, with the checkpoint's matrices in the place of the random ones.
claim::InputSource weighted_source(const Cell& cell, const claim::Instance& instance, const arith::Backend& backend);

}  // namespace attest::verdict
