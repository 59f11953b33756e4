#pragma once

#include <string>

#include "core/claim/claim.h"
#include "core/verdict/record.h"

namespace attest::reports {

// The report as GitHub Markdown: headline, what is not as declared, the table of verdicts, and one foldable part a
// claim with its statement, results, counterexamples and ledger.
std::string to_markdown(const verdict::Report& report, const claim::Registry& registry);

}  // namespace attest::reports
