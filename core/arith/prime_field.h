#pragma once

// The numbers of a prime field: drawing the prime, canonical residues of exact numbers, uniform residues. Private to
// core/arith.

#include <cstdint>
#include <optional>
#include <vector>

#include "core/support/random.h"
#include "core/support/rational.h"

namespace attest::arith {

__extension__ typedef unsigned __int128 WideWord;  // NOLINT: ISO C++ has no name for it

// Largest e that random_prime accepts; the field works below 2^63, so that a few products fit in 128 bits.
constexpr int max_prime_bits = 62;

// A prime, uniform among the primes of [2^e, 2^(e+1)]: integers of that range are drawn until one is prime (proven
// primality, not probable). Throws InputError unless 1 <= e <= max_prime_bits.
std::uint64_t random_prime(int bits, RandomStream stream);

// The same number where it is a prime below 2^63; otherwise InputError.
std::uint64_t require_prime(std::uint64_t candidate);

// Uniform residues modulo p from uniform 64-bit words, without bias: w -> floor(w p / 2^64), rejecting the w whose
// fraction w p mod 2^64 is below 2^64 mod p, so that each residue keeps exactly floor(2^64 / p) words (D. Lemire,
// arXiv 1805.10941).
class UniformResidues {
 public:
  explicit UniformResidues(std::uint64_t p) : p_(p), rejected_(-p % p) {}

  // The residue, or nothing where the word is rejected (fewer than 1 in 2 words; 1 in 8 below 2^61).
  std::optional<std::uint64_t> map(std::uint64_t word) const {
    const WideWord product = static_cast<WideWord>(word) * p_;
    if (static_cast<std::uint64_t>(product) < rejected_) return std::nullopt;
    return static_cast<std::uint64_t>(product >> 64);
  }
  // Fills `out` with independent uniform residues.
  void fill(std::uint64_t* out, std::int64_t count, RandomStream& stream) const;
  std::uint64_t next(RandomStream& stream) const;
  std::uint64_t next_nonzero(RandomStream& stream) const;

 private:
  std::uint64_t p_;
  std::uint64_t rejected_;
};

// Canonical residues of exact numbers modulo p; nothing where p divides the denominator.
class ResidueReader {
 public:
  explicit ResidueReader(std::uint64_t p);
  std::optional<std::uint64_t> of(const Rational& value) const;
  // The double as the dyadic rational it is; nothing for infinities and NaN (and odd multiples of 2^-k for p = 2).
  std::optional<std::uint64_t> of(double value) const;

 private:
  std::uint64_t p_;
  std::vector<std::uint64_t> powers_;  // 2^k mod p from the smallest exponent of a double on; empty for p = 2
};

}  // namespace attest::arith
