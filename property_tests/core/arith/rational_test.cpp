#include <catch2/catch.hpp>

#include "core/arith/backend.h"
#include "property_tests/core/arith/exact_matrices.h"
#include "property_tests/support/generators.h"
#include "property_tests/support/property.h"

namespace {

using namespace attest;
using namespace attest::arith;
using attest::test::check_property;
using attest::test::small_matrix;

const Backend& rational() {
  static const auto backend = make_rational({});
  return *backend;
}

Matrix held(const RationalMatrix& matrix) { return rational().from_rational(matrix).value(); }
RationalMatrix shown(const Outcome<Matrix>& matrix) { return rational().to_rational(matrix.value()).value(); }

TEST_CASE("rational products are the sums of products", "[arith][rational]") {
  check_property("A B by FLINT is A B by definition", [] {
    const auto n = *rc::gen::inRange(1, 7), k = *rc::gen::inRange(1, 7), m = *rc::gen::inRange(1, 7);
    const RationalMatrix a = small_matrix(n, k), b = small_matrix(k, m);
    RC_ASSERT(shown(rational().multiply(held(a), held(b))) == attest::test::product(a, b));
  });
}

TEST_CASE("a rational inverse is an inverse and exists exactly at full rank", "[arith][rational]") {
  const auto report = check_property(
      "A A^-1 = I, or rank A < n",
      [] {
        const auto n = *rc::gen::inRange(1, 8);
        const RationalMatrix a =
            *rc::gen::arbitrary<bool>() ? small_matrix(n, n, 2, 2) : attest::test::singular_matrix(n);
        const Matrix matrix = held(a);
        const auto inverse = rational().inverse(matrix);
        const bool full = rational().rank(matrix).value() == n;
        RC_CLASSIFY(full, "invertible");
        RC_CLASSIFY(!full, "singular");
        RC_ASSERT(rational().invertible(matrix) == truth(full));
        RC_ASSERT(inverse.status() == (full ? Status::success : Status::undefined));
        if (full) RC_ASSERT(attest::test::product(a, shown(inverse)) == attest::test::identity_matrix(n));
      },
      200);
  CHECK(report.count("invertible") > 20);
  CHECK(report.count("singular") > 20);
}

TEST_CASE("rational solves satisfy their equation", "[arith][rational]") {
  check_property("Y A = X and A Z = W", [] {
    const auto n = *rc::gen::inRange(1, 7), rows = *rc::gen::inRange(1, 5);
    const RationalMatrix a = small_matrix(n, n), x = small_matrix(rows, n), w = small_matrix(n, rows);
    const auto right = rational().solve_right(held(x), held(a), expr::Structure::general);
    const auto left = rational().solve_left(held(a), held(w), expr::Structure::general);
    const bool full = rational().rank(held(a)).value() == n;
    RC_ASSERT(right.status() == (full ? Status::success : Status::undefined));
    RC_ASSERT(left.status() == right.status());
    RC_PRE(full);
    RC_ASSERT(attest::test::product(shown(right), a) == x);
    RC_ASSERT(attest::test::product(a, shown(left)) == w);
  });
}

// FLINT chooses its algorithm by size, and some abort the process on singular input.
TEST_CASE("singular rational systems of every size are undefined", "[arith][rational]") {
  check_property(
      "inverse and solves report it",
      [] {
        const auto n = *rc::gen::element(1, 2, 3, 4, 5, 10, 24, 25, 26, 33);
        const Matrix a = held(attest::test::singular_matrix(n));
        RC_ASSERT(rational().inverse(a).status() == Status::undefined);
        RC_ASSERT(rational().solve_left(a, held(small_matrix(n, 2)), expr::Structure::general).status() ==
                  Status::undefined);
        RC_ASSERT(rational().solve_right(held(small_matrix(1, n)), a, expr::Structure::general).status() ==
                  Status::undefined);
      },
      60);
}

TEST_CASE("rational matrices of doubles hold exactly those doubles", "[arith][rational]") {
  check_property("the double comes back", [] {
    DoubleMatrix matrix(1, 1);
    matrix.at(0, 0) = *attest::test::any_finite_double();
    const Matrix converted = rational().from_doubles(matrix).value();
    RC_ASSERT(rational().to_rational(converted).value().at(0, 0) == exact_rational(matrix.at(0, 0)));
    RC_ASSERT(rational().approx_doubles(converted).value().at(0, 0) == matrix.at(0, 0));
  });
  DoubleMatrix special(1, 2);
  special.at(0, 1) = std::nan("");
  CHECK(rational().from_doubles(special).status() == Status::undefined);
}

TEST_CASE("rational comparison finds the first difference and the largest", "[arith][rational]") {
  RationalMatrix a(2, 3), b(2, 3);
  CHECK(rational().compare(held(a), held(b)).equal == Truth::yes);
  b.at(0, 2) = Rational(1, 3);
  b.at(1, 1) = -5;
  const Comparison comparison = rational().compare(held(a), held(b));
  CHECK(comparison.equal == Truth::no);
  CHECK(comparison.row == 0);
  CHECK(comparison.col == 2);
  CHECK(comparison.error == 5.0);
  CHECK(comparison.magnitude == 5.0);
  CHECK(rational().entry_text(held(b), 0, 2) == "1/3");
}

TEST_CASE("rational softmax is evaluated where it is rational and nowhere else", "[arith][rational]") {
  RationalMatrix logits(2, 2);
  logits.at(0, 0) = 7;
  logits.at(0, 1) = -1;
  logits.at(1, 0) = logits.at(1, 1) = Rational(2, 3);
  const RationalMatrix row = shown(rational().softmax(held(logits), expr::Mask::causal()));
  CHECK(row.entries == std::vector<Rational>{1, 0, Rational(1, 2), Rational(1, 2)});
  CHECK(rational().softmax(held(logits), expr::Mask::none()).status() == Status::unable);
  CHECK(rational().softmax(held(RationalMatrix(3, 2)), expr::Mask::causal()).status() == Status::undefined);
}

TEST_CASE("the rational stand-in is used only when asked for and is in the ledger", "[arith][rational]") {
  const auto stand_in = make_rational({.stand_in_row_function = true});
  CHECK(stand_in->uses_stand_ins());
  CHECK_FALSE(rational().uses_stand_ins());
  CHECK(stand_in->ledger().size() > rational().ledger().size());
  RationalMatrix logits(1, 2);
  logits.at(0, 0) = 1;
  logits.at(0, 1) = -1;
  const Matrix row = stand_in->softmax(held(logits), expr::Mask::none()).value();
  const auto weights = rational().to_rational(row).value().entries;
  CHECK(weights[0] + weights[1] == 1);
  CHECK(weights[0] != weights[1]);
  CHECK(stand_in->elementwise(expr::Function::gelu, held(logits)).ok());
  CHECK(rational().elementwise(expr::Function::gelu, held(logits)).status() == Status::unable);
  CHECK(stand_in->elementwise(expr::Function::inv_sqrt, held(logits)).status() == Status::undefined);
}

}  // namespace
