#include "core/support/check.h"

#include <catch2/catch.hpp>

#include "property_tests/support/aborting.h"

TEST_CASE("a broken invariant ends the process and names condition, place and reason", "[support]") {
  const int height = 2;
  const std::string message = attest::test::abort_message([&] { ATTEST_CHECK(height == 3, "three rows are needed"); });
  CHECK_THAT(message, Catch::Contains("height == 3") && Catch::Contains("check_test.cpp:") &&
                          Catch::Contains("three rows are needed"));
}

TEST_CASE("a kept invariant has no effect", "[support]") {
  CHECK(attest::test::abort_message([] { ATTEST_CHECK(true, "never shown"); }) == "did not abort");
}
