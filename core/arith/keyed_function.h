#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/arith/prime_field.h"

namespace attest::arith {

// A function symbol over F_p: a pseudo-random function of the canonical residues of its arguments, keyed by (seed,
// name). Equal arguments give equal values; under the assumption that SipHash-2-4 is a pseudo-random function, the
// values at different arguments are indistinguishable from independent uniform residues (docs/probability.md). No
// modulo bias: words are rejected, with a counter, until one maps to a residue uniformly.
class KeyedFunction {
 public:
  KeyedFunction(std::uint64_t p, std::uint64_t seed, std::string_view name);

  // The value at one residue.
  std::uint64_t value(std::uint64_t argument) const;
  // One value for each argument of a call with several outputs: output c is the one of position positions[c]. The call
  // is identified by all positions and all arguments together (a 128-bit digest of them).
  std::vector<std::uint64_t> row(const std::vector<std::int64_t>& positions,
                                 const std::vector<std::uint64_t>& arguments) const;

 private:
  template <std::size_t count>
  std::uint64_t draw(std::array<std::uint64_t, count> words) const;

  UniformResidues uniform_;
  std::array<std::uint64_t, 2> value_key_;
  std::array<std::array<std::uint64_t, 2>, 2> digest_keys_;
};

}  // namespace attest::arith
