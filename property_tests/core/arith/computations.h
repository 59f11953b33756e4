#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/arith/backend.h"

// Expressions written once over the Backend interface, so that arithmetics can be held against each other.
namespace attest::test {

// How the entries of an instance are drawn.
enum class Entries { integers, fractions, dyadics, hilbert, nearly_singular, wide_range };
constexpr int entries_count = 6;
std::string to_string(Entries kind);

RationalMatrix random_matrix(Entries kind, std::int64_t rows, std::int64_t cols, RandomStream& stream);

// An expression of three n x n matrices A, B, C and an n x 1 column c.
struct Computation {
  std::string name;
  bool rational = false;  // only rational operations
  std::function<Outcome<arith::Matrix>(const arith::Backend&, const std::vector<arith::Matrix>&)> evaluate;
};
const std::vector<Computation>& computations();

// A, B, C, c of size n.
std::vector<RationalMatrix> random_inputs(Entries kind, std::int64_t n, RandomStream stream);

// The value of the computation in this arithmetic, or the first failure.
Outcome<arith::Matrix> run(const Computation& computation, const arith::Backend& backend,
                           const std::vector<RationalMatrix>& inputs);

// Builds expressions whose first failure is the failure of the whole: every operation on a failure is that failure.
class Term {
 public:
  Term(const arith::Backend& backend, Outcome<arith::Matrix> value) : backend_(&backend), value_(std::move(value)) {}
  const Outcome<arith::Matrix>& outcome() const { return value_; }
  const arith::Backend& backend() const { return *backend_; }

  template <class Operation>
  Term then(const Operation& operation) const {
    return value_.ok() ? Term(*backend_, operation(value_.value())) : *this;
  }
  template <class Operation>
  Term with(const Term& other, const Operation& operation) const {
    if (!value_.ok()) return *this;
    if (!other.value_.ok()) return other;
    return Term(*backend_, operation(value_.value(), other.value_.value()));
  }

 private:
  const arith::Backend* backend_;
  Outcome<arith::Matrix> value_;
};

Term operator+(const Term& a, const Term& b);
Term operator-(const Term& a, const Term& b);
Term operator*(const Term& a, const Term& b);
Term operator*(const Rational& q, const Term& a);
Term transpose(const Term& a);
Term inverse(const Term& a);
Term hadamard(const Term& a, const Term& b);
Term scale_rows(const Term& column, const Term& a);
Term scale_by(const Term& scalar, const Term& a);
Term beside(const Term& a, const Term& b);  // [A B]
Term above(const Term& a, const Term& b);   // A over B
Term slice(const Term& a, std::int64_t first_row, std::int64_t first_col, expr::Shape shape);
Term solve_left(const Term& a, const Term& y, expr::Structure structure = expr::Structure::general);
Term solve_right(const Term& x, const Term& a, expr::Structure structure = expr::Structure::general);
Term softmax(const Term& logits, const expr::Mask& mask);
Term apply(expr::Function f, const Term& a);
Term fill(const arith::Backend& backend, expr::Shape shape, const Rational& value);
Term identity(const arith::Backend& backend, std::int64_t n);
Term given(const arith::Backend& backend, const RationalMatrix& matrix);

}  // namespace attest::test
