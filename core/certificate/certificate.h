#pragma once

#include <string>
#include <vector>

#include "core/claim/claim.h"
#include "core/claim/instance.h"

namespace attest::certificate {

// Evidence that can be rechecked from scratch, without the statement: the checker takes that from the registry by id.
// docs/certificates.md describes the file and proves that its texts are canonical.
struct Certificate {
  std::string claim;
  std::string side;            // "claim" or "without:HYPOTHESIS"
  claim::Size size;            // canonical_size; a certificate has no size name
  std::string arithmetic;      // "rational" or "ball"
  std::int64_t precision = 0;  // ball: a multiple of 64 bits, the texts have precision / 4 decimals; rational: 0
  std::string verdict;         // "refuted"
  std::string minimal;         // "global", "local" or ""; not rechecked by replay, and replay says so
  claim::Instance instance;
  // One equation that fails, by its label, at the first entry (row by row) where both sides certainly differ.
  struct Difference {
    std::string label;
    std::int64_t row = 0, col = 0;
    std::string expected, constructed;  // "p/q", or "[m +/- 5e-(D+1)]", m the value rounded to nearest at D decimals
    friend bool operator==(const Difference&, const Difference&) = default;
  };
  std::vector<Difference> differences;  // of every equation that differs, in the statement's order
  // Every necessary condition that is false, in the statement's order: "HYPOTHESIS: independent column spaces (2 x 2)".
  std::vector<std::string> failing;
  // As read from a file ("crc32:xxxxxxxx" of everything else), so that replay can compare; to_json writes the right
  // one.
  std::string stated_checksum;
};

// The certificate of a counterexample: exact where some rational equation or necessary condition fails, else the lowest
// precision of 64, 128, ..., 4096 bits at which enclosures are disjoint. unable: neither shows a difference. Throws
// InputError where the claim does not admit the size.
Outcome<Certificate> certify(const claim::Claim& claim, const std::string& dropped, const claim::Size& size,
                             const claim::Instance& instance, const std::string& minimal);

// One file, schema "attest.certificate/1": every number exact, keys in a fixed order, a checksum at the end.
std::string to_json(const Certificate& certificate);
// Throws InputError naming the field that is missing, unknown, of the wrong type, not canonical or out of range.
Certificate parse_certificate(const std::string& json);

struct ReplayResult {
  bool agrees = false;
  std::vector<std::string> steps;  // each step recomputed, in words
  std::string disagreement;        // the first step that differs
};

// Recomputes everything from the registry's statement: the size is one the claim admits, the instance has exactly the
// statement's inputs and shapes, satisfies every kept hypothesis and violates the dropped one, and both sides differ
// exactly as stated. Nothing is believed but `minimal`, and a step says that it was not rechecked. Never throws on a
// parsed certificate: whatever cannot be recomputed is a disagreement.
ReplayResult replay(const Certificate& certificate, const claim::Registry& registry);

}  // namespace attest::certificate
