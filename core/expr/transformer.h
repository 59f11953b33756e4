#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/expr/attention.h"

namespace attest::expr {

// MLP(Y) = f(Y W_1 + b_1) W_2 + b_2, Y: n x d, W_1: d x m, W_2: m x d; biases may be absent.
Expr mlp(Expr Y, Expr W_1, const std::optional<Expr>& b_1, Expr W_2, const std::optional<Expr>& b_2, Function f);
// (f(Y W_gate) o (Y W_up)) W_down.
Expr gated_mlp(Expr Y, Expr W_gate, Expr W_up, Expr W_down, Function f);

enum class NormPlace { none, pre, post };  // pre: on what attention and MLP read; post: after the sum
enum class NormKind { layer, rms };

// A decoder-only (or encoder) transformer over named weights. Layers count from 1.
struct TransformerSpec {
  std::int64_t tokens = 1, width = 1, layers = 1, hidden = 1, vocabulary = 1;  // n, d, L, m, v
  AttentionSpec attention;                                                     // the same in every layer
  Function activation = Function::relu;
  bool gated = false;
  bool biases = false;               // b_Q, b_K, b_V, b_O, b_1, b_2 in every layer
  bool positions = false;            // a learned row a position, Pos
  bool readout = true;               // else the result is the last residual stream
  bool tied = false;                 // readout E^T instead of U
  bool parallel = false;             // x + attn(x) + mlp(x)
  std::vector<bool> attention_skip;  // one a layer; empty: all present. parallel uses attention_skip only
  std::vector<bool> mlp_skip;
  NormPlace norm = NormPlace::none;
  NormKind norm_kind = NormKind::layer;
  Rational norm_eps = 0;
  bool norm_affine = false;  // gamma_1.l, beta_1.l, gamma_2.l, beta_2.l, and gamma_f, beta_f after the last
};

bool has_attention_skip(const TransformerSpec& spec, std::int64_t layer);
bool has_mlp_skip(const TransformerSpec& spec, std::int64_t layer);

// Weights by name: E (v x d), Pos (n x d), W_Q.1, b_Q.1, ..., W_1.1, W_gate.1, ..., U (d x v).
using Weights = std::map<std::string, Expr>;

// The name of a layer's weight: layer_weight("W_Q", 2) is "W_Q.2".
std::string layer_weight(const std::string& base, std::int64_t layer);

// Names and shapes of every weight the specification has, in the order in which a forward pass meets them.
std::vector<std::pair<std::string, Shape>> weight_shapes(const TransformerSpec& spec);
// The weights as inputs of the graph under their names.
Weights input_weights(Graph& graph, const TransformerSpec& spec);

// The layer's attention weights out of the map.
AttentionWeights attention_weights(const Weights& weights, std::int64_t layer, const TransformerSpec& spec);

// x_0 = S E + Pos, S the selection of the tokens 0, 1, ..., n - 1 modulo v: n x d.
Expr embed(Graph& graph, const Weights& weights, const TransformerSpec& spec);
// One block applied to the residual stream x (n x d).
Expr transformer_block(Expr x, const Weights& weights, std::int64_t layer, const TransformerSpec& spec);
// The whole network: x_L U (or x_L E^T, or x_L), n x v or n x d. A pre-norm network has a norm before the readout.
// Throws InputError naming a weight that is missing from the map.
Expr transformer(Graph& graph, const Weights& weights, const TransformerSpec& spec);

}  // namespace attest::expr
