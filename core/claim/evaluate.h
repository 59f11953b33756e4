#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/arith/backend.h"
#include "core/expr/expr.h"

namespace attest::claim {

// Gives the value of an input node; called again for a large input each time it is used, so that a whole network need
// not be in memory.
using InputSource = std::function<Outcome<arith::Matrix>(const expr::Node& input)>;

// The same products in the order that costs fewest operations for associative arithmetics: X (T^-1 W) becomes
// (X T^-1) W, whose first factor is a thin solve. The value is unchanged.
std::vector<expr::Expr> thin_side_first(const std::vector<expr::Expr>& roots);

// How to evaluate a list of roots: worked out once, run for many instances. The graph must outlive it.
class EvaluationPlan {
 public:
  // associative: products may be re-associated, and inverses that only meet other matrices in products are applied by
  // solving instead of being formed.
  EvaluationPlan(const std::vector<expr::Expr>& roots, bool associative);

  // The values of the roots, in order; a failure is that of the first operation that fails. The backend must be
  // associative if the plan is. Values are released after their last use.
  Outcome<std::vector<arith::Matrix>> run(const arith::Backend& backend, const InputSource& source) const;

 private:
  enum class Step { compute, skip, solve_right, solve_left };
  struct Planned {
    const expr::Node* node = nullptr;
    Step step = Step::compute;
    std::vector<std::size_t> operands;  // positions in steps_
    std::int64_t uses = 0;              // by later steps and as a root
  };
  class Run;

  std::vector<Planned> steps_;      // operands before users, each as late as its first user allows
  std::vector<std::size_t> roots_;  // positions
};

// EvaluationPlan(roots, backend.associative()).run(backend, source).
Outcome<std::vector<arith::Matrix>> evaluate(const std::vector<expr::Expr>& roots, const arith::Backend& backend,
                                             const InputSource& source);

// A source that converts an exact instance (missing names are an internal error). Both must outlive the source.
InputSource source_of(const std::map<std::string, RationalMatrix>& instance, const arith::Backend& backend);

}  // namespace attest::claim
