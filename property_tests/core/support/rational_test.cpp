#include "core/support/rational.h"

#include <array>
#include <catch2/catch.hpp>
#include <cstdio>

#include "core/support/error.h"
#include "property_tests/support/aborting.h"
#include "property_tests/support/generators.h"
#include "property_tests/support/property.h"

using attest::exact_rational;
using attest::parse_rational;
using attest::Rational;

namespace {

// The C library's own exact notation for a double.
std::string hexadecimal(double value) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%a", value);
  return text.data();
}

}  // namespace

TEST_CASE("a printed rational reads back as itself", "[support][rational]") {
  const auto report = attest::test::check_property("parse inverts print", [] {
    const Rational value = *attest::test::any_rational();
    RC_CLASSIFY(value < 0, "negative");
    RC_CLASSIFY(value.get_den() == 1, "integer");
    RC_CLASSIFY(mpz_sizeinbase(value.get_num_mpz_t(), 2) > 64, "beyond 64 bits");
    RC_ASSERT(parse_rational(attest::to_string(value)) == value);
  });
  for (const auto* tag : {"negative", "integer", "beyond 64 bits"}) CHECK(report.count(tag) > 0);
}

TEST_CASE("every finite double is its hexadecimal notation exactly", "[support][rational]") {
  const auto report = attest::test::check_property(
      "parse(%a) is the double",
      [] {
        const double value = *attest::test::any_finite_double();
        RC_CLASSIFY(value != 0 && std::abs(value) < 0x1p-1022, "subnormal");
        RC_CLASSIFY(std::abs(value) > 0x1p+500, "huge");
        RC_CLASSIFY(std::signbit(value), "negative");
        const Rational exact = exact_rational(value);
        RC_ASSERT(exact.get_d() == value);
        RC_ASSERT(parse_rational(hexadecimal(value)) == exact);
      },
      400);
  for (const auto* tag : {"subnormal", "huge", "negative"}) CHECK(report.count(tag) > 0);
}

TEST_CASE("numbers are decimal, in lowest terms, and may have leading zeros", "[support][rational]") {
  CHECK(parse_rational("010") == 10);
  CHECK(parse_rational("09/012") == Rational(3, 4));
  CHECK(parse_rational("-0") == 0);
  CHECK(attest::to_string(parse_rational("-6/4")) == "-3/2");
  CHECK(attest::to_string(parse_rational("6/3")) == "2");
  CHECK(parse_rational("0x1.8p+3") == 12);
  CHECK(parse_rational("-0X.8P-1") == Rational(-1, 4));
  CHECK(parse_rational("0x1p0") == 1);
}

TEST_CASE("anything else is an input error that shows the text", "[support][rational]") {
  for (const auto* text : {"",          "-",     "+1",     "--1",         " 1",  "1 ",   "1.5", "1e3",  "1/",
                           "/2",        "1/0",   "1/-2",   "1/2/3",       "0x",  "0xp1", "0x1", "0x1p", "0x1p+",
                           "0x1.8.0p1", "0xgp1", "0x-1p1", "0x1p9999999", "nan", "inf",  "1_0"}) {
    INFO("text '" << text << "'");
    CHECK_THROWS_AS(parse_rational(text), attest::InputError);
    CHECK_THROWS_WITH(parse_rational(text), Catch::Contains("'" + std::string(text) + "'"));
  }
}

TEST_CASE("a double that is no number has no rational value", "[support][rational]") {
  CHECK_THAT(attest::test::abort_message([] { (void)exact_rational(HUGE_VAL); }), Catch::Contains("finite"));
}

TEST_CASE("a matrix is stored row by row and compares by shape and entries", "[support][rational]") {
  attest::RationalMatrix matrix(2, 3);
  matrix.at(1, 0) = Rational(5, 7);
  CHECK(matrix.entries[3] == Rational(5, 7));
  attest::RationalMatrix reshaped(3, 2);
  reshaped.entries = matrix.entries;
  CHECK_FALSE(matrix == reshaped);
  CHECK(matrix == attest::RationalMatrix(matrix));
}
