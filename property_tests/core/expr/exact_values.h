#pragma once

#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "core/claim/evaluate.h"
#include "core/expr/expr.h"
#include "core/support/random.h"

// Expressions evaluated in exact rational arithmetic, and plain loops to hold them against.
namespace attest::test {

using Instance = std::map<std::string, RationalMatrix>;

inline RationalMatrix random_matrix(std::int64_t rows, std::int64_t cols, RandomStream stream) {
  RationalMatrix matrix(rows, cols);
  for (auto& entry : matrix.entries) {
    entry = Rational(static_cast<long>(stream.integer(-9, 9)), static_cast<long>(stream.integer(1, 5)));
    entry.canonicalize();
  }
  return matrix;
}

// A random value for every input under the expression that has none yet.
inline void draw_missing(Instance& instance, expr::Expr expression) {
  for (const expr::Node* input : expr::inputs_of({expression}))
    if (instance.count(input->name) == 0)
      instance[input->name] = random_matrix(input->shape.rows, input->shape.cols, RandomStream(1).child(input->name));
}

inline RationalMatrix value_of(expr::Expr expression, const Instance& instance) {
  const auto backend = arith::make_backend("rational");
  const auto values = claim::evaluate({expression}, *backend, claim::source_of(instance, *backend));
  INFO(values.reason());
  REQUIRE(values.ok());
  return backend->to_rational(values.value().front()).value();
}

inline RationalMatrix product(const RationalMatrix& a, const RationalMatrix& b) {
  REQUIRE(a.cols == b.rows);
  RationalMatrix c(a.rows, b.cols);
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < b.cols; ++j)
      for (std::int64_t l = 0; l < a.cols; ++l) c.at(i, j) += a.at(i, l) * b.at(l, j);
  return c;
}

}  // namespace attest::test
