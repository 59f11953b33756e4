#include "property_tests/support/property.h"

#include <sys/wait.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using attest::test::check_property;

struct Run {
  int exit_code = -1;
  std::string output;
};

// Runs hidden test cases of this executable in a process of their own, since they are meant to fail.
Run run_hidden(const std::string& environment, const std::string& arguments) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string command = "env -u RC_PARAMS -u ATTEST_RANDOM_SEED -u ATTEST_TEST_TALLY " + environment + " '" +
                              self + "' " + arguments + " 2>&1";
  Run run;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  REQUIRE(pipe != nullptr);
  std::array<char, 4096> buffer{};
  for (std::size_t got; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    run.output.append(buffer.data(), got);
  run.exit_code = WEXITSTATUS(::pclose(pipe));
  return run;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The quoted part of the last RC_PARAMS line.
std::string last_params(const std::string& output) {
  const auto start = output.rfind("RC_PARAMS=\"");
  REQUIRE(start != std::string::npos);
  return output.substr(start + 11, output.find('"', start + 11) - start - 11);
}

TEST_CASE("hidden: an always false property", "[.][hidden]") {
  check_property("a number is below 5", [](unsigned value) { RC_ASSERT(value < 5); });
}

TEST_CASE("hidden: a property that discards every case", "[.][hidden]") {
  check_property("nothing is generated", [](int) { RC_PRE(false); });
}

TEST_CASE("hidden: a test case without assertions", "[.][hidden]") {}

TEST_CASE("hidden: three failed assertions", "[.][hidden]") {
  CHECK(std::getenv("ATTEST_NO_SUCH_VARIABLE") != nullptr);
  CHECK(std::getenv("ATTEST_NO_SUCH_VARIABLE") != nullptr);
  CHECK(std::getenv("ATTEST_NO_SUCH_VARIABLE") != nullptr);
}

TEST_CASE("hidden: a property that counts its cases", "[.][hidden]") {
  check_property(
      "an integer equals itself", [](int value) { RC_ASSERT(value == value); }, 30);
}

}  // namespace

TEST_CASE("a property reports its cases and their classification", "[support]") {
  const auto report = check_property("integers have a sign", [](int value) {
    RC_CLASSIFY(value < 0, "negative");
    RC_CLASSIFY(value == 0, "zero");
    RC_ASSERT(value < 0 || value >= 0);
  });
  if (std::getenv("ATTEST_TEST_MULTIPLIER") == nullptr && std::getenv("RC_PARAMS") == nullptr)
    CHECK(report.cases == 100);
  CHECK(report.count("negative") > 0);
  CHECK(report.count("zero") > 0);
  CHECK(report.count("absent") == 0);
}

TEST_CASE("a false property fails and prints how to repeat it", "[support]") {
  const Run run = run_hidden("", "'hidden: an always false property'");
  CHECK(run.exit_code == 1);
  CHECK(contains(run.output, "RC_PARAMS=\"seed=20260101 max_success=100\""));
  CHECK(contains(run.output, "reproduce="));
}

TEST_CASE("a reproduction of a false property fails again instead of passing with no case", "[support]") {
  const Run first = run_hidden("", "'hidden: an always false property'");
  const std::string params = last_params(first.output);
  REQUIRE(contains(params, "reproduce="));
  const Run again = run_hidden("RC_PARAMS='" + params + "'", "'hidden: an always false property'");
  INFO(again.output);
  CHECK(again.exit_code == 1);
  const Run other = run_hidden("RC_PARAMS='" + params + "'", "'hidden: a property that counts its cases'");
  CHECK(other.exit_code == 0);
  CHECK(contains(other.output, "30 cases"));
}

TEST_CASE("a property without a real case fails", "[support]") {
  CHECK(run_hidden("", "'hidden: a property that discards every case'").exit_code == 1);
}

TEST_CASE("a test case without assertions fails", "[support]") {
  CHECK(run_hidden("", "'hidden: a test case without assertions'").exit_code == 1);
}

TEST_CASE("a selection without a test case fails", "[support]") {
  CHECK(run_hidden("", "'no such test case'").exit_code == 1);
}

TEST_CASE("the exit code is 1 however many assertions fail", "[support]") {
  CHECK(run_hidden("", "'hidden: three failed assertions'").exit_code == 1);
}

TEST_CASE("the multiplier and the random seed change what is run", "[support]") {
  const Run run =
      run_hidden("ATTEST_TEST_MULTIPLIER=3 ATTEST_RANDOM_SEED=77", "'hidden: a property that counts its cases'");
  CHECK(run.exit_code == 0);
  CHECK(contains(run.output, "90 cases, seed 20260101"));
  CHECK(contains(run.output, "90 cases, seed 77"));
  CHECK(run_hidden("ATTEST_TEST_MULTIPLIER=many", "'hidden: a property that counts its cases'").exit_code == 1);
}
