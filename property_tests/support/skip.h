#pragma once

#include <catch2/catch.hpp>
#include <string>

namespace attest::test {

// Notes that the running test case could not test anything here, and why.
void record_skip(const std::string& reason);

}  // namespace attest::test

// Leaves a test case whose subject is absent (a device, a tool). It counts as skipped, never as passed.
#define ATTEST_SKIP(reason)              \
  do {                                   \
    ::attest::test::record_skip(reason); \
    SUCCEED("skipped");                  \
    return;                              \
  } while (false)
