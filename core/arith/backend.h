#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/arith/matrix.h"
#include "core/expr/function.h"
#include "core/expr/mask.h"
#include "core/support/outcome.h"
#include "core/support/random.h"
#include "core/support/rational.h"
#include "core/support/truth.h"

namespace attest::arith {

// What agreement of the two sides of a claim means in an arithmetic, weakest last (docs/verdicts.md).
enum class Strength {
  probable,    // equal modulo a random prime, error probability stated
  exact,       // equal on the instance
  certified,   // rigorous enclosures of both sides overlap, radius stated
  consistent,  // the floating-point difference is within its derived bound
};

// The two sides of an equation, compared entry by entry.
struct Comparison {
  Truth equal = Truth::unknown;   // exact arithmetics: yes or no. Enclosures: no when disjoint, otherwise unknown.
                                  // Floating point: always unknown.
  double error = 0;               // approximate largest |a - b|; 0 where entries have no size (field)
  double radius = 0;              // enclosures: largest radius of a - b. Floating point: the largest bound of an entry.
  double ratio = 0;               // floating point: largest |a - b| / bound (0 / 0 counts 0); otherwise 0
  double magnitude = 0;           // approximate largest |a|, |b|
  std::int64_t row = 0, col = 0;  // the worst entry: largest ratio, else first unequal
};

// An arithmetic: how expressions are evaluated. One file implements one arithmetic; nothing else knows its numbers.
// Operands always have fitting shapes (the expression checked them). Exact arithmetics are never unable to do a
// rational operation.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;
  virtual Strength strength() const = 0;
  // One line for the ledger of a verdict per assumption made: the prime, the precision, a stand-in row function, ...
  virtual std::vector<std::string> ledger() const = 0;
  // Whether A (B C) and (A B) C are the same matrix, so that products may be evaluated in the cheapest order.
  virtual bool associative() const = 0;
  // Whether functions are replaced by others (keyed symbols, a rational row function): then a difference refutes only
  // "for every function", and equality proves more than asked.
  virtual bool uses_stand_ins() const = 0;

  // --- matrices from outside
  virtual Outcome<Matrix> from_rational(const RationalMatrix& matrix) const = 0;
  virtual Outcome<Matrix> from_doubles(const DoubleMatrix& matrix) const = 0;  // exactly where the format allows it
  virtual Outcome<Matrix> fill(expr::Shape shape, const Rational& value) const = 0;
  virtual Outcome<Matrix> identity(std::int64_t n) const = 0;
  // A matrix of independent uniform entries with the given structure; only where the numbers have a uniform law.
  virtual Outcome<Matrix> uniform(expr::Shape shape, expr::Structure structure, RandomStream stream) const;

  // --- rational operations
  virtual Outcome<Matrix> add(const Matrix& a, const Matrix& b) const = 0;
  virtual Outcome<Matrix> subtract(const Matrix& a, const Matrix& b) const = 0;
  virtual Outcome<Matrix> multiply(const Matrix& a, const Matrix& b) const = 0;
  virtual Outcome<Matrix> scale(const Rational& q, const Matrix& a) const = 0;
  virtual Outcome<Matrix> scale_by(const Matrix& scalar, const Matrix& a) const = 0;    // scalar: 1 x 1
  virtual Outcome<Matrix> scale_rows(const Matrix& column, const Matrix& a) const = 0;  // diag(column) a
  virtual Outcome<Matrix> hadamard(const Matrix& a, const Matrix& b) const = 0;
  virtual Outcome<Matrix> transpose(const Matrix& a) const = 0;
  virtual Outcome<Matrix> concat_columns(const std::vector<Matrix>& parts) const = 0;
  virtual Outcome<Matrix> concat_rows(const std::vector<Matrix>& parts) const = 0;
  virtual Outcome<Matrix> slice(const Matrix& a, std::int64_t first_row, std::int64_t first_col,
                                expr::Shape shape) const = 0;
  // A^-1: undefined where A is certainly singular, unable where that is not known.
  virtual Outcome<Matrix> inverse(const Matrix& a) const = 0;
  // X A^-1 and A^-1 Y without forming the inverse where the arithmetic can; the default multiplies by the inverse.
  virtual Outcome<Matrix> solve_right(const Matrix& x, const Matrix& a, expr::Structure structure) const;
  virtual Outcome<Matrix> solve_left(const Matrix& a, const Matrix& y, expr::Structure structure) const;

  // --- functions
  // Row i of the result is the row function of the visible logits, 0 at hidden keys; undefined if no key is visible.
  virtual Outcome<Matrix> softmax(const Matrix& logits, const expr::Mask& mask) const = 0;
  virtual Outcome<Matrix> elementwise(expr::Function f, const Matrix& a) const = 0;

  // --- predicates and output
  virtual Comparison compare(const Matrix& a, const Matrix& b) const = 0;
  // Whether the square matrix is invertible.
  virtual Truth invertible(const Matrix& a) const = 0;
  virtual Outcome<std::int64_t> rank(const Matrix& a) const = 0;
  // Exact arithmetics over Q, and multiprecision, which gives its rounded numbers as they are.
  virtual Outcome<RationalMatrix> to_rational(const Matrix& a) const;
  // Midpoints, for display: no bound.
  virtual Outcome<DoubleMatrix> approx_doubles(const Matrix& a) const = 0;
  // One entry as a person reads it and a checker can recompute it: "3/7", a residue, "[1.25 +/- 3e-40]", ...
  virtual std::string entry_text(const Matrix& a, std::int64_t row, std::int64_t col) const = 0;
};

struct BackendOptions {
  std::uint64_t seed = 1;              // field: draws the prime and keys the function symbols
  std::uint64_t prime = 0;             // field: a fixed prime instead of a random one; the verdict then says F_p only
  int prime_bits = 60;                 // field: p uniform among the primes of [2^e, 2^(e+1)]
  std::int64_t precision = 128;        // ball, multiprecision: bits
  bool stand_in_row_function = false;  // rational: replace softmax by a rational row function instead of "unable"
};

// The arithmetics by name: field, rational, ball, multiprecision, double, float. Throws InputError for another name.
std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& options = {});
const std::vector<std::string>& backend_names();

// "FLINT 2.9.0, Arb 2.23.0, MPFR ..., OpenBLAS ...": what the arithmetics stand on, as linked.
std::string library_versions();

// What each arithmetic's own file provides.
std::unique_ptr<Backend> make_field(const BackendOptions& options);
std::unique_ptr<Backend> make_rational(const BackendOptions& options);
std::unique_ptr<Backend> make_ball(const BackendOptions& options);
std::unique_ptr<Backend> make_multiprecision(const BackendOptions& options);
std::unique_ptr<Backend> make_double(const BackendOptions& options);
std::unique_ptr<Backend> make_float(const BackendOptions& options);

}  // namespace attest::arith
