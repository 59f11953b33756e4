#include "core/arith/backend.h"
#include "core/certificate/evidence.h"

namespace attest::certificate {
namespace {

std::int64_t rank_of(const RationalMatrix& matrix) {
  const auto rational = arith::make_backend("rational");
  return rational->rank(rational->from_rational(matrix).value()).value();
}

bool is_orthogonal(const RationalMatrix& a) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.rows; ++j) {
      Rational product = 0;
      for (std::int64_t c = 0; c < a.cols; ++c) product += a.at(i, c) * a.at(j, c);
      if (product != (i == j ? 1 : 0)) return false;
    }
  return true;
}

// Nonzero only inside the diagonal blocks, and the blocks of one group equal.
bool is_block_diagonal(const RationalMatrix& a, std::int64_t block, std::int64_t group) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < a.cols; ++j) {
      if (i / block != j / block) {
        if (a.at(i, j) != 0) return false;
        continue;
      }
      const std::int64_t first = (i / block) / group * group * block;
      if (a.at(i, j) != a.at(first + i % block, first + j % block)) return false;
    }
  return true;
}

bool is_unit_circle(const RationalMatrix& a) {
  if (a.rows != 2) return false;
  for (std::int64_t c = 0; c < a.cols; ++c)
    if (a.at(0, c) * a.at(0, c) + a.at(1, c) * a.at(1, c) != 1) return false;
  return true;
}

bool is_symmetric(const RationalMatrix& a) {
  for (std::int64_t i = 0; i < a.rows; ++i)
    for (std::int64_t j = 0; j < i; ++j)
      if (a.at(i, j) != a.at(j, i)) return false;
  return true;
}

}  // namespace

std::string recipe_violation(const claim::Input& input, const RationalMatrix& matrix) {
  using Kind = claim::Recipe::Kind;
  const claim::Recipe& recipe = input.recipe;
  const bool square = matrix.rows == matrix.cols;
  const auto unless = [&](bool met, const char* what) { return met ? std::string() : input.name + " is not " + what; };
  switch (recipe.kind) {
    case Kind::general:
      return "";
    case Kind::invertible:
      return unless(square && rank_of(matrix) == matrix.rows, "invertible");
    case Kind::singular: {
      const std::int64_t most = recipe.rank >= 0 ? recipe.rank : matrix.rows - 1;
      return unless(rank_of(matrix) <= most, ("of rank at most " + std::to_string(most)).c_str());
    }
    case Kind::orthogonal:
      return unless(square && is_orthogonal(matrix), "orthogonal");
    case Kind::block_diagonal:
      return unless(square && is_block_diagonal(matrix, recipe.block, recipe.group),
                    ("block-diagonal with blocks of width " + std::to_string(recipe.block)).c_str());
    case Kind::unit_circle:
      return unless(is_unit_circle(matrix), "a row of cosines over a row of sines");
    case Kind::diagonal:
      return unless(square && is_block_diagonal(matrix, 1, 1), "diagonal");
    case Kind::symmetric:
      return unless(square && is_symmetric(matrix), "symmetric");
  }
  return "";
}

}  // namespace attest::certificate
