#pragma once

#include <optional>
#include <vector>

#include "core/expr/transformer.h"

// Weights in, weights out: the constructions of the chapter on networks, for any weights given as expressions. Nothing
// here checks a hypothesis; README.md says under which the result computes the same function. Where a construction
// needs a readout bias, the result has an additional weight b_U (1 x v).
namespace attest::reparam {

// The change x -> x T + t of the residual stream at one of its points. T_inverse is T^-1, or what an ablation puts in
// its place; t (1 x d) may be absent.
struct Basis {
  expr::Expr T;
  expr::Expr T_inverse;
  std::optional<expr::Expr> t;
};
Basis standard_basis(expr::Graph& graph, std::int64_t d);
Basis basis_of(expr::Expr T, const std::optional<expr::Expr>& t = {});

// The points of the stream: what layer 1 reads is point 0, and every sub-layer (parallel: every block) ends at the next
// point. 2 L + 1 of them, parallel L + 1.
std::int64_t stream_points(const expr::TransformerSpec& spec);

// Every read at a point becomes T^-1 W with bias b - t T^-1 W, every write into a point W T with bias b T, plus t where
// no skip brings it along; the embedding goes to the basis of point 0, the readout reads the basis of the last point.
// Preserves the function if the two ends of every skip have the same basis. Throws InputError where a shift t has no
// bias to go into (biases absent, or a gated MLP without a skip).
expr::Weights change_basis(const expr::Weights& weights, const expr::TransformerSpec& spec,
                           const std::vector<Basis>& points);

// Replaces W_Q of the layer by I and drops its bias: what T = W_Q, t = b_Q makes of them.
void eliminate_query(expr::Weights& weights, const expr::TransformerSpec& spec, std::int64_t layer);

// One layer's W_Q becomes I by the same basis everywhere. The basis is W_Q of the layer unless given.
expr::Weights single_layer(const expr::Weights& weights, const expr::TransformerSpec& spec, std::int64_t layer);
expr::Weights single_layer(const expr::Weights& weights, const expr::TransformerSpec& spec, std::int64_t layer,
                           const Basis& basis);

// T_l = W_Q.l for l = 1..L, with t_l = b_Q.l if affine, and the standard basis after the last layer.
std::vector<Basis> query_bases(const expr::Weights& weights, const expr::TransformerSpec& spec, bool affine);

// The bases T_1 ... T_(L+1) of the layers spread over the stream's points: T_l is kept along the attention skip,
// T_(l+1) begins before the MLP if only that has a skip, and without any skip the point in between keeps the standard
// basis.
std::vector<Basis> telescoping_points(const expr::TransformerSpec& spec, const std::vector<Basis>& bases);

// Every layer's W_Q becomes I, where each layer has a sub-layer without skip. Query biases are kept.
expr::Weights telescope(const expr::Weights& weights, const expr::TransformerSpec& spec);
expr::Weights telescope(const expr::Weights& weights, const expr::TransformerSpec& spec,
                        const std::vector<Basis>& bases);
// The same with t_l = b_Q.l: the query biases go too.
expr::Weights affine_telescope(const expr::Weights& weights, const expr::TransformerSpec& spec);

// All layers share W_Q: one basis W_Q.1 for the whole stream, any skips. Query biases are kept.
expr::Weights shared_query(const expr::Weights& weights, const expr::TransformerSpec& spec);
expr::Weights shared_query(const expr::Weights& weights, const expr::TransformerSpec& spec, const Basis& basis);
// The same with the shift t = b_Q.1: layer l keeps the query bias b_Q.l - t, and the readout gets - t T^-1 U.
expr::Weights affine_shared_query(const expr::Weights& weights, const expr::TransformerSpec& spec);

// Head i of a layer takes the place of head source[i]; whole KV groups move together.
using HeadOrder = std::vector<std::int64_t>;
HeadOrder same_order(const expr::AttentionSpec& spec);
// Group j takes the place of group j + 1 mod g, and inside a group head i that of i + 1 mod h/g.
HeadOrder rotated_order(const expr::AttentionSpec& spec);

// The blocks of width k of a matrix's columns (or rows) in another order: block i of the result is block source[i].
expr::Expr reorder_columns(expr::Expr matrix, const std::vector<std::int64_t>& source, std::int64_t width);
expr::Expr reorder_rows(expr::Expr matrix, const std::vector<std::int64_t>& source, std::int64_t width);
// The order that undoes it.
std::vector<std::int64_t> inverse_order(const std::vector<std::int64_t>& source);

// The factor of W_K that a block-diagonal query factor B (h k x h k, blocks equal inside a KV group) turns into:
// diag(B_1, ..., B_g)^T, g k x g k, B_j the block of the first head of group j.
expr::Expr key_factor(expr::Expr B, const expr::AttentionSpec& spec);

// What a layer's query is beyond the first layer's: W_Q.l = W_Q.1 B P, P the permutation of head blocks that puts block
// i at source[i].
struct QueryFactor {
  expr::Expr B;
  HeadOrder source;
};
// One basis W_Q.1 for the whole stream; layer l has W_K,j -> T^-1 W_K,j B_j^T and its heads reordered. factors: one a
// layer.
expr::Weights head_basis(const expr::Weights& weights, const expr::TransformerSpec& spec,
                         const std::vector<QueryFactor>& factors);

// --- no skips at all
enum class Projection { query, key, value };
// Serial: the chosen projection into the previous W_2, W_1 := W_O W_1, W_O := I.
expr::Weights skipless_serial(const expr::Weights& weights, const expr::TransformerSpec& spec, Projection projection);
// Parallel: W_Q of every layer into the previous W_2 and W_O.
expr::Weights skipless_parallel_query(const expr::Weights& weights, const expr::TransformerSpec& spec);
// Parallel: W_O of every layer removed, its inverse into W_2, itself into every next read.
expr::Weights skipless_parallel_output(const expr::Weights& weights, const expr::TransformerSpec& spec);
// Parallel: both removed where blocks[l-1] = W_O.l W_Q.(l+1) is block-diagonal, equal inside KV groups (l = 1..L-1).
expr::Weights skipless_parallel_blocks(const expr::Weights& weights, const expr::TransformerSpec& spec,
                                       const std::vector<expr::Expr>& blocks);
// Parallel: "both removed" by the formulas of the serial case; not the same function. absorb: the diagonal blocks of
// W_O.l W_Q.(l+1) go into W_V.l first.
expr::Weights skipless_parallel_both(const expr::Weights& weights, const expr::TransformerSpec& spec, bool absorb);

}  // namespace attest::reparam
