#include "reparam/rational_elimination.h"

#include <catch2/catch.hpp>

#include "core/arith/backend.h"
#include "property_tests/support/property.h"

using namespace attest;
using namespace attest::reparam;

namespace {

RationalMatrix drawn(std::int64_t rows, std::int64_t cols) {
  RationalMatrix A(rows, cols);
  for (Rational& entry : A.entries) {
    entry = Rational(*rc::gen::element(-2, -1, 0, 0, 1, 2), *rc::gen::element(1, 1, 2));
    entry.canonicalize();
  }
  return A;
}

RationalMatrix identity(std::int64_t n) {
  RationalMatrix I(n, n);
  for (std::int64_t i = 0; i < n; ++i) I.at(i, i) = 1;
  return I;
}

}  // namespace

TEST_CASE("the echelon form spans the same rows, has unit pivot columns, and the rank of FLINT",
          "[reparam][rational]") {
  const auto flint = arith::make_backend("rational");
  const auto report = test::check_property(
      "row echelon",
      [&] {
        const RationalMatrix A =
            drawn(*rc::gen::element<std::int64_t>(1, 2, 3, 4), *rc::gen::element<std::int64_t>(1, 2, 3, 4));
        const RowEchelon echelon = row_echelon(A);
        RC_CLASSIFY(echelon.rank() < std::min(A.rows, A.cols), "deficient");
        RC_ASSERT(echelon.rows.rows == echelon.rank());
        RC_ASSERT(echelon.rank() == flint->rank(flint->from_rational(A).value()).value());
        for (std::int64_t i = 0; i < echelon.rank(); ++i)
          for (std::int64_t r = 0; r < echelon.rank(); ++r)
            RC_ASSERT(echelon.rows.at(r, echelon.pivots[static_cast<std::size_t>(i)]) == (r == i ? 1 : 0));
        // A = A[:, pivots] * rows: nothing of A is outside the span.
        RationalMatrix at_pivots(A.rows, echelon.rank());
        for (std::int64_t i = 0; i < A.rows; ++i)
          for (std::int64_t r = 0; r < echelon.rank(); ++r)
            at_pivots.at(i, r) = A.at(i, echelon.pivots[static_cast<std::size_t>(r)]);
        RC_ASSERT(product(at_pivots, echelon.rows) == A);
      },
      300);
  CHECK(report.count("deficient") > 10);
}

TEST_CASE("the kernel basis is killed, independent and complete", "[reparam][rational]") {
  test::check_property("kernel", [] {
    const RationalMatrix A =
        drawn(*rc::gen::element<std::int64_t>(1, 2, 3, 4), *rc::gen::element<std::int64_t>(1, 2, 3, 5));
    const auto basis = kernel_basis(A);
    RC_ASSERT(static_cast<std::int64_t>(basis.size()) == A.cols - row_echelon(A).rank());
    if (basis.empty()) return;
    RC_ASSERT(is_zero(product(A, side_by_side(basis))));
    RC_ASSERT(row_echelon(side_by_side(basis)).rank() == static_cast<std::int64_t>(basis.size()));
  });
}

TEST_CASE("solving undoes multiplying", "[reparam][rational]") {
  const auto report = test::check_property("solve", [] {
    const std::int64_t n = *rc::gen::element<std::int64_t>(1, 2, 3, 4);
    const RationalMatrix A = drawn(n, n), X = drawn(n, 2);
    if (row_echelon(A).rank() < n) return;
    RC_TAG(std::string("invertible"));
    RC_ASSERT(solve(A, product(A, X)) == X);
    RC_ASSERT(product(A, solve(A, identity(n))) == identity(n));
  });
  CHECK(report.count("invertible") > 30);
}

TEST_CASE("transposing reverses products", "[reparam][rational]") {
  test::check_property("transpose", [] {
    const RationalMatrix A = drawn(2, 3), B = drawn(3, 4);
    RC_ASSERT(transposed(product(A, B)) == product(transposed(B), transposed(A)));
  });
}
