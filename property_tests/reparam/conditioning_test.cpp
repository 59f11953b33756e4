#include "reparam/conditioning.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "property_tests/reparam/sides.h"

using namespace attest;

TEST_CASE("the error of eliminating W_Q stays within the derived bound and grows with the first power of cond",
          "[reparam][conditioning]") {
  const claim::Measurement measurement = reparam::measure_conditioning(1);
  INFO(measurement.reason);
  CHECK(measurement.within_bound == Truth::yes);
  CHECK(measurement.cases > 100);
  CHECK(measurement.ratio > 0);
  CHECK(measurement.ratio <= 1);
  REQUIRE(measurement.series.size() == 2);
  for (const auto& series : measurement.series) {
    REQUIRE(series.points.size() == 3);
    CHECK(series.names.size() == 3);
    for (const auto& line : series.points) CHECK(line.size() == 13);
  }
  // Generic singular vectors lose about as many digits as cond has; a diagonal W_Q loses none.
  const auto digits_lost = [](const std::vector<std::pair<double, double>>& line) {
    return std::log10(line.back().second / line[2].second);
  };
  for (const auto& line : measurement.series[0].points) CHECK(digits_lost(line) > 8);
  for (const auto& line : measurement.series[1].points) CHECK(std::abs(digits_lost(line)) < 2);
}

TEST_CASE("the measurement is a function of the seed", "[reparam][conditioning]") {
  const auto first = reparam::measure_conditioning(7), again = reparam::measure_conditioning(7);
  const auto other = reparam::measure_conditioning(8);
  CHECK(first.facts == again.facts);
  CHECK(first.series[0].points == again.series[0].points);
  CHECK(first.series[0].points != other.series[0].points);
}

TEST_CASE("higher precision lowers the whole line of errors", "[reparam][conditioning]") {
  const claim::Measurement measurement = reparam::measure_conditioning(1);
  const auto& lines = measurement.series[0].points;
  for (std::size_t i = 0; i < lines[0].size(); ++i) {
    CHECK(lines[1][i].second < lines[0][i].second);
    CHECK(lines[2][i].second < lines[1][i].second);
    CHECK(lines[0][i].first == lines[2][i].first);
  }
}

TEST_CASE("the constant grows with tokens and dimension", "[reparam][conditioning]") {
  CHECK(reparam::conditioning_constant(1, 1) >= 1);
  CHECK(reparam::conditioning_constant(4, 4) > reparam::conditioning_constant(1, 4));
  CHECK(reparam::conditioning_constant(3, 8) > reparam::conditioning_constant(3, 4));
}

TEST_CASE("the claim about conditioning measures instead of building a statement", "[reparam][conditioning]") {
  const auto& claim = test::claim_named("reparam.conditioning");
  CHECK(claim.measure);
  CHECK(claim.hypotheses.empty());
}
