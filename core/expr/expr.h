#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/expr/function.h"
#include "core/expr/mask.h"
#include "core/expr/shape.h"
#include "core/support/rational.h"

namespace attest::expr {

enum class Op {
  input,           // a named free matrix
  identity,        // I_n
  fill,            // every entry the same rational number
  constant,        // a given rational matrix
  add,             // A + B
  subtract,        // A - B
  multiply,        // A B
  scale,           // q A, q rational
  scale_by,        // a A, a a 1 x 1 expression
  scale_rows,      // diag(c) A, c an n x 1 column
  transpose,       // A^T
  inverse,         // A^-1, no value where A is singular
  hadamard,        // A o B, entry by entry
  concat_columns,  // [A_1 ... A_m] side by side
  concat_rows,     // stacked
  slice,           // a block of A
  softmax,         // a row function of the visible logits (row i sees the keys its mask shows); 0 elsewhere
  elementwise,     // f(A), entry by entry
};

class Graph;

// One operation of the DAG. Immutable; equal operations on equal operands are one node.
struct Node {
  Graph* graph = nullptr;
  std::int64_t id = 0;  // operands have smaller ids
  Op op = Op::input;
  Shape shape;
  std::vector<const Node*> operands;
  std::string name;                              // input
  Structure structure = Structure::general;      // input
  Rational value;                                // fill, scale
  std::shared_ptr<const RationalMatrix> matrix;  // constant
  Mask mask;                                     // softmax
  Function function = Function::relu;            // elementwise
  std::int64_t first_row = 0, first_col = 0;     // slice
};

// A handle on a node; the graph that made it must outlive it.
class Expr {
 public:
  Expr() = default;
  explicit Expr(const Node* node) : node_(node) {}
  const Node& node() const { return *node_; }
  const Node* address() const { return node_; }
  const Shape& shape() const { return node_->shape; }
  std::int64_t rows() const { return node_->shape.rows; }
  std::int64_t cols() const { return node_->shape.cols; }
  Graph& graph() const { return *node_->graph; }
  bool valid() const { return node_ != nullptr; }
  friend bool operator==(const Expr&, const Expr&) = default;

 private:
  const Node* node_ = nullptr;
};

// Owns the nodes of one statement. Every maker checks shapes and throws InputError naming both operands and shapes.
class Graph {
 public:
  Graph() = default;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  // The same name gives the same input; asking for it with another shape is an error.
  Expr input(const std::string& name, Shape shape, Structure structure = Structure::general);
  Expr identity(std::int64_t n);
  Expr fill(Shape shape, const Rational& value);
  Expr zeros(Shape shape) { return fill(shape, 0); }
  Expr ones(Shape shape) { return fill(shape, 1); }
  Expr constant(RationalMatrix matrix);

  Expr intern(Node node);
  std::int64_t size() const { return static_cast<std::int64_t>(nodes_.size()); }

 private:
  std::deque<Node> nodes_;
  std::unordered_multimap<std::size_t, const Node*> index_;
  std::map<std::string, const Node*> inputs_;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);             // matrix product
Expr operator*(const Rational& q, Expr a);  // scalar multiple
Expr scale_by(Expr scalar, Expr a);         // scalar: 1 x 1
Expr scale_rows(Expr column, Expr a);       // column: rows(a) x 1
Expr transpose(Expr a);
Expr inverse(Expr a);
Expr hadamard(Expr a, Expr b);
Expr concat_columns(const std::vector<Expr>& parts);
Expr concat_rows(const std::vector<Expr>& parts);
Expr slice(Expr a, std::int64_t first_row, std::int64_t first_col, Shape shape);
Expr columns(Expr a, std::int64_t first, std::int64_t count);
Expr rows(Expr a, std::int64_t first, std::int64_t count);
Expr softmax(Expr logits, const Mask& mask = Mask::none());
Expr apply(Function f, Expr a);

// The same expression with each listed node replaced (in the same graph). Keys are nodes of the graph.
Expr substitute(Expr root, const std::map<const Node*, Expr>& replacement);
// Several roots at once, sharing the work.
std::vector<Expr> substitute(const std::vector<Expr>& roots, const std::map<const Node*, Expr>& replacement);

// Every node under the roots, operands before users, in increasing id.
std::vector<const Node*> reachable(const std::vector<Expr>& roots);
// The input nodes under the roots, in increasing id.
std::vector<const Node*> inputs_of(const std::vector<Expr>& roots);

// A node with other operands, everything else the same: the step of every rewriting.
Expr with_operands(const Node& node, const std::vector<Expr>& operands);

}  // namespace attest::expr
