#include "property_tests/core/arith/laws.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <iostream>
#include <memory>

#include "core/arith/faulty.h"
#include "property_tests/support/property.h"

namespace attest::test {
namespace {

std::uint64_t draw_seed() { return *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()); }

struct Tally {
  std::map<std::string, int> answered, unanswered;
  double worst_ratio = 0;

  void note(const LawRun& run) {
    for (const auto& [law, count] : run.answered()) answered[law] += count;
    for (const auto& [law, count] : run.unanswered()) unanswered[law] += count;
    worst_ratio = std::max(worst_ratio, run.worst_ratio());
  }
};

void assert_no_violation(const LawRun& run) {
  for (const std::string& violation : run.violations()) RC_LOG() << violation << '\n';
  RC_ASSERT(run.violations().empty());
}

Tally check_laws(const std::string& name, const std::function<std::unique_ptr<arith::Backend>(std::uint64_t)>& make,
                 const std::function<Expectations(const arith::Backend&)>& expectations, int cases) {
  Tally tally;
  check_property(
      "the laws hold in " + name,
      [&] {
        const std::uint64_t seed = draw_seed();
        const auto backend = make(seed);
        LawRun run(*backend, expectations(*backend));
        run.check_all(RandomStream(seed));
        tally.note(run);
        assert_no_violation(run);
      },
      cases);
  int total = 0;
  for (const auto& [law, count] : tally.answered) total += count;
  std::cout << "    " << total << " equations of " << tally.answered.size() << " laws, worst error / bound "
            << tally.worst_ratio << '\n';
  const bool faults_injected = name.rfind("faulty", 0) == 0;
  for (const auto& [law, count] : tally.unanswered)
    if (!faults_injected)
      std::cout << "    no value in " << count << " of " << count + tally.answered[law] << ": " << law << '\n';
  return tally;
}

}  // namespace

TEST_CASE("the laws hold in every arithmetic", "[arith][laws]") {
  for (const std::string& name : arith::backend_names()) {
    const auto make = [&](std::uint64_t seed) {
      arith::BackendOptions options;
      options.seed = seed;
      return arith::make_backend(name, options);
    };
    const Tally tally = check_laws(name, make, expectations_of, 60);
    CHECK(tally.answered.size() >= 40);
    if (name == "double" || name == "float") CHECK(tally.worst_ratio > 0);
    // An arithmetic with the real functions of every law answers each law at least once; exact ones have no rank of
    // transcendental numbers, and floating ones no rank at all.
    if (name == "ball")
      for (const auto& [law, count] : tally.unanswered) CHECK(tally.answered.at(law) > count);
  }
}

TEST_CASE("the laws hold in rational arithmetic with a stand-in row function", "[arith][laws]") {
  const auto make = [](std::uint64_t seed) {
    arith::BackendOptions options;
    options.seed = seed;
    options.stand_in_row_function = true;
    return arith::make_backend("rational", options);
  };
  check_laws("rational with a stand-in row function", make, expectations_of, 60);
}

TEST_CASE("a faulty arithmetic never gives a wrong definite answer", "[arith][laws][faulty]") {
  for (const std::string& name : arith::backend_names()) {
    const auto make = [&](std::uint64_t seed) {
      arith::BackendOptions options;
      options.seed = seed;
      return arith::make_faulty(arith::make_backend(name, options), 0.1, seed);
    };
    const auto expectations = [&](const arith::Backend&) {
      Expectations expected = expectations_of(*arith::make_backend(name));
      expected.never_unable = expected.decides = expected.knows_undefined = false;
      expected.bounded = expected.bounded && name != "field" && name != "rational" && name != "ball";
      return expected;
    };
    const Tally tally = check_laws("faulty " + name, make, expectations, 60);
    CHECK(tally.unanswered.size() > 30);
    CHECK(tally.answered.size() > 20);
  }
}

TEST_CASE("multiprecision errors fall with the precision", "[arith][laws][multiprecision]") {
  const auto at = [](std::int64_t precision) {
    arith::BackendOptions options;
    options.precision = precision;
    return arith::make_backend("multiprecision", options);
  };
  const auto low = at(64), high = at(256);
  int equations = 0;
  double worst = 0;
  check_property("every law loses at least half of the added bits as error", [&] {
    const std::uint64_t seed = draw_seed();
    LawRun coarse(*low, expectations_of(*low)), fine(*high, expectations_of(*high));
    coarse.check_all(RandomStream(seed));
    fine.check_all(RandomStream(seed));
    RC_ASSERT(coarse.measured().size() == fine.measured().size());
    for (std::size_t i = 0; i < fine.measured().size(); ++i) {
      const arith::Comparison &a = coarse.measured()[i], &b = fine.measured()[i];
      RC_ASSERT(b.error <= 0x1p-96 * std::max(a.error, 0x1p-64 * std::max(1.0, b.magnitude)));
      if (b.magnitude > 0) worst = std::max(worst, b.error / std::max(1.0, b.magnitude));
      ++equations;
    }
  });
  std::cout << "    " << equations << " equations, largest error at 256 bits 2^" << std::log2(worst) << '\n';
  CHECK(equations > 1000);
  CHECK(worst > 0);
}

}  // namespace attest::test
