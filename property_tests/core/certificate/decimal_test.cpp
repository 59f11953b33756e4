#include "core/certificate/decimal.h"

#include <catch2/catch.hpp>

#include "property_tests/support/property.h"

namespace attest::certificate {
namespace {

Rational pick_rational() {
  Rational q(*rc::gen::inRange<std::int64_t>(-1000000, 1000001), *rc::gen::inRange<std::int64_t>(1, 5000));
  q.canonicalize();
  return q;
}

}  // namespace

TEST_CASE("a ball's text is read as the interval that it is", "[certificate]") {
  const auto ends = [](const char* text) {
    const auto enclosure = parse_enclosure(text);
    return enclosure ? to_string(enclosure->low) + " " + to_string(enclosure->high) : "none";
  };
  CHECK(ends("[1.25 +/- 5e-2]") == "6/5 13/10");
  CHECK(ends("[-1.25 +/- 0.05]") == "-13/10 -6/5");
  CHECK(ends("[+/- 2.5e-1]") == "-1/4 1/4");
  CHECK(ends("[1e+2 +/- 1]") == "99 101");
  CHECK(ends("3/7") == "3/7 3/7");
  CHECK(ends("-12") == "-12 -12");
  CHECK(ends("0.5") == "1/2 1/2");
  const auto tiny = parse_enclosure("[-1.5e-7000000 +/- 2e-7000010]");
  REQUIRE(tiny.has_value());
  CHECK(tiny->low < 0);
  CHECK(tiny->high > 0);
  CHECK(rounded_value(*tiny, 1024) == Integer(0));
  for (const char* text :
       {"",         "[",        "[]", "nan",          "inf",      "[nan +/- inf]", "[1 +/- -1]",
        "[1 2]",    "[1+/- 1]", "1e", "1e9999999999", "1e100001", "1/0",           "1e-99999999999999999999",
        "[1 +/- 1", ".",        "-",  "1/",           "/2",       "1/-2",          "--1",
        "1.2.3",    "[1 +/- ]"})
    CHECK(ends(text) == "none");
}

TEST_CASE("the rounded text contains the number and is the nearest decimal", "[certificate]") {
  const auto report = test::check_property("the text of round(10^D x) contains x", [] {
    const Rational x = pick_rational();
    const auto decimals = *rc::gen::inRange<std::int64_t>(1, 40);
    const auto value = rounded_value({x, x}, decimals);
    RC_ASSERT(value.has_value());
    const auto enclosure = parse_enclosure(rounded_text(*value, decimals));
    RC_ASSERT(enclosure.has_value());
    RC_ASSERT(enclosure->low <= x);
    RC_ASSERT(x <= enclosure->high);
    RC_ASSERT(rounded_text(*value, decimals).size() >= static_cast<std::size_t>(decimals) + 10);
    RC_TAG(x < 0 ? "negative" : "not negative");
  });
  CHECK(report.count("negative") > 10);
}

TEST_CASE("an interval that reaches a tie has no rounding, and any narrower one has that of its points",
          "[certificate]") {
  test::check_property("the rounding of an interval is the rounding of each point, or there is none", [] {
    const Rational x = pick_rational(), radius = abs(pick_rational()) / 100000000;
    const auto decimals = *rc::gen::inRange<std::int64_t>(1, 6);
    const auto whole = rounded_value({x - radius, x + radius}, decimals);
    const auto low = rounded_value({x - radius, x - radius}, decimals);
    const auto high = rounded_value({x + radius, x + radius}, decimals);
    RC_ASSERT(whole.has_value() == (low == high));
    if (whole) RC_ASSERT(*whole == *low);
    RC_CLASSIFY(whole.has_value(), "determined");
  });
  CHECK_FALSE(rounded_value({Rational(4, 100), Rational(6, 100)}, 1).has_value());
  CHECK(rounded_text(*rounded_value({Rational(-1, 3), Rational(-1, 3)}, 3), 3) == "[-0.333 +/- 5e-4]");
  CHECK(rounded_text(0, 2) == "[0.00 +/- 5e-3]");
}

}  // namespace attest::certificate
