#include "core/support/outcome.h"

#include <catch2/catch.hpp>
#include <type_traits>

#include "property_tests/support/aborting.h"

using attest::Outcome;
using attest::Status;

static_assert(!std::is_convertible_v<Outcome<int>, bool>, "an outcome is not a truth value");

TEST_CASE("a success carries its value", "[support]") {
  const Outcome<std::string> outcome(std::string("7/3"));
  CHECK(outcome.ok());
  CHECK(outcome.status() == Status::success);
  CHECK(outcome.value() == "7/3");
  CHECK(Outcome<std::string>(std::string("moved")).value() == "moved");
}

TEST_CASE("a failure keeps its status and reason, also across types", "[support]") {
  const auto undefined = Outcome<int>::undefined("division by zero");
  const auto unable = Outcome<int>::unable("precision exhausted");
  CHECK_FALSE(undefined.ok());
  CHECK(undefined.status() == Status::undefined);
  CHECK(unable.status() == Status::unable);
  CHECK(unable.reason() == "precision exhausted");
  const auto passed_on = Outcome<std::string>::failure_of(undefined);
  CHECK(passed_on.status() == Status::undefined);
  CHECK(passed_on.reason() == "division by zero");
}

TEST_CASE("reading the value of a failure is a programmer error", "[support]") {
  const auto failure = Outcome<int>::unable("no enclosure");
  CHECK_THAT(attest::test::abort_message([&] { (void)failure.value(); }), Catch::Contains("no enclosure"));
  const Outcome<int> success(1);
  CHECK_THAT(attest::test::abort_message([&] { (void)Outcome<int>::failure_of(success); }),
             Catch::Contains("failing status"));
}
