#include "core/expr/function.h"

#include <catch2/catch.hpp>

#include "core/expr/mask.h"

using attest::expr::Function;
using attest::expr::Mask;

TEST_CASE("every function has a name that finds it", "[expr]") {
  int named = 0;
  for (int i = 0; i <= static_cast<int>(Function::inv_sqrt); ++i) {
    const auto function = static_cast<Function>(i);
    CHECK(attest::expr::function_named(attest::expr::to_string(function)) == function);
    ++named;
  }
  CHECK(named == 9);
  CHECK_FALSE(attest::expr::function_named("sigmoid").has_value());
  CHECK_FALSE(attest::expr::function_named("").has_value());
}

TEST_CASE("only the reciprocal is a rational operation", "[expr]") {
  for (int i = 0; i <= static_cast<int>(Function::inv_sqrt); ++i) {
    const auto function = static_cast<Function>(i);
    CHECK(attest::expr::is_rational_operation(function) == (function == Function::reciprocal));
  }
}

TEST_CASE("the causal mask is aligned at the last query", "[expr]") {
  // Two queries over five keys are the last two rows of five queries over five keys.
  for (std::int64_t i = 0; i < 2; ++i)
    for (std::int64_t j = 0; j < 5; ++j)
      CHECK(Mask::causal().visible(i, j, 2, 5) == Mask::causal().visible(i + 3, j, 5, 5));
  CHECK(Mask::causal().visible(2, 2, 4, 4));
  CHECK_FALSE(Mask::causal().visible(2, 3, 4, 4));
  // More queries than keys: the first ones see nothing.
  CHECK_FALSE(Mask::causal().visible(0, 0, 3, 2));
}

TEST_CASE("a window sees the query and the keys just before it", "[expr]") {
  for (std::int64_t i = 0; i < 6; ++i) {
    int seen = 0;
    for (std::int64_t j = 0; j < 6; ++j) {
      CHECK(Mask::none().visible(i, j, 6, 6));
      seen += Mask::window(3).visible(i, j, 6, 6) ? 1 : 0;
      CHECK(Mask::window(6).visible(i, j, 6, 6) == Mask::causal().visible(i, j, 6, 6));
    }
    CHECK(seen == (i < 2 ? i + 1 : 3));
  }
}

TEST_CASE("masks have names", "[expr]") {
  CHECK(attest::expr::to_string(Mask::none()) == "none");
  CHECK(attest::expr::to_string(Mask::causal()) == "causal");
  CHECK(attest::expr::to_string(Mask::window(4)) == "window 4");
}
