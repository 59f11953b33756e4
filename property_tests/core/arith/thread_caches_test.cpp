#include "core/arith/thread_caches.h"

#include <catch2/catch.hpp>
#include <thread>

#include "core/arith/backend.h"

using namespace attest;

// Under AddressSanitizer a thread that leaves its caches behind is reported as a leak at the end of this program.
TEST_CASE("a thread can evaluate again after its caches were released", "[arith]") {
  Truth first = Truth::unknown, second = Truth::unknown;
  std::thread worker([&] {
    for (Truth* result : {&first, &second}) {
      {
        const auto ball = arith::make_backend("ball", {.precision = 256});
        const auto a = ball->fill({2, 2}, Rational(1, 3)).value();
        const auto e = ball->elementwise(expr::Function::gelu, a).value();
        *result = ball->compare(e, a).equal;
      }
      arith::release_thread_caches();
    }
  });
  worker.join();
  CHECK(first == Truth::no);
  CHECK(second == Truth::no);
}
