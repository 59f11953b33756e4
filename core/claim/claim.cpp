#include "core/claim/claim.h"

#include "core/support/check.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::claim {

std::string to_string(Kind kind) {
  switch (kind) {
    case Kind::identity:
      return "identity";
    case Kind::construction:
      return "construction";
    case Kind::decision:
      return "decision";
    case Kind::impossibility:
      return "impossibility";
  }
  return "?";
}

void Registry::add(Claim claim) {
  ATTEST_CHECK(find(claim.id) == nullptr, "claim " + claim.id + " is registered twice");
  claims_.push_back(std::move(claim));
}

const Claim* Registry::find(const std::string& id) const {
  for (const Claim& claim : claims_)
    if (claim.id == id) return &claim;
  return nullptr;
}

const Claim& Registry::at(const std::string& id) const {
  const Claim* claim = find(id);
  if (claim != nullptr) return *claim;
  std::vector<std::string> ids;
  for (const Claim& known : claims_) ids.push_back(known.id);
  throw InputError("unknown claim '" + id + "'; did you mean " + join(nearest_names(id, ids), ", ") +
                   "? `attest list` shows all");
}

std::string chapter_of(const Claim& claim) { return claim.id.substr(0, claim.id.find('.')); }

std::vector<std::string> sides_of(const Claim& claim) {
  std::vector<std::string> sides{"claim"};
  for (const Hypothesis& hypothesis : claim.hypotheses) sides.push_back("without:" + hypothesis.id);
  return sides;
}

}  // namespace attest::claim
