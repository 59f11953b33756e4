#include "core/support/truth.h"

#include <array>
#include <catch2/catch.hpp>
#include <type_traits>

using attest::both;
using attest::negate;
using attest::Truth;

static_assert(!std::is_convertible_v<Truth, bool>, "a caller says which of the three values it handles");

TEST_CASE("the conjunction is Kleene's", "[support]") {
  constexpr std::array order{Truth::no, Truth::unknown, Truth::yes};  // the conjunction is the minimum in this order
  for (std::size_t i = 0; i < order.size(); ++i)
    for (std::size_t j = 0; j < order.size(); ++j) CHECK(both(order[i], order[j]) == order[i < j ? i : j]);
}

TEST_CASE("negation swaps yes and no and keeps unknown", "[support]") {
  CHECK(negate(Truth::yes) == Truth::no);
  CHECK(negate(Truth::no) == Truth::yes);
  CHECK(negate(Truth::unknown) == Truth::unknown);
}

TEST_CASE("truth values print as words", "[support]") {
  CHECK(attest::to_string(attest::truth(true)) == "true");
  CHECK(attest::to_string(attest::truth(false)) == "false");
  CHECK(attest::to_string(Truth::unknown) == "unknown");
}
