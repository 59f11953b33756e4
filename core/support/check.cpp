#include "core/support/check.h"

#include <cstdio>
#include <cstdlib>

namespace attest {

void check_failed(const char* condition, const char* file, int line, const std::string& message) {
  std::fprintf(stderr, "attest: internal error at %s:%d: %s (%s)\n", file, line, message.c_str(), condition);
  std::abort();
}

}  // namespace attest
