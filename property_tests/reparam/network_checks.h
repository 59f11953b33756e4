#pragma once

#include <string>
#include <vector>

#include "core/claim/claim.h"
#include "core/claim/instance.h"

namespace attest::test {

// The chapter's claims.
const claim::Registry& reparam_claims();

// A random instance that meets every condition of the statement; fails the test where a hundred draws do not find one.
claim::Instance satisfying_instance(const claim::Statement& statement, std::uint64_t seed);

// Asserts that both sides of every equation agree on random instances at the sizes: exactly over the rationals with the
// stand-in row function (equations with 1/sqrt excepted, which only the prime field evaluates), and modulo a random
// prime. At least one equation must have been compared in each.
void require_holds(const std::string& claim, const std::vector<std::string>& sizes);

// Asserts that the search finds a counterexample with the real functions at this size, and that it is the smallest.
void require_refuted(const std::string& claim, const std::string& dropped, const claim::Size& smallest);

// Asserts that without the hypothesis some random instance at the size makes the sides differ, certified by balls with
// the real functions or exactly.
void require_differs(const std::string& claim, const std::string& dropped, const std::string& size);

}  // namespace attest::test
