#include "core/arith/rational_functions.h"

#include <algorithm>
#include <array>

#include "core/support/random.h"

namespace attest::arith {
namespace {

using expr::Function;

Outcome<Rational> exact_inverse_root(const Rational& x) {
  if (x <= 0) return Outcome<Rational>::undefined("1/sqrt(" + to_string(x) + ") has no value");
  const Integer& numerator = x.get_num();
  const Integer& denominator = x.get_den();
  // In lowest terms p/q is a square exactly where p and q are.
  if (mpz_perfect_square_p(numerator.get_mpz_t()) == 0 || mpz_perfect_square_p(denominator.get_mpz_t()) == 0)
    return Outcome<Rational>::unable("1/sqrt(" + to_string(x) + ") is not rational");
  return Rational(sqrt(denominator), sqrt(numerator));
}

Outcome<Rational> value_at_zero_only(Function f, const Rational& x, int value) {
  if (x == 0) return Rational(value);
  return Outcome<Rational>::unable(std::string(expr::to_string(f)) + "(" + to_string(x) +
                                   ") is not known to be rational");
}

Rational bent_line(const Rational& t, int third_kink) {
  const Rational falling = -t / 2;
  const Rational steep = 2 * t - third_kink;
  return std::max({t, falling, steep});
}

// 1 .. 64, the same for equal fractions.
Rational hashed_weight(const Rational& t) {
  constexpr std::array<std::uint64_t, 2> key{0x726f772066756e63, 0x74696f6e20772874};
  std::vector<std::uint64_t> words{t < 0 ? 1ULL : 0ULL};
  for (const Integer* part : {&t.get_num(), &t.get_den()}) {
    const std::size_t limbs = mpz_size(part->get_mpz_t());
    words.push_back(limbs);
    for (std::size_t i = 0; i < limbs; ++i) words.push_back(mpz_getlimbn(part->get_mpz_t(), static_cast<mp_size_t>(i)));
  }
  return Rational(1 + siphash(key, words.data(), words.size()) % 64);
}

}  // namespace

Outcome<Rational> exact_value(Function f, const Rational& x) {
  switch (f) {
    case Function::relu:
      return x > 0 ? x : Rational(0);
    case Function::relu_squared:
      return x > 0 ? Rational(x * x) : Rational(0);
    case Function::reciprocal:
      if (x == 0) return Outcome<Rational>::undefined("1/0 has no value");
      return Rational(1 / x);
    case Function::inv_sqrt:
      return exact_inverse_root(x);
    case Function::gelu:
    case Function::gelu_tanh:
    case Function::silu:
    case Function::tanh:
      return value_at_zero_only(f, x, 0);
    case Function::exp:
      return value_at_zero_only(f, x, 1);
  }
  return Outcome<Rational>::unable("unknown function");
}

Outcome<Rational> stand_in_value(Function f, const Rational& x) {
  switch (f) {
    case Function::gelu:
      return bent_line(x, 1);
    case Function::gelu_tanh:
      return bent_line(x, 2);
    case Function::silu:
      return bent_line(x, 3);
    case Function::tanh:
      return bent_line(x, 4);
    case Function::exp:
      return Rational(1 + bent_line(x, 6));
    case Function::relu:
    case Function::relu_squared:
    case Function::reciprocal:
    case Function::inv_sqrt:
      return exact_value(f, x);
  }
  return Outcome<Rational>::unable("unknown function");
}

Outcome<std::vector<Rational>> exact_softmax(const std::vector<Rational>& visible) {
  using Row = Outcome<std::vector<Rational>>;
  if (visible.empty()) return Row::undefined("softmax of a row without a visible key");
  for (const Rational& logit : visible)
    if (logit != visible.front())
      return Row::unable("softmax of the different logits " + to_string(visible.front()) + " and " + to_string(logit) +
                         " is not rational");
  return std::vector<Rational>(visible.size(), Rational(1, visible.size()));
}

Outcome<std::vector<Rational>> stand_in_softmax(const std::vector<Rational>& visible) {
  using Row = Outcome<std::vector<Rational>>;
  if (visible.empty()) return Row::undefined("softmax of a row without a visible key");
  std::vector<Rational> weights;
  Rational sum = 0;
  for (const Rational& logit : visible) {
    weights.push_back(hashed_weight(logit));
    sum += weights.back();
  }
  for (Rational& weight : weights) weight /= sum;
  return weights;
}

}  // namespace attest::arith
