#include "core/support/random.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <vector>

#include "property_tests/support/aborting.h"
#include "property_tests/support/property.h"

using attest::RandomStream;
using attest::siphash;

namespace {

constexpr int draws = 20000;

// Hoeffding: the frequency of an event in `draws` independent draws is further than this from its probability with
// probability at most 2^-60.
const double largest_deviation = std::sqrt(61 * std::log(2.0) / (2.0 * draws));

double frequency(std::uint64_t seed, const std::function<bool(RandomStream&)>& event) {
  RandomStream stream(seed);
  int count = 0;
  for (int i = 0; i < draws; ++i) count += event(stream) ? 1 : 0;
  return static_cast<double>(count) / draws;
}

void check_frequency(double probability, const std::function<bool(RandomStream&)>& event) {
  for (const std::uint64_t seed : {0ULL, 1ULL, 0xffffffffffffffffULL})
    CHECK(std::abs(frequency(seed, event) - probability) <= largest_deviation);
}

}  // namespace

TEST_CASE("SipHash-2-4 agrees with the published vectors of whole words", "[support][random]") {
  // Aumasson and Bernstein's vectors: key bytes 00..0f, message bytes 00 01 02 ..., output bytes read little-endian.
  const std::array<std::uint64_t, 2> key{0x0706050403020100ULL, 0x0f0e0d0c0b0a0908ULL};
  std::array<std::uint64_t, 8> message{};
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = key[0] + i * 0x0808080808080808ULL;
  CHECK(siphash(key, message.data(), 0) == 0x726fdb47dd0e0e31ULL);
  CHECK(siphash(key, message.data(), 1) == 0x93f5f5799a932462ULL);
  CHECK(siphash(key, message.data(), 2) == 0x3f2acc7f57c29bdbULL);
  CHECK(siphash(key, message.data(), 3) == 0xb8ad50c6f649af94ULL);
  CHECK(siphash(key, message.data(), 4) == 0x7127512f72f27cceULL);
  CHECK(siphash(key, message.data(), 5) == 0x0e3ea96b5304a7d0ULL);
  CHECK(siphash(key, message.data(), 7) == 0xb78dbfaf3a8d83bdULL);
  CHECK(siphash(key, message.data(), 8) == 0xacd2c40b8502cad8ULL);
}

TEST_CASE("a stream is a function of its key and position", "[support][random]") {
  attest::test::check_property("next() walks word(0), word(1), ...", [](std::uint64_t key) {
    RandomStream walked(key);
    const RandomStream random_access(key);
    for (std::uint64_t i = 0; i < 20; ++i) RC_ASSERT(walked.next() == random_access.word(i));
    RC_ASSERT(RandomStream(key).child("W_Q").key() == random_access.child("W_Q").key());
    RC_ASSERT(walked.child("W_Q").key() == random_access.child("W_Q").key());
  });
}

TEST_CASE("children of one stream differ by label and by index", "[support][random]") {
  const RandomStream parent(1);
  std::set<std::uint64_t> keys{parent.key()};
  for (const auto* label : {"", "W_Q", "W_Q.1", "W_Q.2", "1", "W_K"}) keys.insert(parent.child(label).key());
  for (std::uint64_t i = 0; i < 1000; ++i) keys.insert(parent.child(i).key());
  CHECK(keys.size() == 1007);
}

TEST_CASE("below is in range and reaches every value", "[support][random]") {
  const auto report = attest::test::check_property("below(b) < b", [](std::uint64_t key) {
    const std::uint64_t bound = (RandomStream(key).word(99) >> *rc::gen::element(0, 1, 13, 31, 47, 62, 63)) | 1;
    RC_CLASSIFY(bound < 4, "tiny range");
    RC_CLASSIFY(bound > (1ULL << 60), "huge range");
    RandomStream stream(key);
    for (int i = 0; i < 20; ++i) RC_ASSERT(stream.below(bound) < bound);
  });
  CHECK(report.count("tiny range") > 0);
  CHECK(report.count("huge range") > 0);
  std::set<std::uint64_t> seen;
  RandomStream stream(7);
  for (int i = 0; i < 1000; ++i) seen.insert(stream.below(5));
  CHECK(seen.size() == 5);
  CHECK_THAT(attest::test::abort_message([&] { (void)stream.below(0); }), Catch::Contains("empty range"));
}

TEST_CASE("below has no modulo bias", "[support][random]") {
  // The remainder modulo 3 * 2^62 would fall below 2^62 with probability 1/2.
  check_frequency(1.0 / 3, [](RandomStream& stream) { return stream.below(3ULL << 62) < (1ULL << 62); });
  check_frequency(1.0 / 7, [](RandomStream& stream) { return stream.below(7) == 6; });
}

TEST_CASE("integer includes both ends, also of the whole range", "[support][random]") {
  std::set<std::int64_t> seen;
  RandomStream stream(3);
  for (int i = 0; i < 1000; ++i) seen.insert(stream.integer(-2, 1));
  CHECK(seen == std::set<std::int64_t>{-2, -1, 0, 1});
  CHECK(stream.integer(5, 5) == 5);
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min(), highest = std::numeric_limits<std::int64_t>::max();
  check_frequency(0.5, [&](RandomStream& s) { return s.integer(lowest, highest) < 0; });
  check_frequency(0.5, [&](RandomStream& s) { return s.integer(lowest, highest - 1) % 2 == 0; });
  CHECK_THAT(attest::test::abort_message([&] { (void)stream.integer(1, 0); }), Catch::Contains("empty range"));
}

TEST_CASE("unit is uniform and below 1", "[support][random]") {
  RandomStream stream(11);
  for (int i = 0; i < draws; ++i) {
    const double value = stream.unit();
    if (!(value >= 0 && value < 1)) FAIL("unit() gave " << value);
  }
  for (const double t : {0.1, 0.5, 0.9}) check_frequency(t, [t](RandomStream& s) { return s.unit() < t; });
}

TEST_CASE("normal has the normal distribution function", "[support][random]") {
  for (const double t : {-2.0, -0.5, 0.0, 1.0})
    check_frequency(0.5 * std::erfc(-t / std::sqrt(2.0)), [t](RandomStream& s) { return s.normal() < t; });
  RandomStream stream(5);
  for (int i = 0; i < draws; ++i)
    if (!std::isfinite(stream.normal())) FAIL("normal() gave no number");
}
