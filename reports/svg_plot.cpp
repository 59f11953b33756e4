#include "reports/svg_plot.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "reports/escape.h"
#include "reports/plot_axis.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

constexpr double kWidth = 620, kPlotHeight = 260, kLeft = 78, kRight = 18, kTop = 14, kBottom = 50, kLegendRow = 20;
constexpr std::size_t kStyles = 6;  // line styles of the page's stylesheet: .line0 ... .line5

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;
};

std::string fixed(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

bool drawable(double value, bool logarithmic) { return std::isfinite(value) && (!logarithmic || value > 0); }

std::vector<Line> drawable_lines(const claim::Series& series, std::int64_t& left_out) {
  std::vector<Line> lines;
  for (std::size_t i = 0; i < series.names.size() && i < series.points.size(); ++i) {
    Line line{series.names[i], {}};
    for (const auto& point : series.points[i]) {
      if (drawable(point.first, series.log_x) && drawable(point.second, series.log_y))
        line.points.push_back(point);
      else
        ++left_out;
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

PlotAxis axis_of(const std::vector<Line>& lines, bool horizontal, bool logarithmic) {
  std::vector<double> values;
  for (const auto& line : lines) {
    for (const auto& [x, y] : line.points) values.push_back(horizontal ? x : y);
  }
  return horizontal ? PlotAxis(values, logarithmic, kLeft, kWidth - kRight)
                    : PlotAxis(values, logarithmic, kTop + kPlotHeight, kTop);
}

// Six shapes, so that lines are told apart in print and without colour.
std::string marker(std::size_t style, double x, double y) {
  const auto at = [&](double dx, double dy) { return fixed(x + dx) + "," + fixed(y + dy); };
  const std::string polygon = "<polygon points=\"";
  switch (style % kStyles) {
    case 0:
      return "<circle cx=\"" + fixed(x) + "\" cy=\"" + fixed(y) + "\" r=\"3.4\"/>";
    case 1:
      return polygon + at(-3.2, -3.2) + " " + at(3.2, -3.2) + " " + at(3.2, 3.2) + " " + at(-3.2, 3.2) + "\"/>";
    case 2:
      return polygon + at(0, -4.4) + " " + at(4, 3) + " " + at(-4, 3) + "\"/>";
    case 3:
      return polygon + at(0, -4.6) + " " + at(4.6, 0) + " " + at(0, 4.6) + " " + at(-4.6, 0) + "\"/>";
    case 4:
      return polygon + at(0, 4.4) + " " + at(4, -3) + " " + at(-4, -3) + "\"/>";
    default:
      return "<circle class=\"hollow\" cx=\"" + fixed(x) + "\" cy=\"" + fixed(y) + "\" r=\"3.4\"/>";
  }
}

std::string axes(const claim::Series& series, const PlotAxis& x_axis, const PlotAxis& y_axis) {
  const std::string bottom = fixed(kTop + kPlotHeight), right = fixed(kWidth - kRight), left = fixed(kLeft);
  std::string svg = "<g class=\"grid\">";
  std::string labels = "<g class=\"ticks\">";
  for (const auto& [value, text] : x_axis.ticks()) {
    const std::string x = fixed(x_axis.position(value));
    svg += "<line x1=\"" + x + "\" x2=\"" + x + "\" y1=\"" + fixed(kTop) + "\" y2=\"" + bottom + "\"/>";
    labels +=
        "<text text-anchor=\"middle\" x=\"" + x + "\" y=\"" + fixed(kTop + kPlotHeight + 17) + "\">" + text + "</text>";
  }
  for (const auto& [value, text] : y_axis.ticks()) {
    const double y = y_axis.position(value);
    svg += "<line x1=\"" + left + "\" x2=\"" + right + "\" y1=\"" + fixed(y) + "\" y2=\"" + fixed(y) + "\"/>";
    labels += "<text text-anchor=\"end\" x=\"" + fixed(kLeft - 7) + "\" y=\"" + fixed(y + 4) + "\">" + text + "</text>";
  }
  svg += "</g>" + labels + "</g><g class=\"axis\"><polyline points=\"" + left + "," + fixed(kTop) + " " + left + "," +
         bottom + " " + right + "," + bottom + "\"/></g>";
  const double middle = kTop + kPlotHeight / 2;
  svg += "<text class=\"label\" text-anchor=\"middle\" x=\"" + fixed((kLeft + kWidth - kRight) / 2) + "\" y=\"" +
         fixed(kTop + kPlotHeight + 38) + "\">" + escape(series.x_label) + "</text>";
  svg += "<text class=\"label\" text-anchor=\"middle\" transform=\"translate(14 " + fixed(middle) + ") rotate(-90)\">" +
         escape(series.y_label) + "</text>";
  return svg;
}

std::string curve(const Line& line, std::size_t style, const PlotAxis& x_axis, const PlotAxis& y_axis) {
  std::string path, markers;
  for (const auto& [x, y] : line.points) {
    const double px = x_axis.position(x), py = y_axis.position(y);
    path += (path.empty() ? "" : " ") + fixed(px) + "," + fixed(py);
    markers += marker(style, px, py);
  }
  return "<g class=\"line" + std::to_string(style % kStyles) + "\"><polyline points=\"" + path + "\"/>" + markers +
         "</g>";
}

std::string legend(const std::vector<Line>& lines) {
  std::string svg;
  double y = kTop + kPlotHeight + kBottom + 8;
  for (std::size_t i = 0; i < lines.size(); ++i, y += kLegendRow) {
    svg += "<g class=\"line" + std::to_string(i % kStyles) + "\"><polyline points=\"" + fixed(kLeft) + "," + fixed(y) +
           " " + fixed(kLeft + 34) + "," + fixed(y) + "\"/>" + marker(i, kLeft + 17, y) +
           "</g><text class=\"name\" x=\"" + fixed(kLeft + 44) + "\" y=\"" + fixed(y + 4) + "\">" +
           escape(lines[i].name) + "</text>";
  }
  return svg;
}

}  // namespace

std::string svg_plot(const claim::Series& series) {
  std::int64_t left_out = 0;
  const std::vector<Line> lines = drawable_lines(series, left_out);
  const std::string caption = "<figcaption>" + escape(series.title) + "</figcaption>";
  const bool any = std::any_of(lines.begin(), lines.end(), [](const Line& line) { return !line.points.empty(); });
  if (!any)
    return "<figure class=\"plot\">" + caption + "<p class=\"note\">No point of this series can be drawn.</p></figure>";
  const PlotAxis x_axis = axis_of(lines, true, series.log_x), y_axis = axis_of(lines, false, series.log_y);
  const double height = kTop + kPlotHeight + kBottom + kLegendRow * static_cast<double>(lines.size()) + 4;
  std::string svg = "<figure class=\"plot\">" + caption + "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                    fixed(kWidth) + " " + fixed(height) + "\" role=\"img\" aria-label=\"" + escape(series.title) +
                    "\">" + axes(series, x_axis, y_axis);
  for (std::size_t i = 0; i < lines.size(); ++i) svg += curve(lines[i], i, x_axis, y_axis);
  svg += legend(lines) + "</svg>";
  if (left_out > 0) {
    svg += "<p class=\"note\">" + plural(left_out, "point is", "points are") + " not finite" +
           (series.log_x || series.log_y ? " or not positive" : "") + " and not drawn.</p>";
  }
  return svg + "</figure>";
}

}  // namespace attest::reports
