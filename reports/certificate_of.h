#pragma once

#include <optional>
#include <string>

#include "core/certificate/certificate.h"
#include "core/verdict/record.h"

namespace attest::reports {

// The certificate of a refutation, recomputed from the registry's statement and the counterexample's instance, so that
// `attest replay` accepts it. Nothing for a result without a counterexample, with another verdict, or about a claim
// that the registry does not know, and where certify() finds no difference that it can show.
std::optional<certificate::Certificate> certificate_of(const verdict::Result& result, const claim::Registry& registry);

// Whether two entries of a counterexample certainly differ, in the arithmetic that it is stated in: rationals in lowest
// terms that are unequal, enclosures that are disjoint (one that cannot be read differs from nothing).
bool entries_differ(const std::string& expected, const std::string& constructed, const std::string& arithmetic);

}  // namespace attest::reports
