#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/reparam/sides.h"

using namespace attest;
using test::layer_size;

TEST_CASE("eliminating the query holds for any number of KV heads", "[reparam][elimination]") {
  test::check_claim_side("reparam.eliminate_query", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2),
                                                     layer_size(3, 4, 4, 2, 1), layer_size(3, 4, 4, 1, 1)});
}

TEST_CASE("eliminating the key or the value holds where g k = d, also for wider queries", "[reparam][elimination]") {
  for (const char* id : {"reparam.eliminate_key", "reparam.eliminate_value"})
    test::check_claim_side(id, {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2), layer_size(2, 2, 2, 1, 2)});
}

TEST_CASE("a singular projection with its pseudo-inverse refutes each elimination", "[reparam][elimination]") {
  test::check_ablation("reparam.eliminate_query", "invertible", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 4, 2, 1)});
  test::check_ablation("reparam.eliminate_key", "invertible", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2)});
  test::check_ablation("reparam.eliminate_value", "invertible", {layer_size(2, 2, 1, 1, 2), layer_size(3, 4, 2, 2, 2)});
}

TEST_CASE("below two tokens and two dimensions a singular value changes nothing", "[reparam][elimination]") {
  const auto& claim = test::claim_named("reparam.eliminate_value");
  for (const auto& size : {layer_size(1, 1, 1, 1, 1), layer_size(4, 1, 1, 1, 1), layer_size(1, 2, 1, 1, 2)}) {
    INFO("n = " << size.n << ", d = " << size.d);
    CHECK(test::with_real_functions(claim.build({size, "invertible"}), 20).different == 0);
    CHECK(test::in_rationals(claim.build({size, "invertible"}), 20).different == 0);
  }
}

TEST_CASE("a projection that is not square is an input error that names its shape", "[reparam][elimination]") {
  const auto message_of = [](const char* id, const claim::Size& size) {
    try {
      test::claim_named(id).build({size, ""});
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  CHECK_THAT(message_of("reparam.eliminate_key", claim::named_size("llama3-8b")),
             Catch::Contains("W_K is 4096 x 1024") && Catch::Contains("8 KV heads"));
  CHECK_THAT(message_of("reparam.eliminate_value", layer_size(2, 4, 4, 2, 1)), Catch::Contains("W_V is 4 x 2"));
  CHECK_THAT(message_of("reparam.eliminate_query", layer_size(2, 4, 3, 1, 1)), Catch::Contains("W_Q is 4 x 3"));
}

TEST_CASE("the ablations reject the same shapes as the claims", "[reparam][elimination]") {
  CHECK_THROWS_AS(test::claim_named("reparam.eliminate_key").build({layer_size(2, 4, 4, 2, 1), "invertible"}),
                  InputError);
}
