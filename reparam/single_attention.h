#pragma once

#include <memory>

#include "core/claim/claim.h"
#include "core/expr/attention.h"

namespace attest::reparam {

// An empty statement with a graph. Throws InputError where the size is not one of an attention layer.
claim::Statement start_statement(const claim::Size& size);

// The attention of a claim: width k, h heads, g KV heads, and the scale s as a free 1 x 1 input, so that the claim is
// shown for every scale. Ablations pass free_scale = false and get the real 1/sqrt(k).
expr::AttentionSpec attention_spec(const claim::Size& size, expr::Graph& graph, bool free_scale);

// The same for a statement: adds the input s where the scale is free.
expr::AttentionSpec add_attention_spec(claim::Statement& statement, const claim::Size& size, bool free_scale);

// Adds an input to the statement and returns it.
expr::Expr add_input(claim::Statement& statement, const std::string& name, expr::Shape shape,
                     claim::Recipe recipe = {});

// W_Q, W_K, W_V, W_O as inputs of the statement, W_Q by the given recipe.
expr::AttentionWeights add_attention_inputs(claim::Statement& statement, const claim::Size& size,
                                            claim::Recipe query_recipe = {});

// A matrix of general entries with an invertible recipe, and the condition that it is, for the hypothesis.
expr::Expr add_invertible(claim::Statement& statement, const std::string& name, std::int64_t d,
                          const std::string& hypothesis);

// A product A B of inner dimension min(d - 1, 8) (inputs A_name, B_name) and its Moore-Penrose inverse; the zero matrix
// for d = 1. The pseudo-inverse of a product of full-rank factors is B^T (B B^T)^-1 (A^T A)^-1 A^T.
struct SingularMatrix {
  expr::Expr matrix;
  expr::Expr pseudo_inverse;
};
SingularMatrix add_singular(claim::Statement& statement, const std::string& name, std::int64_t d);

// Rotations by angles of rational cosine and sine, one a pair of coordinates (2 x k/2, input "rotation"), with the
// condition that they are rotations. Throws InputError where k is odd.
expr::Rope add_rope_input(claim::Statement& statement, std::int64_t k,
                          expr::Rope::Pairing pairing = expr::Rope::Pairing::interleaved);

// The specification under every kind of mask: none, causal, a window of two keys, and a free additive matrix M
// (n x n, an input). Each with the name that labels its equation.
struct MaskedSpec {
  std::string label;
  expr::AttentionSpec spec;
};
std::vector<MaskedSpec> add_masks(claim::Statement& statement, const expr::AttentionSpec& spec, std::int64_t n);

// One equation a mask: the attention of X by `weights` against the attention of X_moved by `moved`.
void add_masked_equations(claim::Statement& statement, const std::vector<MaskedSpec>& masks, expr::Expr X,
                          const expr::AttentionWeights& weights, expr::Expr X_moved,
                          const expr::AttentionWeights& moved);

// Ones on the diagonal of a matrix that need not be square.
expr::Expr rectangular_identity(expr::Graph& graph, expr::Shape shape);

// diag(A_1, ..., A_m): the blocks, zero elsewhere.
expr::Expr block_diagonal(const std::vector<expr::Expr>& blocks);

// Throws InputError naming h k and d unless h k = d.
void require_square_query(const claim::Size& size);

// Sizes of a counterexample search: n, d, h, g, k of one layer.
claim::Size search_size(std::int64_t n, std::int64_t d, std::int64_t h, std::int64_t g, std::int64_t k);

// The citation of Karbevski and Mijoski's paper.
extern const char* const karbevski_mijoski;
// What is derived in README.md.
extern const char* const derived_here;

}  // namespace attest::reparam
