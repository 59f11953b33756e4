#include "reparam/query_iff_decide.h"

#include <catch2/catch.hpp>

#include "core/support/error.h"
#include "property_tests/support/property.h"
#include "reparam/rational_elimination.h"

using namespace attest;
using namespace attest::reparam;

namespace {

struct Layer {
  std::int64_t h, g, k;
  RationalMatrix W_Q, W_K;
};

RationalMatrix drawn(std::int64_t rows, std::int64_t cols) {
  RationalMatrix A(rows, cols);
  for (Rational& entry : A.entries) entry = Rational(*rc::gen::element(-1, 0, 1));
  return A;
}

// Small entries, so that low ranks, meeting column spaces and equal row spaces are all common.
Layer drawn_layer() {
  const auto [h, g, k] = *rc::gen::element(std::array<std::int64_t, 3>{1, 1, 2}, std::array<std::int64_t, 3>{2, 2, 1},
                                           std::array<std::int64_t, 3>{2, 1, 1}, std::array<std::int64_t, 3>{2, 1, 2},
                                           std::array<std::int64_t, 3>{4, 2, 1});
  return {h, g, k, drawn(h * k, h * k), drawn(h * k, g * k)};
}

QueryDecision decide(const Layer& layer) { return decide_query_iff(layer.W_Q, layer.W_K, layer.h, layer.g, layer.k); }

std::string doubt(const QueryDecision& decision, const Layer& layer) {
  return why_not_shown(decision, layer.W_Q, layer.W_K, layer.h, layer.g, layer.k);
}

std::vector<RationalMatrix> forms_of(const Layer& layer) {
  std::vector<RationalMatrix> forms;
  for (std::int64_t i = 0; i < layer.h; ++i)
    forms.push_back(product(column_block(layer.W_Q, i * layer.k, layer.k),
                            transposed(column_block(layer.W_K, i * layer.g / layer.h * layer.k, layer.k))));
  return forms;
}

// The condition itself, by ranks.
bool condition_holds(const Layer& layer) {
  const auto forms = forms_of(layer);
  const auto rank = [](const RationalMatrix& A) { return row_echelon(A).rank(); };
  std::int64_t sum = 0;
  for (const RationalMatrix& form : forms) sum += rank(form);
  if (rank(side_by_side(forms)) != sum) return false;
  const std::int64_t per_group = layer.h / layer.g;
  for (std::int64_t i = 0; i < layer.h; ++i) {
    const auto& first = forms[static_cast<std::size_t>(i / per_group * per_group)];
    const auto& own = forms[static_cast<std::size_t>(i)];
    const std::int64_t together = rank(side_by_side({transposed(first), transposed(own)}));
    if (together != rank(own) || together != rank(first)) return false;
  }
  return true;
}

// Whether some invertible T and keys with entries -1, 0, 1 give B_i = T_i L_j^T, L_j any with such entries: a search
// that knows nothing of ranks. h = 2, k = 1, d = 2.
bool found_by_search(const Layer& layer) {
  const auto forms = forms_of(layer);
  const auto entry = [](int code, int place) { return Rational(code / place % 5 - 2); };
  for (int t = 0; t < 625; ++t) {
    const Rational a = entry(t, 1), b = entry(t, 5), c = entry(t, 25), e = entry(t, 125);
    if (a * e - b * c == 0) continue;
    for (int l = 0; l < 625; ++l) {
      bool fits = true;
      for (std::int64_t i = 0; i < 2 && fits; ++i) {
        const std::int64_t j = i * layer.g / 2;
        const Rational column[2] = {i == 0 ? a : b, i == 0 ? c : e};
        const Rational key[2] = {entry(l, j == 0 ? 1 : 25), entry(l, j == 0 ? 5 : 125)};
        for (std::int64_t row = 0; row < 2; ++row)
          for (std::int64_t col = 0; col < 2; ++col)
            fits = fits && column[row] * key[col] == forms[static_cast<std::size_t>(i)].at(row, col);
      }
      if (fits) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("every decision carries evidence that stands by itself and is the one that the ranks give",
          "[reparam][query_iff]") {
  const auto report = test::check_property(
      "decisions",
      [] {
        const Layer layer = drawn_layer();
        const QueryDecision decision = decide(layer);
        RC_ASSERT(doubt(decision, layer) == "");
        RC_ASSERT(decision.construction.has_value() == condition_holds(layer));
        const bool singular = row_echelon(layer.W_Q).rank() < layer.h * layer.k;
        RC_CLASSIFY(decision.construction.has_value() && singular, "yes with a singular W_Q");
        RC_CLASSIFY(decision.construction.has_value() && !singular, "yes with an invertible W_Q");
        if (!decision.obstruction) return;
        const bool columns = decision.obstruction->kind == QueryObstruction::Kind::dependent_columns;
        RC_CLASSIFY(columns, "no: dependent columns");
        RC_CLASSIFY(!columns, "no: different rows");
      },
      1000);
  CHECK(report.count("yes with a singular W_Q") > 20);
  CHECK(report.count("yes with an invertible W_Q") > 20);
  CHECK(report.count("no: dependent columns") > 20);
  CHECK(report.count("no: different rows") > 20);
}

TEST_CASE("an invertible W_Q is always eliminated, whatever the keys", "[reparam][query_iff]") {
  const auto report = test::check_property("eliminate_query is a case of query_iff", [] {
    const Layer layer = drawn_layer();
    if (row_echelon(layer.W_Q).rank() < layer.h * layer.k) return;
    RC_TAG(std::string("invertible"));
    RC_ASSERT(decide(layer).construction.has_value());
  });
  CHECK(report.count("invertible") > 20);
}

TEST_CASE("two heads of width one are decided as an exhaustive search decides them", "[reparam][query_iff]") {
  int yes = 0, no = 0;
  for (const std::int64_t g : {1, 2})
    for (int code = 0; code < 729; code += 5) {
      Layer layer{2, g, 1, RationalMatrix(2, 2), RationalMatrix(2, g)};
      int rest = code;
      for (Rational& entry : layer.W_Q.entries) {
        entry = rest % 3 - 1;
        rest /= 3;
      }
      // The keys take every value that the codes leave, the second group the same ones in the other order.
      for (std::size_t i = 0; i < layer.W_K.entries.size(); ++i) {
        layer.W_K.entries[i] = rest % 3 - 1;
        rest = i == 1 ? code : rest / 3;
      }
      const bool decided = decide(layer).construction.has_value();
      INFO("g = " << g << ", code " << code);
      CHECK(decided == found_by_search(layer));
      ++(decided ? yes : no);
    }
  CHECK(yes > 30);
  CHECK(no > 30);
}

TEST_CASE("evidence that was tampered with is rejected", "[reparam][query_iff]") {
  const auto report = test::check_property("tampering", [] {
    const Layer layer = drawn_layer();
    QueryDecision decision = decide(layer);
    if (decision.construction) {
      RC_TAG(std::string("construction"));
      const auto forms = forms_of(layer);
      RC_PRE(!is_zero(side_by_side(forms)));
      QueryDecision singular = decision;
      singular.construction->T = RationalMatrix(layer.h * layer.k, layer.h * layer.k);
      RC_ASSERT(doubt(singular, layer) == "T is singular");
      QueryDecision doubled = decision;
      for (Rational& entry : doubled.construction->W_K.entries) entry *= 2;
      RC_ASSERT(doubt(doubled, layer) != "");
      decision.construction.reset();
    } else {
      RC_TAG(std::string("obstruction"));
      QueryDecision zero = decision;
      for (RationalMatrix& y : zero.obstruction->y) y = RationalMatrix(y.rows, 1);
      RC_ASSERT(doubt(zero, layer) != "");
      QueryDecision shorter = decision;
      shorter.obstruction->y.pop_back();
      RC_ASSERT(doubt(shorter, layer) != "");
      if (decision.obstruction->kind == QueryObstruction::Kind::different_rows) {
        QueryDecision exchanged = decision;
        std::swap(exchanged.obstruction->head, exchanged.obstruction->other);
        RC_ASSERT(doubt(exchanged, layer) != "");
      }
      decision.obstruction.reset();
    }
    RC_ASSERT(doubt(decision, layer) != "");
  });
  CHECK(report.count("construction") > 10);
  CHECK(report.count("obstruction") > 10);
}

TEST_CASE("weights of the wrong shape are input errors that name it", "[reparam][query_iff]") {
  CHECK_THROWS_WITH(decide_query_iff(RationalMatrix(4, 2), RationalMatrix(4, 2), 2, 2, 1), Catch::Contains("4 x 2"));
  CHECK_THROWS_WITH(decide_query_iff(RationalMatrix(2, 2), RationalMatrix(2, 1), 2, 2, 1), Catch::Contains("2 x 1"));
  CHECK_THROWS_AS(decide_query_iff(RationalMatrix(2, 2), RationalMatrix(2, 2), 2, 3, 1), InputError);
}
