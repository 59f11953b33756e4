#pragma once

#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/support/rational.h"

// Generators that RapidCheck lacks: its doubles are never tiny, huge or special, and it knows no exact numbers.
namespace attest::test {

// Every finite double: uniform bit patterns, small integers, neighbours of powers of two, zeros, subnormals, extremes.
inline rc::Gen<double> any_finite_double() {
  const auto of_bits = [](std::uint64_t bits) {
    const double value = std::bit_cast<double>(bits);
    return std::isfinite(value) ? value : std::bit_cast<double>(bits & ~(1ULL << 62));
  };
  const auto near_power = [](int exponent) { return std::nextafter(std::ldexp(1.0, exponent), 0.0); };
  return rc::gen::oneOf(rc::gen::map(rc::gen::arbitrary<std::uint64_t>(), of_bits),
                        rc::gen::map(rc::gen::inRange(-1000, 1001), [](int i) { return static_cast<double>(i); }),
                        rc::gen::map(rc::gen::inRange(-1070, 1024), near_power),
                        rc::gen::element(0.0, -0.0, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp+1023));
}

// Rationals of both signs: small ones, integers, and quotients of 128-bit numbers.
inline rc::Gen<Rational> any_rational() {
  const auto quotient = [](const Integer& p, const Integer& q) {
    Rational value(p, q == 0 ? Integer(1) : q);
    value.canonicalize();
    return value;
  };
  const auto small = rc::gen::map(rc::gen::pair(rc::gen::inRange(-20, 21), rc::gen::inRange(1, 12)),
                                  [=](const std::pair<int, int>& pq) { return quotient(pq.first, pq.second); });
  const auto whole = rc::gen::map(rc::gen::inRange(-1000000, 1000001), [](int p) { return Rational(p); });
  const auto word = rc::gen::map(rc::gen::pair(rc::gen::arbitrary<std::int64_t>(), rc::gen::arbitrary<std::uint64_t>()),
                                 [](const std::pair<std::int64_t, std::uint64_t>& hl) {
                                   const Integer high(static_cast<long>(hl.first));
                                   return Integer((high << 64) + Integer(static_cast<unsigned long>(hl.second)));
                                 });
  const auto large = rc::gen::map(rc::gen::pair(word, word),
                                  [=](const std::pair<Integer, Integer>& pq) { return quotient(pq.first, pq.second); });
  return rc::gen::oneOf(small, whole, large);
}

}  // namespace attest::test

// Counterexamples show exact numbers as "p/q".
namespace rc {
inline void showValue(const attest::Rational& value, std::ostream& os) { os << attest::to_string(value); }
}  // namespace rc
