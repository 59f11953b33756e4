#include "reports/certificate_of.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/verdict/engine.h"
#include "property_tests/reports/sample.h"
#include "reparam/claims.h"
#include "reports/json.h"

namespace attest::reports {
namespace {

TEST_CASE("the certificate in a record replays from its text alone", "[reports][certificate]") {
  claim::Registry registry;
  reparam::register_claims(registry);
  verdict::Report report;
  const auto& claim = registry.at("reparam.lemma");
  report.results.push_back(verdict::refute(claim, claim.hypotheses.front().id, {}));
  REQUIRE(report.results.front().verdict == verdict::Verdict::refuted);
  const auto record = nlohmann::json::parse(to_json(report, registry));
  const auto certificate = certificate::parse_certificate(record["results"][0]["certificate"].dump());
  const auto replayed = certificate::replay(certificate, registry);
  INFO(replayed.disagreement);
  CHECK(replayed.agrees);
  CHECK(parse_report(to_json(report, registry)).results.front().counterexample.has_value());
  verdict::Result not_refuted = report.results.front();
  not_refuted.verdict = verdict::Verdict::undecided;
  CHECK_FALSE(certificate_of(not_refuted, registry).has_value());
}

TEST_CASE("only a refutation of a known claim has a certificate", "[reports][certificate]") {
  const verdict::Report report = test::sample_report();
  const claim::Registry nothing_known;
  for (const auto& result : report.results) CHECK_FALSE(certificate_of(result, nothing_known).has_value());
  claim::Registry registry;
  reparam::register_claims(registry);
  for (auto result : report.results) {
    result.claim = "reparam.lemma";
    if (result.verdict != verdict::Verdict::refuted) CHECK_FALSE(certificate_of(result, registry).has_value());
  }
}

TEST_CASE("entries differ only where no number is in both", "[reports][certificate]") {
  CHECK(entries_differ("1/2", "1/3", "rational"));
  CHECK_FALSE(entries_differ("1/2", "1/2", "rational"));
  CHECK(entries_differ("[1.25 +/- 0.1]", "[1.5 +/- 0.1]", "ball"));
  CHECK_FALSE(entries_differ("[1.25 +/- 0.1]", "[1.4 +/- 0.1]", "ball"));
  CHECK_FALSE(entries_differ("[1 +/- 1]", "[3 +/- 1]", "ball"));
  CHECK_FALSE(entries_differ("nan", "[3 +/- 1]", "ball"));
}

}  // namespace
}  // namespace attest::reports
