#include "reports/outline.h"

#include <algorithm>

namespace attest::reports {
namespace {

template <class T, class Matches>
T& find_or_add(std::vector<T>& list, const Matches& matches, T fresh) {
  const auto found = std::find_if(list.begin(), list.end(), matches);
  if (found != list.end()) return *found;
  list.push_back(std::move(fresh));
  return list.back();
}

const claim::Hypothesis* dropped_of(const claim::Claim* claim, const std::string& side) {
  if (claim == nullptr) return nullptr;
  for (const auto& hypothesis : claim->hypotheses) {
    if (side == "without:" + hypothesis.id) return &hypothesis;
  }
  return nullptr;
}

// The claim first, then the hypotheses in the claim's order, then what the registry does not know.
std::size_t side_rank(const ClaimOutline& claim, const SideOutline& side) {
  if (side.side == "claim") return 0;
  if (side.dropped == nullptr || claim.claim == nullptr) return static_cast<std::size_t>(-1);
  return 1 + static_cast<std::size_t>(side.dropped - claim.claim->hypotheses.data());
}

void add_result(ClaimOutline& outline, const verdict::Result& result) {
  SideOutline& side = find_or_add(outline.sides, [&](const SideOutline& other) { return other.side == result.side; },
                                  {result.side, dropped_of(outline.claim, result.side), {}});
  side.results.push_back(&result);
  if (!result.expected) ++outline.unexpected;
}

std::vector<ClaimOutline> claims_of(const verdict::Report& report, const claim::Registry& registry) {
  std::vector<ClaimOutline> claims;
  for (const auto& claim : registry.claims()) claims.push_back({claim.id, &claim, {}, 0});
  for (const auto& result : report.results) {
    add_result(find_or_add(claims, [&](const ClaimOutline& other) { return other.id == result.claim; },
                           {result.claim, nullptr, {}, 0}),
               result);
  }
  std::erase_if(claims, [](const ClaimOutline& claim) { return claim.sides.empty(); });
  for (auto& claim : claims) {
    std::stable_sort(claim.sides.begin(), claim.sides.end(), [&](const SideOutline& a, const SideOutline& b) {
      return side_rank(claim, a) < side_rank(claim, b);
    });
  }
  return claims;
}

}  // namespace

std::vector<ChapterOutline> outline(const verdict::Report& report, const claim::Registry& registry) {
  std::vector<ChapterOutline> chapters;
  for (auto& claim : claims_of(report, registry)) {
    const std::string name = claim.id.substr(0, claim.id.find('.'));
    ChapterOutline& chapter =
        find_or_add(chapters, [&](const ChapterOutline& other) { return other.name == name; }, {name, {}});
    chapter.claims.push_back(std::move(claim));
  }
  return chapters;
}

std::optional<std::pair<std::string, int>> layer_of(const std::string& source) {
  const std::string mark = " layer ";
  const auto at = source.rfind(mark);
  if (at == std::string::npos || at == 0) return std::nullopt;
  const std::string digits = source.substr(at + mark.size());
  if (digits.empty() || digits.size() > 6 || digits.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  return std::pair{source.substr(0, at), std::stoi(digits)};
}

}  // namespace attest::reports
