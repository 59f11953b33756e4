#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/support/truth.h"

namespace attest::claim {

// A plotted series: a precision ladder, errors against condition numbers, ...
struct Series {
  std::string title, x_label, y_label;
  std::vector<std::string> names;                              // one a line
  std::vector<std::vector<std::pair<double, double>>> points;  // one list a name
  bool log_x = false, log_y = false;
};

// What a claim about sizes of errors measures, against its stated bound. Approximate by nature.
struct Measurement {
  Truth within_bound = Truth::unknown;
  double ratio = 0;    // largest measured value over its bound
  std::string reason;  // why, where it is not yes
  std::int64_t cases = 0;
  std::vector<Series> series;
  std::map<std::string, std::string> facts;  // "slope, generic W_Q" -> "1.002"
};

}  // namespace attest::claim
