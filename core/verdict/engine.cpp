#include "core/verdict/engine.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>

#include "core/support/check.h"
#include "core/support/error.h"
#include "core/verdict/cell.h"

namespace attest::verdict {
namespace {

using claim::Claim;
using claim::Size;
using claim::Statement;

double peak_mebibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

RandomStream stream_of(const Claim& claim, const std::string& dropped, const Size& size, const Options& options) {
  return RandomStream(options.seed).child(claim.id).child("without:" + dropped).child(size.name);
}

// The hypotheses can be met at all: an exact instance that meets them, at a size where that is cheap. A claim without
// one is vacuous and nothing else is looked at.
bool find_witness(const Claim& claim, const std::string& dropped, const Statement& statement, const Size& size,
                  const Options& options, Result& result) {
  const bool at_another_size = size.d > 16;
  Size small = claim::named_size("small");
  small.h = size.h == 1 ? 1 : small.h;
  small.g = size.g == size.h ? small.h : small.g;
  small.k = small.d / small.h;
  const Statement reduced = at_another_size ? claim.build({small, dropped}) : statement;
  std::int64_t rejected = 0;
  const auto witness = draw_satisfying(reduced, stream_of(claim, dropped, small, options).child("witness"), &rejected);
  if (!witness) {
    result.verdict = Verdict::vacuous;
    result.reason = "no instance drawn in " + std::to_string(rejected) + " tries satisfies the hypotheses";
    return false;
  }
  if (at_another_size)
    add_to_ledger(result, {"that the hypotheses can be met was shown at d = " + std::to_string(small.d)});
  else
    result.witness = *witness;
  return true;
}

void measure(const Claim& claim, const std::string& dropped, const Options& options, Result& result) {
  if (result.arithmetic != "multiprecision") {
    result.verdict = Verdict::unsupported;
    result.reason = "a claim about the size of rounding errors: the precision ladder of multiprecision measures it";
    return;
  }
  const claim::Measurement measurement = claim.measure(dropped, options.seed);
  result.trials = measurement.cases;
  result.series = measurement.series;
  result.facts = measurement.facts;
  result.reason = measurement.reason;
  result.measured.ratio = measurement.ratio;
  switch (measurement.within_bound) {
    case Truth::yes:
      result.verdict = Verdict::consistent;
      break;
    case Truth::no:
      result.verdict = Verdict::differs;
      break;
    case Truth::unknown:
      result.verdict = Verdict::undecided;
      break;
  }
}

void judge(const Cell& cell, const std::string& arithmetic, Result& result) {
  if (arithmetic == "field")
    judge_field(cell, result);
  else if (arithmetic == "rational")
    judge_rational(cell, result);
  else if (arithmetic == "ball")
    judge_ball(cell, result);
  else if (arithmetic == "multiprecision")
    judge_ladder(cell, result);
  else if (arithmetic == "double" || arithmetic == "float")
    judge_floating(cell, arithmetic, result);
  else
    throw InputError("arithmetic '" + arithmetic + "' has no judge");
}

void judge_statement(const Claim& claim, const std::string& dropped, const WeightSource* weights,
                     const Options& options, Result& result) {
  const Size size = result.size;
  std::optional<Statement> statement;
  try {
    statement = claim.build({size, dropped});
  } catch (const InputError& error) {
    result.verdict = Verdict::unsupported;
    result.reason = error.what();
    return;
  }
  add_to_ledger(result, statement->ledger);
  if (!find_witness(claim, dropped, *statement, size, options, result)) return;
  const Cell cell{claim, dropped, size, *statement, weights, options, stream_of(claim, dropped, size, options)};
  judge(cell, result.arithmetic, result);
}

}  // namespace

Result blank_result(const Claim& claim, const std::string& dropped, const std::string& arithmetic, const Size& size) {
  Result result;
  result.claim = claim.id;
  result.kind = claim::to_string(claim.kind);
  result.side = dropped.empty() ? "claim" : "without:" + dropped;
  result.arithmetic = arithmetic;
  result.size = size;
  result.source = "random";
  return result;
}

Result check(const Claim& claim, const std::string& dropped, const std::string& arithmetic, const Size& size,
             const WeightSource* weights, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  Result result = blank_result(claim, dropped, arithmetic, size);
  if (weights != nullptr) result.source = weights->name;
  if (claim.measure)
    measure(claim, dropped, options, result);
  else
    judge_statement(claim, dropped, weights, options, result);
  const auto allowed = allowed_verdicts(claim, result.side, arithmetic);
  result.expected = std::find(allowed.begin(), allowed.end(), result.verdict) != allowed.end();
  result.measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.measured.peak_mebibytes = peak_mebibytes();
  return result;
}

}  // namespace attest::verdict
