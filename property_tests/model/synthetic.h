#pragma once

#include <string>
#include <vector>

#include "model/safetensors.h"
#include "property_tests/model/scratch.h"

namespace attest::test {

// Small checkpoints with the names and shapes of the real ones; every tensor has its own values.
class SyntheticModel {
 public:
  void add(const std::string& name, std::int64_t rows, std::int64_t cols) {
    tensors.push_back(model::encode_tensor(name, model::DataType::float32, pattern(rows, cols, salt_++)));
  }
  void add_row(const std::string& name, std::int64_t cols) {
    tensors.push_back(model::encode_tensor(name, model::DataType::float32, pattern(1, cols, salt_++), true));
  }
  void add_linear(const std::string& module, std::int64_t in, std::int64_t out) {
    add(module + ".weight", out, in);
    add_row(module + ".bias", out);
  }
  void remove(const std::string& name) {
    std::erase_if(tensors, [&](const model::EncodedTensor& tensor) { return tensor.name == name; });
  }
  std::string save(const ScratchFolder& folder, const std::string& configuration) const {
    if (!configuration.empty()) folder.write("config.json", configuration);
    model::write_safetensors(folder.file("model.safetensors"), tensors);
    return folder.file("model.safetensors");
  }

  std::vector<model::EncodedTensor> tensors;

 private:
  std::int64_t salt_ = 0;
};

// d = 4, m = 6.
inline SyntheticModel synthetic_bert(int layers, const std::string& prefix = "", bool tensorflow_norms = false) {
  SyntheticModel model;
  model.add(prefix + "embeddings.word_embeddings.weight", 9, 4);
  for (int layer = 0; layer < layers; ++layer) {
    const std::string stem = prefix + "encoder.layer." + std::to_string(layer) + ".";
    for (const char* part : {"query", "key", "value"}) model.add_linear(stem + "attention.self." + part, 4, 4);
    model.add_linear(stem + "attention.output.dense", 4, 4);
    model.add_linear(stem + "intermediate.dense", 4, 6);
    model.add_linear(stem + "output.dense", 6, 4);
    for (const char* norm : {"attention.output.LayerNorm", "output.LayerNorm"}) {
      model.add_row(stem + norm + (tensorflow_norms ? ".gamma" : ".weight"), 4);
      model.add_row(stem + norm + (tensorflow_norms ? ".beta" : ".bias"), 4);
    }
  }
  return model;
}

// d = 4, m = 8, with the causal mask that old files carry.
inline SyntheticModel synthetic_gpt2(int layers, const std::string& prefix = "transformer.") {
  SyntheticModel model;
  for (int layer = 0; layer < layers; ++layer) {
    const std::string stem = prefix + "h." + std::to_string(layer) + ".";
    model.tensors.push_back({stem + "attn.bias", model::DataType::float32, {1, 1, 1, 1}, std::string(4, '\0')});
    model.add(stem + "attn.c_attn.weight", 4, 12);
    model.add_row(stem + "attn.c_attn.bias", 12);
    model.add(stem + "attn.c_proj.weight", 4, 4);
    model.add_row(stem + "attn.c_proj.bias", 4);
    model.add(stem + "mlp.c_fc.weight", 4, 8);
    model.add_row(stem + "mlp.c_fc.bias", 8);
    model.add(stem + "mlp.c_proj.weight", 8, 4);
    model.add_row(stem + "mlp.c_proj.bias", 4);
    for (const char* norm : {"ln_1", "ln_2"}) {
      model.add_row(stem + norm + ".weight", 4);
      model.add_row(stem + norm + ".bias", 4);
    }
  }
  return model;
}

// d = 6, h = 4, g = 2, k = 2, m = 5: heads wider together than the residual stream.
inline SyntheticModel synthetic_llama(int layers) {
  SyntheticModel model;
  for (int layer = 0; layer < layers; ++layer) {
    const std::string stem = "model.layers." + std::to_string(layer) + ".";
    model.add(stem + "self_attn.q_proj.weight", 8, 6);
    model.add(stem + "self_attn.k_proj.weight", 4, 6);
    model.add(stem + "self_attn.v_proj.weight", 4, 6);
    model.add(stem + "self_attn.o_proj.weight", 6, 8);
    model.add(stem + "mlp.gate_proj.weight", 5, 6);
    model.add(stem + "mlp.up_proj.weight", 5, 6);
    model.add(stem + "mlp.down_proj.weight", 6, 5);
    model.add_row(stem + "input_layernorm.weight", 6);
    model.add_row(stem + "post_attention_layernorm.weight", 6);
  }
  return model;
}

}  // namespace attest::test
