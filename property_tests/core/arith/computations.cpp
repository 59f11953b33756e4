#include "property_tests/core/arith/computations.h"

#include <cmath>

#include "core/support/check.h"

namespace attest::test {

using arith::Backend;
using arith::Matrix;
using expr::Function;
using expr::Mask;
using expr::Shape;

std::string to_string(Entries kind) {
  switch (kind) {
    case Entries::integers:
      return "integers";
    case Entries::fractions:
      return "fractions";
    case Entries::dyadics:
      return "dyadics";
    case Entries::hilbert:
      return "Hilbert";
    case Entries::nearly_singular:
      return "nearly singular";
    case Entries::wide_range:
      return "wide range";
  }
  return "?";
}

namespace {

Rational power_of_two(std::int64_t exponent) { return exact_rational(std::ldexp(1.0, static_cast<int>(exponent))); }

Rational fraction(RandomStream& stream) {
  Rational value(static_cast<long>(stream.integer(-30, 30)), static_cast<unsigned long>(stream.integer(1, 12)));
  value.canonicalize();
  return value;
}

Rational entry(Entries kind, std::int64_t i, std::int64_t j, RandomStream& stream) {
  switch (kind) {
    case Entries::integers:
      return Rational(static_cast<long>(stream.integer(-4, 4)));
    case Entries::fractions:
      return fraction(stream);
    case Entries::dyadics:
      return exact_rational(stream.normal());
    case Entries::hilbert:
      return Rational(1, static_cast<unsigned long>(i + j + 1));
    case Entries::nearly_singular:  // rank one plus a small perturbation
      return Rational(static_cast<long>((i + 1) * (j + 2))) + fraction(stream) * power_of_two(-stream.integer(10, 40));
    case Entries::wide_range:
      return exact_rational(stream.normal()) * power_of_two(stream.integer(-40, 40));
  }
  return 0;
}

}  // namespace

RationalMatrix random_matrix(Entries kind, std::int64_t rows, std::int64_t cols, RandomStream& stream) {
  RationalMatrix result(rows, cols);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) result.at(i, j) = entry(kind, i, j, stream);
  return result;
}

std::vector<RationalMatrix> random_inputs(Entries kind, std::int64_t n, RandomStream stream) {
  std::vector<RationalMatrix> inputs{random_matrix(kind, n, n, stream)};
  const Entries others[] = {Entries::integers, Entries::fractions, Entries::dyadics};
  for (const std::int64_t cols : {n, n, std::int64_t{1}})
    inputs.push_back(random_matrix(others[stream.below(3)], n, cols, stream));
  return inputs;
}

Term operator+(const Term& a, const Term& b) {
  return a.with(b, [&](const Matrix& x, const Matrix& y) { return a.backend().add(x, y); });
}
Term operator-(const Term& a, const Term& b) {
  return a.with(b, [&](const Matrix& x, const Matrix& y) { return a.backend().subtract(x, y); });
}
Term operator*(const Term& a, const Term& b) {
  return a.with(b, [&](const Matrix& x, const Matrix& y) { return a.backend().multiply(x, y); });
}
Term operator*(const Rational& q, const Term& a) {
  return a.then([&](const Matrix& x) { return a.backend().scale(q, x); });
}
Term transpose(const Term& a) {
  return a.then([&](const Matrix& x) { return a.backend().transpose(x); });
}
Term inverse(const Term& a) {
  return a.then([&](const Matrix& x) { return a.backend().inverse(x); });
}
Term hadamard(const Term& a, const Term& b) {
  return a.with(b, [&](const Matrix& x, const Matrix& y) { return a.backend().hadamard(x, y); });
}
Term scale_rows(const Term& column, const Term& a) {
  return column.with(a, [&](const Matrix& c, const Matrix& x) { return a.backend().scale_rows(c, x); });
}
Term scale_by(const Term& scalar, const Term& a) {
  return scalar.with(a, [&](const Matrix& s, const Matrix& x) { return a.backend().scale_by(s, x); });
}
Term beside(const Term& a, const Term& b) {
  return a.with(b, [&](const Matrix& x, const Matrix& y) { return a.backend().concat_columns({x, y}); });
}
Term above(const Term& a, const Term& b) {
  return a.with(b, [&](const Matrix& x, const Matrix& y) { return a.backend().concat_rows({x, y}); });
}
Term slice(const Term& a, std::int64_t first_row, std::int64_t first_col, Shape shape) {
  return a.then([&](const Matrix& x) { return a.backend().slice(x, first_row, first_col, shape); });
}
Term solve_left(const Term& a, const Term& y, expr::Structure structure) {
  return a.with(y, [&](const Matrix& x, const Matrix& z) { return a.backend().solve_left(x, z, structure); });
}
Term solve_right(const Term& x, const Term& a, expr::Structure structure) {
  return x.with(a, [&](const Matrix& y, const Matrix& z) { return a.backend().solve_right(y, z, structure); });
}
Term softmax(const Term& logits, const Mask& mask) {
  return logits.then([&](const Matrix& x) { return logits.backend().softmax(x, mask); });
}
Term apply(Function f, const Term& a) {
  return a.then([&](const Matrix& x) { return a.backend().elementwise(f, x); });
}
Term fill(const Backend& backend, Shape shape, const Rational& value) {
  return Term(backend, backend.fill(shape, value));
}
Term identity(const Backend& backend, std::int64_t n) { return Term(backend, backend.identity(n)); }
Term given(const Backend& backend, const RationalMatrix& matrix) {
  return Term(backend, backend.from_rational(matrix));
}

