#include <iostream>
#include <nlohmann/json.hpp>

#include "cli/verbs.h"
#include "core/arith/backend.h"
#include "core/verdict/record.h"

namespace attest::cli {
namespace {

using Json = nlohmann::ordered_json;

// Per side, the verdicts that the registry allows in each arithmetic.
Json expected_of(const claim::Claim& claim) {
  Json sides = Json::object();
  for (const std::string& side : claim::sides_of(claim)) {
    Json arithmetics = Json::object();
    for (const std::string& arithmetic : arith::backend_names()) {
      Json verdicts = Json::array();
      for (const auto verdict : verdict::allowed_verdicts(claim, side, arithmetic))
        verdicts.push_back(verdict::to_string(verdict));
      arithmetics[arithmetic] = verdicts;
    }
    sides[side] = arithmetics;
  }
  return sides;
}

void print_json(const claim::Registry& registry) {
  Json claims = Json::array();
  for (const claim::Claim& claim : registry.claims()) {
    Json hypotheses = Json::array();
    for (const auto& hypothesis : claim.hypotheses)
      hypotheses.push_back({{"id", hypothesis.id}, {"text", hypothesis.text}});
    claims.push_back({{"id", claim.id},
                      {"kind", claim::to_string(claim.kind)},
                      {"source", claim.source},
                      {"hypotheses", hypotheses},
                      {"expected", expected_of(claim)}});
  }
  std::cout << claims.dump(2) << '\n';
}

void print_table(const claim::Registry& registry) {
  for (const claim::Claim& claim : registry.claims()) {
    std::cout << claim.id << " (" << claim::to_string(claim.kind)
              << (claim.false_on_purpose ? ", false on purpose: a refutation is expected" : "") << ")\n    "
              << claim.statement << "\n    source: " << claim.source << '\n';
    for (const auto& hypothesis : claim.hypotheses)
      std::cout << "    --without " << hypothesis.id << " (expected: refuted): " << hypothesis.text << '\n';
  }
}

}  // namespace

int list(const ListOptions& options) {
  const claim::Registry registry = all_claims();
  if (options.json)
    print_json(registry);
  else
    print_table(registry);
  return as_declared;
}

}  // namespace attest::cli
