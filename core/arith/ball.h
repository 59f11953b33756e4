#pragma once

#include <arb_mat.h>

#include <cstdint>
#include <string>

#include "core/arith/matrix.h"
#include "core/expr/function.h"
#include "core/expr/mask.h"
#include "core/support/outcome.h"

// Rigorous enclosures in Arb's midpoint-radius arithmetic.
namespace attest::arith::ball {

// A matrix of balls; every entry is finite.
struct Balls final : MatrixStorage {
  explicit Balls(expr::Shape s) : MatrixStorage(s) { arb_mat_init(entries, s.rows, s.cols); }
  ~Balls() override { arb_mat_clear(entries); }
  Balls(const Balls&) = delete;
  Balls& operator=(const Balls&) = delete;

  arb_ptr at(std::int64_t row, std::int64_t col) { return arb_mat_entry(entries, row, col); }
  arb_srcptr at(std::int64_t row, std::int64_t col) const { return arb_mat_entry(entries, row, col); }

  arb_mat_t entries;
};

// A scalar that frees itself.
struct Scalar {
  Scalar() { arb_init(value); }
  ~Scalar() { arb_clear(value); }
  Scalar(const Scalar&) = delete;
  Scalar& operator=(const Scalar&) = delete;
  arb_t value;
};

// result = an enclosure of f on every point of x. Partial functions: undefined where f certainly has no value on x,
// unable where x touches the outside of the domain or the enclosure is not finite.
Status enclose(expr::Function f, arb_t result, const arb_t x, slong precision);

// Row i encloses the softmax of the visible logits, 0 at hidden keys. Shifted by the midpoint of the largest visible
// logit, which leaves the exact value unchanged. Undefined where a row sees no key.
Outcome<Matrix> softmax(const Balls& logits, const expr::Mask& mask, slong precision);

// The rank over Q, decided exactly; unable unless every entry is exact and of moderate size. Row echelon form over the
// integers: meant for small matrices.
Outcome<std::int64_t> exact_rank(const Balls& a);

// The largest size at which a singular matrix of exact entries is recognised as such.
constexpr std::int64_t exact_rank_limit = 64;

}  // namespace attest::arith::ball
