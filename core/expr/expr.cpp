#include "core/expr/expr.h"

#include "core/expr/print.h"
#include "core/support/check.h"
#include "core/support/error.h"

namespace attest::expr {
namespace {

void combine(std::size_t& seed, std::size_t value) {
  seed ^= value + 0x9e3779b97f4a7c15ULL + (seed << 6) + (seed >> 2);
}

std::size_t hash_of(const Node& node) {
  std::size_t seed = static_cast<std::size_t>(node.op);
  combine(seed, static_cast<std::size_t>(node.shape.rows));
  combine(seed, static_cast<std::size_t>(node.shape.cols));
  for (const Node* operand : node.operands) combine(seed, static_cast<std::size_t>(operand->id));
  combine(seed, std::hash<std::string>{}(node.name));
  combine(seed, static_cast<std::size_t>(node.function));
  combine(seed, static_cast<std::size_t>(node.first_row * 1000003 + node.first_col));
  combine(seed, mpz_get_ui(node.value.get_num_mpz_t()));
  combine(seed, static_cast<std::size_t>(node.mask.kind));
  return seed;
}

bool same(const Node& a, const Node& b) {
  const bool same_matrix = a.matrix == b.matrix || (a.matrix && b.matrix && *a.matrix == *b.matrix);
  return a.op == b.op && a.shape == b.shape && a.operands == b.operands && a.name == b.name &&
         a.structure == b.structure && a.value == b.value && same_matrix && a.mask == b.mask &&
         a.function == b.function && a.first_row == b.first_row && a.first_col == b.first_col;
}

[[noreturn]] void mismatch(const std::string& operation, Expr a, Expr b, const std::string& expected) {
  throw InputError(operation + ": " + short_name(a) + " is " + to_string(a.shape()) + " and " + short_name(b) + " is " +
                   to_string(b.shape()) + "; expected " + expected);
}

[[noreturn]] void misshapen(const std::string& operation, Expr a, const std::string& expected) {
  throw InputError(operation + ": " + short_name(a) + " is " + to_string(a.shape()) + "; expected " + expected);
}

Node make(Op op, Shape shape, std::vector<const Node*> operands) {
  Node node;
  node.op = op;
  node.shape = shape;
  node.operands = std::move(operands);
  return node;
}

void require_positive(const std::string& what, Shape shape) {
  if (shape.rows < 1 || shape.cols < 1)
    throw InputError(what + ": shape " + to_string(shape) + "; expected at least 1 row and 1 column");
}

Expr entrywise(Op op, const char* name, Expr a, Expr b) {
  if (a.shape() != b.shape()) mismatch(name, a, b, "equal shapes");
  return a.graph().intern(make(op, a.shape(), {a.address(), b.address()}));
}

Expr concatenate(Op op, const std::vector<Expr>& parts, bool side_by_side) {
  ATTEST_CHECK(!parts.empty(), "nothing to concatenate");
  if (parts.size() == 1) return parts.front();
  Shape shape = parts.front().shape();
  std::vector<const Node*> operands{parts.front().address()};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool fits = side_by_side ? parts[i].rows() == shape.rows : parts[i].cols() == shape.cols;
    if (!fits)
      mismatch("concatenation", parts.front(), parts[i], side_by_side ? "equal row counts" : "equal column counts");
    (side_by_side ? shape.cols : shape.rows) += side_by_side ? parts[i].cols() : parts[i].rows();
    operands.push_back(parts[i].address());
  }
  return parts.front().graph().intern(make(op, shape, std::move(operands)));
}

}  // namespace

Expr Graph::intern(Node node) {
  const std::size_t hash = hash_of(node);
  const auto [begin, end] = index_.equal_range(hash);
  for (auto it = begin; it != end; ++it)
    if (same(*it->second, node)) return Expr(it->second);
  for (const Node* operand : node.operands) ATTEST_CHECK(operand->graph == this, "an operand belongs to another graph");
  node.graph = this;
  node.id = size();
  nodes_.push_back(std::move(node));
  index_.emplace(hash, &nodes_.back());
  return Expr(&nodes_.back());
}

Expr Graph::input(const std::string& name, Shape shape, Structure structure) {
  require_positive("input " + name, shape);
  const auto known = inputs_.find(name);
  if (known != inputs_.end()) {
    if (known->second->shape != shape)
      throw InputError("input " + name + " is already " + to_string(known->second->shape) + "; it cannot also be " +
                       to_string(shape));
    if (known->second->structure != structure)
      throw InputError("input " + name +
                       " is already declared with another structure (triangular, signs or general); "
                       "ask for it with the same one");
    return Expr(known->second);
  }
  Node node = make(Op::input, shape, {});
  node.name = name;
  node.structure = structure;
  const Expr made = intern(std::move(node));
  inputs_.emplace(name, made.address());
  return made;
}

Expr Graph::identity(std::int64_t n) {
  require_positive("identity", {n, n});
  return intern(make(Op::identity, {n, n}, {}));
}

Expr Graph::fill(Shape shape, const Rational& value) {
  require_positive("constant", shape);
  Node node = make(Op::fill, shape, {});
  node.value = value;
  return intern(std::move(node));
}

Expr Graph::constant(RationalMatrix matrix) {
  const Shape shape{matrix.rows, matrix.cols};
  require_positive("constant", shape);
  Node node = make(Op::constant, shape, {});
  node.matrix = std::make_shared<const RationalMatrix>(std::move(matrix));
  return intern(std::move(node));
}

Expr operator+(Expr a, Expr b) { return entrywise(Op::add, "sum", a, b); }
Expr operator-(Expr a, Expr b) { return entrywise(Op::subtract, "difference", a, b); }
Expr hadamard(Expr a, Expr b) { return entrywise(Op::hadamard, "entrywise product", a, b); }

