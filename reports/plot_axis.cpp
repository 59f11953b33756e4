#include "reports/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/support/check.h"

namespace attest::reports {
namespace {

constexpr double kWantedTicks = 6;

std::string label(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

std::string power_label(int exponent) {
  if (exponent == 0) return "1";
  if (exponent == 1) return "10";
  return "10<tspan dy=\"-4\" font-size=\"75%\">" + std::string(exponent < 0 ? "−" : "") +
         std::to_string(std::abs(exponent)) + "</tspan>";
}

// 1, 2 or 5 times a power of ten: the smallest that needs no more than the wanted number of steps.
double round_step(double span) {
  const double raw = span / kWantedTicks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw) return factor * power;
  }
  return 10 * power;
}

int multiple_above(double low, int step) { return static_cast<int>(std::ceil((low - 1e-9) / step)) * step; }

}  // namespace

PlotAxis::PlotAxis(const std::vector<double>& values, bool logarithmic, double from, double to)
    : logarithmic_(logarithmic), from_(from), to_(to) {
  ATTEST_CHECK(!values.empty(), "an axis needs a value");
  const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  // Values whose difference would overflow, or whose steps would vanish, are measured in a unit of their own size.
  const double largest = std::max(std::abs(*least), std::abs(*greatest));
  if (!logarithmic_ && (largest > 1e150 || (largest > 0 && largest < 1e-150))) {
    unit_ = std::pow(10.0, std::max(-300.0, std::floor(std::log10(largest))));
  }
  low_ = coordinate(*least);
  high_ = coordinate(*greatest);
  if (wide()) {
    low_ = std::floor(low_ + 1e-9);
    high_ = std::ceil(high_ - 1e-9);
    return;
  }
  if (!(low_ < high_)) {
    // One value: a symmetric window around it.
    const double half = logarithmic_ || low_ == 0 ? 1 : std::abs(low_) / 2;
    low_ -= half;
    high_ += half;
  } else {
    const double margin = 0.04 * (high_ - low_);
    low_ -= margin;
    high_ += margin;
  }
}

double PlotAxis::coordinate(double value) const { return logarithmic_ ? std::log10(value) : value / unit_; }

double PlotAxis::position(double value) const {
  return from_ + (to_ - from_) * (coordinate(value) / (high_ - low_) - low_ / (high_ - low_));
}

bool PlotAxis::wide() const { return logarithmic_ && high_ - low_ >= 2; }

std::vector<std::pair<double, std::string>> PlotAxis::power_ticks() const {
  std::vector<std::pair<double, std::string>> ticks;
  const auto step = static_cast<int>(std::max(1.0, round_step(high_ - low_)));
  for (int exponent = multiple_above(low_, step); exponent <= high_ + 1e-9; exponent += step) {
    ticks.emplace_back(std::pow(10.0, exponent), power_label(exponent));
  }
  return ticks;
}

std::vector<std::pair<double, std::string>> PlotAxis::narrow_logarithmic_ticks() const {
  std::vector<std::pair<double, std::string>> ticks;
  for (int exponent = static_cast<int>(std::floor(low_)); exponent <= static_cast<int>(std::floor(high_)); ++exponent) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, exponent);
      if (std::log10(value) >= low_ && std::log10(value) <= high_) ticks.emplace_back(value, label(value));
    }
  }
  // Between two round values, 2.1 and 4.9 say: the middle.
  if (ticks.empty()) {
    const double middle = std::pow(10.0, (low_ + high_) / 2);
    ticks.emplace_back(middle, label(middle));
  }
  return ticks;
}

std::vector<std::pair<double, std::string>> PlotAxis::linear_ticks() const {
  std::vector<std::pair<double, std::string>> ticks;
  const double step = round_step(high_ - low_);
  const auto first = static_cast<long>(std::ceil(low_ / step)), last = static_cast<long>(std::floor(high_ / step));
  for (long i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step * unit_;
    ticks.emplace_back(value, label(value));
  }
  return ticks;
}

std::vector<std::pair<double, std::string>> PlotAxis::ticks() const {
  if (!logarithmic_) return linear_ticks();
  return wide() ? power_ticks() : narrow_logarithmic_ticks();
}

}  // namespace attest::reports
