#include "core/verdict/search.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "reparam/claims.h"

using namespace attest;

namespace {

std::vector<std::vector<int>> walked(std::int64_t places, int largest) {
  std::vector<std::vector<int>> all;
  verdict::walk_entries(places, largest, [&](const std::vector<int>& values) {
    all.push_back(values);
    return false;
  });
  return all;
}

// The documented order, written down independently: largest |entry|, nonzeros, sum, then 0 < 1 < -1 < 2 < -2.
std::vector<int> sort_key(const std::vector<int>& values) {
  int largest = 0, nonzero = 0, sum = 0;
  std::vector<int> ranks;
  for (const int value : values) {
    largest = std::max(largest, std::abs(value));
    nonzero += value != 0;
    sum += std::abs(value);
    ranks.push_back(value == 0 ? 0 : 2 * std::abs(value) - (value > 0));
  }
  std::vector<int> key{largest, nonzero, sum};
  key.insert(key.end(), ranks.begin(), ranks.end());
  return key;
}

}  // namespace

TEST_CASE("the walk visits every assignment once, in the documented order", "[verdict][search]") {
  const auto all = walked(4, 2);
  CHECK(all.size() == 625);
  CHECK(std::set<std::vector<int>>(all.begin(), all.end()).size() == 625);
  CHECK(std::is_sorted(all.begin(), all.end(), [](const auto& a, const auto& b) { return sort_key(a) < sort_key(b); }));
  CHECK(verdict::assignments(4, 2, 10000) == 625);
  CHECK(verdict::assignments(40, 2, 10000) == 10000);
}

TEST_CASE("the walk stops where it is told to", "[verdict][search]") {
  int visits = 0;
  CHECK(verdict::walk_entries(3, 2, [&](const std::vector<int>&) { return ++visits == 5; }));
  CHECK(visits == 5);
}

TEST_CASE("shrinking ends at an instance in which no entry can be smaller", "[verdict][search]") {
  claim::Statement free;
  free.inputs = {{"A", {1, 3}, {}}};
  claim::Instance start{{"A", RationalMatrix(1, 3)}};
  start.at("A").entries = {3, -3, 2};
  // Fails while the first is positive and the second is not zero.
  const auto fails = [](const claim::Instance& instance) {
    return instance.at("A").entries[0] > 0 && instance.at("A").entries[1] != 0;
  };
  const claim::Instance smallest = verdict::shrink(free, start, fails);
  CHECK(smallest.at("A").entries == std::vector<Rational>{1, 1, 0});
}

TEST_CASE("search sizes come in order and say different things", "[verdict][search]") {
  claim::Registry registry;
  reparam::register_claims(registry);
  const auto statements = verdict::search_statements(registry.at("reparam.lemma"), "invertible");
  REQUIRE(statements.size() >= 2);
  const auto key = [](const claim::Size& s) { return std::array{s.n, s.d, s.h, s.k, s.L, s.m}; };
  for (std::size_t i = 1; i < statements.size(); ++i) CHECK(key(statements[i - 1].size) < key(statements[i].size));
}
