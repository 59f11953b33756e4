#pragma once

#include <string>
#include <utility>
#include <vector>

namespace attest::reports {

// One axis of a plot: a range of values, where they lie, and the ticks. Internal to svg_plot.cpp.
class PlotAxis {
 public:
  // values: finite, positive if logarithmic, at least one. Value -> [from, to] in pixels.
  PlotAxis(const std::vector<double>& values, bool logarithmic, double from, double to);
  double position(double value) const;
  // Values and labels; labels are markup (<tspan> for exponents).
  std::vector<std::pair<double, std::string>> ticks() const;

 private:
  double coordinate(double value) const;
  bool wide() const;  // logarithmic over two decades or more: whole powers of ten
  std::vector<std::pair<double, std::string>> power_ticks() const;
  std::vector<std::pair<double, std::string>> narrow_logarithmic_ticks() const;
  std::vector<std::pair<double, std::string>> linear_ticks() const;

  bool logarithmic_;
  double unit_ = 1;
  double low_, high_;  // in coordinates: the value over the unit, or its decimal logarithm
  double from_, to_;
};

}  // namespace attest::reports
