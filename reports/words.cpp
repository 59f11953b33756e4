#include "reports/words.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>

#include "core/support/text.h"

namespace attest::reports {
namespace {

using verdict::Verdict;

std::string instances(const verdict::Result& result) {
  std::string text = plural(result.trials, "instance", "instances");
  if (result.rejected > 0) text += " (" + std::to_string(result.rejected) + " rejected by the hypotheses)";
  return text;
}

std::string counterexample_phrase(const verdict::Result& result) {
  if (!result.counterexample) return "a difference on " + instances(result);
  const auto& found = *result.counterexample;
  std::string text =
      found.arithmetic == "ball" ? "a counterexample, certified by disjoint enclosures" : "an exact counterexample";
  if (found.minimal == "global") text += ", the smallest there is in the search order";
  if (found.minimal == "local") text += ", in which no entry can shrink";
  return text;
}

std::string floating_phrase(const verdict::Result& result) {
  // The precision ladder has no bound to compare with: its slope is the verdict, and the reason of a difference says
  // it.
  if (result.arithmetic == "multiprecision" && result.measured.ratio == 0) {
    return result.verdict == Verdict::consistent ? "the error falls with the precision" : "";
  }
  std::string text = "error is " + short_number(result.measured.ratio) + " of its bound";
  if (result.verdict == Verdict::differs) text = "error is " + short_number(result.measured.ratio) + " times its bound";
  if (result.trials > 0) text += " on " + instances(result);
  if (result.measured.digits > 0) text += ", " + short_number(result.measured.digits) + " digits";
  return text;
}

std::string main_phrase(const verdict::Result& result) {
  switch (result.verdict) {
    case Verdict::proved:
      return "for every size";
    case Verdict::probable:
      return plural(result.trials, "run", "runs") + ", error probability at most 2^-" + short_number(result.error_bits);
    case Verdict::exact:
      return "equal on " + instances(result);
    case Verdict::certified:
      return instances(result) + ", radius at most " + short_number(result.measured.radius);
    case Verdict::consistent:
    case Verdict::differs:
      return floating_phrase(result);
    case Verdict::refuted:
      return counterexample_phrase(result);
    case Verdict::confirmed:
      return "recomputed exactly";
    case Verdict::not_derivable:
      return "not derivable";
    case Verdict::vacuous:
      return "no instance satisfies the hypotheses";
    case Verdict::not_shown_needed:
      return "no difference found on " + instances(result);
    case Verdict::undecided:
    case Verdict::unsupported:
    case Verdict::error:
      return "";
  }
  return "";
}

std::int64_t count_of(const verdict::Summary& summary, Verdict verdict) {
  const auto found = summary.verdicts.find(verdict::to_string(verdict));
  return found == summary.verdicts.end() ? 0 : found->second;
}

}  // namespace

std::string glyph(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "■";
    case Verdict::probable:
      return "◆";
    case Verdict::exact:
      return "●";
    case Verdict::certified:
      return "◉";
    case Verdict::consistent:
      return "○";
    case Verdict::refuted:
      return "✕";
    case Verdict::differs:
      return "≠";
    case Verdict::undecided:
      return "?";
    case Verdict::vacuous:
      return "∅";
    case Verdict::unsupported:
      return "–";
    case Verdict::confirmed:
      return "✓";
    case Verdict::not_derivable:
      return "⊘";
    case Verdict::not_shown_needed:
      return "≟";
    case Verdict::error:
      return "!";
  }
  return "!";
}

