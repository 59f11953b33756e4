#include <catch2/catch.hpp>
#include <cmath>
#include <thread>

#include "core/arith/backend.h"
#include "core/support/error.h"
#include "property_tests/core/arith/computations.h"
#include "property_tests/core/arith/intervals.h"

namespace attest::test {

namespace {

std::unique_ptr<arith::Backend> backend_of(const std::string& name, std::int64_t precision) {
  arith::BackendOptions options;
  options.precision = precision;
  return arith::make_backend(name, options);
}

// The bits of 1/3 that came out right.
double correct_bits(const arith::Backend& backend) {
  const arith::Matrix third = backend.fill({1, 1}, Rational(1, 3)).value();
  const Rational error = abs(parse_decimal(backend.entry_text(third, 0, 0)) - Rational(1, 3));
  return -std::log2(error.get_d());
}

// The bits that came out right of 20 / 9, as a product of matrices of thirds: the worst entry.
double correct_product_bits(const arith::Backend& backend) {
  const arith::Matrix thirds = backend.fill({20, 20}, Rational(1, 3)).value();
  const arith::Matrix product = backend.multiply(thirds, thirds).value();
  Rational worst = 0;
  for (std::int64_t i = 0; i < 20; ++i)
    worst = std::max(worst, Rational(abs(parse_decimal(backend.entry_text(product, i, i)) - Rational(20, 9))));
  return -std::log2(worst.get_d());
}

}  // namespace

TEST_CASE("a multiprecision number carries the bits that were asked for", "[arith][multiprecision]") {
  for (const std::int64_t precision : {24, 53, 64, 128, 200, 256, 500}) {
    const auto backend = backend_of("multiprecision", precision);
    INFO(backend->ledger().front());
    // Its text is rounded to the decimals that Boost takes those bits for, two bits fewer at most.
    CHECK(correct_bits(*backend) >= static_cast<double>(precision) - 3);
    CHECK(correct_bits(*backend) <= static_cast<double>(precision) + 10);
  }
  CHECK_THROWS_AS(backend_of("multiprecision", 0), InputError);
}

TEST_CASE("precisions in several threads do not disturb each other", "[arith][multiprecision]") {
  std::vector<std::thread> threads;
  std::vector<double> bits(4, 0);
  for (std::size_t t = 0; t < bits.size(); ++t) {
    threads.emplace_back([&bits, t] {
      const auto backend = backend_of("multiprecision", t % 2 == 0 ? 100 : 400);
      double worst = 1e9;
      for (int i = 0; i < 300; ++i) worst = std::min(worst, correct_product_bits(*backend));
      bits[t] = worst;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < bits.size(); ++t)
    CHECK(bits[t] >= (t % 2 == 0 ? 90 : 390));  // 20 roundings lose less than 10 bits
}

TEST_CASE("multiprecision at 400 bits agrees with balls to 300 bits of the largest entry", "[arith][multiprecision]") {
  const auto multiprecision = backend_of("multiprecision", 400), ball = backend_of("ball", 400);
  int compared = 0;
  for (const Computation& computation : computations()) {
    for (int round = 0; round < 4; ++round) {
      const auto inputs =
          random_inputs(round % 2 == 0 ? Entries::integers : Entries::fractions, 3, RandomStream(61).child(round));
      const auto value = run(computation, *multiprecision, inputs), exact = run(computation, *ball, inputs);
      if (!value.ok() || !exact.ok()) continue;
      ++compared;
      Rational largest = 1, worst = 0;
      for (std::int64_t i = 0; i < exact.value()->shape.rows; ++i)
        for (std::int64_t j = 0; j < exact.value()->shape.cols; ++j) {
          const Interval interval = interval_at(exact.value(), i, j);
          const Rational shown = parse_decimal(multiprecision->entry_text(value.value(), i, j));
          largest = std::max(largest, Rational(abs(interval.middle)));
          worst = std::max(worst, Rational(abs(shown - interval.middle)));
        }
      INFO(computation.name);
      CHECK(worst <= largest * exact_rational(0x1p-300));
    }
  }
  CHECK(compared > 100);
}

TEST_CASE("a multiprecision comparison measures and decides nothing", "[arith][multiprecision]") {
  const auto backend = backend_of("multiprecision", 100);
  const arith::Matrix one = backend->fill({1, 2}, 1).value(), three = backend->fill({1, 2}, 3).value();
  const auto comparison = backend->compare(one, three);
  CHECK(comparison.equal == Truth::unknown);
  CHECK(comparison.error == 2);
  CHECK(comparison.magnitude == 3);
  CHECK(comparison.ratio == 0);
  CHECK(backend->compare(one, one).equal == Truth::unknown);
  CHECK(backend->invertible(backend->identity(2).value()) == Truth::unknown);
  CHECK(backend->rank(one).status() == Status::unable);
}

}  // namespace attest::test
