#include <algorithm>
#include <iostream>

#include "cli/verbs.h"
#include "core/certificate/certificate.h"
#include "core/support/error.h"
#include "core/support/files.h"

namespace attest::cli {

namespace {

int replay_file(const std::string& file, const claim::Registry& registry) {
  const auto certificate = certificate::parse_certificate(read_file(file));
  const auto result = certificate::replay(certificate, registry);
  std::cout << file << ": " << certificate.claim << ", " << certificate.side << '\n';
  for (const std::string& step : result.steps) std::cout << "  " << step << '\n';
  if (result.agrees)
    std::cout << "  agrees\n";
  else
    std::cout << "  DIFFERS: " << result.disagreement << '\n';
  return result.agrees ? as_declared : against_declaration;
}

}  // namespace

int replay(const ReplayOptions& options) {
  const claim::Registry registry = all_claims();
  int code = as_declared;
  for (const std::string& file : options.files) {
    try {
      code = std::max(code, replay_file(file, registry));
    } catch (const InputError& error) {
      std::cerr << "attest: " << error.what() << '\n';
      code = bad_input;
    }
  }
  return code;
}

}  // namespace attest::cli
