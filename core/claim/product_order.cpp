// thin_side_first: the cheapest order of evaluation of every product in a DAG.
#include <limits>
#include <map>

#include "core/claim/evaluate.h"
#include "core/support/check.h"

namespace attest::claim {
namespace {

using expr::Expr;
using expr::Node;
using expr::Op;

// The factors of a product, inverses of products taken apart: (A B)^-1 = B^-1 A^-1 for square A, B.
void flatten(Expr expression, std::vector<Expr>& factors) {
  const Node& node = expression.node();
  if (node.op == Op::multiply) {
    flatten(Expr(node.operands[0]), factors);
    flatten(Expr(node.operands[1]), factors);
    return;
  }
  if (node.op == Op::inverse && node.operands[0]->op == Op::multiply) {
    const Expr a(node.operands[0]->operands[0]), b(node.operands[0]->operands[1]);
    if (a.rows() == a.cols() && b.rows() == b.cols()) {
      flatten(inverse(b), factors);
      flatten(inverse(a), factors);
      return;
    }
  }
  factors.push_back(expression);
}

bool is_inverse(Expr factor) { return factor.node().op == Op::inverse; }

// Field operations to apply one inverse: elimination, unless the matrix is triangular.
double elimination_cost(Expr factor) {
  const Node& inverted = *factor.node().operands[0];
  const double n = static_cast<double>(inverted.shape.rows);
  return inverted.structure == expr::Structure::general ? n * n * n / 3 : 0;
}

class ProductOrder {
 public:
  explicit ProductOrder(std::vector<Expr> factors)
      : factors_(std::move(factors)),
        cost_(factors_.size(), std::vector<double>(factors_.size(), 0)),
        cut_(factors_.size(), std::vector<std::size_t>(factors_.size(), 0)) {}

  Expr best() {
    const std::size_t count = factors_.size();
    for (std::size_t length = 2; length <= count; ++length)
      for (std::size_t first = 0; first + length <= count; ++first) choose(first, first + length - 1);
    return build(0, count - 1);
  }

 private:
  void choose(std::size_t first, std::size_t last) {
    cost_[first][last] = std::numeric_limits<double>::infinity();
    for (std::size_t middle = first; middle < last; ++middle) {
      const double total = cost_[first][middle] + cost_[middle + 1][last] + joining_cost(first, middle, last);
      if (total < cost_[first][last]) {
        cost_[first][last] = total;
        cut_[first][last] = middle;
      }
    }
  }

  double joining_cost(std::size_t first, std::size_t middle, std::size_t last) const {
    const double product = static_cast<double>(factors_[first].rows()) * static_cast<double>(factors_[middle].cols()) *
                           static_cast<double>(factors_[last].cols());
    double eliminations = 0;
    if (first == middle && is_inverse(factors_[first])) eliminations += elimination_cost(factors_[first]);
    if (middle + 1 == last && is_inverse(factors_[last])) eliminations += elimination_cost(factors_[last]);
    return product + eliminations;
  }

  Expr build(std::size_t first, std::size_t last) const {
    if (first == last) return factors_[first];
    const std::size_t middle = cut_[first][last];
    return build(first, middle) * build(middle + 1, last);
  }

  std::vector<Expr> factors_;
  std::vector<std::vector<double>> cost_;
  std::vector<std::vector<std::size_t>> cut_;
};

Expr reordered(Expr product);

// A thin X times [B_1 ... B_m] meets every B_i by itself, so that a T^-1 inside a B_i is applied to X.
Expr distributed(Expr left, const Node& blocks) {
  std::vector<Expr> parts;
  for (const Node* block : blocks.operands) parts.push_back(reordered(left * Expr(block)));
  return expr::concat_columns(parts);
}

Expr reordered(Expr product) {
  const Node& node = product.node();
  if (node.op != Op::multiply) return product;
  const Expr left(node.operands[0]);
  const Node& right = *node.operands[1];
  if (right.op == Op::concat_columns && left.rows() < left.cols()) return distributed(reordered(left), right);
  std::vector<Expr> factors;
  flatten(product, factors);
  return ProductOrder(std::move(factors)).best();
}

}  // namespace

std::vector<Expr> thin_side_first(const std::vector<Expr>& roots) {
  std::map<const Node*, Expr> image;
  for (const Node* node : expr::reachable(roots)) {
    std::vector<Expr> operands;
    bool changed = false;
    for (const Node* operand : node->operands) {
      operands.push_back(image.at(operand));
      changed = changed || operands.back().address() != operand;
    }
    image[node] = reordered(changed ? expr::with_operands(*node, operands) : Expr(node));
  }
  std::vector<Expr> results;
  for (const Expr& root : roots) results.push_back(image.at(root.address()));
  return results;
}

}  // namespace attest::claim
