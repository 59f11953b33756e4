#include <fstream>

#include "cli/campaign.h"
#include "core/arith/backend.h"

#ifndef ATTEST_VERSION
#error "ATTEST_VERSION comes from the build"
#endif

namespace attest::cli {
namespace {

std::string cpu_model() {
  std::ifstream info("/proc/cpuinfo");
  std::string line;
  while (std::getline(info, line))
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

verdict::Environment environment_of(std::uint64_t seed, const std::vector<std::string>& arguments) {
  verdict::Environment environment;
  environment.attest_version = ATTEST_VERSION;
#ifdef __clang__
  environment.compiler = "clang " __clang_version__;
#else
  environment.compiler = "gcc " __VERSION__;
#endif
  environment.cpu = cpu_model();
  environment.libraries = arith::library_versions();
  environment.seed = seed;
  environment.arguments = arguments;
  return environment;
}

}  // namespace attest::cli
