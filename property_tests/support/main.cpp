// The runner of every test executable. A test case without an assertion and a selection without a test case fail;
// exit codes: 0 passed, 1 failed, 77 everything selected was skipped. With ATTEST_TEST_TALLY=FOLDER the counts are
// also written to FOLDER/<executable> as "passed failed skipped", from which test.sh adds up its closing line.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "property_tests/support/skip.h"

namespace attest::test {
namespace {

struct Tally {
  std::size_t passed = 0, failed = 0, skipped = 0;
  bool current_skipped = false;
};

Tally& tally() {
  static Tally counts;
  return counts;
}

struct TallyListener : Catch::TestEventListenerBase {
  using TestEventListenerBase::TestEventListenerBase;
  void testCaseStarting(const Catch::TestCaseInfo&) override { tally().current_skipped = false; }
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    const bool failed = stats.totals.testCases.failed > 0;
    if (failed)
      ++tally().failed;
    else if (tally().current_skipped)
      ++tally().skipped;
    else
      ++tally().passed;
  }
};

void write_tally(const std::string& executable) {
  const char* folder = std::getenv("ATTEST_TEST_TALLY");
  if (folder == nullptr) return;
  const auto path = std::filesystem::path(folder) / std::filesystem::path(executable).filename();
  std::ofstream(path) << tally().passed << ' ' << tally().failed << ' ' << tally().skipped << '\n';
}

CATCH_REGISTER_LISTENER(TallyListener)

}  // namespace

void record_skip(const std::string& reason) {
  tally().current_skipped = true;
  std::cout << "SKIPPED: " << reason << '\n';
}

}  // namespace attest::test

int main(int argc, char** argv) {
  Catch::Session session;
  const int usage_error = session.applyCommandLine(argc, argv);
  if (usage_error != 0) return 1;
  session.configData().warnings =
      static_cast<Catch::WarnAbout::What>(Catch::WarnAbout::NoAssertions | Catch::WarnAbout::NoTests);
  const bool only_lists = session.configData().listTests || session.configData().listTags ||
                          session.configData().listReporters || session.configData().listTestNamesOnly ||
                          session.configData().showHelp;
  const int result = session.run();
  if (only_lists) return 0;
  const auto& counts = attest::test::tally();
  attest::test::write_tally(argv[0]);
  if (result != 0 || counts.failed > 0) return 1;
  return counts.passed == 0 && counts.skipped > 0 ? 77 : 0;
}
