#include "core/arith/rational_functions.h"

#include <catch2/catch.hpp>

#include "property_tests/support/generators.h"
#include "property_tests/support/property.h"

namespace {

using namespace attest;
using namespace attest::arith;
using attest::test::any_rational;
using attest::test::check_property;
using expr::Function;

constexpr Function transcendental[] = {Function::gelu, Function::gelu_tanh, Function::silu, Function::tanh,
                                       Function::exp};

TEST_CASE("piecewise rational functions are evaluated everywhere", "[arith][rational]") {
  check_property("relu, relu_squared, reciprocal", [] {
    const Rational x = *any_rational();
    RC_CLASSIFY(x < 0, "negative");
    RC_ASSERT(exact_value(Function::relu, x).value() == (x > 0 ? x : Rational(0)));
    RC_ASSERT(exact_value(Function::relu_squared, x).value() == (x > 0 ? Rational(x * x) : Rational(0)));
    if (x != 0) RC_ASSERT(exact_value(Function::reciprocal, x).value() * x == 1);
  });
  CHECK(exact_value(Function::reciprocal, 0).status() == Status::undefined);
}

TEST_CASE("the inverse square root is exact at squares, undefined at nonpositive numbers, otherwise unable",
          "[arith][rational]") {
  check_property("1/sqrt(x^2) = 1/|x|, and 2 x^2 is no square", [] {
    const Rational x = *rc::gen::suchThat(any_rational(), [](const Rational& value) { return value != 0; });
    RC_ASSERT(exact_value(Function::inv_sqrt, x * x).value() == 1 / abs(x));
    RC_ASSERT(exact_value(Function::inv_sqrt, 2 * x * x).status() == Status::unable);
    RC_ASSERT(exact_value(Function::inv_sqrt, -x * x).status() == Status::undefined);
  });
  CHECK(exact_value(Function::inv_sqrt, 0).status() == Status::undefined);
}

TEST_CASE("transcendental functions have a rational value at 0 only, which the stand-ins share", "[arith][rational]") {
  for (const Function f : transcendental) {
    const Rational at_zero = f == Function::exp ? 1 : 0;
    CHECK(exact_value(f, 0).value() == at_zero);
    CHECK(stand_in_value(f, 0).value() == at_zero);
    CHECK(exact_value(f, Rational(1, 2)).status() == Status::unable);
  }
}

TEST_CASE("the stand-ins of activations are neither homogeneous nor odd nor even, and differ", "[arith][rational]") {
  for (const Function f : transcendental) {
    const auto at = [f](const Rational& x) { return stand_in_value(f, x).value(); };
    CHECK(at(20) != 10 * at(2));
    CHECK(at(-3) != -at(3));
    CHECK(at(-3) != at(3));
    for (const Function g : transcendental)
      if (f != g) CHECK(at(20) != stand_in_value(g, 20).value());
  }
}

TEST_CASE("the stand-in row function is a positive row distribution that agrees with softmax where that is rational",
          "[arith][rational]") {
  const auto report = check_property("weights are positive, sum to 1, keep ties, and tell logits apart", [] {
    const auto logits = *rc::gen::nonEmpty(rc::gen::container<std::vector<Rational>>(any_rational()));
    const std::vector<Rational> weights = stand_in_softmax(logits).value();
    Rational sum = 0;
    for (const Rational& weight : weights) {
      RC_ASSERT(weight > 0);
      sum += weight;
    }
    RC_ASSERT(sum == 1);
    const std::vector<Rational> equal(logits.size(), logits.front());
    RC_ASSERT(stand_in_softmax(equal).value() == exact_softmax(equal).value());
    const bool all_equal = logits == equal;
    RC_CLASSIFY(!all_equal, "different");
    RC_ASSERT(exact_softmax(logits).status() == (all_equal ? Status::success : Status::unable));
  });
  CHECK(report.count("different") > 20);
  // Two logits weigh the same in one case in 64.
  int apart = 0;
  for (int t = 1; t <= 200; ++t) {
    const auto pair = stand_in_softmax({Rational(t, 7), Rational(t + 1, 7)}).value();
    apart += pair[0] != pair[1];
  }
  CHECK(apart > 180);
  CHECK(exact_softmax({}).status() == Status::undefined);
  CHECK(stand_in_softmax({}).status() == Status::undefined);
}

}  // namespace
