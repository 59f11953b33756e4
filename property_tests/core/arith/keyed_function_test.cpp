#include "core/arith/keyed_function.h"

#include <catch2/catch.hpp>
#include <set>

#include "property_tests/core/arith/chi_square.h"

namespace {

using namespace attest;
using namespace attest::arith;
using attest::test::chi_square;
using attest::test::chi_square_limit;

TEST_CASE("keyed functions are uniform on small fields", "[arith][field]") {
  for (const std::uint64_t p : {2, 3, 5, 7, 11, 101}) {
    std::vector<std::int64_t> values(p), rows(p), pairs(p * p);
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
      const KeyedFunction f(p, seed, "f");
      ++values[f.value(1)];
      ++pairs[f.value(0) * p + f.value(1)];
      for (const std::uint64_t output : f.row({0, 1, 2}, {1, 1, 0})) ++rows[output];
    }
    CHECK(chi_square(values) <= chi_square_limit(values.size()));
    CHECK(chi_square(rows) <= chi_square_limit(rows.size()));
    if (p < 10) CHECK(chi_square(pairs) <= chi_square_limit(pairs.size()));
  }
}

// At p near 3/8 of 2^64, `word mod p` would hit the lower two thirds of the residues 3 times for every 2 of the rest.
TEST_CASE("keyed functions have no modulo bias where it would show", "[arith][field]") {
  const std::uint64_t p = 6917529027641081903ULL;
  std::vector<std::int64_t> thirds(3), of_remainders(3);
  RandomStream words(7);
  const KeyedFunction f(p, 5, "f");
  for (std::uint64_t argument = 0; argument < 30000; ++argument) {
    ++thirds[f.value(argument) / (p / 3 + 1)];
    ++of_remainders[words.next() % p / (p / 3 + 1)];
  }
  CHECK(chi_square(thirds) <= chi_square_limit(3));
  CHECK(chi_square(of_remainders) > chi_square_limit(3));  // the test does see the bias
}

TEST_CASE("equal calls give equal values and every part of a call matters", "[arith][field]") {
  const std::uint64_t p = 1152921504606847009ULL;
  const KeyedFunction f(p, 1, "softmax");
  const auto row = f.row({0, 1}, {4, 5});
  CHECK(row == KeyedFunction(p, 1, "softmax").row({0, 1}, {4, 5}));
  std::set<std::uint64_t> outputs(row.begin(), row.end());
  const auto add = [&](const std::vector<std::uint64_t>& other) { outputs.insert(other.begin(), other.end()); };
  add(f.row({0, 1}, {5, 4}));
  add(f.row({1, 2}, {4, 5}));
  add(f.row({0, 1, 2}, {4, 5, 0}));
  add(f.row({0}, {4}));
  add(KeyedFunction(p, 2, "softmax").row({0, 1}, {4, 5}));
  add(KeyedFunction(p, 1, "softmax'").row({0, 1}, {4, 5}));
  add({f.value(4), f.value(5), KeyedFunction(p, 1, "gelu").value(4), KeyedFunction(p, 2, "softmax").value(4)});
  CHECK(outputs.size() == 2 + 2 + 2 + 3 + 1 + 2 + 2 + 4);
}

}  // namespace
