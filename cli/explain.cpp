#include <iostream>

#include "cli/verbs.h"

namespace attest::cli {

int explain(const ExplainOptions& options) {
  const claim::Registry registry = all_claims();
  const claim::Claim& claim = registry.at(options.claim);
  std::cout << claim.id << " (" << claim::to_string(claim.kind) << (claim.false_on_purpose ? ", false on purpose" : "")
            << ")\n\n  " << claim.statement << "\n\nHypotheses\n";
  for (const auto& hypothesis : claim.hypotheses) std::cout << "  " << hypothesis.id << ": " << hypothesis.text << '\n';
  if (claim.hypotheses.empty()) std::cout << "  none that can be dropped\n";
  std::cout << "\nWhy\n  " << claim.proof_idea << "\n\nHow it is checked\n  " << claim.how_checked << "\n\nSource\n  "
            << claim.source << "\n\nFormula (TeX)\n  " << claim.formula << '\n';
  return as_declared;
}

}  // namespace attest::cli
