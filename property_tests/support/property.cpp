#include "property_tests/support/property.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "rapidcheck/detail/TestListenerAdapter.h"

namespace attest::test {
namespace {

namespace rcd = rc::detail;

constexpr std::uint64_t fixed_seed = 20260101;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::uint64_t whole_number(const char* name, std::uint64_t otherwise) {
  const std::string text = environment(name);
  if (text.empty()) return otherwise;
  if (text.find_first_not_of("0123456789") != std::string::npos || text.size() > 18)
    throw std::invalid_argument(std::string(name) + "='" + text + "': expected a whole number");
  return std::stoull(text);
}

bool params_set(const std::string& key) { return environment("RC_PARAMS").find(key) != std::string::npos; }

// RapidCheck shows string tags in quotes; the tests name them without.
rcd::Distribution readable(const rcd::Distribution& distribution) {
  rcd::Distribution plain;
  for (const auto& [tags, count] : distribution) {
    rcd::Tags plain_tags;
    for (const auto& tag : tags) {
      const bool quoted = tag.size() >= 2 && tag.front() == '"' && tag.back() == '"';
      plain_tags.push_back(quoted ? tag.substr(1, tag.size() - 2) : tag);
    }
    plain[plain_tags] += count;
  }
  return plain;
}

std::string tags_text(const rcd::Tags& tags) {
  std::string text;
  for (const auto& tag : tags) text += (text.empty() ? "" : ", ") + tag;
  return text.empty() ? "(untagged)" : text;
}

// RapidCheck's own configuration announces a random seed that is not used here: read it only when someone set it.
rcd::Configuration configuration() {
  return environment("RC_PARAMS").empty() ? rcd::Configuration{} : rcd::configuration();
}

void print_report(const std::string& sentence, std::uint64_t seed, const PropertyReport& report) {
  std::cout << "  " << sentence << ": " << report.cases << " cases, seed " << seed << '\n';
  for (const auto& [tags, count] : report.distribution) std::cout << "    " << count << " " << tags_text(tags) << '\n';
}

// The line that makes RapidCheck run the failing case alone, and the one that repeats the whole run.
std::string failure_text(const rcd::TestResult& result, const rcd::TestMetadata& metadata,
                         const rcd::TestParams& params) {
  std::ostringstream text;
  text << metadata.description << '\n';
  rcd::printResultMessage(result, text);
  text << "\nRC_PARAMS=\"seed=" << params.seed << " max_success=" << params.maxSuccess << "\" repeats the run";
  if (result.is<rcd::FailureResult>()) {
    rcd::Configuration only_this;
    only_this.reproduce.emplace(metadata.id, result.get<rcd::FailureResult>().reproduce);
    text << "\nRC_PARAMS=\"" << rcd::configToMinimalString(only_this) << "\" repeats the failing case";
  }
  return text.str();
}

PropertyReport run_once(const rcd::TestMetadata& metadata, const rcd::Property& property,
                        const rcd::TestParams& params) {
  // A reproduction of another property must not turn this one into an empty success: it then runs as usual.
  auto reproduce = configuration().reproduce;
  if (reproduce.count(metadata.id) == 0) reproduce.clear();
  rcd::TestListenerAdapter silent;
  const rcd::TestResult result = rcd::checkProperty(property, metadata, params, silent, reproduce);
  if (!result.is<rcd::SuccessResult>()) {
    // Not through Catch2, which would break the long RC_PARAMS line into pieces.
    std::cout << failure_text(result, metadata, params) << std::endl;
    FAIL(metadata.description << " (seed " << params.seed << ", details above)");
  }
  const auto& success = result.get<rcd::SuccessResult>();
  if (success.numSuccess <= 0 && reproduce.empty()) FAIL(metadata.description << ": no case was checked");
  PropertyReport report{success.numSuccess, readable(success.distribution)};
  print_report(metadata.description, params.seed, report);
  SUCCEED();
  return report;
}

}  // namespace

int PropertyReport::count(const std::string& tag) const {
  int total = 0;
  for (const auto& [tags, count] : distribution)
    if (std::find(tags.begin(), tags.end(), tag) != tags.end()) total += count;
  return total;
}

PropertyReport run_property(const std::string& sentence, const rcd::Property& property, int cases) {
  const rcd::TestMetadata metadata{sentence, sentence};
  rcd::TestParams params = configuration().testParams;
  if (!params_set("seed=")) params.seed = fixed_seed;
  if (!params_set("max_success="))
    params.maxSuccess = cases * static_cast<int>(whole_number("ATTEST_TEST_MULTIPLIER", 1));
  const PropertyReport report = run_once(metadata, property, params);
  if (!environment("ATTEST_RANDOM_SEED").empty() && !params_set("seed=")) {
    params.seed = whole_number("ATTEST_RANDOM_SEED", 0);
    run_once(metadata, property, params);
  }
  return report;
}

}  // namespace attest::test
