#include "property_tests/support/skip.h"

#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

TEST_CASE("hidden: an absent device", "[.][hidden-skip]") { ATTEST_SKIP("no device"); }
TEST_CASE("hidden: a present device", "[.][hidden-present]") { CHECK(std::getenv("PATH") != nullptr); }

int exit_code_of(const std::string& selection) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  return WEXITSTATUS(
      std::system(("env -u ATTEST_TEST_TALLY '" + self + "' '" + selection + "' >/dev/null 2>&1").c_str()));
}

}  // namespace

TEST_CASE("a run in which everything is skipped says 77, not passed", "[support]") {
  CHECK(exit_code_of("[hidden-skip]") == 77);
  CHECK(exit_code_of("[hidden-present]") == 0);
  CHECK(exit_code_of("[hidden-skip],[hidden-present]") == 0);
}
