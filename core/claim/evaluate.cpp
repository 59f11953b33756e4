#include "core/claim/evaluate.h"

#include <unordered_map>
#include <unordered_set>

#include "core/support/check.h"

namespace attest::claim {
namespace {

using arith::Matrix;
using expr::Expr;
using expr::Node;
using expr::Op;

// Inputs above this many entries are fetched again at each use instead of being kept.
constexpr std::int64_t kept_input_entries = std::int64_t{1} << 18;

bool is_large_input(const Node& node) { return node.op == Op::input && node.shape.count() > kept_input_entries; }

std::vector<const Node*> evaluation_order(const std::vector<Expr>& roots) {
  std::vector<const Node*> order;
  std::unordered_set<const Node*> visited;
  std::vector<std::pair<const Node*, std::size_t>> stack;
  for (const Expr& root : roots) {
    if (visited.insert(root.address()).second) stack.emplace_back(root.address(), 0);
    while (!stack.empty()) {
      auto& [node, next] = stack.back();
      if (next == node->operands.size()) {
        order.push_back(node);
        stack.pop_back();
        continue;
      }
      const Node* operand = node->operands[next++];
      if (visited.insert(operand).second) stack.emplace_back(operand, 0);
    }
  }
  return order;
}

// Inverses that are used only as one factor of a product, and not beside another inverse.
std::unordered_set<const Node*> applied_inverses(const std::vector<const Node*>& order,
                                                 const std::vector<Expr>& roots) {
  std::unordered_set<const Node*> applied;
  for (const Node* node : order)
    if (node->op == Op::inverse) applied.insert(node);
  for (const Expr& root : roots) applied.erase(root.address());
  for (const Node* user : order) {
    const bool product = user->op == Op::multiply;
    const bool two_inverses = product && user->operands[0]->op == Op::inverse && user->operands[1]->op == Op::inverse;
    if (product && !two_inverses) continue;
    for (const Node* operand : user->operands) applied.erase(operand);
  }
  return applied;
}

Outcome<Matrix> apply_operation(const Node& node, const std::vector<Matrix>& operand, const arith::Backend& backend) {
  switch (node.op) {
    case Op::input:
      break;
    case Op::identity:
      return backend.identity(node.shape.rows);
    case Op::fill:
      return backend.fill(node.shape, node.value);
    case Op::constant:
      return backend.from_rational(*node.matrix);
    case Op::add:
      return backend.add(operand[0], operand[1]);
    case Op::subtract:
      return backend.subtract(operand[0], operand[1]);
    case Op::multiply:
      return backend.multiply(operand[0], operand[1]);
    case Op::scale:
      return backend.scale(node.value, operand[0]);
    case Op::scale_by:
      return backend.scale_by(operand[0], operand[1]);
    case Op::scale_rows:
      return backend.scale_rows(operand[0], operand[1]);
    case Op::transpose:
      return backend.transpose(operand[0]);
    case Op::inverse:
      return backend.inverse(operand[0]);
    case Op::hadamard:
      return backend.hadamard(operand[0], operand[1]);
    case Op::concat_columns:
      return backend.concat_columns(operand);
    case Op::concat_rows:
      return backend.concat_rows(operand);
    case Op::slice:
      return backend.slice(operand[0], node.first_row, node.first_col, node.shape);
    case Op::softmax:
      return backend.softmax(operand[0], node.mask);
    case Op::elementwise:
      return backend.elementwise(node.function, operand[0]);
  }
  ATTEST_CHECK(false, "an operation that the evaluator does not know");
}

}  // namespace

EvaluationPlan::EvaluationPlan(const std::vector<Expr>& given, bool associative) {
  const std::vector<Expr> roots = associative ? thin_side_first(given) : given;
  const std::vector<const Node*> order = evaluation_order(roots);
  const auto applied = associative ? applied_inverses(order, roots) : std::unordered_set<const Node*>{};
  std::unordered_map<const Node*, std::size_t> position;
  for (const Node* node : order) {
    Planned planned;
    planned.node = node;
    for (const Node* operand : node->operands) planned.operands.push_back(position.at(operand));
    if (applied.contains(node)) {
      planned.step = Step::skip;
    } else if (node->op == Op::multiply && applied.contains(node->operands[1])) {
      planned.step = Step::solve_right;
      planned.operands[1] = steps_[planned.operands[1]].operands[0];
    } else if (node->op == Op::multiply && applied.contains(node->operands[0])) {
      planned.step = Step::solve_left;
      planned.operands[0] = steps_[planned.operands[0]].operands[0];
    } else if (is_large_input(*node)) {
      planned.step = Step::skip;
    }
    if (planned.step != Step::skip)
      for (const std::size_t operand : planned.operands) ++steps_[operand].uses;
    position[node] = steps_.size();
    steps_.push_back(std::move(planned));
  }
  for (const Expr& root : roots) {
    roots_.push_back(position.at(root.address()));
    ++steps_[roots_.back()].uses;
  }
}

// One run of a plan: the values that are alive.
class EvaluationPlan::Run {
 public:
  Run(const std::vector<Planned>& steps, const arith::Backend& backend, const InputSource& source)
      : steps_(steps), backend_(backend), source_(source), values_(steps.size()), uses_left_(steps.size()) {
    for (std::size_t i = 0; i < steps.size(); ++i) uses_left_[i] = steps[i].uses;
  }

