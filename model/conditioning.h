#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/support/rational.h"
#include "model/singular_values.h"

namespace attest::model {

// What removing a projection costs in one floating-point format: W' = T^-1 W computed in it, against a certified value.
struct EliminationCost {
  std::string weight;        // "W_K"
  std::string format;        // "double", "float"
  double format_digits = 0;  // 53 log10 2 = 15.95, 24 log10 2 = 7.22
  // max |computed - exact| / max |exact|, approximate: its own uncertainty is `certified_radius`, the radius of the
  // certified value in the same unit.
  double relative_error = 0;
  double certified_radius = 0;
  double digits_kept = 0;  // -log10 relative_error, between 0 and format_digits
  double digits_lost = 0;  // format_digits - digits_kept
  std::string failure;     // why there is no number, otherwise empty
};

// The costs of W' = T^-1 W for each named W (T n x n, W n x any), in double and in float, each from weights rounded to
// that format, against T^-1 W in ball arithmetic at `precision` bits. A singular T is a failure, not an error. Throws
// InputError where the shapes do not fit.
std::vector<EliminationCost> elimination_costs(const DoubleMatrix& T,
                                               const std::map<std::string, DoubleMatrix>& weights,
                                               std::int64_t precision = 256);

// What eliminating the query projection of one layer costs: cond_2(W_Q) and the digits for W_K and W_V.
struct QueryElimination {
  SingularValues query;
  std::vector<EliminationCost> costs;
};
QueryElimination query_elimination(const std::map<std::string, DoubleMatrix>& layer, std::int64_t precision = 256);

}  // namespace attest::model
