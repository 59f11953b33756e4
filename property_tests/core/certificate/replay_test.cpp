// Tests also: core/certificate/evidence.cpp core/certificate/recipe.cpp
#include <catch2/catch.hpp>
#include <iostream>

#include "core/certificate/certificate.h"
#include "core/support/error.h"
#include "property_tests/core/certificate/fake_claims.h"
#include "property_tests/core/certificate/tamper.h"

namespace attest::certificate {
namespace {

// The first reason why the file is not believed; "" where replay agrees.
std::string rejection(const std::string& file, const claim::Registry& registry) {
  try {
    const ReplayResult result = replay(parse_certificate(file), registry);
    return result.agrees ? "" : result.disagreement;
  } catch (const InputError& error) {
    return error.what();
  }
}

struct Count {
  int rejected = 0, by_recomputation = 0, other_counterexamples = 0, minimal = 0;
};

void try_every_edit(const std::string& file, const claim::Registry& registry, bool sealed, Count& count) {
  for (const auto& edit : test::tampered(file, sealed)) {
    const std::string reason = rejection(edit.text, registry);
    if (!reason.empty()) {
      ++count.rejected;
      if (reason.find("certificate: ") != 0 && reason.find("checksum") != 0) ++count.by_recomputation;
      continue;
    }
    INFO(edit.what << "\n" << edit.text);
    REQUIRE(sealed);
    REQUIRE((edit.instance || edit.minimal));
    ++(edit.minimal ? count.minimal : count.other_counterexamples);
  }
}

bool mentions(const std::vector<std::string>& steps, const std::string& text) {
  for (const auto& step : steps)
    if (step.find(text) != std::string::npos) return true;
  return false;
}

}  // namespace

TEST_CASE("replay agrees with every certificate that certify makes", "[certificate][replay]") {
  const claim::Registry registry = test::fake_registry();
  for (const auto& certificate : test::fake_certificates(registry)) {
    INFO(to_json(certificate));
    const ReplayResult result = replay(parse_certificate(to_json(certificate)), registry);
    INFO(result.disagreement);
    CHECK(result.agrees);
    CHECK(result.disagreement.empty());
    CHECK(mentions(result.steps, "minimal: local is not rechecked"));
    CHECK(mentions(result.steps, "checksum"));
    CHECK(mentions(result.steps, certificate.failing.empty() ? "recomputed: " : "necessary and false: "));
  }
}

TEST_CASE("certify chooses the exact evidence where there is some", "[certificate]") {
  const claim::Registry registry = test::fake_registry();
  const auto made = test::fake_certificates(registry);
  CHECK(made[0].arithmetic == "rational");
  REQUIRE(made[0].differences.size() == 2);
  CHECK(made[0].differences[0] == Certificate::Difference{"square", 0, 0, "2", "11/3"});
  CHECK(made[0].differences[1] == Certificate::Difference{"row", 0, 0, "1", "9/7"});
  CHECK(made[1].arithmetic == "ball");
  CHECK(made[1].precision == 64);
  // softmax(1, -2/3) = 1 / (1 + exp(-5/3)) = 0.8411308951190849...; softmax(1/2, 2) = 1 / (1 + exp(3/2)).
  REQUIRE(made[1].differences.size() == 1);
  CHECK(made[1].differences[0] ==
        Certificate::Difference{"softmax", 0, 0, "[0.8411308951190848 +/- 5e-17]", "[0.1824255238063563 +/- 5e-17]"});
  REQUIRE(made[2].differences.size() == 2);
  CHECK(made[2].differences[0].col == 1);  // all of them are 0 at 0
  CHECK(made[2].differences[0].constructed == "[0.0000000000000000 +/- 5e-17]");
  CHECK(made[3].failing == std::vector<std::string>{"domain: invertible (2 x 2)"});
  CHECK(made[3].size == claim::Size{"", 1, 2, 1, 1, 1, 1, 1});
}

TEST_CASE("values less than a unit of the last decimal apart are told apart at a higher precision", "[certificate]") {
  const claim::Registry registry = test::fake_registry();
  const RationalMatrix x = test::exact_matrix({{"1", "-2/3"}});
  // The softmax changes by 0.1336 t: less than 10^-16, so that the roundings at 16 decimals are equal or neighbours.
  for (int step = 1; step <= 7; ++step) {
    RationalMatrix D = test::exact_matrix({{"1", "0"}, {"0", "1"}});
    D.at(0, 0) += Rational(step) / Rational(Integer("10000000000000000"));
    const auto made =
        certify(registry.at("fake.softmax"), "", {"", 1, 2, 1, 1, 1, 1, 1}, {{"x", x}, {"D", D}}, "").value();
    CHECK(made.precision == 128);
    CHECK(replay(parse_certificate(to_json(made)), registry).agrees);
  }
}

TEST_CASE("certify says that it is unable where nothing differs", "[certificate]") {
  const claim::Registry registry = test::fake_registry();
  const RationalMatrix x = test::exact_matrix({{"1", "0"}}), I = test::exact_matrix({{"1", "0"}, {"0", "1"}});
  const auto made = certify(registry.at("fake.softmax"), "", {"", 1, 2, 1, 1, 1, 1, 1}, {{"x", x}, {"D", I}}, "");
  CHECK(made.status() == Status::unable);
}

TEST_CASE("replay rejects every single edit of a certificate", "[certificate][replay]") {
  const claim::Registry registry = test::fake_registry();
  Count count;
  for (const auto& certificate : test::fake_certificates(registry))
    try_every_edit(to_json(certificate), registry, false, count);
  std::cout << "  edits rejected: " << count.rejected << '\n';
  CHECK(count.rejected > 600);
  CHECK(count.minimal == 0);  // the checksum covers the word as well
}

TEST_CASE("replay rejects edits with a new checksum unless they make another valid certificate",
          "[certificate][replay]") {
  const claim::Registry registry = test::fake_registry();
  Count count;
  for (const auto& certificate : test::fake_certificates(registry))
    try_every_edit(to_json(certificate), registry, true, count);
  std::cout << "  sealed edits rejected: " << count.rejected << ", " << count.by_recomputation
            << " of them by recomputation; other counterexamples: " << count.other_counterexamples
            << ", other words for minimal: " << count.minimal << '\n';
  CHECK(count.by_recomputation > 300);
  CHECK(count.minimal == 8);  // two other words in each of the four
}

TEST_CASE("every number of an instance that the evidence depends on is guarded by recomputation",
          "[certificate][replay]") {
  const claim::Registry registry = test::fake_registry();
  Count count;
  try_every_edit(to_json(test::fake_certificates(registry).front()), registry, true, count);
  CHECK(count.other_counterexamples == 0);
}

TEST_CASE("replay rejects an instance outside the hypotheses", "[certificate][replay]") {
  const claim::Registry registry = test::fake_registry();
  const auto made = test::fake_certificates(registry);
  Certificate outside = made[0];
  outside.instance["x"] = test::exact_matrix({{"0", "0"}});
  CHECK(replay(outside, registry).disagreement == "hypotheses: x is not zero is false for the instance");
  outside = made[0];
  outside.instance["A"] = test::exact_matrix({{"1", "1"}, {"1", "1"}});
  CHECK(replay(outside, registry).disagreement == "instance: A is not invertible");
  outside = made[0];
  outside.instance["A"] = test::exact_matrix({{"1", "0"}, {"0", "1"}});
  CHECK(replay(outside, registry).disagreement == "dropped hypothesis unit: the instance satisfies it");
  outside = made[1];
  outside.instance["D"] = test::exact_matrix({{"1", "1"}, {"0", "1"}});
  CHECK(replay(outside, registry).disagreement == "instance: D is not diagonal");
}

TEST_CASE("replay names an unknown claim, a measured one and a size that is not admitted", "[certificate][replay]") {
  claim::Registry registry = test::fake_registry();
  claim::Claim measured;
  measured.id = "fake.measured";
  registry.add(measured);
  Certificate certificate = test::fake_certificates(registry)[3];
  certificate.claim = "fake.nothing";
  CHECK(replay(certificate, registry).disagreement.find("fake.nothing") != std::string::npos);
  certificate.claim = "fake.measured";
  CHECK(replay(certificate, registry).disagreement.find("measured") != std::string::npos);
  certificate.claim = "fake.necessary";
  certificate.size.g = 2;
  CHECK_FALSE(replay(certificate, registry).agrees);
}

}  // namespace attest::certificate
