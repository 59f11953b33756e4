#include "property_tests/reparam/slips.h"

#include <algorithm>

#include "core/expr/print.h"

namespace attest::test {
namespace {

using expr::Expr;
using expr::Node;
using expr::Op;

bool is_square(Expr a) { return a.rows() == a.cols(); }

void add_input_slips(Expr at, const std::vector<Expr>& inputs, std::vector<Expr>& slips) {
  for (const Expr& input : inputs)
    if (input.shape() == at.shape()) slips.push_back(input);
  if (at.node().op == Op::input && is_square(at)) slips.push_back(transpose(at));
}

void add_product_slips(Expr at, std::vector<Expr>& slips) {
  const Expr a(at.node().operands[0]), b(at.node().operands[1]);
  if (a.shape() == at.shape()) slips.push_back(a);
  if (b.shape() == at.shape()) slips.push_back(b);
  if (is_square(a) && is_square(b)) slips.push_back(b * a);
}

void add_block_slips(Expr at, std::vector<Expr>& slips) {
  std::vector<Expr> parts;
  for (const Node* part : at.node().operands) parts.emplace_back(part);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i].shape() != parts[i + 1].shape()) continue;
    std::vector<Expr> exchanged = parts;
    std::swap(exchanged[i], exchanged[i + 1]);
    slips.push_back(at.node().op == Op::concat_rows ? concat_rows(exchanged) : concat_columns(exchanged));
  }
}

// What could stand at this place by mistake.
std::vector<Expr> slips_at(Expr at, const std::vector<Expr>& inputs) {
  std::vector<Expr> slips;
  switch (at.node().op) {
    case Op::input:
    case Op::identity:
      add_input_slips(at, inputs, slips);
      break;
    case Op::transpose:
      if (is_square(at)) slips.emplace_back(at.node().operands[0]);
      break;
    case Op::inverse:
      slips.emplace_back(at.node().operands[0]);
      slips.push_back(at.graph().identity(at.rows()));
      break;
    case Op::multiply:
      add_product_slips(at, slips);
      break;
    case Op::concat_columns:
    case Op::concat_rows:
      add_block_slips(at, slips);
      break;
    default:
      break;
  }
  return slips;
}

}  // namespace

std::vector<Mutant> mutants_of(Expr root, const std::vector<Expr>& inputs) {
  std::vector<Mutant> mutants;
  for (const Node* node : expr::reachable({root})) {
    for (const Expr& slip : slips_at(Expr(node), inputs)) {
      const Expr mutant = expr::substitute(root, {{node, slip}});
      const bool known = mutant == root || std::any_of(mutants.begin(), mutants.end(),
                                                       [&](const Mutant& m) { return m.expression == mutant; });
      if (!known) mutants.push_back({expr::short_name(Expr(node)) + " became " + expr::short_name(slip), mutant});
    }
  }
  return mutants;
}

}  // namespace attest::test
