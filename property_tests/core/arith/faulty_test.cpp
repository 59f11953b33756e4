#include "core/arith/faulty.h"

#include <catch2/catch.hpp>

#include "property_tests/core/arith/computations.h"

namespace attest::test {

namespace {

int count_unable(const arith::Backend& backend) {
  int unable = 0;
  for (int i = 0; i < 400; ++i) unable += backend.identity(2).ok() ? 0 : 1;
  return unable;
}

}  // namespace

TEST_CASE("a fault rate of 0 changes nothing and of 1 leaves nothing", "[arith][faulty]") {
  const auto never = arith::make_faulty(arith::make_backend("rational"), 0, 1);
  const auto always = arith::make_faulty(arith::make_backend("rational"), 1, 1);
  const auto inner = arith::make_backend("rational");
  const RationalMatrix matrix = random_inputs(Entries::fractions, 2, RandomStream(1))[0];
  const auto a = never->from_rational(matrix);
  CHECK(never->to_rational(a.value()).value() == matrix);
  CHECK(never->compare(a.value(), a.value()).equal == Truth::yes);
  CHECK(always->compare(a.value(), a.value()).equal == Truth::unknown);
  CHECK(always->invertible(a.value()) == Truth::unknown);
  CHECK(always->rank(a.value()).status() == Status::unable);
  CHECK(always->inverse(a.value()).status() == Status::unable);
  CHECK(always->elementwise(expr::Function::relu, a.value()).status() == Status::unable);
  CHECK(always->softmax(a.value(), expr::Mask::none()).status() == Status::unable);
  CHECK(always->to_rational(a.value()).status() == Status::unable);
  CHECK(count_unable(*never) == 0);
  CHECK(count_unable(*always) == 400);
}

TEST_CASE("faults come at the stated rate and repeat with the seed", "[arith][faulty]") {
  const auto first = arith::make_faulty(arith::make_backend("rational"), 0.25, 9);
  const auto again = arith::make_faulty(arith::make_backend("rational"), 0.25, 9);
  const auto other = arith::make_faulty(arith::make_backend("rational"), 0.25, 10);
  int differing = 0;
  for (int i = 0; i < 400; ++i) {
    const bool fault = first->identity(1).ok();
    REQUIRE(fault == again->identity(1).ok());
    differing += fault == other->identity(1).ok() ? 0 : 1;
  }
  CHECK(differing > 0);
  const int unable = count_unable(*first);
  CHECK(unable > 50);  // 100 expected, standard deviation 8.7
  CHECK(unable < 150);
}

}  // namespace attest::test
