#include <catch2/catch.hpp>

#include "property_tests/reparam/sides.h"

using namespace attest;
using test::layer_size;

TEST_CASE("the logits have degree two, and one after the elimination", "[reparam][logit_degree]") {
  test::check_claim_side("reparam.logit_degree",
                         {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2), layer_size(3, 4, 4, 2, 1)});
}

TEST_CASE("normalized queries and keys have no polynomial logits", "[reparam][logit_degree]") {
  test::check_ablation("reparam.logit_degree", "no_qk_norm", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2)});
}

TEST_CASE("a difference of one order less does not vanish", "[reparam][logit_degree]") {
  // The leading equations compare with the logits of the direction, which are not zero on these instances: were the
  // degree lower, the claim would fail.
  const auto statement = test::claim_named("reparam.logit_degree").build({layer_size(2, 2, 1, 1, 2), ""});
  REQUIRE(statement.equations.size() == 4);
  claim::Statement too_low = statement;
  too_low.equations = {{"second difference without its value", statement.equations[1].expected,
                        expr::Expr(statement.equations[1].constructed.node().operands[0])},
                       {"first difference without its value", statement.equations[3].expected,
                        expr::Expr(statement.equations[3].constructed.node().operands[0])}};
  CHECK(test::in_rationals(too_low, 5).different == 5);
}
