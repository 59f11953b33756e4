#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/rational.h"

namespace attest::reports {

// The formula as a MathML element, from the subset of TeX listed in docs/report.md. display: set on its own line.
// Throws InputError naming the command or brace, its position and the formula where it leaves the subset.
std::string tex_to_mathml(std::string_view tex, bool display);

// The formulas that \quad or \qquad separate outside every group, so that a narrow page can set them one below the
// other.
std::vector<std::string> tex_parts(std::string_view tex);

// The name of a matrix of an instance, as the statement writes it: "W_Q.2" is W_Q with the layer as (2) above it, gamma
// is the letter. Never fails: what is no such name is shown as it stands.
std::string name_to_mathml(std::string_view name);

// An exact matrix as a MathML element: "name = (entries)", or the entries alone without a name.
std::string matrix_to_mathml(std::string_view name, const RationalMatrix& matrix);

// Rows of texts that are all exact numbers ("3/7") as a matrix; marked[row][col] entries carry the class
// "entry-differs". Returns "" where an entry is no exact number.
std::string texts_to_mathml(const std::vector<std::vector<std::string>>& rows,
                            const std::vector<std::vector<bool>>& marked);

}  // namespace attest::reports
