#pragma once

#include <functional>

#include "core/claim/recipe.h"
#include "core/verdict/cell.h"

namespace attest::verdict {

// The order of counterexamples: sizes by n, d, h, k, L, m; then the largest |entry|, the number of nonzero entries, the
// sum of |entries|, and the entries themselves, row by row in the order of the inputs, with 0 < 1 < -1 < 2 < -2.

// A statement at one size, over the inputs that the search may set freely. Invertible and singular matrices are set
// like any other and checked; other constraint sets are walked through their parameters.
struct SearchStatement {
  claim::Size size;
  claim::Statement statement;  // as the claim states it
  claim::Parametrized walked;
  std::int64_t entries = 0;  // free entries in all
};

// In the order above: every size up to the largest counts in the claim's own list that the builder accepts, without
// those whose statement is the one of a size before.
std::vector<SearchStatement> search_statements(const claim::Claim& claim, const std::string& dropped);

// Calls visit with every assignment of integers of size at most `largest` to the places, in the order above, until it
// returns true. Returns whether it did.
bool walk_entries(std::int64_t places, int largest, const std::function<bool(const std::vector<int>&)>& visit);

// The number of assignments that walk_entries visits, or `cap` if it is more.
std::int64_t assignments(std::int64_t places, int largest, std::int64_t cap);

// The free inputs filled row by row, in the order of the statement's inputs.
claim::Instance instance_from(const claim::Statement& free, const std::vector<int>& entries);

// Entries replaced one at a time by smaller ones (the first that keeps the counterexample, in the order above), until
// none can be.
claim::Instance shrink(const claim::Statement& free, claim::Instance instance,
                       const std::function<bool(const claim::Instance&)>& still_fails);

}  // namespace attest::verdict
