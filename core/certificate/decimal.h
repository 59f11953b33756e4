#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/support/rational.h"

namespace attest::certificate {

struct Enclosure {
  Rational low, high;
};

// Reads a ball's text: "[m +/- r]", "[+/- r]", or a number that is exact, a decimal or "p/q". nothing: not such a text
// (nan, inf).
std::optional<Enclosure> parse_enclosure(std::string_view text);

// round(10^decimals x) to nearest for the x that is enclosed; nothing where the enclosure does not determine it.
std::optional<Integer> rounded_value(const Enclosure& enclosure, std::int64_t decimals);

// "[m +/- 5e-(D+1)]" with m = value / 10^D written with exactly D = decimals >= 1 decimals: contains every number that
// rounds to value. Canonical: any two correct programs write the same text.
std::string rounded_text(const Integer& value, std::int64_t decimals);

}  // namespace attest::certificate
