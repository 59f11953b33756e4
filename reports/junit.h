#pragma once

#include <string>

#include "core/verdict/record.h"

namespace attest::reports {

// The report as JUnit XML: a suite a claim, a case a result. A verdict that is not expected is a failure (an internal
// error: an error); unsupported is skipped, as is undecided where it is expected. The numbers are properties of the
// case.
std::string to_junit(const verdict::Report& report);

}  // namespace attest::reports
