#include "model/layout.h"

#include <catch2/catch.hpp>

#include "property_tests/model/synthetic.h"

namespace attest::model {
namespace {

using Names = std::vector<std::string>;

Names names_of(const std::map<std::string, DoubleMatrix>& layer) {
  Names names;
  for (const auto& item : layer) names.push_back(item.first);
  return names;
}

TEST_CASE("a BERT layer is read in the row convention", "[model][layout]") {
  const test::ScratchFolder folder;
  const auto path =
      test::synthetic_bert(2, "bert.").save(folder, R"({"num_attention_heads": 2, "hidden_act": "gelu"})");
  const Checkpoint checkpoint = Checkpoint::open(path);
  CHECK(checkpoint.family() == Family::bert);
  CHECK(checkpoint.size() == claim::Size{checkpoint.name(), 1, 4, 2, 2, 2, 2, 6});
  CHECK(checkpoint.activation() == "gelu");
  const auto layer = checkpoint.layer(2);
  CHECK(names_of(layer) == Names{"W_1", "W_2", "W_K", "W_O", "W_Q", "W_V", "b_1", "b_2", "b_K", "b_O", "b_Q", "b_V",
                                 "beta_1", "beta_2", "gamma_1", "gamma_2"});
  CHECK(checkpoint.tensor_name(2, "W_1") == "bert.encoder.layer.1.intermediate.dense.weight");
  const DoubleMatrix stored = checkpoint.file().read("bert.encoder.layer.1.intermediate.dense.weight");
  const DoubleMatrix& W_1 = layer.at("W_1");
  CHECK(W_1.rows == 4);
  CHECK(W_1.cols == 6);
  CHECK(W_1.at(1, 5) == stored.at(5, 1));
  CHECK(W_1.at(3, 2) == stored.at(2, 3));
  CHECK(layer.at("b_1").entries == checkpoint.file().read("bert.encoder.layer.1.intermediate.dense.bias").entries);
  CHECK(checkpoint.layer(1).at("W_Q").entries != layer.at("W_Q").entries);
}

TEST_CASE("norms named gamma and beta are read as well", "[model][layout]") {
  const test::ScratchFolder folder;
  const Checkpoint checkpoint =
      Checkpoint::open(test::synthetic_bert(1, "", true).save(folder, R"({"num_attention_heads": 1})"));
  CHECK(checkpoint.layer(1).at("gamma_2").entries ==
        checkpoint.file().read("encoder.layer.0.output.LayerNorm.gamma").entries);
}

TEST_CASE("GPT-2's fused projection is split by columns and not transposed", "[model][layout]") {
  const test::ScratchFolder folder;
  const Checkpoint checkpoint = Checkpoint::open(
      test::synthetic_gpt2(3).save(folder, R"({"n_head": 2, "n_layer": 3, "activation_function": "gelu_new"})"));
  CHECK(checkpoint.size() == claim::Size{checkpoint.name(), 1, 4, 2, 2, 2, 3, 8});
  CHECK(checkpoint.activation() == "gelu_new");
  const auto layer = checkpoint.layer(1);
  const DoubleMatrix fused = checkpoint.file().read("transformer.h.0.attn.c_attn.weight");
  CHECK(layer.at("W_Q").at(1, 2) == fused.at(1, 2));
  CHECK(layer.at("W_K").at(1, 2) == fused.at(1, 6));
  CHECK(layer.at("W_V").at(3, 0) == fused.at(3, 8));
  CHECK(layer.at("b_V").at(0, 3) == checkpoint.file().read("transformer.h.0.attn.c_attn.bias").at(0, 11));
  CHECK(layer.at("W_2").rows == 8);
  CHECK(layer.at("W_2").at(7, 1) == checkpoint.file().read("transformer.h.0.mlp.c_proj.weight").at(7, 1));
}

TEST_CASE("a Llama layer has KV groups, a gated MLP and no biases", "[model][layout]") {
  const test::ScratchFolder folder;
  const Checkpoint checkpoint = Checkpoint::open(test::synthetic_llama(2).save(
      folder, R"({"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 2, "hidden_act": "silu"})"));
  CHECK(checkpoint.size() == claim::Size{checkpoint.name(), 1, 6, 4, 2, 2, 2, 5});
  const auto layer = checkpoint.layer(2);
  CHECK(names_of(layer) == Names{"W_K", "W_O", "W_Q", "W_V", "W_down", "W_gate", "W_up", "gamma_1", "gamma_2"});
  CHECK(layer.at("W_Q").rows == 6);
  CHECK(layer.at("W_Q").cols == 8);
  CHECK(layer.at("W_O").rows == 8);
  CHECK(layer.at("W_down").rows == 5);
  CHECK(layer.at("W_down").at(4, 1) == checkpoint.file().read("model.layers.1.mlp.down_proj.weight").at(1, 4));
}

TEST_CASE("optional biases are read where a file has them", "[model][layout]") {
  const test::ScratchFolder folder;
  auto model = test::synthetic_llama(1);
  model.add_row("model.layers.0.self_attn.q_proj.bias", 8);
  const Checkpoint checkpoint =
      Checkpoint::open(model.save(folder, R"({"num_attention_heads": 4, "num_key_value_heads": 2})"));
  CHECK(checkpoint.layer(1).count("b_Q") == 1);
  CHECK(checkpoint.layer(1).count("b_K") == 0);
}

TEST_CASE("without a number of heads the message names the file and the key, and a given number helps",
          "[model][layout]") {
  const test::ScratchFolder folder;
  const std::string path = test::synthetic_bert(1).save(folder, "");
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(path); }), Catch::Contains("'num_attention_heads'") &&
                                                                        Catch::Contains(folder.file("config.json")) &&
                                                                        Catch::Contains("no such file"));
  CheckpointOptions options;
  options.heads = 2;
  CHECK(Checkpoint::open(path, options).size().k == 2);
  options.heads = 3;
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(path, options); }), Catch::Contains("= 3 does not divide"));
  options.heads = 0;
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(path, options); }), Catch::Contains("number of heads is 0"));
  options.heads.reset();
  options.configuration = folder.write("other.json", R"({"num_attention_heads": 4})");
  CHECK(Checkpoint::open(path, options).size().k == 1);
  folder.write("config.json", R"({"hidden_size": 4})");
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(path); }),
             Catch::Contains("'num_attention_heads' is not in") && !Catch::Contains("no such file"));
}

