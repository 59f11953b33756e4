#include "model/family.h"

#include <cstdlib>

#include "core/support/check.h"

namespace attest::model {
namespace {

// A Linear of PyTorch: weight out x in, bias optional.
void add_linear(std::vector<Entry>* entries, const std::string& symbol, const std::string& module, Extent in,
                Extent out, bool optional_bias) {
  entries->push_back({"W_" + symbol, {module + ".weight"}, Storage::out_by_in, in, out, false, 0, 1});
  entries->push_back({"b_" + symbol, {module + ".bias"}, Storage::row, Extent::one, out, optional_bias, 0, 1});
}

// GPT-2's Conv1D: weight in x out; `part` of `parts` blocks of columns.
void add_conv1d(std::vector<Entry>* entries, const std::string& symbol, const std::string& module, Extent in,
                Extent out, int part = 0, int parts = 1) {
  entries->push_back({"W_" + symbol, {module + ".weight"}, Storage::in_by_out, in, out, false, part, parts});
  entries->push_back({"b_" + symbol, {module + ".bias"}, Storage::row, Extent::one, out, false, part, parts});
}

// LayerNorm; checkpoints converted from TensorFlow say gamma and beta for weight and bias.
void add_norm(std::vector<Entry>* entries, const std::string& number, const std::string& module, bool has_beta) {
  entries->push_back({"gamma_" + number,
                      {module + ".weight", module + ".gamma"},
                      Storage::row,
                      Extent::one,
                      Extent::residual,
                      false,
                      0,
                      1});
  if (has_beta)
    entries->push_back({"beta_" + number,
                        {module + ".bias", module + ".beta"},
                        Storage::row,
                        Extent::one,
                        Extent::residual,
                        false,
                        0,
                        1});
}

FamilyDescription bert() {
  FamilyDescription family{Family::bert,
                           "BERT",
                           "encoder.layer.",
                           "attention.self.query.weight",
                           "num_attention_heads",
                           "",
                           "",
                           "hidden_act",
                           "W_1",
                           {}};
  auto* entries = &family.entries;
  add_linear(entries, "Q", "attention.self.query", Extent::residual, Extent::query, false);
  add_linear(entries, "K", "attention.self.key", Extent::residual, Extent::key_value, false);
  add_linear(entries, "V", "attention.self.value", Extent::residual, Extent::key_value, false);
  add_linear(entries, "O", "attention.output.dense", Extent::query, Extent::residual, false);
  add_norm(entries, "1", "attention.output.LayerNorm", true);
  add_linear(entries, "1", "intermediate.dense", Extent::residual, Extent::hidden, false);
  add_linear(entries, "2", "output.dense", Extent::hidden, Extent::residual, false);
  add_norm(entries, "2", "output.LayerNorm", true);
  return family;
}

FamilyDescription gpt2() {
  FamilyDescription family{Family::gpt2,          "GPT-2", "h.", "attn.c_attn.weight", "n_head", "", "",
                           "activation_function", "W_1",   {}};
  auto* entries = &family.entries;
  add_norm(entries, "1", "ln_1", true);
  add_conv1d(entries, "Q", "attn.c_attn", Extent::residual, Extent::query, 0, 3);
  add_conv1d(entries, "K", "attn.c_attn", Extent::residual, Extent::query, 1, 3);
  add_conv1d(entries, "V", "attn.c_attn", Extent::residual, Extent::query, 2, 3);
  add_conv1d(entries, "O", "attn.c_proj", Extent::query, Extent::residual);
  add_norm(entries, "2", "ln_2", true);
  add_conv1d(entries, "1", "mlp.c_fc", Extent::residual, Extent::hidden);
  add_conv1d(entries, "2", "mlp.c_proj", Extent::hidden, Extent::residual);
  return family;
}

FamilyDescription llama() {
  FamilyDescription family{Family::llama,
                           "Llama",
                           "layers.",
                           "self_attn.q_proj.weight",
                           "num_attention_heads",
                           "num_key_value_heads",
                           "head_dim",
                           "hidden_act",
                           "W_gate",
                           {}};
  auto* entries = &family.entries;
  add_norm(entries, "1", "input_layernorm", false);
  add_linear(entries, "Q", "self_attn.q_proj", Extent::residual, Extent::query, true);
  add_linear(entries, "K", "self_attn.k_proj", Extent::residual, Extent::key_value, true);
  add_linear(entries, "V", "self_attn.v_proj", Extent::residual, Extent::key_value, true);
  add_linear(entries, "O", "self_attn.o_proj", Extent::query, Extent::residual, true);
  add_norm(entries, "2", "post_attention_layernorm", false);
  add_linear(entries, "gate", "mlp.gate_proj", Extent::residual, Extent::hidden, true);
  add_linear(entries, "up", "mlp.up_proj", Extent::residual, Extent::hidden, true);
  add_linear(entries, "down", "mlp.down_proj", Extent::hidden, Extent::residual, true);
  return family;
}

}  // namespace

const std::vector<FamilyDescription>& families() {
  static const std::vector<FamilyDescription> list{bert(), gpt2(), llama()};
  return list;
}

const FamilyDescription& describe(Family family) {
  for (const auto& description : families())
    if (description.family == family) return description;
  ATTEST_CHECK(false, "a family without a description");
  std::abort();
}

std::string to_string(Family family) { return describe(family).name; }

}  // namespace attest::model
