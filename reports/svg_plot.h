#pragma once

#include <string>

#include "core/claim/measurement.h"

namespace attest::reports {

// The series as an inline <svg> with axes, ticks, grid and legend; lines differ in colour, marker and dash. Points that
// are not finite, or not positive on a logarithmic axis, are left out and counted in a note below the plot. A series
// without a point that can be drawn gives a sentence saying so.
std::string svg_plot(const claim::Series& series);

}  // namespace attest::reports