TEST_CASE("a missing tensor is named with its layer", "[model][layout]") {
  const test::ScratchFolder folder;
  auto model = test::synthetic_bert(2);
  model.remove("encoder.layer.1.output.dense.bias");
  const Checkpoint checkpoint = Checkpoint::open(model.save(folder, R"({"num_attention_heads": 2})"));
  CHECK(checkpoint.layer(1).size() == 16);
  CHECK_THAT(test::error_of([&] { (void)checkpoint.layer(2); }),
             Catch::Contains("'encoder.layer.1.output.dense.bias'") && Catch::Contains("nearest names"));
}

TEST_CASE("shapes that contradict each other are refused with both", "[model][layout]") {
  const test::ScratchFolder folder;
  auto model = test::synthetic_bert(1);
  model.remove("encoder.layer.0.attention.self.key.weight");
  model.add("encoder.layer.0.attention.self.key.weight", 4, 5);
  const std::string path = model.save(folder, R"({"num_attention_heads": 2})");
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(path); }),
             Catch::Contains("attention.self.key.weight' has shape [4, 5]; expected [4, 4]") &&
                 Catch::Contains("W_K is d x g k"));
}

TEST_CASE("a configuration of another model is refused", "[model][layout]") {
  const test::ScratchFolder folder;
  const std::string path =
      test::synthetic_bert(2).save(folder, R"({"num_attention_heads": 2, "num_hidden_layers": 12})");
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(path); }),
             Catch::Contains("'num_hidden_layers' is 12; expected 2"));
  const test::ScratchFolder other;
  const std::string llama =
      test::synthetic_llama(1).save(other, R"({"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 4})");
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(llama); }), Catch::Contains("'head_dim' is 4; expected 2"));
  other.write("config.json", R"({"num_attention_heads": 4, "num_key_value_heads": 3})");
  CHECK_THAT(test::error_of([&] { (void)Checkpoint::open(llama); }), Catch::Contains("KV heads = 3 does not divide"));
}

TEST_CASE("layers and weights that do not exist are refused with those that do", "[model][layout]") {
  const test::ScratchFolder folder;
  const Checkpoint checkpoint = Checkpoint::open(test::synthetic_bert(2).save(folder, R"({"num_attention_heads": 2})"));
  CHECK_THAT(test::error_of([&] { (void)checkpoint.layer(0); }), Catch::Contains("no layer 0; expected 1 to 2"));
  CHECK_THAT(test::error_of([&] { (void)checkpoint.layer(3); }), Catch::Contains("no layer 3"));
  CHECK_THAT(test::error_of([&] { (void)checkpoint.weight(1, "W_gate"); }),
             Catch::Contains("no weight 'W_gate'") && Catch::Contains("W_1"));
}

}  // namespace
}  // namespace attest::model