namespace {

struct Inputs {
  Term a, b, c, column;
};

template <class Formula>
Computation computation(std::string name, bool rational, Formula formula) {
  return {std::move(name), rational, [formula](const Backend& backend, const std::vector<Matrix>& m) {
            const Inputs inputs{Term(backend, m[0]), Term(backend, m[1]), Term(backend, m[2]), Term(backend, m[3])};
            return formula(inputs).outcome();
          }};
}

// Ones of the shape of A.
Term ones(const Term& a) {
  return a.then([&](const Matrix& x) { return a.backend().fill(x->shape, 1); });
}

void add_rational(std::vector<Computation>& list) {
  list.push_back(computation("A B", true, [](const Inputs& x) { return x.a * x.b; }));
  list.push_back(computation("A B C", true, [](const Inputs& x) { return x.a * x.b * x.c; }));
  list.push_back(computation("A B - B A", true, [](const Inputs& x) { return x.a * x.b - x.b * x.a; }));
  list.push_back(computation("A + B - A", true, [](const Inputs& x) { return (x.a + x.b) - x.a; }));
  list.push_back(computation("A^-1", true, [](const Inputs& x) { return inverse(x.a); }));
  list.push_back(computation("(A B)^-1 C", true, [](const Inputs& x) { return inverse(x.a * x.b) * x.c; }));
  list.push_back(computation("B A^-1 solved", true, [](const Inputs& x) { return solve_right(x.b, x.a); }));
  list.push_back(computation("A^-1 c solved", true, [](const Inputs& x) { return solve_left(x.a, x.column); }));
  list.push_back(computation("A o (B C)", true, [](const Inputs& x) { return hadamard(x.a, x.b * x.c); }));
  list.push_back(
      computation("-7/3 A^T B", true, [](const Inputs& x) { return Rational(-7, 3) * (transpose(x.a) * x.b); }));
  list.push_back(computation("(c^T A c) diag(c) B", true, [](const Inputs& x) {
    return scale_by(transpose(x.column) * x.a * x.column, scale_rows(x.column, x.b));
  }));
  list.push_back(computation("[A B] [C over A B]", true,
                             [](const Inputs& x) { return beside(x.a, x.b) * above(x.c, x.a * x.b); }));
  list.push_back(computation("1 / (1/7 + A o A)", true, [](const Inputs& x) {
    return apply(Function::reciprocal, hadamard(x.a, x.a) + Rational(1, 7) * ones(x.a));
  }));
  list.push_back(computation("1 / A", true, [](const Inputs& x) { return apply(Function::reciprocal, x.a); }));
  list.push_back(computation("relu(A B)", true, [](const Inputs& x) { return apply(Function::relu, x.a * x.b); }));
  list.push_back(computation("relu(A B - A B)", true,
                             [](const Inputs& x) { return apply(Function::relu, x.a * x.b - x.a * x.b); }));
  list.push_back(
      computation("relu_squared(A B)", true, [](const Inputs& x) { return apply(Function::relu_squared, x.a * x.b); }));
}

void add_transcendental(std::vector<Computation>& list) {
  for (const Function f : {Function::gelu, Function::gelu_tanh, Function::silu, Function::tanh, Function::exp}) {
    const std::string name(to_string(f));
    list.push_back(computation(name + "(A)", false, [f](const Inputs& x) { return apply(f, x.a); }));
    list.push_back(computation(name + "(A B)", false, [f](const Inputs& x) { return apply(f, x.a * x.b); }));
    list.push_back(
        computation(name + "(B / 3) C", false, [f](const Inputs& x) { return apply(f, Rational(1, 3) * x.b) * x.c; }));
  }
  list.push_back(computation("inv_sqrt(1/7 + A o A)", false, [](const Inputs& x) {
    return apply(Function::inv_sqrt, hadamard(x.a, x.a) + Rational(1, 7) * ones(x.a));
  }));
  list.push_back(computation("inv_sqrt(A)", false, [](const Inputs& x) { return apply(Function::inv_sqrt, x.a); }));
  for (const Mask& mask : {Mask::none(), Mask::causal(), Mask::window(2)}) {
    const std::string name = "softmax, mask " + to_string(mask);
    list.push_back(computation(name + ", of A", false, [mask](const Inputs& x) { return softmax(x.a, mask); }));
    list.push_back(computation(name + ", of B A B^T / 5, times C", false, [mask](const Inputs& x) {
      return softmax(Rational(1, 5) * (x.b * x.a * transpose(x.b)), mask) * x.c;
    }));
  }
}

}  // namespace

const std::vector<Computation>& computations() {
  static const std::vector<Computation> list = [] {
    std::vector<Computation> all;
    add_rational(all);
    add_transcendental(all);
    return all;
  }();
  return list;
}

Outcome<Matrix> run(const Computation& computation, const Backend& backend, const std::vector<RationalMatrix>& inputs) {
  std::vector<Matrix> matrices;
  for (const RationalMatrix& input : inputs) {
    Outcome<Matrix> converted = backend.from_rational(input);
    if (!converted.ok()) return converted;
    matrices.push_back(std::move(converted).value());
  }
  return computation.evaluate(backend, matrices);
}

}  // namespace attest::test
