#include <catch2/catch.hpp>

#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("one basis for every sub-block preserves the function", "[reparam][local_basis]") {
  require_holds("reparam.local_basis", {"tiny", "small"});
}

TEST_CASE("bases that are not all equal fail for some parameters", "[reparam][local_basis]") {
  require_refuted("reparam.local_basis", "equal_bases", {"", 1, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.local_basis", "equal_bases", "tiny");
}

}  // namespace attest::test
