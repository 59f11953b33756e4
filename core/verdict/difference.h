#pragma once

#include <memory>

#include "core/claim/instance.h"
#include "core/verdict/record.h"

namespace attest::verdict {

// Shows that the two sides of a statement certainly differ on exact instances: a necessary condition that is exactly
// false, or different values in rational arithmetic with the real functions, or else disjoint balls of growing
// precision. Evaluation is planned once for the many instances of a search.
class DifferenceFinder {
 public:
  // The statement's graph must outlive the finder.
  explicit DifferenceFinder(const claim::Statement& statement);

  // Whether the instance satisfies every condition, decided exactly.
  Truth satisfies(const claim::Instance& instance) const;
  // Whether the sides certainly differ, and in which arithmetic; cheap, for a search.
  bool differs(const claim::Instance& instance) const;
  // The same with both sides' values.
  std::optional<Counterexample> find(const claim::Instance& instance) const;

 private:
  struct Arithmetic {
    std::int64_t precision = 0;  // bits; 0: rational
    std::unique_ptr<arith::Backend> backend;
    std::vector<claim::EvaluationPlan> equations;
  };
  std::vector<std::string> false_necessities(const claim::Instance& instance) const;
  // The equations that differ; *undecided tells whether more precision could show more.
  std::vector<Side> differing(const Arithmetic& arithmetic, const claim::Instance& instance, bool* undecided) const;

  claim::Statement statement_;
  std::vector<Arithmetic> arithmetics_;  // rational, then balls of growing precision
  std::vector<claim::EvaluationPlan> conditions_, necessary_;
};

}  // namespace attest::verdict
