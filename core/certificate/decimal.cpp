#include "core/certificate/decimal.h"

#include "core/support/check.h"

namespace attest::certificate {
namespace {

// Beyond these a number is not written out: far larger or smaller than anything a rounding at 1024 decimals tells
// apart.
constexpr long largest_exponent = 100000;
constexpr long most_exponent_digits = 18;

bool all_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

Integer power_of_ten(unsigned long exponent) {
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, exponent);
  return power;
}

// -1.25e-3. Numbers that are too small to write out become the interval [-10^-50000, 10^-50000].
std::optional<Enclosure> parse_decimal(std::string_view text) {
  const bool negative = !text.empty() && text[0] == '-';
  if (negative) text.remove_prefix(1);
  long exponent = 0;
  const auto mark = text.find_first_of("eE");
  if (mark != std::string_view::npos) {
    std::string_view digits = text.substr(mark + 1);
    const bool below_one = !digits.empty() && digits[0] == '-';
    if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) digits.remove_prefix(1);
    if (!all_digits(digits) || digits.size() > most_exponent_digits) return std::nullopt;
    exponent = std::stol(std::string(digits)) * (below_one ? -1 : 1);
    text = text.substr(0, mark);
  }
  std::string digits(text);
  const auto point = digits.find('.');
  if (point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  if (!all_digits(digits) || exponent > largest_exponent || digits.size() > largest_exponent / 2) return std::nullopt;
  if (exponent < -largest_exponent) {
    const Rational tiny = 1 / Rational(power_of_ten(largest_exponent / 2));
    return Enclosure{-tiny, tiny};
  }
  Rational value(Integer(digits, 10));
  const Integer power = power_of_ten(static_cast<unsigned long>(exponent < 0 ? -exponent : exponent));
  if (exponent < 0)
    value /= power;
  else
    value *= power;
  if (negative) value = -value;
  return Enclosure{value, value};
}

// -3/7
std::optional<Enclosure> parse_fraction(std::string_view text) {
  const auto slash = text.find('/');
  const std::string_view digits = text.substr(!text.empty() && text[0] == '-' ? 1 : 0);
  if (!all_digits(digits.substr(0, digits.find('/'))) || !all_digits(text.substr(slash + 1))) return std::nullopt;
  const Integer denominator(std::string(text.substr(slash + 1)), 10);
  if (denominator == 0) return std::nullopt;
  const Rational value = parse_rational(text);
  return Enclosure{value, value};
}

Integer round_half_up(const Rational& x) {
  const Rational shifted = x + Rational(1, 2);
  Integer rounded;
  mpz_fdiv_q(rounded.get_mpz_t(), shifted.get_num_mpz_t(), shifted.get_den_mpz_t());
  return rounded;
}

}  // namespace

std::optional<Enclosure> parse_enclosure(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    return text.find('/') == std::string_view::npos ? parse_decimal(text) : parse_fraction(text);
  text = text.substr(1, text.size() - 2);
  const std::string_view separator = "+/- ";
  const auto at = text.find(separator);
  if (at == std::string_view::npos || (at > 0 && text[at - 1] != ' ')) return std::nullopt;
  const auto midpoint = at == 0 ? Enclosure{0, 0} : parse_decimal(text.substr(0, at - 1));
  const std::string_view radius_text = text.substr(at + separator.size());
  if (!midpoint || radius_text.find('-') == 0) return std::nullopt;
  const auto radius = parse_decimal(radius_text);
  if (!radius) return std::nullopt;
  return Enclosure{midpoint->low - radius->high, midpoint->high + radius->high};
}

std::optional<Integer> rounded_value(const Enclosure& enclosure, std::int64_t decimals) {
  ATTEST_CHECK(decimals >= 1, "a rounded text has decimals");
  const Integer power = power_of_ten(static_cast<unsigned long>(decimals));
  const Integer low = round_half_up(enclosure.low * power), high = round_half_up(enclosure.high * power);
  if (low != high) return std::nullopt;
  return low;
}

std::string rounded_text(const Integer& value, std::int64_t decimals) {
  ATTEST_CHECK(decimals >= 1, "a rounded text has decimals");
  std::string digits = Integer(abs(value)).get_str();
  const auto width = static_cast<std::size_t>(decimals) + 1;
  if (digits.size() < width) digits.insert(0, width - digits.size(), '0');
  digits.insert(digits.size() - static_cast<std::size_t>(decimals), ".");
  return "[" + std::string(value < 0 ? "-" : "") + digits + " +/- 5e-" + std::to_string(decimals + 1) + "]";
}

}  // namespace attest::certificate
