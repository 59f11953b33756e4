#include "core/arith/prime_field.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/support/error.h"
#include "property_tests/core/arith/chi_square.h"
#include "property_tests/support/generators.h"
#include "property_tests/support/property.h"

namespace {

using namespace attest;
using namespace attest::arith;
using attest::test::check_property;

bool is_prime_by_division(std::uint64_t n) {
  for (std::uint64_t d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

TEST_CASE("random primes are uniform among the primes of their range", "[arith][field]") {
  for (const int bits : {1, 2, 4, 6, 8}) {
    std::map<std::uint64_t, std::size_t> index;
    for (std::uint64_t n = 1ULL << bits; n <= 2ULL << bits; ++n)
      if (is_prime_by_division(n)) index.emplace(n, index.size());
    std::vector<std::int64_t> counts(index.size());
    for (std::uint64_t seed = 0; seed < 100 * counts.size(); ++seed)
      ++counts[index.at(random_prime(bits, RandomStream(seed)))];
    CHECK(attest::test::chi_square(counts) <= attest::test::chi_square_limit(counts.size()));
  }
}

TEST_CASE("prime sizes and fixed primes out of range are input errors", "[arith][field]") {
  CHECK_THROWS_AS(random_prime(0, RandomStream(1)), InputError);
  CHECK_THROWS_AS(random_prime(max_prime_bits + 1, RandomStream(1)), InputError);
  CHECK_THROWS_AS(require_prime(1), InputError);
  CHECK_THROWS_AS(require_prime(1009 * 1013), InputError);
  CHECK_THROWS_AS(require_prime(18446744073709551557ULL), InputError);  // a prime above 2^63
  CHECK(require_prime(2) == 2);
  CHECK(require_prime(9223372036854775783ULL) == 9223372036854775783ULL);  // the largest below 2^63
}

// The words that map to r are those of [r 2^64 / p, (r + 1) 2^64 / p), and at most the first of them is rejected.
TEST_CASE("every residue keeps the same number of words", "[arith][field]") {
  check_property(
      "floor(2^64 / p) of them, in one interval",
      [] {
        const std::uint64_t p = *rc::gen::oneOf(rc::gen::inRange<std::uint64_t>(2, 100),
                                                rc::gen::inRange<std::uint64_t>(1ULL << 40, 1ULL << 63));
        const std::uint64_t r = *rc::gen::inRange<std::uint64_t>(0, p);
        const UniformResidues uniform(p);
        const WideWord words = static_cast<WideWord>(1) << 64;
        const WideWord first = (r * words + p - 1) / p, end = ((r + 1) * words + p - 1) / p;
        WideWord kept = end - first;
        RC_CLASSIFY(kept > words / p, "the first is rejected");
        if (!uniform.map(static_cast<std::uint64_t>(first))) --kept;
        RC_ASSERT(kept == words / p);
        RC_ASSERT(uniform.map(static_cast<std::uint64_t>(end - 1)) == r);
        RC_ASSERT(uniform.map(static_cast<std::uint64_t>(first + 1)) == r);
      },
      500);
}

TEST_CASE("filled residues are those of the accepted words in order", "[arith][field]") {
  check_property("fill is map over the stream", [] {
    const std::uint64_t p = *rc::gen::inRange<std::uint64_t>(2, 1ULL << 63);
    const auto count = *rc::gen::inRange(0, 50);
    RandomStream filled(*rc::gen::arbitrary<std::uint64_t>());
    RandomStream mapped = filled;
    const UniformResidues uniform(p);
    std::vector<std::uint64_t> residues(static_cast<std::size_t>(count));
    uniform.fill(residues.data(), count, filled);
    for (const std::uint64_t residue : residues) {
      auto expected = uniform.map(mapped.next());
      while (!expected) expected = uniform.map(mapped.next());
      RC_ASSERT(residue == *expected);
    }
    RC_ASSERT(filled.next() == mapped.next());
  });
}

TEST_CASE("residues of rationals and doubles solve q x = r", "[arith][field]") {
  check_property(
      "denominator times residue is the numerator modulo p",
      [] {
        const std::uint64_t p = *rc::gen::element<std::uint64_t>(2, 3, 5, 7, 1009, 1152921504606847009ULL);
        const ResidueReader reader(p);
        const double number = *attest::test::any_finite_double();
        const Rational value = *rc::gen::arbitrary<bool>() ? exact_rational(number) : *attest::test::any_rational();
        const auto residue = reader.of(value);
        const Integer modulus(static_cast<unsigned long>(p));
        RC_ASSERT(residue.has_value() == (value.get_den() % modulus != 0));
        RC_CLASSIFY(!residue.has_value(), "p divides the denominator");
        if (residue) {
          const Integer product = value.get_den() * Integer(static_cast<unsigned long>(*residue)) - value.get_num();
          RC_ASSERT(*residue < p);
          RC_ASSERT(product % modulus == 0);
        }
        RC_ASSERT(reader.of(number) == reader.of(exact_rational(number)));
      },
      500);
  CHECK_FALSE(ResidueReader(7).of(std::nan("")).has_value());
  CHECK_FALSE(ResidueReader(7).of(HUGE_VAL).has_value());
}

}  // namespace
