#include "property_tests/core/verdict/toy_claims.h"

namespace attest::test {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Recipe;
using claim::Request;
using claim::Size;
using claim::Statement;
using expr::Expr;

Statement blank() {
  Statement statement;
  statement.graph = std::make_shared<expr::Graph>();
  return statement;
}

Expr add(Statement& statement, const std::string& name, expr::Shape shape, Recipe recipe = {}) {
  statement.inputs.push_back({name, shape, recipe});
  return statement.graph->input(name, shape);
}

std::vector<Size> two_sizes(const std::string&) {
  return {{"search", 1, 1, 1, 1, 1, 1, 1}, {"search", 1, 2, 1, 1, 1, 1, 1}};
}

Statement commuting(const Request& request, bool diagonal) {
  Statement statement = blank();
  const std::int64_t d = request.size.d;
  const Recipe recipe{.kind = diagonal ? Recipe::Kind::diagonal : Recipe::Kind::general};
  const Expr A = add(statement, "A", {d, d}, recipe), B = add(statement, "B", {d, d}, recipe);
  statement.equations.push_back({"product", A * B, B * A});
  return statement;
}

}  // namespace

Claim commuting_diagonals() {
  Claim claim;
  claim.id = "toy.diagonal";
  claim.hypotheses = {{"diagonal", "A and B are diagonal"}};
  claim.build = [](const Request& request) { return commuting(request, request.dropped.empty()); };
  claim.search_sizes = two_sizes;
  return claim;
}

Claim everything_commutes() {
  Claim claim;
  claim.id = "toy.commute";
  claim.false_on_purpose = true;
  claim.build = [](const Request& request) { return commuting(request, false); };
  claim.search_sizes = two_sizes;
  return claim;
}

Claim shift_invariance() {
  Claim claim;
  claim.id = "toy.shift";
  claim.build = [](const Request& request) {
    Statement statement = blank();
    const Expr A = add(statement, "A", {request.size.n, request.size.n}), c = add(statement, "c", {1, 1});
    const Expr shifted = A + scale_by(c, statement.graph->ones(A.shape()));
    statement.equations.push_back({"row", softmax(A), softmax(shifted)});
    return statement;
  };
  return claim;
}

Claim vacuous() {
  Claim claim;
  claim.id = "toy.vacuous";
  claim.build = [](const Request& request) {
    Statement statement = blank();
    const Expr A = add(statement, "A", {request.size.d, request.size.d});
    statement.conditions = {{Condition::Kind::invertible, {A}, ""}, {Condition::Kind::singular, {A}, ""}};
    statement.equations.push_back({"itself", A, A + A});
    return statement;
  };
  return claim;
}

}  // namespace attest::test
