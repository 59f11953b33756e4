#include <catch2/catch.hpp>

#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("RoPE, ALiBi, QK-norm, masks and cross-attention leave the constructions true", "[reparam][rope]") {
  require_holds("reparam.rope", {"tiny", "small"});
}

TEST_CASE("a singular basis fails under ALiBi too", "[reparam][rope]") {
  require_refuted("reparam.rope", "invertible", {"", 1, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.rope", "invertible", "tiny");
}

TEST_CASE("in cross-attention the other stream's keys and values must keep their basis", "[reparam][rope]") {
  require_refuted("reparam.rope", "keys_keep_basis", {"", 1, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.rope", "keys_keep_basis", "tiny");
}

}  // namespace attest::test
