#include "core/arith/prime_field.h"

#include <cmath>

#include "core/arith/flint_matrix.h"
#include "core/support/error.h"

namespace attest::arith {
namespace {

constexpr int mantissa_bits = 53;
constexpr int min_exponent = -1074 - mantissa_bits;  // of the integer mantissa of a double
constexpr int max_exponent = 1024 - mantissa_bits;

std::uint64_t multiply_mod(std::uint64_t a, std::uint64_t b, std::uint64_t p) {
  return static_cast<std::uint64_t>(static_cast<WideWord>(a) * b % p);
}

}  // namespace

std::uint64_t random_prime(int bits, RandomStream stream) {
  if (bits < 1 || bits > max_prime_bits)
    throw InputError("prime bits " + std::to_string(bits) + ": expected 1 to " + std::to_string(max_prime_bits) +
                     " (the prime is drawn from [2^bits, 2^(bits + 1)])");
  const std::uint64_t low = std::uint64_t{1} << bits;
  for (;;) {
    const std::uint64_t candidate = low + stream.below(low + 1);
    if (n_is_prime(candidate) != 0) return candidate;
  }
}

std::uint64_t require_prime(std::uint64_t candidate) {
  if (candidate >> 63 != 0) throw InputError("prime " + std::to_string(candidate) + ": expected a prime below 2^63");
  if (n_is_prime(candidate) == 0)
    throw InputError("prime " + std::to_string(candidate) + " is not a prime; give a prime below 2^63");
  return candidate;
}

void UniformResidues::fill(std::uint64_t* out, std::int64_t count, RandomStream& stream) const {
  // Every candidate is written and the position advances only past accepted ones: no branch depends on the words. The
  // copy of the stream stays in registers, since `out` cannot alias it.
  RandomStream local = stream;
  for (std::int64_t filled = 0; filled < count;) {
    const WideWord product = static_cast<WideWord>(local.next()) * p_;
    out[filled] = static_cast<std::uint64_t>(product >> 64);
    filled += static_cast<std::uint64_t>(product) >= rejected_ ? 1 : 0;
  }
  stream = local;
}

std::uint64_t UniformResidues::next(RandomStream& stream) const {
  std::uint64_t residue = 0;
  fill(&residue, 1, stream);
  return residue;
}

std::uint64_t UniformResidues::next_nonzero(RandomStream& stream) const {
  for (;;)
    if (const std::uint64_t residue = next(stream); residue != 0) return residue;
}

ResidueReader::ResidueReader(std::uint64_t p) : p_(p) {
  if (p == 2) return;
  const std::uint64_t half = (p + 1) / 2;
  std::uint64_t power = 1;
  for (int k = 0; k > min_exponent; --k) power = multiply_mod(power, half, p);
  for (int k = min_exponent; k <= max_exponent; ++k) {
    powers_.push_back(power);
    power = multiply_mod(power, 2, p);
  }
}

std::optional<std::uint64_t> ResidueReader::of(const Rational& value) const {
  const std::uint64_t denominator = mpz_fdiv_ui(value.get_den_mpz_t(), p_);
  if (denominator == 0) return std::nullopt;
  const std::uint64_t numerator = mpz_fdiv_ui(value.get_num_mpz_t(), p_);
  if (denominator == 1) return numerator;
  return multiply_mod(numerator, n_invmod(denominator, p_), p_);
}

std::optional<std::uint64_t> ResidueReader::of(double value) const {
  if (!std::isfinite(value)) return std::nullopt;
  if (powers_.empty()) return of(exact_rational(value));
  int exponent = 0;
  const double mantissa = std::ldexp(std::frexp(value, &exponent), mantissa_bits);
  const auto magnitude = static_cast<std::uint64_t>(std::abs(mantissa));
  const std::uint64_t power = powers_[static_cast<std::size_t>(exponent - mantissa_bits - min_exponent)];
  const std::uint64_t residue = multiply_mod(magnitude, power, p_);
  return value < 0 && residue != 0 ? p_ - residue : residue;
}

}  // namespace attest::arith
