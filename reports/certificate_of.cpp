#include "reports/certificate_of.h"

#include "core/certificate/decimal.h"
#include "core/support/error.h"

namespace attest::reports {

std::optional<certificate::Certificate> certificate_of(const verdict::Result& result, const claim::Registry& registry) {
  const claim::Claim* claim = registry.find(result.claim);
  if (result.verdict != verdict::Verdict::refuted || !result.counterexample || claim == nullptr) return std::nullopt;
  const std::string prefix = "without:";
  const std::string dropped = result.side.rfind(prefix, 0) == 0 ? result.side.substr(prefix.size()) : "";
  try {
    auto certified = certificate::certify(*claim, dropped, result.size, result.counterexample->instance,
                                          result.counterexample->minimal);
    if (!certified.ok()) return std::nullopt;
    return std::move(certified).value();
  } catch (const InputError&) {
    return std::nullopt;  // a record of another version: this claim has no such size
  }
}

bool entries_differ(const std::string& expected, const std::string& constructed, const std::string& arithmetic) {
  if (arithmetic == "rational") return expected != constructed;
  const auto a = certificate::parse_enclosure(expected), b = certificate::parse_enclosure(constructed);
  return a && b && (a->high < b->low || b->high < a->low);
}

}  // namespace attest::reports
