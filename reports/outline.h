#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/claim/claim.h"
#include "core/verdict/record.h"

namespace attest::reports {

// The results of a record in the order in which they are read: chapters, claims, sides.
struct SideOutline {
  std::string side;
  const claim::Hypothesis* dropped = nullptr;  // null for the claim itself and for one the registry does not know
  std::vector<const verdict::Result*> results;
};
struct ClaimOutline {
  std::string id;
  const claim::Claim* claim = nullptr;  // null where the registry does not know the id (a record of another version)
  std::vector<SideOutline> sides;
  std::int64_t unexpected = 0;
};
struct ChapterOutline {
  std::string name;
  std::vector<ClaimOutline> claims;
};

// Claims in the registry's order, unknown ones after them in the record's order. Pointers into both arguments.
std::vector<ChapterOutline> outline(const verdict::Report& report, const claim::Registry& registry);

// "MiniLM layer 3" as ("MiniLM", 3); nothing for another source.
std::optional<std::pair<std::string, int>> layer_of(const std::string& source);

}  // namespace attest::reports
