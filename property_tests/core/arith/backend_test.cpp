// Tests also: core/arith/versions.cpp
#include "core/arith/backend.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"

using namespace attest;
using Catch::Matchers::Contains;

TEST_CASE("every arithmetic is made by its name and says it", "[arith]") {
  for (const std::string& name : arith::backend_names()) CHECK(arith::make_backend(name)->name() == name);
  CHECK_THROWS_WITH(arith::make_backend("reals"), Contains("unknown arithmetic 'reals'") && Contains("rational"));
}

TEST_CASE("every arithmetic writes down what it takes for granted", "[arith]") {
  for (const std::string& name : arith::backend_names()) CHECK_FALSE(arith::make_backend(name)->ledger().empty());
}

TEST_CASE("only arithmetics with a uniform law draw uniformly, and only exact ones give rationals back", "[arith]") {
  for (const std::string& name : arith::backend_names()) {
    CAPTURE(name);
    const auto backend = arith::make_backend(name);
    const auto drawn = backend->uniform({2, 2}, expr::Structure::general, RandomStream(1));
    CHECK(drawn.ok() == (name == "field"));
    const auto one = backend->identity(1).value();
    const auto rational = backend->to_rational(one);
    if (name == "rational") CHECK(rational.ok());
    if (rational.ok()) CHECK(rational.value().entries == std::vector<Rational>{1});
  }
}

TEST_CASE("solving with a matrix is multiplying by its inverse in every arithmetic", "[arith]") {
  for (const std::string& name : arith::backend_names()) {
    CAPTURE(name);
    const auto backend = arith::make_backend(name);
    RationalMatrix a(2, 2), x(1, 2);
    a.entries = {2, 1, 1, 1};
    x.entries = {3, 5};
    const auto A = backend->from_rational(a).value(), X = backend->from_rational(x).value();
    const auto solved = backend->solve_right(X, A, expr::Structure::general).value();
    // (3, 5) [2 1; 1 1]^-1 = (3, 5) [1 -1; -1 2] = (-2, 7)
    const auto doubles = backend->approx_doubles(solved);
    if (name == "field") {
      RationalMatrix expected(1, 2);
      expected.entries = {-2, 7};
      CHECK(backend->compare(solved, backend->from_rational(expected).value()).equal == Truth::yes);
    } else {
      CHECK(doubles.value().entries[0] == Approx(-2));
      CHECK(doubles.value().entries[1] == Approx(7));
    }
  }
}

TEST_CASE("the library versions name every library under the arithmetics", "[arith]") {
  for (const char* library : {"FLINT", "Arb", "MPFR", "GMP", "Eigen", "Boost", "OpenBLAS"})
    CHECK_THAT(arith::library_versions(), Contains(library));
}
