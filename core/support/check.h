#pragma once

#include <string>

namespace attest {

// Ends the process with the message: a broken invariant of attest itself, never bad input. On in every build.
[[noreturn]] void check_failed(const char* condition, const char* file, int line, const std::string& message);

}  // namespace attest

#define ATTEST_CHECK(condition, message)                                               \
  do {                                                                                 \
    if (!(condition)) ::attest::check_failed(#condition, __FILE__, __LINE__, message); \
  } while (false)
