#include <catch2/catch.hpp>

#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("an affine change of basis removes the query weight and its bias for every skip pattern", "[reparam][bias]") {
  require_holds("reparam.bias", {"tiny", "small"});
}

TEST_CASE("the query bias cannot be dropped without the shift", "[reparam][bias]") {
  require_refuted("reparam.bias", "affine", {"", 2, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.bias", "affine", "tiny");
}

TEST_CASE("the affine change needs an invertible query weight", "[reparam][bias]") {
  require_refuted("reparam.bias", "invertible", {"", 1, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.bias", "invertible", "tiny");
}

}  // namespace attest::test
