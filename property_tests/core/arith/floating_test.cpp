#include "core/arith/floating.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/arith/backend.h"
#include "property_tests/core/arith/computations.h"
#include "property_tests/core/arith/intervals.h"
#include "property_tests/support/generators.h"
#include "property_tests/support/property.h"

namespace attest::test {

namespace {

arith::Matrix single(const arith::Backend& backend, double value) {
  DoubleMatrix matrix(1, 1);
  matrix.entries[0] = value;
  return backend.from_doubles(matrix).value();
}

arith::Matrix with_bound(double value, double bound) {
  auto matrix = std::make_shared<arith::floating::Bounded<double>>(expr::Shape{1, 1});
  matrix->value[0] = value;
  matrix->bound = {bound};
  return matrix;
}

}  // namespace

TEST_CASE("the ratio of a comparison is error over bound", "[arith][floating]") {
  const auto backend = arith::make_backend("double");
  const auto ratio = [&](const arith::Matrix& a, const arith::Matrix& b) { return backend->compare(a, b).ratio; };
  CHECK(ratio(single(*backend, 2), single(*backend, 2)) == 0);
  CHECK(std::isinf(ratio(single(*backend, 2), single(*backend, 3))));
  CHECK(ratio(with_bound(2, 0.5), with_bound(3, 0.75)) == Approx(0.8));
  CHECK(ratio(with_bound(2, 0.5), with_bound(3, 0.5)) <= 1);
  CHECK(ratio(with_bound(2, 0.5), with_bound(3, 0.25)) > 1);
  CHECK(ratio(with_bound(2, 0.5), with_bound(2, 0.25)) == 0);
  // A difference beyond the range of double is still judged.
  CHECK(ratio(with_bound(1.7e308, 1e307), with_bound(-1.7e308, 1e307)) > 1);
  CHECK(ratio(with_bound(1.7e308, 1.79e308), with_bound(-1.7e308, 1.79e308)) == Approx(3.4 / 3.58));
  const auto comparison = backend->compare(with_bound(2, 0.5), with_bound(3, 0.75));
  CHECK(comparison.equal == Truth::unknown);
  CHECK(comparison.error == 1);
  CHECK(comparison.radius == Approx(1.25));
  CHECK(comparison.magnitude == 3);
}

TEST_CASE("the worst entry is the one of the largest ratio", "[arith][floating]") {
  auto a = std::make_shared<arith::floating::Bounded<double>>(expr::Shape{2, 2});
  auto b = std::make_shared<arith::floating::Bounded<double>>(expr::Shape{2, 2});
  a->value = {1, 2, 3, 4};
  b->value = {2, 2, 3.5, 4};
  a->bound = {4, 1, 0.1, 1};
  const auto comparison = arith::make_backend("double")->compare(a, b);
  CHECK(comparison.row == 1);
  CHECK(comparison.col == 0);
  CHECK(comparison.ratio == Approx(5));
  CHECK(comparison.radius == Approx(4));  // the largest bound, whichever entry is worst
  CHECK(comparison.error == 1);
}

TEST_CASE("a rational number lies within the bound of its conversion", "[arith][floating]") {
  for (const char* name : {"double", "float"}) {
    const auto backend = arith::make_backend(name);
    const auto report = check_property(
        std::string("rational numbers lie within the bound of their conversion to ") + name,
        [&] {
          const Rational q = *any_rational();
          RationalMatrix matrix(1, 1);
          matrix.entries[0] = q;
          const auto converted = backend->from_rational(matrix);
          RC_TAG(std::string(converted.ok() ? "converted" : "beyond the range"));
          if (!converted.ok()) return;
          const Interval interval = interval_at(converted.value(), 0, 0);
          RC_ASSERT(abs(interval.middle - q) <= interval.radius);
          RC_ASSERT(interval.radius <= abs(q) / 1000000 + Rational(1e-40));
        },
        500);
    CHECK(report.count("converted") > 300);
  }
}

TEST_CASE("a double lies within the bound of its conversion to float", "[arith][floating]") {
  const auto backend = arith::make_backend("float");
  const auto report = check_property(
      "doubles lie within the bound of their conversion to float",
      [&] {
        DoubleMatrix matrix(1, 1);
        matrix.entries[0] = *any_finite_double();
        const auto converted = backend->from_doubles(matrix);
        RC_TAG(std::string(converted.ok() ? "converted" : "beyond the range"));
        if (!converted.ok()) return;
        const Interval interval = interval_at(converted.value(), 0, 0);
        RC_ASSERT(abs(interval.middle - exact_rational(matrix.entries[0])) <= interval.radius);
      },
      500);
  CHECK(report.count("converted") > 200);
  CHECK(report.count("beyond the range") > 10);
}

TEST_CASE("numbers outside the format have no value rather than infinity", "[arith][floating]") {
  const auto backend = arith::make_backend("double");
  const auto huge = single(*backend, 1e300);
  CHECK(backend->multiply(huge, huge).status() == Status::unable);
  CHECK(backend->hadamard(huge, huge).status() == Status::unable);
  CHECK(backend->scale(exact_rational(1e300), huge).status() == Status::unable);
  CHECK(backend->elementwise(expr::Function::exp, huge).status() == Status::unable);
  CHECK(backend->elementwise(expr::Function::relu_squared, huge).status() == Status::unable);
  DoubleMatrix nan(1, 1);
  nan.entries[0] = std::nan("");
  CHECK(backend->from_doubles(nan).status() == Status::unable);
  RationalMatrix beyond(1, 1);
  mpz_ui_pow_ui(beyond.entries[0].get_num_mpz_t(), 10, 400);
  CHECK(backend->from_rational(beyond).status() == Status::unable);
  CHECK(backend->fill({1, 1}, beyond.entries[0]).status() == Status::unable);
}

TEST_CASE("operations that round nothing keep exact matrices exact", "[arith][floating]") {
  const auto backend = arith::make_backend("float");
  const Term a = given(*backend, random_inputs(Entries::integers, 4, RandomStream(5))[0]);
  for (const Term& term : {a + a, a - a, transpose(a), beside(a, a), above(a, a), slice(a, 1, 1, {2, 2}),
                           apply(expr::Function::relu, a), Rational(-1) * a, identity(*backend, 3)}) {
    const auto* bounded = dynamic_cast<const arith::floating::Bounded<float>*>(term.outcome().value().get());
    CHECK(bounded->bound.empty());
  }
}

TEST_CASE("the text of an entry contains the exact value", "[arith][floating][ball]") {
  for (const char* name : {"double", "float", "ball"}) {
    const auto backend = arith::make_backend(name);
    const auto report = check_property(
        std::string("the text of an entry contains the exact value in ") + name,
        [&] {
          const Rational q = *any_rational();
          RationalMatrix matrix(1, 1);
          matrix.entries[0] = q;
          const auto converted = backend->from_rational(matrix);
          if (!converted.ok()) return;
          const std::string text = backend->entry_text(converted.value(), 0, 0);
          RC_TAG(std::string(text.front() == '[' ? "interval" : "exact"));
          const Interval interval = parse_interval(text);
          RC_ASSERT(abs(interval.middle - q) <= interval.radius);
          RC_ASSERT(text.front() == '[' || interval.middle == q);
          RC_ASSERT(interval.radius <= abs(q) / 1000000 + Rational(1e-40));
        },
        300);
    CHECK(report.count("interval") > 50);
    CHECK(report.count("exact") > 50);
  }
}

}  // namespace attest::test
