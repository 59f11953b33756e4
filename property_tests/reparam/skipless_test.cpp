#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("without skips a projection and the output weight go into the MLP", "[reparam][skipless]") {
  require_holds("reparam.skipless", {"tiny", "small"});
}

TEST_CASE("skipless fails with a skip and with a singular query weight", "[reparam][skipless]") {
  for (const char* dropped : {"no_skip", "invertible"}) {
    require_refuted("reparam.skipless", dropped, {"", 1, 1, 1, 1, 1, 1, 1});
    require_differs("reparam.skipless", dropped, "tiny");
  }
}

TEST_CASE("a parallel junction does not lose both weights", "[reparam][skipless]") {
  require_refuted("reparam.skipless_parallel_both", "", {"", 1, 1, 1, 1, 1, 2, 1});
  require_differs("reparam.skipless_parallel_both", "", "tiny");
  const claim::Size one_layer{"one layer", 1, 1, 1, 1, 1, 1, 1};
  CHECK_THROWS_AS(reparam_claims().at("reparam.skipless_parallel_both").build({one_layer, ""}), InputError);
}

}  // namespace attest::test
