#include "core/support/random.h"

#include <bit>
#include <cmath>
#include <numbers>
#include <vector>

#include "core/support/check.h"

namespace attest {
namespace {

void sip_round(std::array<std::uint64_t, 4>& v) {
  v[0] += v[1];
  v[1] = std::rotl(v[1], 13) ^ v[0];
  v[0] = std::rotl(v[0], 32);
  v[2] += v[3];
  v[3] = std::rotl(v[3], 16) ^ v[2];
  v[0] += v[3];
  v[3] = std::rotl(v[3], 21) ^ v[0];
  v[2] += v[1];
  v[1] = std::rotl(v[1], 17) ^ v[2];
  v[2] = std::rotl(v[2], 32);
}

}  // namespace

std::uint64_t siphash(std::array<std::uint64_t, 2> key, const std::uint64_t* words, std::size_t count) {
  std::array<std::uint64_t, 4> v{key[0] ^ 0x736f6d6570736575ULL, key[1] ^ 0x646f72616e646f6dULL,
                                 key[0] ^ 0x6c7967656e657261ULL, key[1] ^ 0x7465646279746573ULL};
  const auto absorb = [&v](std::uint64_t word) {
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
  };
  for (std::size_t i = 0; i < count; ++i) absorb(words[i]);
  absorb(static_cast<std::uint64_t>(count * 8) << 56);
  v[2] ^= 0xff;
  for (int i = 0; i < 4; ++i) sip_round(v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

RandomStream RandomStream::child(std::string_view label) const {
  std::vector<std::uint64_t> words(label.begin(), label.end());
  return RandomStream(siphash({key_, 0x6c6162656cULL}, words.data(), words.size()));
}

RandomStream RandomStream::child(std::uint64_t index) const {
  return RandomStream(siphash({key_, 0x696e646578ULL}, &index, 1));
}

std::uint64_t RandomStream::below(std::uint64_t bound) {
  ATTEST_CHECK(bound > 0, "an empty range has no element to draw");
  const std::uint64_t mask = ~0ULL >> std::countl_zero(bound | 1);
  for (;;) {
    const std::uint64_t candidate = next() & mask;
    if (candidate < bound) return candidate;
  }
}

std::int64_t RandomStream::integer(std::int64_t low, std::int64_t high) {
  ATTEST_CHECK(low <= high, "an empty range has no element to draw");
  // Modulo 2^64, where no difference overflows; the whole range has 2^64 elements.
  const std::uint64_t last = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
  const std::uint64_t offset = last == ~0ULL ? next() : below(last + 1);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + offset);
}

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log1p(-unit()));
  return radius * std::cos(2.0 * std::numbers::pi * unit());
}

}  // namespace attest
