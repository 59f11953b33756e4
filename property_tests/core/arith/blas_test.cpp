#include "core/arith/blas.h"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "core/support/random.h"

namespace attest::test {

namespace blas = arith::blas;

// Integers small enough that every sum is exact: any order must give the same numbers.
TEMPLATE_TEST_CASE("an integer product is exact and accumulates", "[arith][blas]", float, double) {
  RandomStream stream(7);
  for (const auto& [m, n, k] : {std::array<int, 3>{1, 1, 1}, {3, 5, 2}, {64, 65, 130}, {1, 200, 300}, {200, 1, 300}}) {
    const int lda = k + 3, ldb = n + 1, ldc = n + 2;
    std::vector<TestType> a(m * lda), b(k * ldb), c(m * ldc, 5);
    for (TestType& x : a) x = static_cast<TestType>(stream.integer(-9, 9));
    for (TestType& x : b) x = static_cast<TestType>(stream.integer(-9, 9));
    blas::approx_multiply(m, n, k, a.data(), lda, b.data(), ldb, TestType(1), c.data(), ldc);
    int wrong = 0;
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j) {
        double sum = 5;
        for (int l = 0; l < k; ++l) sum += static_cast<double>(a[i * lda + l]) * static_cast<double>(b[l * ldb + j]);
        if (static_cast<double>(c[i * ldc + j]) != sum) ++wrong;
      }
    CHECK(wrong == 0);
    CHECK(c[n] == 5);  // beyond the row: untouched
  }
}

TEMPLATE_TEST_CASE("the inverse of a permuted triangular integer matrix is exact", "[arith][blas]", float, double) {
  // [[0, 1, 0], [1, 0, 2], [0, 0, 1]] has the inverse [[0, 1, -2], [1, 0, 0], [0, 0, 1]].
  std::vector<TestType> a{0, 1, 0, 1, 0, 2, 0, 0, 1};
  REQUIRE(blas::approx_invert(3, a.data()));
  CHECK(a == std::vector<TestType>{0, 1, -2, 1, 0, 0, 0, 0, 1});
  std::vector<TestType> zero(9, 0);
  CHECK_FALSE(blas::approx_invert(3, zero.data()));
}

TEST_CASE("an inverse is close to the inverse at a size with blocks", "[arith][blas]") {
  constexpr int n = 300;
  RandomStream stream(3);
  std::vector<double> a(n * n), product(n * n);
  for (double& x : a) x = stream.normal();
  std::vector<double> inverse = a;
  REQUIRE(blas::approx_invert(n, inverse.data()));
  blas::approx_multiply(n, n, n, inverse.data(), n, a.data(), n, 0, product.data(), n);
  double worst = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) worst = std::max(worst, std::abs(product[i * n + j] - (i == j ? 1 : 0)));
  CHECK(worst < 1e-3);  // sanity only: the certified inverse of floating.h bounds the error
  CHECK(worst > 0);
}

TEST_CASE("the library says what it is", "[arith][blas]") {
  CHECK(blas::description().find("OpenBLAS") != std::string::npos);
}

}  // namespace attest::test
