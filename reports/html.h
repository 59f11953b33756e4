#pragma once

#include <string>

#include "core/claim/claim.h"
#include "core/verdict/record.h"

namespace attest::reports {

// The report as one self-contained page: no network, no script; light and dark; readable on paper. Statements come from
// the registry; a claim that it does not know is shown without one. A formula outside the TeX subset is shown as TeX.
std::string to_html(const verdict::Report& report, const claim::Registry& registry);

}  // namespace attest::reports
