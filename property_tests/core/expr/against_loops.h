#pragma once

#include "core/claim/evaluate.h"
#include "property_tests/core/expr/loop_reference.h"

namespace attest::test {

struct LoopComparison {
  bool evaluated = false;  // both arithmetics gave a value
  bool contained = false;  // the enclosures contain the loops' numbers
  double radius = 0;       // of the enclosures, relative to the largest entry or 1
  double ratio = 0;        // in double: difference over its bound
};

// The expression on the exact instance, in balls of 128 bits and in double, against the loops' result.
inline LoopComparison compare_with_loops(expr::Expr expression, const std::map<std::string, RationalMatrix>& instance,
                                         const Table& loops) {
  LoopComparison result;
  const auto ball = arith::make_backend("ball", {.precision = 128});
  const auto enclosed = claim::evaluate({expression}, *ball, claim::source_of(instance, *ball));
  const auto real = arith::make_backend("double");
  const auto rounded = claim::evaluate({expression}, *real, claim::source_of(instance, *real));
  if (!enclosed.ok() || !rounded.ok()) return result;
  result.evaluated = true;
  const RationalMatrix exact = rational_of(loops);
  const auto inside = ball->compare(enclosed.value().front(), ball->from_rational(exact).value());
  result.contained = inside.equal != Truth::no;
  result.radius = inside.radius / std::max(1.0, inside.magnitude);
  result.ratio = real->compare(rounded.value().front(), real->from_rational(exact).value()).ratio;
  return result;
}

// Enclosures this narrow tell any two different formulas apart.
constexpr double narrow = 0x1p-64;

}  // namespace attest::test
