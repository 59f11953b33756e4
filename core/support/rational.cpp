#include "core/support/rational.h"

#include <cmath>

#include "core/support/check.h"
#include "core/support/error.h"

namespace attest {
namespace {

[[noreturn]] void reject(std::string_view text) {
  throw InputError("'" + std::string(text) +
                   "' is not an exact number: expected an integer, \"p/q\" with q > 0, or a hexadecimal float such as "
                   "\"0x1.8p+3\"");
}

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Rational power_of_two(long exponent) {
  Rational result(1);
  if (exponent >= 0)
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<unsigned long>(exponent));
  else
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<unsigned long>(-exponent));
  return result;
}

// digits after "0x": h[.h]p[+-]d
Rational parse_hex_float(std::string_view text, std::string_view body) {
  const auto exponent_mark = body.find_first_of("pP");
  if (exponent_mark == std::string_view::npos) reject(text);
  std::string mantissa(body.substr(0, exponent_mark));
  std::string_view exponent_text = body.substr(exponent_mark + 1);
  bool negative = false;
  if (!exponent_text.empty() && (exponent_text[0] == '+' || exponent_text[0] == '-')) {
    negative = exponent_text[0] == '-';
    exponent_text.remove_prefix(1);
  }
  if (!all_digits(exponent_text) || exponent_text.size() > 6) reject(text);
  long exponent = std::stol(std::string(exponent_text)) * (negative ? -1 : 1);
  const auto point = mantissa.find('.');
  if (point != std::string::npos) {
    exponent -= 4 * static_cast<long>(mantissa.size() - point - 1);
    mantissa.erase(point, 1);
  }
  if (mantissa.empty() || mantissa.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) reject(text);
  return Rational(Integer(mantissa, 16)) * power_of_two(exponent);
}

}  // namespace

Rational parse_rational(std::string_view text) {
  std::string_view body = text;
  const bool negative = !body.empty() && body[0] == '-';
  if (negative) body.remove_prefix(1);
  Rational magnitude;
  if (body.size() > 2 && body[0] == '0' && (body[1] == 'x' || body[1] == 'X')) {
    magnitude = parse_hex_float(text, body.substr(2));
  } else {
    const auto slash = body.find('/');
    const std::string_view numerator = body.substr(0, slash);
    const std::string_view denominator = slash == std::string_view::npos ? "1" : body.substr(slash + 1);
    if (!all_digits(numerator) || !all_digits(denominator)) reject(text);
    // Base 10 said outright: GMP would read a leading zero as octal.
    const Integer q(std::string(denominator), 10);
    if (q == 0) reject(text);
    magnitude = Rational(Integer(std::string(numerator), 10), q);
    magnitude.canonicalize();
  }
  if (negative) magnitude = -magnitude;
  return magnitude;
}

std::string to_string(const Rational& value) { return value.get_str(); }

Rational exact_rational(double value) {
  ATTEST_CHECK(std::isfinite(value), "only a finite double is a rational number");
  return Rational(value);
}

}  // namespace attest
