// Tests also: core/arith/field_solve.cpp
#include "core/arith/field_kernels.h"

#include <catch2/catch.hpp>

#include "core/arith/field_solve.h"
#include "core/arith/prime_field.h"
#include "property_tests/support/property.h"

namespace {

using namespace attest;
using namespace attest::arith;
using attest::test::check_property;
using expr::Structure;

std::uint64_t any_prime() {
  const int bits = *rc::gen::element(1, 2, 10, 31, 32, 45, 60, 61, 62);
  return random_prime(bits, RandomStream(*rc::gen::arbitrary<std::uint64_t>()));
}

// Entries are 0, 1, p - 1 or anything.
void fill(ResidueStorage& a, std::uint64_t p) {
  RandomStream stream(*rc::gen::arbitrary<std::uint64_t>());
  const bool largest = *rc::gen::inRange(0, 4) == 0;
  for (std::int64_t i = 0; i < a.shape.rows; ++i)
    for (std::int64_t j = 0; j < a.shape.cols; ++j) a.row(i)[j] = largest ? p - 1 : stream.below(p);
}

// The part of a that its structure reads.
void keep(ResidueStorage& a, Structure structure) {
  for (std::int64_t i = 0; i < a.shape.rows; ++i)
    for (std::int64_t j = 0; j < a.shape.cols; ++j) {
      const bool read = structure == Structure::general || (structure == Structure::upper && i <= j) ||
                        (structure == Structure::unit_lower && i >= j) || i == j;
      if (!read) a.row(i)[j] = 0;
      if (structure == Structure::unit_lower && i == j) a.row(i)[j] = 1;
    }
}

TEST_CASE("sums of products stay below 2^128 until the reduction", "[arith][field]") {
  check_property("the announced number of largest products fits beside one residue", [] {
    const std::uint64_t p = any_prime();
    const std::int64_t count = products_before_reduction(p);
    const Integer largest = Integer(static_cast<unsigned long>(p - 1)) * Integer(static_cast<unsigned long>(p - 1));
    const Integer sum = largest * Integer(static_cast<long>(count)) + Integer(static_cast<unsigned long>(p - 1));
    RC_ASSERT(sum < Integer(1) << 128);
    RC_ASSERT(count >= 3);
    if (p < 1ULL << 61) RC_ASSERT(count >= 63);
  });
}

TEST_CASE("the thin product is FLINT's product", "[arith][field]") {
  check_property("row accumulation and nmod_mat_mul agree", [] {
    const std::uint64_t p = any_prime();
    const auto n = *rc::gen::inRange(1, 10), k = *rc::gen::inRange(1, 200);
    const auto m = *rc::gen::element(1, 3, 255, 256, 257, 300);
    ResidueStorage a({n, k}, p), b({k, m}, p), thin({n, m}, p), reference({n, m}, p);
    fill(a, p);
    fill(b, p);
    thin_multiply(thin, a, b);
    nmod_mat_mul(reference.matrix, a.matrix, b.matrix);
    RC_ASSERT(nmod_mat_equal(thin.matrix, reference.matrix) != 0);
  });
}

TEST_CASE("solves of every structure satisfy their equation or report a singular matrix", "[arith][field]") {
  const auto report = check_property(
      "y a = x and a z = w",
      [] {
        const std::uint64_t p = any_prime();
        const auto structure =
            *rc::gen::element(Structure::general, Structure::unit_lower, Structure::upper, Structure::diagonal_signs);
        const auto d = *rc::gen::inRange(1, 150), rows = *rc::gen::element<int>(1, 3, 5, thin_rows, thin_rows + 1);
        ResidueStorage a({d, d}, p), x({rows, d}, p), w({d, rows}, p);
        fill(a, p);
        if (*rc::gen::inRange(0, 5) == 0)
          for (std::int64_t j = 0; j < d; ++j) a.row(d / 2)[j] = 0;
        keep(a, structure);
        fill(x, p);
        fill(w, p);
        ResidueStorage y(x.shape, p), z(w.shape, p), y_a(x.shape, p), a_z(w.shape, p);
        const bool regular = nmod_mat_rank(a.matrix) == d;
        RC_CLASSIFY(regular, "regular");
        RC_CLASSIFY(!regular, "singular");
        RC_ASSERT(solve_from_right(y, x, a, structure) == regular);
        RC_ASSERT(solve_from_left(z, a, w, structure) == regular);
        if (!regular) return;
        nmod_mat_mul(y_a.matrix, y.matrix, a.matrix);
        nmod_mat_mul(a_z.matrix, a.matrix, z.matrix);
        RC_ASSERT(nmod_mat_equal(y_a.matrix, x.matrix) != 0);
        RC_ASSERT(nmod_mat_equal(a_z.matrix, w.matrix) != 0);
      },
      300);
  CHECK(report.count("regular") > 50);
  CHECK(report.count("singular") > 20);
}

}  // namespace
