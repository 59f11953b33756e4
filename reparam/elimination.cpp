// reparam.eliminate_query, eliminate_key, eliminate_value: the basis in which one projection is the identity.
#include "core/support/error.h"
#include "reparam/claims.h"
#include "reparam/single_attention.h"
#include "reparam/transforms_attention.h"

namespace attest::reparam {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Recipe;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::AttentionSpec;
using expr::AttentionWeights;
using expr::Expr;

// A projection that becomes the identity of the stream is d x d.
void require_square(Projection projection, const Size& size) {
  const bool query = projection == Projection::query;
  const std::int64_t heads = query ? size.h : size.g;
  if (heads * size.k == size.d) return;
  const std::string name = weight_name(projection);
  throw InputError(
      name + " is " + std::to_string(size.d) + " x " + std::to_string(heads * size.k) + " (d x " + (query ? "h" : "g") +
      " k with " + std::to_string(heads) + (query ? "" : " KV") + " heads of width " + std::to_string(size.k) +
      "); only a square " + name +
      " can become the identity: " + (query ? "h k = d" : "g k = d, which grouped queries rule out when h k = d"));
}

Expr add_projection(Statement& statement, Projection projection, Projection eliminated, const Size& size) {
  const std::int64_t heads = projection == Projection::query ? size.h : size.g;
  const bool own = projection == eliminated;
  const expr::Shape shape{size.d, heads * size.k};
  return add_input(statement, weight_name(projection), shape,
                   {.kind = own ? Recipe::Kind::invertible : Recipe::Kind::general});
}

Statement build_claim(Projection projection, const Size& size) {
  Statement statement = start_statement(size);
  require_square(projection, size);
  const AttentionSpec spec = add_attention_spec(statement, size, true);
  const Expr X = add_input(statement, "X", {size.n, size.d});
  AttentionWeights weights;
  weights.W_Q = add_projection(statement, Projection::query, projection, size);
  weights.W_K = add_projection(statement, Projection::key, projection, size);
  weights.W_V = add_projection(statement, Projection::value, projection, size);
  weights.W_O = add_input(statement, "W_O", {size.h * size.k, size.d});
  const Expr T = weight_of(weights, projection);
  statement.conditions.push_back({Condition::Kind::invertible, {T}, "invertible"});
  const AttentionWeights moved = eliminate(weights, projection, inverse(T));
  add_masked_equations(statement, add_masks(statement, spec, size.n), X, weights, X * T, moved);
  return statement;
}

// A singular projection and its pseudo-inverse in the place of the inverse.
Statement build_singular(Projection projection, const Size& size) {
  Statement statement = start_statement(size);
  require_square(projection, size);
  const AttentionSpec spec = attention_spec(size, *statement.graph, false);
  expr::Graph& graph = *statement.graph;
  const Expr X = add_input(statement, "X", {size.n, size.d});
  const SingularMatrix T = add_singular(statement, weight_name(projection), size.d);
  const expr::Shape shared{size.d, size.g * size.k};
  AttentionWeights weights;
  weights.W_Q = projection == Projection::query ? T.matrix : add_input(statement, "W_Q", {size.d, size.h * size.k});
  if (projection == Projection::value) {
    // The value is hard to refute (n = d = 2), so the search is kept small: W_K and W_O are identities.
    weights.W_K = graph.identity(size.d);
    weights.W_V = T.matrix;
    weights.W_O = rectangular_identity(graph, {size.h * size.k, size.d});
    statement.ledger.push_back("counterexamples are sought among W_K = I and W_O = I");
  } else {
    weights.W_K = projection == Projection::key ? T.matrix : add_input(statement, "W_K", shared);
    weights.W_V = add_input(statement, "W_V", shared);
    weights.W_O = add_input(statement, "W_O", {size.h * size.k, size.d});
  }
  statement.conditions.push_back({Condition::Kind::singular, {T.matrix}, "invertible"});
  const AttentionWeights moved = eliminate(weights, projection, T.pseudo_inverse);
  statement.equations.push_back(
      {"attention output", attention(X, weights, spec), attention(X * T.matrix, moved, spec)});
  return statement;
}

// For the value nothing smaller than n = d = 2 can differ: with one token the row function of one key does not see the
// logits, and all that d = 1 leaves of a singular W_V is 0.
std::vector<Size> sizes_of_search(const std::string&) {
  return {search_size(1, 1, 1, 1, 1), search_size(2, 1, 1, 1, 1), search_size(2, 2, 1, 1, 2)};
}

void describe(Claim& claim, Projection projection) {
  const std::string T = weight_name(projection);
  const std::string shape = projection == Projection::query ? "h k = d" : "g k = d";
  const auto moved = [&](Projection which) {
    const std::string name = weight_name(which);
    return which == projection ? std::string("I") : T + "^-1 " + name;
  };
  const auto moved_tex = [&](Projection which) {
    const std::string name = weight_name(which);
    return which == projection ? std::string("I") : T + "^{-1} " + name;
  };
  claim.statement = "For " + shape + " and an invertible " + T + ": mha(X; W_Q, W_K, W_V, W_O) = mha(X " + T + "; " +
                    moved(Projection::query) + ", " + moved(Projection::key) + ", " + moved(Projection::value) +
                    ", W_O), so one basis change of the stream removes " + T;
  claim.formula = "\\operatorname{mha}(X; W_Q, W_K, W_V, W_O) = \\operatorname{mha}(X " + T + "; " +
                  moved_tex(Projection::query) + ", " + moved_tex(Projection::key) + ", " +
                  moved_tex(Projection::value) + ", W_O)";
  claim.proof_idea = "reparam.lemma with T = " + T + ": its own projection becomes T^-1 T = I.";
  claim.how_checked = "Both sides with a free scale under four kinds of mask; " + T +
                      " is drawn as L U. The ablation takes a singular " + T +
                      " and its pseudo-inverse. Any other shape than " + shape + " is an input error.";
  claim.hypotheses = {{"invertible", T + " is invertible"}};
}

void add_one(claim::Registry& registry, Projection projection, const char* id, std::vector<std::string> sizes) {
  Claim claim;
  claim.id = id;
  claim.kind = claim::Kind::construction;
  claim.source = karbevski_mijoski;
  describe(claim, projection);
  claim.build = [projection](const Request& request) {
    return request.dropped.empty() ? build_claim(projection, request.size) : build_singular(projection, request.size);
  };
  claim.search_sizes = sizes_of_search;
  claim.sizes = std::move(sizes);
  registry.add(std::move(claim));
}

}  // namespace

void add_elimination(claim::Registry& registry) {
  add_one(registry, Projection::query, "reparam.eliminate_query",
          {"small", "medium", "gpt2-small", "kmg-300m", "kmg-1.2b", "llama3-8b"});
  // Grouped queries (g k < d) have no square W_K or W_V: small and llama3-8b are left out.
  add_one(registry, Projection::key, "reparam.eliminate_key", {"medium", "gpt2-small", "kmg-300m", "kmg-1.2b"});
  add_one(registry, Projection::value, "reparam.eliminate_value", {"medium", "gpt2-small", "kmg-300m", "kmg-1.2b"});
}

}  // namespace attest::reparam
