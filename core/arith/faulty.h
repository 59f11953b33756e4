#pragma once

#include <cstdint>
#include <memory>

#include "core/arith/backend.h"

namespace attest::arith {

// For tests: the same arithmetic, except that a call that may fail answers `unable`, and a predicate `unknown`, with
// probability `rate` (a fixed function of the seed and the number of calls made so far). Every answer it does give is
// the inner one, so a caller whose definite verdict changes has turned "unknown" into something else.
std::unique_ptr<Backend> make_faulty(std::unique_ptr<Backend> inner, double rate, std::uint64_t seed);

}  // namespace attest::arith
