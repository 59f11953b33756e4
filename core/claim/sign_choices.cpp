#include "core/claim/sign_choices.h"

#include <set>

namespace attest::claim {
namespace {

using expr::Node;
using expr::Op;

using Users = std::map<const Node*, std::set<const Node*>>;

Users users_of(const std::vector<expr::Expr>& roots) {
  Users users;
  // A root is used from outside.
  for (const expr::Expr& root : roots) users[root.address()].insert(nullptr);
  for (const Node* node : expr::reachable(roots))
    for (const Node* operand : node->operands) users[operand].insert(node);
  return users;
}

bool used_only_by(const Users& users, const Node* node, const std::set<const Node*>& allowed) {
  return users.at(node) == allowed;
}

const Node* operand_if(const Node* node, Op op, std::size_t index) {
  return node != nullptr && node->op == op ? node->operands[index] : nullptr;
}

// A, where the node is I - A or I + A.
const Node* beside_identity(const Node* node, Op op) {
  const Node* first = operand_if(node, op, 0);
  return first != nullptr && first->op == Op::identity ? node->operands[1] : nullptr;
}

// Whether the only user of D is D ((I - A) (I + A)^-1), A = S - S^T, and none of the parts has another user.
bool is_sign_of_cayley(const Users& users, const Node* D) {
  if (users.at(D).size() != 1) return false;
  const Node* product = *users.at(D).begin();
  if (operand_if(product, Op::multiply, 0) != D) return false;
  const Node* cayley = product->operands[1];
  const Node* difference = operand_if(cayley, Op::multiply, 0);
  const Node* inverse = operand_if(cayley, Op::multiply, 1);
  const Node* sum = operand_if(inverse, Op::inverse, 0);
  const Node* skew = beside_identity(difference, Op::subtract);
  if (skew == nullptr || skew != beside_identity(sum, Op::add)) return false;
  const Node* S = operand_if(skew, Op::subtract, 0);
  const Node* S_transposed = operand_if(skew, Op::subtract, 1);
  if (S == nullptr || operand_if(S_transposed, Op::transpose, 0) != S) return false;
  if (S->op != Op::input || S->structure != expr::Structure::general) return false;
  return used_only_by(users, cayley, {product}) && used_only_by(users, difference, {cayley}) &&
         used_only_by(users, inverse, {cayley}) && used_only_by(users, sum, {inverse}) &&
         used_only_by(users, skew, {difference, sum}) && used_only_by(users, S, {S_transposed, skew}) &&
         used_only_by(users, S_transposed, {skew});
}

}  // namespace

double sign_choices(const std::vector<expr::Expr>& roots) {
  const Users users = users_of(roots);
  double choices = 0;
  for (const Node* input : expr::inputs_of(roots)) {
    if (input->structure != expr::Structure::diagonal_signs) continue;
    choices += is_sign_of_cayley(users, input) ? 1 : static_cast<double>(input->shape.rows);
  }
  return choices;
}

}  // namespace attest::claim
