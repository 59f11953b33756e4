#include "core/verdict/record.h"

#include <algorithm>
#include <array>

#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::verdict {
namespace {

using enum Verdict;

constexpr std::array kAllVerdicts = {proved,           probable,  exact,   certified,   consistent, refuted,
                                     differs,          undecided, vacuous, unsupported, confirmed,  not_derivable,
                                     not_shown_needed, error};

// A row of the table in docs/verdicts.md: what an arithmetic may say of a true side and of a false one.
struct AllowedRow {
  const char* arithmetic;
  std::vector<Verdict> of_true_side;
  std::vector<Verdict> of_false_side;
};

const std::vector<AllowedRow>& allowed_table() {
  static const std::vector<AllowedRow> table = {
      {"field", {probable, unsupported}, {undecided, refuted, unsupported}},
      {"rational", {exact, unsupported, undecided}, {refuted, undecided, unsupported}},
      {"ball", {certified, unsupported, undecided}, {refuted, undecided, unsupported}},
      {"multiprecision", {consistent, unsupported, undecided}, {differs, undecided, unsupported}},
      {"double", {consistent, unsupported, undecided}, {differs, undecided, unsupported}},
      {"float", {consistent, unsupported, undecided}, {differs, undecided, unsupported}},
  };
  return table;
}

const AllowedRow& row_of(const std::string& arithmetic) {
  std::vector<std::string> known;
  for (const auto& row : allowed_table()) {
    if (row.arithmetic == arithmetic) return row;
    known.emplace_back(row.arithmetic);
  }
  throw InputError("'" + arithmetic + "' is not an arithmetic with declared verdicts; expected one of " +
                   join(known, ", "));
}

void require_side(const claim::Claim& claim, const std::string& side) {
  std::vector<std::string> known = {"claim"};
  for (const auto& hypothesis : claim.hypotheses) known.push_back("without:" + hypothesis.id);
  if (std::find(known.begin(), known.end(), side) != known.end()) return;
  throw InputError("'" + side + "' is not a side of " + claim.id + "; expected one of " + join(known, ", "));
}

// Undecided in the sense of --allow-undecided: no difference and no proof. An empty hypothesis set is a defect of the
// claim and cannot be waved through.
bool is_plain_undecided(Verdict verdict) { return verdict == undecided || verdict == not_shown_needed; }

int code_of(const Result& result, const std::vector<std::string>& allow_undecided) {
  if (result.verdict == error) return 4;
  if (result.expected) return 0;
  if (is_definite(result.verdict)) return 1;
  const bool excepted =
      std::find(allow_undecided.begin(), allow_undecided.end(), result.claim) != allow_undecided.end();
  return excepted && is_plain_undecided(result.verdict) ? 0 : 2;
}

}  // namespace

std::string to_string(Verdict verdict) {
  switch (verdict) {
    case proved:
      return "proved";
    case probable:
      return "probable";
    case exact:
      return "exact";
    case certified:
      return "certified";
    case consistent:
      return "consistent";
    case refuted:
      return "refuted";
    case differs:
      return "differs";
    case undecided:
      return "undecided";
    case vacuous:
      return "vacuous";
    case unsupported:
      return "unsupported";
    case confirmed:
      return "confirmed";
    case not_derivable:
      return "not_derivable";
    case not_shown_needed:
      return "not_shown_needed";
    case error:
      return "error";
  }
  return "error";
}

std::optional<Verdict> verdict_named(const std::string& name) {
  for (const Verdict verdict : kAllVerdicts) {
    if (to_string(verdict) == name) return verdict;
  }
  return std::nullopt;
}

bool is_definite(Verdict verdict) {
  switch (verdict) {
    case proved:
    case probable:
    case exact:
    case certified:
    case consistent:
    case refuted:
    case differs:
    case confirmed:
    case not_derivable:
      return true;
    case undecided:
    case vacuous:
    case unsupported:
    case not_shown_needed:
    case error:
      return false;
  }
  return false;
}

Summary summarize(const Report& report) {
  Summary summary;
  for (const auto& result : report.results) {
    ++summary.verdicts[to_string(result.verdict)];
    ++summary.results;
    if (!result.expected) ++summary.unexpected;
  }
  return summary;
}

std::vector<Verdict> allowed_verdicts(const claim::Claim& claim, const std::string& side,
                                      const std::string& arithmetic) {
  require_side(claim, side);
  const AllowedRow& row = row_of(arithmetic);
  const bool true_side = side == "claim" && !claim.false_on_purpose;
  return true_side ? row.of_true_side : row.of_false_side;
}

int exit_code(const Report& report, const std::vector<std::string>& allow_undecided) {
  // The order in which the codes apply.
  constexpr std::array kSeverity = {4, 1, 2};
  for (const int code : kSeverity) {
    for (const auto& result : report.results) {
      if (code_of(result, allow_undecided) == code) return code;
    }
  }
  return 0;
}

}  // namespace attest::verdict
