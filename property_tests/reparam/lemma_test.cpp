#include <catch2/catch.hpp>

#include "property_tests/reparam/sides.h"

using namespace attest;
using test::layer_size;

TEST_CASE("the lemma holds under every mask, for grouped queries and for heads narrower or wider than the stream",
          "[reparam][lemma]") {
  test::check_claim_side("reparam.lemma", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2),
                                           layer_size(3, 4, 4, 2, 1), layer_size(2, 3, 2, 1, 2)});
}

TEST_CASE("the lemma speaks about all masks, the last token alone and a wide T", "[reparam][lemma]") {
  const auto statement = test::claim_named("reparam.lemma").build({claim::named_size("tiny"), ""});
  CHECK(statement.equations.size() == 6);
  // At real sizes the wide T would need an inverse as a matrix.
  CHECK(test::claim_named("reparam.lemma").build({claim::named_size("gpt2-small"), ""}).equations.size() == 5);
}

TEST_CASE("a singular T with its pseudo-inverse refutes the lemma, at one token and one dimension already",
          "[reparam][lemma]") {
  test::check_ablation("reparam.lemma", "invertible",
                       {layer_size(1, 1, 1, 1, 1), layer_size(1, 2, 1, 1, 2), layer_size(3, 4, 2, 1, 2)});
}
