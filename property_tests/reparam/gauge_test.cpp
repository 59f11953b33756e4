#include <catch2/catch.hpp>

#include "property_tests/reparam/sides.h"
#include "reparam/rational_elimination.h"

using namespace attest;
using test::layer_size;

TEST_CASE("head bases and head permutations are invisible, scaled rotations under RoPE too", "[reparam][gauge]") {
  test::check_claim_side("reparam.gauge", {layer_size(1, 1, 1, 1, 1), layer_size(3, 4, 2, 2, 2),
                                           layer_size(3, 3, 4, 2, 2), layer_size(2, 4, 2, 1, 4)});
}

TEST_CASE("a general head basis is visible under RoPE and under QK-norm", "[reparam][gauge]") {
  test::check_ablation("reparam.gauge", "scaled_rotations", {layer_size(2, 1, 1, 1, 2), layer_size(3, 4, 2, 1, 2)});
  test::check_ablation("reparam.gauge", "no_qk_norm", {layer_size(2, 1, 1, 1, 1), layer_size(3, 4, 4, 2, 1)});
}

namespace {

// Planes turned by the angles of cosine c_i and sine s_i.
RationalMatrix rotations(const std::vector<std::pair<Rational, Rational>>& angles) {
  const auto k = static_cast<std::int64_t>(2 * angles.size());
  RationalMatrix R(k, k);
  for (std::int64_t p = 0; p < k / 2; ++p) {
    const auto& [c, s] = angles[static_cast<std::size_t>(p)];
    R.at(2 * p, 2 * p) = R.at(2 * p + 1, 2 * p + 1) = c;
    R.at(2 * p, 2 * p + 1) = s;
    R.at(2 * p + 1, 2 * p) = -s;
  }
  return R;
}

// dim { B : B R = R B }, from the k^2 equations in the k^2 entries of B.
std::int64_t commutant_dimension(const RationalMatrix& R) {
  const std::int64_t k = R.rows;
  RationalMatrix system(k * k, k * k);
  for (std::int64_t i = 0; i < k; ++i)
    for (std::int64_t j = 0; j < k; ++j)
      for (std::int64_t l = 0; l < k; ++l) {
        system.at(i * k + j, i * k + l) += R.at(l, j);
        system.at(i * k + j, l * k + j) -= R.at(i, l);
      }
  return static_cast<std::int64_t>(reparam::kernel_basis(system).size());
}

}  // namespace

TEST_CASE("only scaled rotations commute with rotations of distinct angles, and each excluded case adds others",
          "[reparam][gauge]") {
  const std::pair<Rational, Rational> a{Rational(3, 5), Rational(4, 5)}, b{Rational(5, 13), Rational(12, 13)};
  const std::pair<Rational, Rational> a_conjugate{Rational(3, 5), Rational(-4, 5)}, real{1, 0}, minus_one{-1, 0};
  CHECK(commutant_dimension(rotations({a, b})) == 4);            // two parameters a plane
  CHECK(commutant_dimension(rotations({a, a})) == 8);            // equal frequencies
  CHECK(commutant_dimension(rotations({a, a_conjugate})) == 8);  // conjugate ones
  CHECK(commutant_dimension(rotations({a, real})) == 6);         // a plane that does not turn
  CHECK(commutant_dimension(rotations({a, minus_one})) == 6);
}