  Outcome<bool> advance(std::size_t i) {
    if (steps_[i].step == Step::skip) return true;
    Outcome<Matrix> computed = compute(steps_[i]);
    if (!computed.ok()) return Outcome<bool>::failure_of(computed);
    values_[i] = std::move(computed).value();
    for (const std::size_t operand : steps_[i].operands)
      if (--uses_left_[operand] == 0) values_[operand].reset();
    return true;
  }

  Outcome<Matrix> value_of(std::size_t i) const {
    if (is_large_input(*steps_[i].node)) return source_(*steps_[i].node);
    ATTEST_CHECK(values_[i] != nullptr, "an operand was released before its last use");
    return values_[i];
  }

 private:
  Outcome<Matrix> compute(const Planned& planned) const {
    if (planned.node->op == Op::input) return source_(*planned.node);
    std::vector<Matrix> operands;
    operands.reserve(planned.operands.size());
    for (const std::size_t operand : planned.operands) {
      Outcome<Matrix> value = value_of(operand);
      if (!value.ok()) return value;
      operands.push_back(std::move(value).value());
    }
    if (planned.step == Step::solve_right)
      return backend_.solve_right(operands[0], operands[1], steps_[planned.operands[1]].node->structure);
    if (planned.step == Step::solve_left)
      return backend_.solve_left(operands[0], operands[1], steps_[planned.operands[0]].node->structure);
    return apply_operation(*planned.node, operands, backend_);
  }

  const std::vector<Planned>& steps_;
  const arith::Backend& backend_;
  const InputSource& source_;
  std::vector<Matrix> values_;
  std::vector<std::int64_t> uses_left_;
};

Outcome<std::vector<Matrix>> EvaluationPlan::run(const arith::Backend& backend, const InputSource& source) const {
  Run run(steps_, backend, source);
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Outcome<bool> advanced = run.advance(i);
    if (!advanced.ok()) return Outcome<std::vector<Matrix>>::failure_of(advanced);
  }
  std::vector<Matrix> results;
  for (const std::size_t root : roots_) {
    Outcome<Matrix> result = run.value_of(root);
    if (!result.ok()) return Outcome<std::vector<Matrix>>::failure_of(result);
    results.push_back(std::move(result).value());
  }
  return results;
}

Outcome<std::vector<Matrix>> evaluate(const std::vector<Expr>& roots, const arith::Backend& backend,
                                      const InputSource& source) {
  return EvaluationPlan(roots, backend.associative()).run(backend, source);
}

InputSource source_of(const std::map<std::string, RationalMatrix>& instance, const arith::Backend& backend) {
  return [&instance, &backend](const Node& input) -> Outcome<Matrix> {
    const auto found = instance.find(input.name);
    ATTEST_CHECK(found != instance.end(), "the instance has no matrix " + input.name);
    ATTEST_CHECK(found->second.rows == input.shape.rows && found->second.cols == input.shape.cols,
                 "the instance's " + input.name + " has another shape");
    return backend.from_rational(found->second);
  };
}

}  // namespace attest::claim
