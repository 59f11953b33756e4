#include <catch2/catch.hpp>

#include "model/layout.h"
#include "property_tests/model/scratch.h"

namespace attest::model {
namespace {

TEST_CASE("the family, the prefix and the number of layers are found from tensor names", "[model][detect]") {
  const Layout bert = detect_layout("f", {"bert.encoder.layer.0.attention.self.query.weight",
                                          "bert.encoder.layer.1.attention.self.query.weight", "classifier.weight"});
  CHECK(bert.family == Family::bert);
  CHECK(bert.prefix == "bert.");
  CHECK(bert.layers == 2);
  const Layout gpt2 = detect_layout("f", {"h.0.attn.c_attn.weight"});
  CHECK(gpt2.family == Family::gpt2);
  CHECK(gpt2.prefix.empty());
  const Layout llama = detect_layout("f", {"model.layers.0.self_attn.q_proj.weight"});
  CHECK(llama.family == Family::llama);
  CHECK(llama.prefix == "model.");
}

TEST_CASE("an unknown layout says what was looked for and what is there", "[model][detect]") {
  const auto message = test::error_of([] {
    (void)detect_layout("m.safetensors", {"foo", "bath.0.attn.c_attn.weight"});
  });
  CHECK_THAT(message, Catch::Contains("'m.safetensors'") &&
                          Catch::Contains("encoder.layer.0.attention.self.query.weight") &&
                          Catch::Contains("h.0.attn.c_attn.weight") &&
                          Catch::Contains("layers.0.self_attn.q_proj.weight") && Catch::Contains("'foo'"));
  CHECK_THAT(test::error_of([] { (void)detect_layout("m", {}); }), Catch::Contains("no tensors"));
  CHECK_THAT(test::error_of([] {
               (void)detect_layout("m", {"h..attn.c_attn.weight", "h.x.attn.c_attn.weight"});
             }),
             Catch::Contains("unknown"));
  CHECK_THAT(test::error_of([] { (void)detect_layout("m", {"h.99999999999999999999.attn.c_attn.weight"}); }),
             Catch::Contains("unknown"));
}

TEST_CASE("a missing layer and a second model are refused by name", "[model][detect]") {
  CHECK_THAT(test::error_of([] {
               (void)detect_layout("m", {"h.0.attn.c_attn.weight", "h.2.attn.c_attn.weight"});
             }),
             Catch::Contains("no tensor 'h.1.attn.c_attn.weight'"));
  CHECK_THAT(test::error_of([] {
               (void)detect_layout("m", {"a.h.0.attn.c_attn.weight", "b.h.0.attn.c_attn.weight"});
             }),
             Catch::Contains("several models") && Catch::Contains("'a.'") && Catch::Contains("'b.'"));
}

}  // namespace
}  // namespace attest::model
