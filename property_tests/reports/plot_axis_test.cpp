#include "reports/plot_axis.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "property_tests/support/property.h"

namespace attest::reports {
namespace {

TEST_CASE("values and ticks lie inside the axis, in order", "[reports][plot]") {
  const auto checked = test::check_property(
      "an axis holds its values",
      [] {
        const bool logarithmic = *rc::gen::arbitrary<bool>();
        std::vector<double> values;
        const int count = *rc::gen::inRange(1, 6);
        for (int i = 0; i < count; ++i) {
          const double mantissa = 1 + *rc::gen::inRange(0, 1000) / 1000.0;
          const double magnitude = std::ldexp(mantissa, *rc::gen::inRange(-200, 200));
          values.push_back(!logarithmic && *rc::gen::arbitrary<bool>() ? -magnitude : magnitude);
        }
        const PlotAxis axis(values, logarithmic, 50, 550);
        for (const double value : values) {
          RC_ASSERT(axis.position(value) >= 50 - 1e-6);
          RC_ASSERT(axis.position(value) <= 550 + 1e-6);
        }
        const auto ticks = axis.ticks();
        RC_ASSERT(!ticks.empty());
        RC_ASSERT(ticks.size() <= 12U);
        for (std::size_t i = 0; i < ticks.size(); ++i) {
          RC_ASSERT(axis.position(ticks[i].first) >= 50 - 1e-6);
          RC_ASSERT(axis.position(ticks[i].first) <= 550 + 1e-6);
          if (i > 0) RC_ASSERT(ticks[i].first > ticks[i - 1].first);
        }
        RC_CLASSIFY(logarithmic, "logarithmic");
      },
      1000);
  CHECK(checked.count("logarithmic") > 200);
}

TEST_CASE("an axis of one value has it in the middle", "[reports][plot]") {
  CHECK(PlotAxis({3}, false, 0, 100).position(3) == Approx(50));
  CHECK(PlotAxis({3}, true, 0, 100).position(3) == Approx(50));
  CHECK(PlotAxis({0}, false, 0, 100).position(0) == Approx(50));
}

}  // namespace
}  // namespace attest::reports

TEST_CASE("a logarithmic axis between two round values still has a tick", "[reports][plot]") {
  const attest::reports::PlotAxis axis({2.5, 4.5}, true, 0, 100);
  CHECK(axis.ticks().size() == 1);
}
