#include <catch2/catch.hpp>

#include "property_tests/reparam/sides.h"

using namespace attest;
using test::layer_size;

TEST_CASE("one head may keep the product of query and key in its key", "[reparam][merge]") {
  test::check_claim_side("reparam.merge_qk",
                         {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 1, 1, 4), layer_size(3, 4, 2, 2, 2)});
}

TEST_CASE("several heads may not merge their whole query and key", "[reparam][merge]") {
  test::check_ablation("reparam.merge_qk", "single_head", {layer_size(2, 2, 2, 2, 1), layer_size(3, 4, 2, 2, 2)});
}

TEST_CASE("under RoPE merging query and key is refuted", "[reparam][merge]") {
  CHECK(test::claim_named("reparam.merge_qk_rope").false_on_purpose);
  test::check_ablation("reparam.merge_qk_rope", "", {layer_size(2, 2, 1, 1, 2), layer_size(3, 4, 2, 2, 2)});
}

TEST_CASE("overwriting the query by the identity is refuted from two tokens on", "[reparam][merge]") {
  CHECK(test::claim_named("reparam.overwrite_query").false_on_purpose);
  test::check_ablation("reparam.overwrite_query", "", {layer_size(2, 1, 1, 1, 1), layer_size(3, 4, 4, 2, 1)});
  const auto one_token = test::claim_named("reparam.overwrite_query").build({layer_size(1, 2, 2, 2, 1), ""});
  CHECK(test::in_rationals(one_token, 10).equal == 10);
}
