// Tests also: core/claim/fraction.cpp
#include "core/claim/degree_tracker.h"

#include <catch2/catch.hpp>

#include "core/expr/print.h"
#include "property_tests/core/claim/explicit_polynomials.h"
#include "property_tests/support/property.h"

namespace {

using namespace attest;
using namespace attest::claim;
using attest::test::check_property;
using attest::test::Polynomial;
using expr::Expr;
using expr::Function;
using expr::Graph;
using expr::Structure;

// A rational function written out, not reduced; evaluated without any regard to how degrees are tracked.
struct Quotient {
  Polynomial numerator, denominator = Polynomial(1);

  friend Quotient operator+(const Quotient& a, const Quotient& b) {
    return {a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
  }
  friend Quotient operator*(const Quotient& a, const Quotient& b) {
    return {a.numerator * b.numerator, a.denominator * b.denominator};
  }
};

// 2 x 2 matrices of quotients, evaluated by their definitions; inputs give new variables.
using Entries = std::vector<Quotient>;

Quotient number(const Rational& q) { return {Polynomial(q.get_num()), Polynomial(q.get_den())}; }

class Formal {
 public:
  const Entries& at(const expr::Node& node) {
    const auto found = values_.find(&node);
    if (found != values_.end()) return found->second;
    return values_[&node] = compute(node);
  }

 private:
  Entries compute(const expr::Node& node) {
    const auto operand = [&](std::size_t i) -> const Entries& { return at(*node.operands[i]); };
    Entries result(4);
    switch (node.op) {
      case expr::Op::input:
        return input(node.structure);
      case expr::Op::identity:
        return {number(1), number(0), number(0), number(1)};
      case expr::Op::add:
        for (std::size_t i = 0; i < 4; ++i) result[i] = operand(0)[i] + operand(1)[i];
        return result;
      case expr::Op::multiply:
        for (std::size_t i = 0; i < 4; ++i)
          result[i] = operand(0)[i / 2 * 2] * operand(1)[i % 2] + operand(0)[i / 2 * 2 + 1] * operand(1)[2 + i % 2];
        return result;
      case expr::Op::scale:
        for (std::size_t i = 0; i < 4; ++i) result[i] = number(node.value) * operand(0)[i];
        return result;
      case expr::Op::transpose:
        return {operand(0)[0], operand(0)[2], operand(0)[1], operand(0)[3]};
      case expr::Op::inverse:
        return inverse_of(operand(0));
      case expr::Op::elementwise:
        for (std::size_t i = 0; i < 4; ++i)
          result[i] = node.function == Function::reciprocal
                          ? Quotient{operand(0)[i].denominator, operand(0)[i].numerator}
                          : variable();
        return result;
      default:
        RC_FAIL("an operation that this test does not build");
    }
  }

  Quotient variable() { return {Polynomial::variable(variables_++), Polynomial(1)}; }

  Entries input(Structure structure) {
    switch (structure) {
      case Structure::general:
        return {variable(), variable(), variable(), variable()};
      case Structure::unit_lower:
        return {number(1), number(0), variable(), number(1)};
      case Structure::upper:
        return {variable(), variable(), number(0), variable()};
      case Structure::diagonal_signs:
        return {number(-1), number(0), number(0), number(1)};
    }
    return {};
  }

  static Entries inverse_of(const Entries& a) {
    const Quotient determinant = a[0] * a[3] + number(-1) * a[1] * a[2];
    const Quotient reciprocal{determinant.denominator, determinant.numerator};
    return {a[3] * reciprocal, number(-1) * a[1] * reciprocal, number(-1) * a[2] * reciprocal, a[0] * reciprocal};
  }

