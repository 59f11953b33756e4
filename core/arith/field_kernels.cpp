#include "core/arith/field_kernels.h"

#include <algorithm>
#include <vector>

#include "core/arith/prime_field.h"

namespace attest::arith {
namespace {

constexpr std::int64_t rows_together = 4;
constexpr std::int64_t columns_together = 256;  // 4 rows of accumulators take 16 KiB: they stay in the first cache

mp_limb_t reduced(WideWord value, nmod_t mod) {
  return n_ll_mod_preinv(static_cast<mp_limb_t>(value >> 64), static_cast<mp_limb_t>(value), mod.n, mod.ninv);
}

void reduce_all(WideWord* first, WideWord* last, nmod_t mod) {
  for (WideWord* value = first; value != last; ++value) *value = reduced(*value, mod);
}

// accumulator[j] += factor * row[j]
void add_multiple(WideWord* accumulator, mp_limb_t factor, const mp_limb_t* row, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) accumulator[j] += static_cast<WideWord>(factor) * row[j];
}

// Rows first_row .. of c in the columns first_col ..
struct Block {
  std::int64_t first_row, rows, first_col, cols;
};

void multiply_block(ResidueStorage& c, const ResidueStorage& a, const ResidueStorage& b, Block block) {
  const nmod_t mod = c.matrix->mod;
  const std::int64_t chunk = products_before_reduction(mod.n);
  std::vector<WideWord> sums(static_cast<std::size_t>(block.rows * block.cols), 0);
  for (std::int64_t first = 0; first < b.shape.rows; first += chunk) {
    const std::int64_t last = std::min(first + chunk, b.shape.rows);
    for (std::int64_t k = first; k < last; ++k)
      for (std::int64_t i = 0; i < block.rows; ++i)
        add_multiple(sums.data() + i * block.cols, a.row(block.first_row + i)[k], b.row(k) + block.first_col,
                     block.cols);
    reduce_all(sums.data(), sums.data() + sums.size(), mod);
  }
  for (std::int64_t i = 0; i < block.rows; ++i)
    for (std::int64_t j = 0; j < block.cols; ++j)
      c.row(block.first_row + i)[block.first_col + j] =
          static_cast<mp_limb_t>(sums[static_cast<std::size_t>(i * block.cols + j)]);
}

// The rows of y under substitution: sums[j] is x_j - (what the known entries of y contribute to column j).
class Substitution {
 public:
  Substitution(const ResidueStorage& x, std::int64_t first_row, std::int64_t rows)
      : d_(x.shape.cols), rows_(rows), mod_(x.matrix->mod), chunk_(products_before_reduction(mod_.n)) {
    for (std::int64_t i = 0; i < rows; ++i) sums_.insert(sums_.end(), x.row(first_row + i), x.row(first_row + i) + d_);
  }

  // Entry j of row i of y, given the inverse of the diagonal entry.
  mp_limb_t solve(std::int64_t i, std::int64_t j, mp_limb_t inverse_of_diagonal) const {
    return nmod_mul(reduced(sums_[static_cast<std::size_t>(i * d_ + j)], mod_), inverse_of_diagonal, mod_);
  }
  // Takes y_j times row j of a from the columns first .. last - 1 that are still open.
  void eliminate(std::int64_t i, mp_limb_t y, const mp_limb_t* row, std::int64_t first, std::int64_t last) {
    add_multiple(sums_.data() + i * d_ + first, nmod_neg(y, mod_), row + first, last - first);
  }
  // To be called once for every eliminated column.
  void reduce_when_full(std::int64_t first, std::int64_t last) {
    if (++added_ < chunk_) return;
    added_ = 0;
    for (std::int64_t i = 0; i < rows_; ++i)
      reduce_all(sums_.data() + i * d_ + first, sums_.data() + i * d_ + last, mod_);
  }

 private:
  std::int64_t d_, rows_;
  nmod_t mod_;
  std::int64_t chunk_;
  std::int64_t added_ = 0;
  std::vector<WideWord> sums_;
};

}  // namespace

std::int64_t products_before_reduction(std::uint64_t p) {
  const WideWord largest = static_cast<WideWord>(p - 1) * (p - 1);
  const WideWord fitting = (~WideWord{0} - (p - 1)) / largest;
  return static_cast<std::int64_t>(std::min<WideWord>(fitting, 1 << 20));
}

void thin_multiply(ResidueStorage& c, const ResidueStorage& a, const ResidueStorage& b) {
  for (std::int64_t i = 0; i < c.shape.rows; i += rows_together)
    for (std::int64_t j = 0; j < c.shape.cols; j += columns_together)
      multiply_block(c, a, b,
                     {i, std::min(rows_together, c.shape.rows - i), j, std::min(columns_together, c.shape.cols - j)});
}

void thin_solve_right(ResidueStorage& y, const ResidueStorage& x, const ResidueStorage& a, expr::Structure structure) {
  const bool lower = structure == expr::Structure::unit_lower;
  ATTEST_CHECK(lower || structure == expr::Structure::upper, "substitution needs a triangular matrix");
  const nmod_t mod = x.matrix->mod;
  const std::int64_t d = x.shape.cols;
  for (std::int64_t first_row = 0; first_row < x.shape.rows; first_row += rows_together) {
    const std::int64_t rows = std::min(rows_together, x.shape.rows - first_row);
    Substitution open(x, first_row, rows);
    for (std::int64_t step = 0; step < d; ++step) {
      const std::int64_t j = lower ? d - 1 - step : step;
      const std::int64_t first = lower ? 0 : j + 1;
      const std::int64_t last = lower ? j : d;
      const mp_limb_t inverse_of_diagonal = lower ? 1 : n_invmod(a.row(j)[j], mod.n);
      for (std::int64_t i = 0; i < rows; ++i) {
        const mp_limb_t value = open.solve(i, j, inverse_of_diagonal);
        y.row(first_row + i)[j] = value;
        open.eliminate(i, value, a.row(j), first, last);
      }
      open.reduce_when_full(first, last);
    }
  }
}

}  // namespace attest::arith
