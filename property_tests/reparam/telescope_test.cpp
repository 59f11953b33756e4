#include <catch2/catch.hpp>

#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("every query weight becomes the identity where each layer lacks a skip", "[reparam][telescope]") {
  require_holds("reparam.telescope", {"tiny", "small"});
}

TEST_CASE("telescope fails with both skips at n = d = L = 1", "[reparam][telescope]") {
  require_refuted("reparam.telescope", "one_skip_missing", {"", 1, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.telescope", "one_skip_missing", "small");
}

TEST_CASE("telescope with both skips needs two layers to fail if the readout may absorb the last basis",
          "[reparam][telescope]") {
  require_refuted("reparam.telescope", "one_skip_missing_absorbed", {"", 1, 1, 1, 1, 1, 2, 1});
  require_differs("reparam.telescope", "one_skip_missing_absorbed", "small");
}

TEST_CASE("telescope fails for a singular query and for a tied readout", "[reparam][telescope]") {
  for (const char* dropped : {"invertible", "untied_readout"}) {
    require_refuted("reparam.telescope", dropped, {"", 1, 1, 1, 1, 1, 1, 1});
    require_differs("reparam.telescope", dropped, "tiny");
  }
}

}  // namespace attest::test