  std::map<const expr::Node*, Entries> values_;
  std::size_t variables_ = 0;
};

enum class Step { add, multiply, scale, transpose, inverse, call, reciprocal, two_denominators };

Expr any_operation(const std::vector<Expr>& made) {
  const Expr a = *rc::gen::elementOf(made), b = *rc::gen::elementOf(made);
  switch (*rc::gen::element(Step::add, Step::add, Step::multiply, Step::multiply, Step::scale, Step::transpose,
                            Step::inverse, Step::inverse, Step::call, Step::reciprocal, Step::two_denominators)) {
    case Step::add:
      return a + b;
    case Step::multiply:
      return a * b;
    case Step::scale:
      return Rational(*rc::gen::element(-3, 5, 9), *rc::gen::element(1, 2, 4, 7)) * a;
    case Step::transpose:
      return transpose(a);
    case Step::inverse:
      return inverse(a);
    case Step::call:
      return apply(Function::gelu, a);
    case Step::reciprocal:
      return apply(Function::reciprocal, a);
    case Step::two_denominators:
      return inverse(a) + a * inverse(b);
  }
  return a;
}

bool exists(const Entries& entries) {
  for (const Quotient& entry : entries)
    if (entry.denominator.zero()) return false;
  return true;
}

bool small(const Entries& entries) {
  for (const Quotient& entry : entries)
    if (entry.denominator.degree() + entry.numerator.degree() > 10) return false;
  return true;
}

bool within(const Polynomial& actual, const PolynomialBound& bound) {
  if (actual.zero()) return true;
  // Both logarithms are rounded.
  return actual.degree() <= bound.degree && log2_of(actual.norm()) <= bound.bits + 1e-9;
}

// The tracked representation written out: numerators over the tracked denominator, by exact division.
class WrittenOut {
 public:
  WrittenOut(Formal& formal, const DegreeTracker& tracker) : formal_(formal), tracker_(tracker) {}

  std::vector<Polynomial> numerators(const expr::Node& node) {
    const Fraction& tracked = tracker_.at(node);
    Polynomial denominator(tracked.constant);
    for (const auto& [name, exponent] : tracked.exponents)
      for (int i = 0; i < exponent; ++i) denominator = denominator * named(name);
    std::vector<Polynomial> result;
    for (const Quotient& entry : formal_.at(node)) {
      const auto numerator = (entry.numerator * denominator).divided_by(entry.denominator);
      RC_ASSERT(numerator.has_value());  // the tracked denominator is one
      result.push_back(*numerator);
    }
    return result;
  }

  // The determinant of that name, which its bound must bound too.
  Polynomial named(std::int64_t id) {
    const expr::Node& node = *nodes.at(id < 0 ? -1 - id : id);
    Polynomial result(1);
    if (id < 0) {
      for (const Polynomial& entry : numerators(*node.operands[0])) result = result * entry;
    } else {
      const auto entries = numerators(node);
      result = entries[0] * entries[3] - entries[1] * entries[2];
    }
    RC_ASSERT(within(result, tracker_.determinants().at(id)));
    return result;
  }

  std::map<std::int64_t, const expr::Node*> nodes;

 private:
  Formal& formal_;
  const DegreeTracker& tracker_;
};

TEST_CASE("tracked degrees and coefficients bound the polynomials written out", "[claim][degree]") {
  const auto report = check_property(
      "every entry is a polynomial within the numerator's bound over the tracked denominator",
      [] {
        Graph graph;
        Formal formal;
        std::vector<Expr> made{graph.input("A", {2, 2}), graph.input("L", {2, 2}, Structure::unit_lower),
                               graph.input("U", {2, 2}, Structure::upper),
                               graph.input("D", {2, 2}, Structure::diagonal_signs), graph.identity(2)};
        const int operations = *rc::gen::element(3, 5, 7, 9);
        for (int i = 0; i < operations; ++i) {
          const Expr next = any_operation(made);
          const Entries& entries = formal.at(next.node());
          if (exists(entries) && small(entries)) made.push_back(next);
        }
        DegreeTracker tracker;
        WrittenOut written_out(formal, tracker);
        for (const expr::Node* node : expr::reachable(made)) {
          tracker.visit(*node);
          written_out.nodes[node->id] = node;
        }
        std::size_t most_denominators = 0;
        for (const Expr& expression : made) {
          RC_LOG(expr::to_text(expression) + "\n");
          const Fraction& tracked = tracker.at(expression.node());
          most_denominators = std::max(most_denominators, tracked.exponents.size());
          for (const Polynomial& numerator : written_out.numerators(expression.node()))
            RC_ASSERT(within(numerator, tracked.numerator));
        }
        RC_CLASSIFY(most_denominators == 1, "with a denominator");
        RC_CLASSIFY(most_denominators > 1, "with several denominators");
      },
      600);
  CHECK(report.count("with a denominator") > 50);
  CHECK(report.count("with several denominators") > 10);
}

}  // namespace
