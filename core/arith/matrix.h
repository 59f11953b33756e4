#pragma once

#include <memory>

#include "core/expr/shape.h"

namespace attest::arith {

// A matrix of some arithmetic; only the backend that made it can read it.
struct MatrixStorage {
  explicit MatrixStorage(expr::Shape s) : shape(s) {}
  virtual ~MatrixStorage() = default;
  expr::Shape shape;
};

using Matrix = std::shared_ptr<const MatrixStorage>;

}  // namespace attest::arith
