#pragma once

#include "core/claim/claim.h"
#include "core/verdict/record.h"

namespace attest::test {

// Invented claims of two chapters, and a record about them in which every verdict occurs, with counterexamples, series,
// long ledgers, layers of a checkpoint, text in many scripts and non-finite numbers.
claim::Registry sample_registry();
verdict::Report sample_report();

}  // namespace attest::test
