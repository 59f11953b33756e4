#include "core/expr/print.h"

#include <catch2/catch.hpp>

#include "core/support/rational.h"

using namespace attest::expr;
using attest::Rational;

namespace {

struct Printed {
  Expr expression;
  const char* text;
  const char* tex;
};

void check_all(const std::vector<Printed>& cases) {
  for (const Printed& printed : cases) {
    CHECK(to_text(printed.expression) == printed.text);
    CHECK(to_tex(printed.expression) == printed.tex);
  }
}

}  // namespace

TEST_CASE("products, sums and powers take parentheses only where they must", "[expr][print]") {
  Graph g;
  const Expr a = g.input("A", {3, 3}), b = g.input("B", {3, 3}), c = g.input("C", {3, 3});
  check_all({
      {a + b + c, "A + B + C", "A + B + C"},
      {a - b - c, "A - B - C", "A - B - C"},
      {a - (b - c), "A - (B - C)", "A - \\left(B - C\\right)"},
      {a - (b + c), "A - (B + C)", "A - \\left(B + C\\right)"},
      {a * b * c, "A B C", "A\\,B\\,C"},
      {a * (b * c), "A (B C)", "A\\,\\left(B\\,C\\right)"},
      {(a + b) * c, "(A + B) C", "\\left(A + B\\right)\\,C"},
      {a * transpose(b), "A B^T", "A\\,B^{\\top}"},
      {transpose(a * b), "(A B)^T", "\\left(A\\,B\\right)^{\\top}"},
      {inverse(transpose(a)), "(A^T)^-1", "\\left(A^{\\top}\\right)^{-1}"},
      {hadamard(a, b) + c, "A o B + C", "A\\odot B + C"},
      {hadamard(a * b, c), "(A B) o C", "\\left(A\\,B\\right)\\odot C"},
      {Rational(3, 4) * a, "3/4 A", "\\tfrac{3}{4}\\,A"},
      {Rational(2) * (a + b), "2 (A + B)", "2\\,\\left(A + B\\right)"},
  });
}

TEST_CASE("names carry indices and layers", "[expr][print]") {
  Graph g;
  check_all({
      {g.input("W_Q", {2, 2}), "W_Q", "W_{Q}"},
      {g.input("W_Q.2", {2, 2}), "W_Q.2", "W_{Q}^{(2)}"},
      {g.input("X", {2, 2}), "X", "X"},
  });
}

TEST_CASE("constants, blocks and functions print", "[expr][print]") {
  Graph g;
  const Expr a = g.input("A", {2, 4}), column = g.input("c", {2, 1}), one = g.input("s", {1, 1});
  attest::RationalMatrix matrix(2, 2);
  matrix.at(0, 0) = 1;
  matrix.at(1, 0) = Rational(-1, 2);
  const Expr constant = g.constant(matrix);
  check_all({
      {g.identity(2), "I", "I"},
      {g.fill({1, 1}, Rational(1, 2)), "1/2", "\\tfrac{1}{2}"},
      {g.ones({2, 4}), "[1]_2x4", "[1]_{2\\times 4}"},
      {constant, "[1 0; -1/2 0]", "\\begin{pmatrix}1&0\\\\-1/2&0\\end{pmatrix}"},
      {concat_columns({a, column}), "[A | c]", "[A\\;|\\;c]"},
      {concat_rows({a, a}), "[A; A]", "[A; A]"},
      {columns(a, 1, 2), "A[0..1, 1..2]", "A_{[0..1,\\,1..2]}"},
      {scale_rows(column, a), "diag(c) A", "\\operatorname{diag}\\left(c\\right)\\,A"},
      {scale_by(one, a), "s A", "s\\,A"},
      {softmax(a), "softmax(A)", "\\operatorname{softmax}\\left(A\\right)"},
      {softmax(a, Mask::causal()), "softmax[causal](A)", "\\operatorname{softmax}_{\\text{causal}}\\left(A\\right)"},
      {softmax(a, Mask::window(3)), "softmax[window 3](A)",
       "\\operatorname{softmax}_{\\text{window 3}}\\left(A\\right)"},
      {apply(Function::relu, a), "relu(A)", "\\operatorname{relu}\\left(A\\right)"},
  });
}

TEST_CASE("a message shows at most about 60 characters of an expression", "[expr][print]") {
  Graph g;
  Expr sum = g.input("A", {2, 2});
  CHECK(short_name(sum) == "A");
  for (int i = 0; i < 15; ++i) sum = sum + g.input("B" + std::to_string(i), {2, 2});
  CHECK(short_name(sum).size() == 60);
  CHECK_THAT(short_name(sum), Catch::EndsWith("..."));
  // A shared subexpression squared 60 times would print 2^60 names.
  Expr deep = g.input("A", {2, 2});
  for (int i = 0; i < 60; ++i) deep = deep * deep;
  CHECK_THAT(short_name(deep), Catch::Contains("2 x 2"));
}
