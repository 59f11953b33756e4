#include "reports/svg_plot.h"

#include <catch2/catch.hpp>
#include <limits>

#include "property_tests/reports/oracle.h"
#include "property_tests/support/skip.h"

namespace attest::reports {
namespace {

claim::Series one_line(std::vector<std::pair<double, double>> points, bool log_x, bool log_y) {
  return {"title <1>", "x & y", "y", {"line"}, {std::move(points)}, log_x, log_y};
}

std::size_t markers(const std::string& svg) {
  std::size_t count = 0;
  for (auto at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) ++count;
  return count - 1;  // one is in the legend
}

TEST_CASE("every point that can be drawn is drawn and the others are counted", "[reports][plot]") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const auto svg = svg_plot(one_line({{1, 1}, {2, 0}, {3, -1}, {4, nan}, {5, infinity}, {6, 1e-300}}, false, true));
  CHECK(markers(svg) == 2);
  CHECK(svg.find("4 points are not finite or not positive and not drawn") != std::string::npos);
  const auto linear = svg_plot(one_line({{1, 1}, {2, 0}, {3, -1}, {4, nan}}, false, false));
  CHECK(markers(linear) == 3);
  CHECK(linear.find("1 point is not finite and not drawn") != std::string::npos);
}

TEST_CASE("a series without a drawable point says so", "[reports][plot]") {
  CHECK(svg_plot(one_line({}, false, false)).find("No point") != std::string::npos);
  CHECK(svg_plot(one_line({{1, 0}}, false, true)).find("<svg") == std::string::npos);
}

TEST_CASE("plots of extreme values are well-formed", "[reports][plot]") {
  std::string page = "<page>";
  for (const bool log_x : {false, true}) {
    for (const bool log_y : {false, true}) {
      page += svg_plot(one_line({{1, 1}}, log_x, log_y));
      page += svg_plot(one_line({{5e-324, 1.7e308}, {1.7e308, 5e-324}}, log_x, log_y));
      page += svg_plot(one_line({{32, 1e-9}, {512, 1e-150}}, log_x, log_y));
    }
  }
  for (const char* broken : {"nan", "inf\""}) CHECK(page.find(broken) == std::string::npos);
  std::string output;
  const auto opinion = test::well_formed_xml(page + "</page>", &output);
  if (opinion == test::Opinion::absent) ATTEST_SKIP("python3 is not installed");
  INFO(output);
  CHECK(opinion == test::Opinion::agrees);
}

}  // namespace
}  // namespace attest::reports
