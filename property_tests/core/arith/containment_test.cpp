// Two independent computations of one expression, containment as the test: the exact rational result lies in the ball,
// the ball at 512 bits lies within the bound of double and of float.
#include <catch2/catch.hpp>
#include <iostream>
#include <map>

#include "property_tests/core/arith/computations.h"
#include "property_tests/core/arith/intervals.h"
#include "property_tests/support/property.h"

namespace attest::test {
namespace {

using arith::Matrix;

struct Case {
  const Computation* computation;
  Entries kind;
  std::vector<RationalMatrix> inputs;
};

Case draw_case(bool rational_only) {
  // At the nominal size inRange is uniform; smaller sizes would favour the first ones.
  const auto uniform = [](std::int64_t low, std::int64_t high) {
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(low, high));
  };
  const auto index = static_cast<std::size_t>(uniform(0, static_cast<std::int64_t>(computations().size())));
  const auto kind = static_cast<Entries>(uniform(0, entries_count));
  const auto n = uniform(1, 7);
  const auto seed = *rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>());
  const Computation& computation = computations()[index];
  RC_PRE(!rational_only || computation.rational);
  return {&computation, kind, random_inputs(kind, n, RandomStream(seed))};
}

// Neither may have a value where the other certainly has none.
bool statuses_agree(Status a, Status b) { return a == b || a == Status::unable || b == Status::unable; }

// 0 or 2: balls, whose exponents may be too large for a rational number, meet or do not.
double meeting(const arith::ball::Balls& a, const arith::ball::Balls& b) {
  return arb_mat_overlaps(a.entries, b.entries) ? 0 : 2;
}

double worst_ratio(const Matrix& outer, const Matrix& exact) {
  const auto* outer_ball = dynamic_cast<const arith::ball::Balls*>(outer.get());
  const auto* exact_ball = dynamic_cast<const arith::ball::Balls*>(exact.get());
  if (outer_ball != nullptr && exact_ball != nullptr) return meeting(*outer_ball, *exact_ball);
  double worst = -1;
  for (std::int64_t i = 0; i < outer->shape.rows; ++i)
    for (std::int64_t j = 0; j < outer->shape.cols; ++j)
      worst = std::max(worst, certain_ratio(interval_at(outer, i, j), interval_at(exact, i, j)));
  return worst;
}

double worst_ratio(const Matrix& outer, const RationalMatrix& exact) {
  double worst = -1;
  for (std::int64_t i = 0; i < exact.rows; ++i)
    for (std::int64_t j = 0; j < exact.cols; ++j)
      worst = std::max(worst, certain_ratio(interval_at(outer, i, j), {exact.at(i, j), 0}));
  return worst;
}

std::unique_ptr<arith::Backend> ball_of(std::int64_t precision) {
  arith::BackendOptions options;
  options.precision = precision;
  return arith::make_backend("ball", options);
}

struct Worst {
  double ratio = -1;
  int cases = 0;
};

void print_worst(const std::map<std::string, Worst>& worst) {
  for (const auto& [name, entry] : worst)
    std::cout << "    worst error / bound " << entry.ratio << " in " << entry.cases << " cases of " << name << '\n';
}

void note(std::map<std::string, Worst>& worst, const std::string& name, double ratio) {
  worst[name].ratio = std::max(worst[name].ratio, ratio);
  ++worst[name].cases;
}

// `inner` encloses the exact value; `outer` claims to.
void check_within(const std::string& name, const arith::Backend& outer, const arith::Backend& inner, int cases) {
  std::map<std::string, Worst> worst;
  const auto report = check_property(
      name,
      [&] {
        const Case drawn = draw_case(false);
        RC_LOG() << drawn.computation->name << ", A of " << to_string(drawn.kind) << ", n = " << drawn.inputs[0].rows;
        const auto tested = run(*drawn.computation, outer, drawn.inputs);
        const auto reference = run(*drawn.computation, inner, drawn.inputs);
        RC_TAG(std::string(!tested.ok() ? "no value" : !reference.ok() ? "no reference" : "compared"));
        RC_ASSERT(statuses_agree(tested.status(), reference.status()));
        if (!tested.ok() || !reference.ok()) return;
        const double ratio = worst_ratio(tested.value(), reference.value());
        note(worst, drawn.computation->name, ratio);
        RC_ASSERT(ratio <= 1);
      },
      cases);
  print_worst(worst);
  CHECK(report.count("compared") > cases / 2);
  CHECK(worst.size() == computations().size());
}

}  // namespace

TEST_CASE("the exact rational result lies in the ball", "[arith][ball]") {
  const auto rational = arith::make_backend("rational");
  for (const std::int64_t precision : {24, 53, 128, 300}) {
    const auto ball = ball_of(precision);
    const std::string name = "rational results lie in balls of " + std::to_string(precision) + " bits";
    const auto report = check_property(
        name,
        [&] {
          const Case drawn = draw_case(true);
          const auto exact = run(*drawn.computation, *rational, drawn.inputs);
          const auto tested = run(*drawn.computation, *ball, drawn.inputs);
          RC_ASSERT(exact.status() != Status::unable);
          RC_ASSERT(statuses_agree(tested.status(), exact.status()));
          RC_TAG(std::string(tested.ok() && exact.ok() ? "compared" : "no value"));
          if (tested.ok() && exact.ok())
            RC_ASSERT(worst_ratio(tested.value(), rational->to_rational(exact.value()).value()) <= 1);
        },
        300);
    CHECK(report.count("compared") > 150);
  }
}

TEST_CASE("balls at two precisions overlap", "[arith][ball]") {
  const auto coarse = ball_of(40), fine = ball_of(512);
  check_within("balls of 512 bits meet balls of 40 bits", *coarse, *fine, 1500);
}

TEST_CASE("the exact value lies within the bound of double", "[arith][floating]") {
  check_within("balls of 512 bits lie within the bound of double", *arith::make_backend("double"), *ball_of(512), 2500);
}

TEST_CASE("the exact value lies within the bound of float", "[arith][floating]") {
  check_within("balls of 512 bits lie within the bound of float", *arith::make_backend("float"), *ball_of(512), 2500);
}

}  // namespace attest::test
