#include "reparam/query_iff_decide.h"

#include "core/support/error.h"
#include "reparam/rational_elimination.h"

namespace attest::reparam {
namespace {

std::string shape_text(const RationalMatrix& A) { return std::to_string(A.rows) + " x " + std::to_string(A.cols); }

void require_shapes(const RationalMatrix& W_Q, const RationalMatrix& W_K, std::int64_t h, std::int64_t g,
                    std::int64_t k) {
  if (h < 1 || g < 1 || k < 1 || h % g != 0)
    throw InputError("h = " + std::to_string(h) + " heads, g = " + std::to_string(g) + " KV heads of width k = " +
                     std::to_string(k) + "; expected positive counts and g among the divisors of h");
  if (W_Q.rows != h * k || W_Q.cols != h * k)
    throw InputError("W_Q is " + shape_text(W_Q) +
                     "; an identity query needs d x h k with h k = d = " + std::to_string(h * k));
  if (W_K.rows != W_Q.rows || W_K.cols != g * k)
    throw InputError("W_K is " + shape_text(W_K) + "; expected d x g k = " + std::to_string(W_Q.rows) + " x " +
                     std::to_string(g * k));
}

std::vector<RationalMatrix> bilinear_forms(const RationalMatrix& W_Q, const RationalMatrix& W_K, std::int64_t h,
                                           std::int64_t g, std::int64_t k) {
  std::vector<RationalMatrix> forms;
  for (std::int64_t i = 0; i < h; ++i)
    forms.push_back(product(column_block(W_Q, i * k, k), transposed(column_block(W_K, i * g / h * k, k))));
  return forms;
}

// A vector of the kernel of [B_0 ... B_(h-1)] whose parts the B_i do not all kill: exists iff the column spaces are
// dependent, and then among any basis of the kernel.
std::optional<QueryObstruction> dependent_columns(const std::vector<RationalMatrix>& forms) {
  const std::int64_t d = forms.front().rows;
  for (const RationalMatrix& y : kernel_basis(side_by_side(forms))) {
    QueryObstruction found{QueryObstruction::Kind::dependent_columns, {}, 0, 0};
    bool all_killed = true;
    for (std::size_t i = 0; i < forms.size(); ++i) {
      RationalMatrix part(d, 1);
      for (std::int64_t row = 0; row < d; ++row) part.at(row, 0) = y.at(static_cast<std::int64_t>(i) * d + row, 0);
      all_killed = all_killed && is_zero(product(forms[i], part));
      found.y.push_back(std::move(part));
    }
    if (!all_killed) return found;
  }
  return std::nullopt;
}

// A vector that B_head kills and B_other does not. Row spaces differ iff kernels do.
std::optional<QueryObstruction> kernel_difference(const std::vector<RationalMatrix>& forms, std::int64_t head,
                                                  std::int64_t other) {
  for (const RationalMatrix& y : kernel_basis(forms[static_cast<std::size_t>(head)]))
    if (!is_zero(product(forms[static_cast<std::size_t>(other)], y)))
      return QueryObstruction{QueryObstruction::Kind::different_rows, {y}, head, other};
  return std::nullopt;
}

std::optional<QueryObstruction> different_rows(const std::vector<RationalMatrix>& forms, std::int64_t per_group) {
  const auto h = static_cast<std::int64_t>(forms.size());
  for (std::int64_t first = 0; first < h; first += per_group)
    for (std::int64_t i = first + 1; i < first + per_group; ++i) {
      if (auto found = kernel_difference(forms, first, i)) return found;
      if (auto found = kernel_difference(forms, i, first)) return found;
    }
  return std::nullopt;
}

// [columns | unit vectors] that complete independent columns to a basis.
std::vector<RationalMatrix> completing_columns(const RationalMatrix& columns) {
  const std::int64_t d = columns.rows;
  RationalMatrix identity(d, d);
  for (std::int64_t i = 0; i < d; ++i) identity.at(i, i) = 1;
  std::vector<RationalMatrix> completing;
  for (const std::int64_t pivot : row_echelon(side_by_side({columns, identity})).pivots)
    if (pivot >= columns.cols) completing.push_back(column_block(identity, pivot - columns.cols, 1));
  return completing;
}

// B_i = C_i R with R the common reduced row basis of the group: C_i is B_i at the pivot columns. T_i = C_i completed,
// L_j^T = [R; 0], K'_j = T^-1 L_j.
QueryDecision::Construction construct(const std::vector<RationalMatrix>& forms, std::int64_t g, std::int64_t k) {
  const std::int64_t d = forms.front().rows, h = static_cast<std::int64_t>(forms.size()), per_group = h / g;
  std::vector<RationalMatrix> left, keys;
  for (std::int64_t j = 0; j < g; ++j) {
    const RowEchelon basis = row_echelon(forms[static_cast<std::size_t>(j * per_group)]);
    RationalMatrix L(d, k);
    for (std::int64_t r = 0; r < basis.rank(); ++r)
      for (std::int64_t col = 0; col < d; ++col) L.at(col, r) = basis.rows.at(r, col);
    keys.push_back(std::move(L));
    for (std::int64_t i = j * per_group; i < (j + 1) * per_group; ++i) {
      std::vector<RationalMatrix> at_pivots{RationalMatrix(d, 0)};
      for (const std::int64_t pivot : basis.pivots)
        at_pivots.push_back(column_block(forms[static_cast<std::size_t>(i)], pivot, 1));
      left.push_back(side_by_side(at_pivots));
    }
  }
  std::vector<RationalMatrix> completing = completing_columns(side_by_side(left));
  std::vector<RationalMatrix> parts;
  for (const RationalMatrix& C : left) {
    parts.push_back(C);
    for (std::int64_t missing = k - C.cols; missing > 0; --missing) {
      parts.push_back(completing.back());
      completing.pop_back();
    }
  }
  QueryDecision::Construction made;
  made.T = side_by_side(parts);
  made.W_K = solve(made.T, side_by_side(keys));
  return made;
}

std::string why_no_construction(const QueryDecision::Construction& made, const std::vector<RationalMatrix>& forms,
                                std::int64_t g, std::int64_t k) {
  const auto h = static_cast<std::int64_t>(forms.size()), d = h * k;
  if (made.T.rows != d || made.T.cols != d || made.W_K.rows != d || made.W_K.cols != g * k)
    return "T or W_K' has the wrong shape";
  if (row_echelon(made.T).rank() != d) return "T is singular";
  const RationalMatrix L = product(made.T, made.W_K);
  for (std::int64_t i = 0; i < h; ++i) {
    const RationalMatrix form = product(column_block(made.T, i * k, k), transposed(column_block(L, i * g / h * k, k)));
    if (!(form == forms[static_cast<std::size_t>(i)])) return "head " + std::to_string(i) + " has other logits";
  }
  return "";
}

std::string why_no_obstruction(const QueryObstruction& no, const std::vector<RationalMatrix>& forms, std::int64_t g) {
  const auto h = static_cast<std::int64_t>(forms.size()), d = forms.front().rows;
  const std::size_t expected = no.kind == QueryObstruction::Kind::different_rows ? 1 : forms.size();
  if (no.y.size() != expected) return "the wrong number of vectors";
  for (const RationalMatrix& y : no.y)
    if (y.rows != d || y.cols != 1) return "a vector of the wrong shape";
  if (no.kind == QueryObstruction::Kind::different_rows) {
    const bool heads = no.head >= 0 && no.head < h && no.other >= 0 && no.other < h;
    if (!heads || no.head * g / h != no.other * g / h) return "the two heads do not share a KV head";
    if (!is_zero(product(forms[static_cast<std::size_t>(no.head)], no.y[0]))) return "B_head y is not 0";
    return is_zero(product(forms[static_cast<std::size_t>(no.other)], no.y[0])) ? "B_other y is 0" : "";
  }
  RationalMatrix sum(d, 1);
  bool all_killed = true;
  for (std::size_t i = 0; i < forms.size(); ++i) {
    const RationalMatrix image = product(forms[i], no.y[i]);
    all_killed = all_killed && is_zero(image);
    for (std::int64_t row = 0; row < d; ++row) sum.at(row, 0) += image.at(row, 0);
  }
  if (!is_zero(sum)) return "the sum of the B_i y_i is not 0";
  return all_killed ? "every B_i y_i is 0" : "";
}

}  // namespace

QueryDecision decide_query_iff(const RationalMatrix& W_Q, const RationalMatrix& W_K, std::int64_t h, std::int64_t g,
                               std::int64_t k) {
  require_shapes(W_Q, W_K, h, g, k);
  const std::vector<RationalMatrix> forms = bilinear_forms(W_Q, W_K, h, g, k);
  QueryDecision decision;
  for (const RationalMatrix& form : forms) decision.ranks.push_back(row_echelon(form).rank());
  decision.rank_together = row_echelon(side_by_side(forms)).rank();
  decision.obstruction = dependent_columns(forms);
  if (!decision.obstruction) decision.obstruction = different_rows(forms, h / g);
  if (!decision.obstruction) decision.construction = construct(forms, g, k);
  return decision;
}

std::string why_not_shown(const QueryDecision& decision, const RationalMatrix& W_Q, const RationalMatrix& W_K,
                          std::int64_t h, std::int64_t g, std::int64_t k) {
  require_shapes(W_Q, W_K, h, g, k);
  const std::vector<RationalMatrix> forms = bilinear_forms(W_Q, W_K, h, g, k);
  if (decision.construction.has_value() == decision.obstruction.has_value())
    return "expected either a construction or an obstruction";
  return decision.construction ? why_no_construction(*decision.construction, forms, g, k)
                               : why_no_obstruction(*decision.obstruction, forms, g);
}

}  // namespace attest::reparam
