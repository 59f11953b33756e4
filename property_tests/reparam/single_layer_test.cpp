#include "reparam/single_layer.h"

#include <catch2/catch.hpp>

#include "property_tests/reparam/network_checks.h"

namespace attest::test {

TEST_CASE("one layer's query weight becomes the identity whatever the skips", "[reparam][single_layer]") {
  require_holds("reparam.single_layer", {"tiny", "small"});
}

TEST_CASE("single_layer fails for a singular query, a tied readout and RMS norms", "[reparam][single_layer]") {
  for (const char* dropped : {"invertible", "untied_readout", "no_norm"}) {
    require_refuted("reparam.single_layer", dropped, {"", 1, 1, 1, 1, 1, 1, 1});
    require_differs("reparam.single_layer", dropped, "tiny");
  }
}

TEST_CASE("single_layer is built at every real size it names", "[reparam][single_layer]") {
  const claim::Claim claim = reparam::single_layer_claim();
  for (const std::string& name : claim.sizes) {
    const claim::Statement statement = claim.build({claim::named_size(name), ""});
    INFO(name);
    CHECK(!statement.equations.empty());
    CHECK(statement.inputs.size() > 5);
  }
}

}  // namespace attest::test