Expr operator*(Expr a, Expr b) {
  if (a.cols() != b.rows())
    mismatch("matrix product", a, b, "the columns of the first to equal the rows of the second");
  if (a.node().op == Op::identity) return b;
  if (b.node().op == Op::identity) return a;
  return a.graph().intern(make(Op::multiply, {a.rows(), b.cols()}, {a.address(), b.address()}));
}

Expr operator*(const Rational& q, Expr a) {
  Node node = make(Op::scale, a.shape(), {a.address()});
  node.value = q;
  return a.graph().intern(std::move(node));
}

Expr scale_by(Expr scalar, Expr a) {
  if (scalar.shape() != Shape{1, 1}) mismatch("scaling", scalar, a, "a 1 x 1 factor");
  return a.graph().intern(make(Op::scale_by, a.shape(), {scalar.address(), a.address()}));
}

Expr scale_rows(Expr column, Expr a) {
  if (column.shape() != Shape{a.rows(), 1}) mismatch("row scaling", column, a, "a column with one factor a row");
  return a.graph().intern(make(Op::scale_rows, a.shape(), {column.address(), a.address()}));
}

Expr transpose(Expr a) {
  if (a.node().op == Op::transpose) return Expr(a.node().operands[0]);
  return a.graph().intern(make(Op::transpose, {a.cols(), a.rows()}, {a.address()}));
}

Expr inverse(Expr a) {
  if (a.rows() != a.cols()) misshapen("inverse", a, "a square matrix");
  if (a.node().op == Op::identity) return a;
  // (A^-1)^-1 stays as it is: where A is singular it has no value, and A would.
  return a.graph().intern(make(Op::inverse, a.shape(), {a.address()}));
}

Expr concat_columns(const std::vector<Expr>& parts) { return concatenate(Op::concat_columns, parts, true); }
Expr concat_rows(const std::vector<Expr>& parts) { return concatenate(Op::concat_rows, parts, false); }

Expr slice(Expr a, std::int64_t first_row, std::int64_t first_col, Shape shape) {
  if (first_row < 0 || first_col < 0 || shape.rows < 1 || shape.cols < 1 || first_row + shape.rows > a.rows() ||
      first_col + shape.cols > a.cols())
    misshapen("block of " + to_string(shape) + " at row " + std::to_string(first_row) + ", column " +
                  std::to_string(first_col),
              a, "a block inside it");
  if (shape == a.shape()) return a;
  Node node = make(Op::slice, shape, {a.address()});
  node.first_row = first_row;
  node.first_col = first_col;
  return a.graph().intern(std::move(node));
}

Expr columns(Expr a, std::int64_t first, std::int64_t count) { return slice(a, 0, first, {a.rows(), count}); }
Expr rows(Expr a, std::int64_t first, std::int64_t count) { return slice(a, first, 0, {count, a.cols()}); }

Expr softmax(Expr logits, const Mask& mask) {
  Node node = make(Op::softmax, logits.shape(), {logits.address()});
  node.mask = mask;
  return logits.graph().intern(std::move(node));
}

Expr apply(Function f, Expr a) {
  Node node = make(Op::elementwise, a.shape(), {a.address()});
  node.function = f;
  return a.graph().intern(std::move(node));
}

Expr with_operands(const Node& node, const std::vector<Expr>& operands) {
  Node copy = node;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    ATTEST_CHECK(operands[i].shape() == node.operands[i]->shape, "a replacement keeps the shape");
    copy.operands[i] = operands[i].address();
  }
  // Through the makers where they simplify, so that a rewritten expression is the one that would have been built.
  if (node.op == Op::multiply) return operands[0] * operands[1];
  if (node.op == Op::transpose) return transpose(operands[0]);
  if (node.op == Op::inverse) return inverse(operands[0]);
  return node.graph->intern(std::move(copy));
}

std::vector<const Node*> reachable(const std::vector<Expr>& roots) {
  std::map<std::int64_t, const Node*> found;
  std::vector<const Node*> open;
  for (const Expr& root : roots) open.push_back(root.address());
  while (!open.empty()) {
    const Node* node = open.back();
    open.pop_back();
    if (!found.emplace(node->id, node).second) continue;
    open.insert(open.end(), node->operands.begin(), node->operands.end());
  }
  std::vector<const Node*> ordered;
  for (const auto& [id, node] : found) ordered.push_back(node);
  return ordered;
}

std::vector<const Node*> inputs_of(const std::vector<Expr>& roots) {
  std::vector<const Node*> inputs;
  for (const Node* node : reachable(roots))
    if (node->op == Op::input) inputs.push_back(node);
  return inputs;
}

std::vector<Expr> substitute(const std::vector<Expr>& roots, const std::map<const Node*, Expr>& replacement) {
  std::map<const Node*, Expr> image;
  for (const Node* node : reachable(roots)) {
    const auto replaced = replacement.find(node);
    if (replaced != replacement.end()) {
      image[node] = replaced->second;
      continue;
    }
    std::vector<Expr> operands;
    bool changed = false;
    for (const Node* operand : node->operands) {
      operands.push_back(image.at(operand));
      changed = changed || operands.back().address() != operand;
    }
    image[node] = changed ? with_operands(*node, operands) : Expr(node);
  }
  std::vector<Expr> results;
  for (const Expr& root : roots) results.push_back(image.at(root.address()));
  return results;
}

Expr substitute(Expr root, const std::map<const Node*, Expr>& replacement) {
  return substitute(std::vector<Expr>{root}, replacement).front();
}

}  // namespace attest::expr
