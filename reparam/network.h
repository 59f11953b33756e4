#pragma once

#include <string>

#include "core/claim/claim.h"
#include "core/expr/transformer.h"

namespace attest::reparam {

// Which sub-layers of a serial block have a skip. mixed: attention only, MLP only and none in turn, layer by layer.
enum class Skips { both, attention, mlp, none, mixed };
std::string to_string(Skips skips);

// A statement over a graph of its own. Throws InputError unless the size is valid and h k = d, so that W_Q is square.
claim::Statement network_statement(const claim::Size& size);

// Adds the input once; asking again for the same name returns the same input.
expr::Expr ensure_input(claim::Statement& statement, const std::string& name, expr::Shape shape,
                        claim::Recipe recipe = {});

// A network of the size without norms, biases or positions: causal, relu, a vocabulary of n rows and an untied readout.
// free_scale: the scale s is an input, so that the claim is shown for every scale; otherwise 1/sqrt(k).
expr::TransformerSpec network_spec(claim::Statement& statement, const claim::Size& size, Skips skips, bool free_scale);

// RoPE where k is even, ALiBi, QK-norm (eps) and an additive mask, all at once, with their angles, slopes and mask
// entries as inputs: what leaves the projections alone may be as it likes.
void add_positional_terms(claim::Statement& statement, expr::TransformerSpec& spec, const Rational& qk_norm_eps);

// Every weight of the specification as an input under its name; each W_Q.l is invertible by recipe and by a condition
// of the hypothesis "invertible". shared: base names ("W_K") whose weights are one input for all layers, of that name
// ("W_K.1" where there is one layer only). zero: base names whose weights are zero and no inputs.
expr::Weights add_weights(claim::Statement& statement, const expr::TransformerSpec& spec,
                          const std::vector<std::string>& shared = {}, const std::vector<std::string>& zero = {});

// The base names of a layer's weights under this specification, without W_Q and b_Q.
std::vector<std::string> bases_but_query(const expr::TransformerSpec& spec);

// Requires W_Q.l (or the shared W_Q) to be invertible: a condition of the hypothesis "invertible", once per matrix.
void require_invertible(claim::Statement& statement, expr::Expr matrix);

// The network's result: expr::transformer, plus the readout bias b_U where the weights have one.
expr::Expr network_output(expr::Graph& graph, const expr::Weights& weights, const expr::TransformerSpec& spec);

// The equation "the network with these weights computes the same": both sides' network_output.
void require_same_function(claim::Statement& statement, const std::string& label, const expr::Weights& weights,
                           const expr::Weights& moved, const expr::TransformerSpec& spec);

// Where a counterexample exists with d = h = m = 1: up to n tokens and L layers.
std::vector<claim::Size> scalar_sizes(std::int64_t tokens, std::int64_t layers);

}  // namespace attest::reparam
