#include "reports/junit.h"

#include <cstdio>
#include <vector>

#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

using verdict::Verdict;

enum class Outcome { passed, failed, errored, skipped };

Outcome outcome_of(const verdict::Result& result) {
  if (result.verdict == Verdict::error) return Outcome::errored;
  if (!result.expected) return Outcome::failed;
  return verdict::is_definite(result.verdict) ? Outcome::passed : Outcome::skipped;
}

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + escape(value) + "\"";
}

std::string seconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", value);
  return text;
}

std::string property(const std::string& name, const std::string& value) {
  return "        <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string properties(const verdict::Result& result) {
  std::string markup = "      <properties>\n" + property("verdict", verdict::to_string(result.verdict)) +
                       property("kind", result.kind) + property("source", result.source) +
                       property("trials", std::to_string(result.trials));
  if (!result.scope.empty()) markup += property("scope", result.scope);
  if (result.error_bits > 0) markup += property("error_bits", short_number(result.error_bits));
  if (result.measured.ratio > 0) markup += property("ratio", short_number(result.measured.ratio));
  if (result.measured.radius > 0) markup += property("radius", short_number(result.measured.radius));
  if (result.counterexample) markup += property("minimal", result.counterexample->minimal);
  for (const auto& [name, value] : result.facts) markup += property(name, value);
  return markup + "      </properties>\n";
}

std::string test_case(const verdict::Result& result) {
  const std::string name = result.side + " in " + result.arithmetic + " at " + where(result);
  std::string markup = "    <testcase" + attribute("classname", result.claim) + attribute("name", name) +
                       attribute("time", seconds(result.measured.seconds)) + ">\n" + properties(result);
  const std::string message = spoken(result.verdict) + (evidence(result).empty() ? "" : ": " + evidence(result));
  switch (outcome_of(result)) {
    case Outcome::passed:
      break;
    case Outcome::failed:
      markup += "      <failure" + attribute("message", "not as declared: " + message) +
                attribute("type", verdict::to_string(result.verdict)) + ">" + escape(join(result.ledger, "\n")) +
                "</failure>\n";
      break;
    case Outcome::errored:
      markup += "      <error" + attribute("message", message) + attribute("type", "error") + "/>\n";
      break;
    case Outcome::skipped:
      markup += "      <skipped" + attribute("message", message) + "/>\n";
      break;
  }
  return markup + "    </testcase>\n";
}

struct Counts {
  std::int64_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double time = 0;

  void add(const verdict::Result& result) {
    ++tests;
    const Outcome outcome = outcome_of(result);
    failures += outcome == Outcome::failed;
    errors += outcome == Outcome::errored;
    skipped += outcome == Outcome::skipped;
    time += result.measured.seconds;
  }
  std::string attributes() const {
    return attribute("tests", std::to_string(tests)) + attribute("failures", std::to_string(failures)) +
           attribute("errors", std::to_string(errors)) + attribute("skipped", std::to_string(skipped)) +
           attribute("time", seconds(time));
  }
};

struct Suite {
  std::string claim, cases;
  Counts counts;
};

std::vector<Suite> suites_of(const verdict::Report& report) {
  std::vector<Suite> suites;
  for (const auto& result : report.results) {
    std::size_t i = 0;
    while (i < suites.size() && suites[i].claim != result.claim) ++i;
    if (i == suites.size()) suites.push_back({result.claim, "", {}});
    suites[i].cases += test_case(result);
    suites[i].counts.add(result);
  }
  return suites;
}

}  // namespace

std::string to_junit(const verdict::Report& report) {
  Counts all;
  for (const auto& result : report.results) all.add(result);
  std::string markup = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" + attribute("name", "attest") +
                       all.attributes() + ">\n";
  for (const auto& suite : suites_of(report)) {
    markup += "  <testsuite" + attribute("name", suite.claim) + suite.counts.attributes() + ">\n" + suite.cases +
              "  </testsuite>\n";
  }
  return markup + "</testsuites>\n";
}

}  // namespace attest::reports
