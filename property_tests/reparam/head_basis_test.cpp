#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("query weights that differ by block-diagonal factors and head orders become the identity",
          "[reparam][head_basis]") {
  require_holds("reparam.head_basis", {"tiny", "small"});
}

TEST_CASE("head_basis fails for a dense factor, QK-norm and RoPE", "[reparam][head_basis]") {
  require_refuted("reparam.head_basis", "block_diagonal", {"", 2, 2, 2, 2, 1, 2, 1});
  require_refuted("reparam.head_basis", "no_qk_norm", {"", 2, 1, 1, 1, 1, 2, 1});
  require_refuted("reparam.head_basis", "no_rope", {"", 2, 2, 1, 1, 2, 2, 1});
  for (const char* dropped : {"block_diagonal", "no_qk_norm", "no_rope"})
    require_differs("reparam.head_basis", dropped, "tiny");
}

TEST_CASE("head_basis refuses shapes that its hypotheses cannot speak about", "[reparam][head_basis]") {
  const auto& claim = reparam_claims().at("reparam.head_basis");
  CHECK_THROWS_AS(claim.build({{"one head", 2, 2, 1, 1, 2, 2, 1}, "block_diagonal"}), InputError);
  CHECK_THROWS_AS(claim.build({{"odd k", 2, 3, 1, 1, 3, 2, 1}, "no_rope"}), InputError);
  CHECK_THROWS_AS(claim.build({{"one layer", 2, 2, 2, 2, 1, 1, 1}, "block_diagonal"}), InputError);
}

}  // namespace attest::test
