#pragma once

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/claim/claim.h"

// Evaluates the sides of claims without the verdict engine, for the tests of the claims themselves.
namespace attest::test {

struct Agreement {
  int equal = 0, different = 0, open = 0;  // instances in which every equation / some equation / neither is decided
};

// The statement on `count` random instances that satisfy its conditions, in exact rational arithmetic with a stand-in
// row function. Fails the running test where no instance satisfies the conditions.
Agreement in_rationals(const claim::Statement& statement, int count);

// The statement over its free parameters, modulo `count` random primes.
Agreement in_prime_fields(const claim::Statement& statement, int count);

// The statement on random instances with the real functions: how many certainly differ, by a necessary condition that
// is false or by disjoint balls.
Agreement with_real_functions(const claim::Statement& statement, int count);

// The claim with this id.
const claim::Claim& claim_named(const std::string& id);

// The claim holds at each size, in rational arithmetic and modulo primes; every listed ablation differs with the real
// functions on some instance of its size.
void check_claim_side(const std::string& id, const std::vector<claim::Size>& sizes);
void check_ablation(const std::string& id, const std::string& dropped, const std::vector<claim::Size>& sizes);

// n, d, h, g, k of one layer.
claim::Size layer_size(std::int64_t n, std::int64_t d, std::int64_t h, std::int64_t g, std::int64_t k);

}  // namespace attest::test
