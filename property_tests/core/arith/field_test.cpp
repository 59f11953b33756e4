#include <catch2/catch.hpp>
#include <functional>

#include "core/arith/backend.h"
#include "core/support/error.h"
#include "property_tests/core/arith/chi_square.h"
#include "property_tests/core/arith/exact_matrices.h"
#include "property_tests/support/property.h"

namespace {

using namespace attest;
using namespace attest::arith;
using attest::test::check_property;
using attest::test::small_matrix;
using expr::Structure;

std::unique_ptr<Backend> field_modulo(std::uint64_t p, std::uint64_t seed = 1) {
  return make_field({.seed = seed, .prime = p});
}

RationalMatrix matrix_of(std::int64_t rows, std::int64_t cols, const std::vector<int>& entries) {
  RationalMatrix matrix(rows, cols);
  for (std::size_t i = 0; i < entries.size(); ++i) matrix.entries[i] = entries[i];
  return matrix;
}

// An operation on two square matrices, in any arithmetic.
using Operation = std::function<Outcome<Matrix>(const Backend&, const Matrix&, const Matrix&)>;

const std::vector<std::pair<std::string, Operation>>& operations() {
  static const std::vector<std::pair<std::string, Operation>> list{
      {"add", [](const Backend& k, const Matrix& a, const Matrix& b) { return k.add(a, b); }},
      {"subtract", [](const Backend& k, const Matrix& a, const Matrix& b) { return k.subtract(a, b); }},
      {"multiply", [](const Backend& k, const Matrix& a, const Matrix& b) { return k.multiply(a, b); }},
      {"hadamard", [](const Backend& k, const Matrix& a, const Matrix& b) { return k.hadamard(a, b); }},
      {"scale", [](const Backend& k, const Matrix& a, const Matrix&) { return k.scale(Rational(-3, 4), a); }},
      {"scale_by",
       [](const Backend& k, const Matrix& a, const Matrix& b) {
         return k.scale_by(k.slice(b, 0, 0, {1, 1}).value(), a);
       }},
      {"scale_rows",
       [](const Backend& k, const Matrix& a, const Matrix& b) {
         return k.scale_rows(k.slice(b, 0, 0, {b->shape.rows, 1}).value(), a);
       }},
      {"transpose", [](const Backend& k, const Matrix& a, const Matrix&) { return k.transpose(a); }},
      {"concat_columns",
       [](const Backend& k, const Matrix& a, const Matrix& b) {
         return k.concat_columns({a, b, a});
       }},
      {"concat_rows",
       [](const Backend& k, const Matrix& a, const Matrix& b) {
         return k.concat_rows({a, b});
       }},
      {"slice",
       [](const Backend& k, const Matrix& a, const Matrix&) {
         return k.slice(a, a->shape.rows - 1, 0, {1, a->shape.cols});
       }},
      {"inverse", [](const Backend& k, const Matrix& a, const Matrix&) { return k.inverse(a); }},
      {"solve_right",
       [](const Backend& k, const Matrix& a, const Matrix& b) { return k.solve_right(b, a, Structure::general); }},
      {"solve_left",
       [](const Backend& k, const Matrix& a, const Matrix& b) { return k.solve_left(a, b, Structure::general); }},
      {"reciprocal",
       [](const Backend& k, const Matrix& a, const Matrix&) { return k.elementwise(expr::Function::reciprocal, a); }},
      {"fill", [](const Backend& k, const Matrix& a, const Matrix&) { return k.fill(a->shape, Rational(7, 9)); }},
      {"identity", [](const Backend& k, const Matrix& a, const Matrix&) { return k.identity(a->shape.rows); }}};
  return list;
}

// Two arithmetics with nothing in common but FLINT's integers: reduction modulo p is a ring homomorphism.
TEST_CASE("rational operations commute with reduction modulo p", "[arith][field][rational]") {
  const auto exact = make_rational({});
  const auto report = check_property(
      "f(A, B) mod p = f(A mod p, B mod p) wherever both exist",
      [&] {
        const auto field = field_modulo(*rc::gen::element<std::uint64_t>(5, 7, 1009, 1152921504606847009ULL));
        const auto n = *rc::gen::inRange(1, 6);
        const RationalMatrix a = small_matrix(n, n), b = small_matrix(n, n);
        const auto& [name, operation] = *rc::gen::elementOf(operations());
        const auto over_q = operation(*exact, exact->from_rational(a).value(), exact->from_rational(b).value());
        const auto modulo_p = operation(*field, field->from_rational(a).value(), field->from_rational(b).value());
        RC_CLASSIFY(over_q.ok() && modulo_p.ok(), name);
        RC_ASSERT(modulo_p.status() != Status::unable);
        if (!over_q.ok()) RC_ASSERT(modulo_p.status() == Status::undefined);
        if (!over_q.ok() || !modulo_p.ok()) return;
        const auto reduced = field->from_rational(exact->to_rational(over_q.value()).value());
        RC_ASSERT(field->compare(reduced.value(), modulo_p.value()).equal == Truth::yes);
      },
      1000);
  for (const auto& [name, operation] : operations()) CHECK(report.count(name) > 0);
}

TEST_CASE("what has no residue is undefined", "[arith][field]") {
  const auto field = field_modulo(7);
  CHECK(field->fill({1, 1}, Rational(1, 14)).status() == Status::undefined);
  CHECK(field->scale(Rational(3, 7), field->identity(2).value()).status() == Status::undefined);
  RationalMatrix matrix(1, 1);
  matrix.at(0, 0) = Rational(2, 49);
  CHECK(field->from_rational(matrix).status() == Status::undefined);
  DoubleMatrix doubles(1, 1);
  doubles.at(0, 0) = HUGE_VAL;
  CHECK(field->from_doubles(doubles).status() == Status::undefined);
  const Matrix singular = field->from_rational(matrix_of(2, 2, {1, 2, 3, 13})).value();  // determinant 7
  CHECK(field->inverse(singular).status() == Status::undefined);
  CHECK(field->invertible(singular) == Truth::no);
  CHECK(field->elementwise(expr::Function::reciprocal, field->fill({1, 1}, 14).value()).status() == Status::undefined);
}

TEST_CASE("uniform matrices have their structure and are uniform within it", "[arith][field]") {
  const std::uint64_t p = 5;
  const auto field = field_modulo(p);
  for (const auto structure :
       {Structure::general, Structure::unit_lower, Structure::upper, Structure::diagonal_signs}) {
    std::vector<std::vector<std::int64_t>> counts(9, std::vector<std::int64_t>(p));
    for (std::uint64_t seed = 0; seed < 2000; ++seed) {
      const Matrix a = field->uniform({3, 3}, structure, RandomStream(seed)).value();
      for (std::int64_t e = 0; e < 9; ++e)
        ++counts[static_cast<std::size_t>(e)][std::stoul(field->entry_text(a, e / 3, e % 3))];
    }
    for (std::int64_t e = 0; e < 9; ++e) {
      const auto& seen = counts[static_cast<std::size_t>(e)];
      std::vector<std::size_t> support{0, 1, 2, 3, 4};
      if (structure == Structure::unit_lower && e / 3 == e % 3) support = {1};
      if (structure == Structure::unit_lower && e / 3 < e % 3) support = {0};
      if (structure == Structure::upper && e / 3 == e % 3) support = {1, 2, 3, 4};
      if (structure == Structure::upper && e / 3 > e % 3) support = {0};
      if (structure == Structure::diagonal_signs)
        support = e / 3 == e % 3 ? std::vector<std::size_t>{1, 4} : std::vector<std::size_t>{0};
      std::vector<std::int64_t> within;
      std::int64_t total = 0;
      for (const std::size_t value : support) total += within.emplace_back(seen[value]);
      CHECK(total == 2000);
      CHECK(attest::test::chi_square(within) <= attest::test::chi_square_limit(within.size()));
    }
  }
}

TEST_CASE("a keyed softmax row depends on exactly its visible logits and their positions", "[arith][field]") {
  const auto field = field_modulo(1152921504606847009ULL);
  const auto row = [&](const std::vector<int>& logits, const expr::Mask& mask, std::int64_t rows, std::int64_t i) {
    const auto cols = static_cast<std::int64_t>(logits.size()) / rows;
    const Matrix a = field->from_rational(matrix_of(rows, cols, logits)).value();
    const Matrix result = field->softmax(a, mask).value();
    std::vector<std::string> texts;
    for (std::int64_t j = 0; j < cols; ++j) texts.push_back(field->entry_text(result, i, j));
    return texts;
  };
  const auto causal = row({1, 9, 9, 2, 3, 9, 2, 3, 4}, expr::Mask::causal(), 3, 1);
  CHECK(causal == row({8, 7, 6, 2, 3, 5, 1, 1, 1}, expr::Mask::causal(), 3, 1));  // hidden and other rows
  CHECK(causal[2] == "0");
  CHECK(causal != row({1, 9, 9, 3, 2, 9, 2, 3, 4}, expr::Mask::causal(), 3, 1));
  CHECK(row({2, 3}, expr::Mask::none(), 1, 0)[0] == causal[0]);  // the same keys under another mask
  const Matrix tall = field->fill({3, 2}, 1).value();
  CHECK(field->softmax(tall, expr::Mask::causal()).status() == Status::undefined);
}

TEST_CASE("function symbols are keyed by seed and name and repeat", "[arith][field]") {
  const std::uint64_t p = 1152921504606847009ULL;
  const auto text = [&](std::uint64_t seed, expr::Function f) {
    const auto field = field_modulo(p, seed);
    return field->entry_text(field->elementwise(f, field->fill({1, 1}, 3).value()).value(), 0, 0);
  };
  CHECK(text(1, expr::Function::gelu) == text(1, expr::Function::gelu));
  CHECK(text(1, expr::Function::gelu) != text(2, expr::Function::gelu));
  CHECK(text(1, expr::Function::gelu) != text(1, expr::Function::silu));
}

TEST_CASE("the ledger tells a drawn prime from a given one", "[arith][field]") {
  CHECK(field_modulo(1009)->ledger().front().find("F_p only") == 0);
  const auto drawn = make_field({.seed = 3});
  CHECK(drawn->ledger().front().find("F_p only") == std::string::npos);
  CHECK(drawn->ledger().front() == make_field({.seed = 3})->ledger().front());
  CHECK(drawn->ledger().front() != make_field({.seed = 4})->ledger().front());
  CHECK_THROWS_AS(make_field({.prime = 1007}), InputError);
}

}  // namespace
