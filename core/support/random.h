#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace attest {

// SipHash-2-4 (Aumasson & Bernstein) of a byte or word string: the keyed hash behind every derived key.
std::uint64_t siphash(std::array<std::uint64_t, 2> key, const std::uint64_t* words, std::size_t count);

// A counter-based generator: word i of stream `key` is a fixed function of (key, i), so any part of a large matrix can
// be produced again without the rest, and the same seed gives the same numbers whatever the order of work.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t key) : key_(key) {}
  // An independent stream for a named purpose: RandomStream(seed).child("W_Q.1").
  RandomStream child(std::string_view label) const;
  RandomStream child(std::uint64_t index) const;

  std::uint64_t next() { return word(counter_++); }
  // SplitMix64's output function on a Weyl sequence that starts at the key. In the header for loops over 10^8 words.
  std::uint64_t word(std::uint64_t counter) const {
    std::uint64_t z = key_ + (counter + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  // Uniform on 0 .. bound-1 without modulo bias; bound > 0.
  std::uint64_t below(std::uint64_t bound);
  // Uniform on low .. high, both included.
  std::int64_t integer(std::int64_t low, std::int64_t high);
  // Uniform on [0, 1) in steps of 2^-53.
  double unit() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // Standard normal by Box-Muller, rounded to double.
  double normal();
  std::uint64_t key() const { return key_; }

 private:
  std::uint64_t key_;
  std::uint64_t counter_ = 0;
};

}  // namespace attest
