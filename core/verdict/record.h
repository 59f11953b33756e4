#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/claim/claim.h"
#include "core/support/rational.h"

namespace attest::verdict {

enum class Verdict {
  proved,
  probable,
  exact,
  certified,
  consistent,
  refuted,
  differs,  // a floating-point difference over its bound; never a refutation
  undecided,
  vacuous,           // no instance satisfies the hypotheses: an error
  unsupported,       // this arithmetic cannot speak about this claim
  confirmed,         // audit
  not_derivable,     // audit
  not_shown_needed,  // an ablation in which no difference was found
  error,
};
std::string to_string(Verdict verdict);
std::optional<Verdict> verdict_named(const std::string& name);
// Whether it says something about the claim: undecided, vacuous, unsupported, not_shown_needed and error do not.
bool is_definite(Verdict verdict);

// Deterministic apart from the machine: everything that may differ between two runs with one seed.
struct Measured {
  double radius = 0;
  double ratio = 0;   // error over bound
  double digits = 0;  // decimal digits of agreement, or lost, as the note says
  double seconds = 0;
  double peak_mebibytes = 0;
};

// A counterexample or witness as it is stored and shown: exact matrices, and both sides' values as text.
struct Side {
  std::string label;                               // of the equation
  std::vector<std::vector<std::string>> expected;  // entries as text, row by row
  std::vector<std::vector<std::string>> constructed;
};
struct Counterexample {
  std::string minimal;  // "global", "local" or "" when not searched
  std::map<std::string, RationalMatrix> instance;
  std::vector<Side> sides;           // the equations that fail
  std::vector<std::string> failing;  // necessary conditions that are false, as text
  std::string arithmetic;            // in which the difference is exact or certified: rational or ball
  std::int64_t precision = 0;        // ball: bits at which the enclosures are disjoint
  std::string search;                // "walked 1,204 candidates at 3 sizes"
};

struct Result {
  std::string claim;
  std::string kind;  // identity, construction, ...
  std::string side;  // "claim" or "without:HYPOTHESIS"
  std::string arithmetic;
  claim::Size size;
  std::string source;  // "random", "smallest", or the checkpoint's name and layer
  Verdict verdict = Verdict::undecided;
  std::string scope;      // "every function", "one stand-in function", "F_p only" (docs/report.md)
  bool expected = false;  // the verdict is among those the claim declares for this side and arithmetic
  std::int64_t trials = 0;
  std::int64_t rejected = 0;
  double error_bits = 0;  // probable
  std::vector<std::string> ledger;
  std::string reason;  // undecided, unsupported, error: why
  std::optional<Counterexample> counterexample;
  std::map<std::string, RationalMatrix> witness;  // an instance that satisfies the hypotheses, small sizes only
  std::vector<claim::Series> series;
  std::map<std::string, std::string> facts;  // named findings: "cond(W_Q)" -> "1.3e+04", ranks, ...
  Measured measured;
};

struct Environment {
  std::string attest_version, compiler, cpu, libraries;
  std::uint64_t seed = 0;
  std::vector<std::string> arguments;
};

struct Report {
  std::vector<Result> results;
  Environment environment;
  bool interrupted = false;
};

// Counts a verdict; results against expectation.
struct Summary {
  std::map<std::string, std::int64_t> verdicts;
  std::int64_t results = 0;
  std::int64_t unexpected = 0;
};
Summary summarize(const Report& report);

// The verdicts the registry allows for a side in an arithmetic (docs/verdicts.md has the table).
std::vector<Verdict> allowed_verdicts(const claim::Claim& claim, const std::string& side,
                                      const std::string& arithmetic);

// The exit code of a report: 0, 1, 2, 4 as docs/verdicts.md says. allow_undecided: claim ids.
int exit_code(const Report& report, const std::vector<std::string>& allow_undecided);

}  // namespace attest::verdict