std::string meaning(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "true for every size, by symbolic computation";
    case Verdict::probable:
      return "true for this shape, up to a stated error probability (prime field)";
    case Verdict::exact:
      return "both sides are equal, exactly, on the instances tried";
    case Verdict::certified:
      return "rigorous enclosures of both sides overlap on the instances tried";
    case Verdict::consistent:
      return "the floating-point difference stays within its derived bound";
    case Verdict::refuted:
      return "false, by an exact or certified counterexample";
    case Verdict::differs:
      return "the floating-point difference exceeds its bound; evidence, not a refutation";
    case Verdict::undecided:
      return "no answer, for the reason given";
    case Verdict::vacuous:
      return "no instance satisfies the hypotheses: a defect of the claim";
    case Verdict::unsupported:
      return "this arithmetic cannot speak about this claim";
    case Verdict::confirmed:
      return "a printed number, recomputed exactly";
    case Verdict::not_derivable:
      return "a printed number that no computation here can decide";
    case Verdict::not_shown_needed:
      return "a hypothesis was dropped and no difference was found";
    case Verdict::error:
      return "attest itself failed";
  }
  return "";
}

std::string spoken(Verdict verdict) {
  std::string text = verdict::to_string(verdict);
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string evidence(const verdict::Result& result) {
  std::vector<std::string> parts;
  if (const std::string phrase = main_phrase(result); !phrase.empty()) parts.push_back(phrase);
  if (!result.reason.empty()) parts.push_back(result.reason);
  if (!result.scope.empty()) parts.push_back("scope: " + result.scope);
  return join(parts, "; ");
}

std::string where(const verdict::Result& result) {
  if (result.source.empty() || result.source == "random") return result.size.name;
  if (result.source == "smallest") return "smallest";
  return result.source;
}

std::string side_name(const std::string& side) {
  if (side == "claim") return "the claim";
  const std::string prefix = "without:";
  return side.rfind(prefix, 0) == 0 ? "without " + side.substr(prefix.size()) : side;
}

std::string headline(const verdict::Report& report) {
  const verdict::Summary summary = verdict::summarize(report);
  if (summary.results == 0) return "Nothing was checked.";
  std::set<std::string> claims;
  for (const auto& result : report.results) claims.insert(result.claim);
  const std::string checks = plural(summary.results, "check", "checks") + " of " +
                             plural(static_cast<std::int64_t>(claims.size()), "claim", "claims") + ": ";
  if (summary.unexpected == 0) return checks + "every verdict is one that the claim declares.";
  return checks + (summary.unexpected == 1 ? "1 verdict is" : std::to_string(summary.unexpected) + " verdicts are") +
         " not what the claims declare.";
}

std::string caveat(const verdict::Report& report) {
  const verdict::Summary summary = verdict::summarize(report);
  std::vector<std::string> parts;
  for (const Verdict verdict :
       {Verdict::error, Verdict::vacuous, Verdict::undecided, Verdict::not_shown_needed, Verdict::unsupported}) {
    if (const auto count = count_of(summary, verdict); count > 0)
      parts.push_back(std::to_string(count) + " " + spoken(verdict));
  }
  std::string text = parts.empty() ? "" : "Without a definite answer: " + join(parts, ", ") + ".";
  if (report.interrupted) text = "The run was interrupted: the record is incomplete. " + text;
  return text;
}

std::string short_number(double value) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinite" : "minus infinite";
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

std::string ranges(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    const std::string first = std::to_string(numbers[i]);
    parts.push_back(end == i ? first : first + "–" + std::to_string(numbers[end]));
    i = end + 1;
  }
  return join(parts, ", ");
}

std::string plural(std::int64_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::vector<std::string> arithmetics_of(const verdict::Report& report) {
  static const std::vector<std::string> order = {"symbolic",  "field",          "rational", "exponential", "ball",
                                                 "enclosure", "multiprecision", "double",   "float"};
  std::vector<std::string> seen, ordered;
  for (const auto& result : report.results) {
    if (std::find(seen.begin(), seen.end(), result.arithmetic) == seen.end()) seen.push_back(result.arithmetic);
  }
  for (const auto& name : order) {
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) ordered.push_back(name);
  }
  for (const auto& name : seen) {
    if (std::find(order.begin(), order.end(), name) == order.end()) ordered.push_back(name);
  }
  return ordered;
}

}  // namespace attest::reports
