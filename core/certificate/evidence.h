#pragma once

#include "core/certificate/certificate.h"

namespace attest::certificate {

// Bits of a ball certificate: multiples of the step up to the largest.
inline constexpr std::int64_t precision_step = 64;
inline constexpr std::int64_t largest_precision = 4096;

// What an instance shows against a statement, in canonical form: a function of its arguments alone, whatever the
// library versions and the order of work.
struct Evidence {
  std::vector<Certificate::Difference> differences;
  std::vector<std::string> failing;
  std::vector<std::string> notes;  // equations that have no value here, and why
};

// rational: the entries are equal or not. ball: both entries are rounded to nearest at D = precision / 4 decimals, and
// differ certainly where the roundings are at least 2 units apart, so that the texts' enclosures are disjoint. The real
// softmax and activations in both. Necessary conditions are decided over Q.
Evidence evidence_of(const claim::Statement& statement, const claim::Instance& instance, const std::string& arithmetic,
                     std::int64_t precision);

// The size with every count that the statement does not depend on lowered to the smallest that gives the same
// statement, and without a name: so that no entry of a certificate's size is free. Throws InputError where `size` is
// not admitted.
claim::Size canonical_size(const claim::Claim& claim, const std::string& dropped, const claim::Size& size);

// Equal exactly when inputs, conditions, equations and necessary conditions are the same expressions. Inputs' recipes
// count as well.
std::string fingerprint(const claim::Statement& statement);

// What the recipe of an input asks of a matrix (orthogonal, block-diagonal, ...), decided over Q: "" where it is met,
// else what is wrong.
std::string recipe_violation(const claim::Input& input, const RationalMatrix& matrix);

}  // namespace attest::certificate
