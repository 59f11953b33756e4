#include "property_tests/tools/certificates.h"

#include "core/support/error.h"

namespace attest::test {
namespace {

// The first of some random instances that satisfies the side's hypotheses and shows a difference.
std::optional<certificate::Certificate> certificate_at(const claim::Claim& claim, const std::string& dropped,
                                                       const claim::Size& size) {
  try {
    const claim::Statement statement = claim.build({size, dropped});
    for (std::uint64_t draw = 0; draw < 40; ++draw) {
      const claim::Instance instance = claim::draw_instance(statement, RandomStream(7).child(claim.id).child(draw));
      if (claim::satisfies(statement, instance) != Truth::yes) continue;
      auto made = certificate::certify(claim, dropped, size, instance, "local");
      if (made.ok()) return std::move(made).value();
    }
  } catch (const InputError&) {
    // The side has no statement at this size.
  }
  return std::nullopt;
}

}  // namespace

RandomCertificates random_certificates(const claim::Registry& registry) {
  RandomCertificates certificates;
  for (const auto& claim : registry.claims())
    for (const auto& side : claim::sides_of(claim)) {
      if (!claim.build || (side == "claim" && !claim.false_on_purpose)) continue;
      const std::string dropped = side == "claim" ? "" : side.substr(std::string("without:").size());
      std::vector<claim::Size> sizes = claim.search_sizes(dropped);
      sizes.push_back({"", 3, 4, 2, 1, 2, 2, 3});
      const std::size_t before = certificates.made.size();
      for (const auto& size : sizes)
        if (auto made = certificate_at(claim, dropped, size)) certificates.made.push_back(*std::move(made));
      if (certificates.made.size() == before) certificates.without.push_back(claim.id + " " + side);
      ++certificates.sides;
    }
  return certificates;
}

}  // namespace attest::test
