#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("a shared query weight becomes the identity in every layer with both skips", "[reparam][shared]") {
  require_holds("reparam.shared_weights", {"tiny", "small"});
  require_holds("reparam.shared_query_only", {"tiny", "small"});
}

TEST_CASE("two different query weights need two tokens and two layers to fail", "[reparam][shared]") {
  require_refuted("reparam.shared_weights", "sharing", {"", 2, 1, 1, 1, 1, 2, 1});
  require_refuted("reparam.shared_query_only", "same_query", {"", 2, 1, 1, 1, 1, 2, 1});
  require_differs("reparam.shared_weights", "sharing", "tiny");
  require_differs("reparam.shared_query_only", "same_query", "tiny");
}

TEST_CASE("a singular shared query weight fails at once", "[reparam][shared]") {
  for (const char* id : {"reparam.shared_weights", "reparam.shared_query_only"}) {
    require_refuted(id, "invertible", {"", 1, 1, 1, 1, 1, 1, 1});
    require_differs(id, "invertible", "tiny");
  }
}

TEST_CASE("sharing cannot be dropped in one layer", "[reparam][shared]") {
  const claim::Size one_layer{"one layer", 2, 2, 1, 1, 2, 1, 1};
  CHECK_THROWS_AS(reparam_claims().at("reparam.shared_weights").build({one_layer, "sharing"}), InputError);
}

}  // namespace attest::test
