#include "property_tests/core/certificate/fake_claims.h"

#include "core/expr/expr.h"

namespace attest::test {
namespace {

using claim::Claim;
using claim::Condition;
using claim::Recipe;
using claim::Request;
using claim::Statement;
using expr::Expr;

Statement start() {
  Statement statement;
  statement.graph = std::make_shared<expr::Graph>();
  return statement;
}

Expr input(Statement& statement, const std::string& name, expr::Shape shape, Recipe recipe = {}) {
  statement.inputs.push_back({name, shape, recipe});
  return statement.graph->input(name, shape);
}

// A A = A for every A with A = I; without it A is any invertible matrix, and two equations fail.
Statement square(const Request& request) {
  Statement statement = start();
  const std::int64_t d = request.size.d;
  const Expr A = input(statement, "A", {d, d}, {.kind = Recipe::Kind::invertible});
  const Expr x = input(statement, "x", {1, d});
  const Expr I = statement.graph->identity(d);
  statement.conditions.push_back({Condition::Kind::nonzero, {x}, ""});
  if (request.dropped.empty()) statement.conditions.push_back({Condition::Kind::equal, {A, I}, "unit"});
  if (!request.dropped.empty()) statement.conditions.push_back({Condition::Kind::invertible, {A}, "kept"});
  statement.equations.push_back({"square", A, A * A});
  statement.equations.push_back({"row", x, x * inverse(A)});
  statement.equations.push_back({"same", x * A, (x * inverse(A)) * A * A});
  return statement;
}

// "The softmax of x is x", false on purpose and irrational almost everywhere.
Statement softmax_claim(const Request& request) {
  Statement statement = start();
  const Expr x = input(statement, "x", {request.size.n, request.size.d}, {});
  const Expr D = input(statement, "D", {request.size.d, request.size.d}, {.kind = Recipe::Kind::diagonal});
  statement.equations.push_back({"softmax", expr::softmax(x), expr::softmax(x * D)});
  return statement;
}

// "gelu is relu", false on purpose.
Statement gelu_claim(const Request& request) {
  Statement statement = start();
  const Expr x = input(statement, "x", {1, request.size.m});
  statement.equations.push_back({"gelu", apply(expr::Function::gelu, x), apply(expr::Function::relu, x)});
  statement.equations.push_back({"silu", apply(expr::Function::silu, x), apply(expr::Function::gelu_tanh, x)});
  return statement;
}

// "A is invertible" as a necessary condition, which nothing guarantees.
Statement necessary_claim(const Request& request) {
  Statement statement = start();
  const Expr A = input(statement, "A", {request.size.d, request.size.d});
  statement.necessary.push_back({Condition::Kind::nonzero, {A}, ""});
  statement.necessary.push_back({Condition::Kind::invertible, {A}, ""});
  return statement;
}

void add(claim::Registry& registry, const std::string& id, Statement (*build)(const Request&)) {
  Claim claim;
  claim.id = id;
  claim.statement = id;
  claim.false_on_purpose = true;
  claim.build = build;
  if (id == "fake.square") claim.hypotheses = {{"unit", "A = I"}};
  claim.search_sizes = [](const std::string&) { return std::vector<claim::Size>{}; };
  registry.add(std::move(claim));
}

}  // namespace

claim::Registry fake_registry() {
  claim::Registry registry;
  add(registry, "fake.square", square);
  add(registry, "fake.softmax", softmax_claim);
  add(registry, "fake.gelu", gelu_claim);
  add(registry, "fake.necessary", necessary_claim);
  return registry;
}

RationalMatrix exact_matrix(const std::vector<std::vector<std::string>>& rows) {
  RationalMatrix matrix(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows.front().size()));
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j)
      matrix.at(i, j) = parse_rational(rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)]);
  return matrix;
}

std::vector<certificate::Certificate> fake_certificates(const claim::Registry& registry) {
  const claim::Size size{"", 2, 2, 1, 1, 2, 3, 2};
  const auto made = [&](const std::string& id, const std::string& dropped, const claim::Instance& instance) {
    return certificate::certify(registry.at(id), dropped, size, instance, "local").value();
  };
  const RationalMatrix x = exact_matrix({{"1", "-2/3"}, {"0", "5/7"}});
  return {
      made("fake.square", "unit",
           {{"A", exact_matrix({{"2", "1/3"}, {"-1", "1"}})}, {"x", exact_matrix({{"1", "2"}})}}),
      made("fake.softmax", "", {{"x", x}, {"D", exact_matrix({{"1/2", "0"}, {"0", "-3"}})}}),
      made("fake.gelu", "", {{"x", exact_matrix({{"0", "-7/5"}})}}),
      made("fake.necessary", "", {{"A", exact_matrix({{"1", "2"}, {"2", "4"}})}}),
  };
}

}  // namespace attest::test
