#include <algorithm>
#include <iostream>

#include "cli/verbs.h"
#include "core/certificate/certificate.h"
#include "core/support/files.h"

namespace attest::cli {

int replay(const ReplayOptions& options) {
  const claim::Registry registry = all_claims();
  int code = as_declared;
  for (const std::string& file : options.files) {
    const auto certificate = certificate::parse_certificate(read_file(file));
    const auto result = certificate::replay(certificate, registry);
    std::cout << file << ": " << certificate.claim << ", " << certificate.side << '\n';
    for (const std::string& step : result.steps) std::cout << "  " << step << '\n';
    if (result.agrees) {
      std::cout << "  agrees\n";
    } else {
      std::cout << "  DIFFERS: " << result.disagreement << '\n';
      code = against_declaration;
    }
  }
  return code;
}

}  // namespace attest::cli
