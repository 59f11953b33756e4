#include "property_tests/reparam/sides.h"

#include "core/claim/evaluate.h"
#include "core/claim/instance.h"
#include "core/claim/recipe.h"
#include "reparam/claims.h"

namespace attest::test {
namespace {

using arith::Backend;
using claim::Instance;
using claim::Statement;

constexpr std::uint64_t seed = 20260101;

// yes: every equation holds; no: one certainly does not.
Truth all_equal(const Statement& statement, const Backend& backend, const claim::InputSource& source) {
  Truth all = Truth::yes;
  for (const claim::Equation& equation : statement.equations) {
    const auto sides = claim::evaluate({equation.expected, equation.constructed}, backend, source);
    all = both(all, sides.ok() ? backend.compare(sides.value()[0], sides.value()[1]).equal : Truth::unknown);
  }
  return all;
}

void count(Truth equal, Agreement& agreement) {
  switch (equal) {
    case Truth::yes:
      ++agreement.equal;
      break;
    case Truth::no:
      ++agreement.different;
      break;
    case Truth::unknown:
      ++agreement.open;
      break;
  }
}

Instance satisfying_instance(const Statement& statement, std::uint64_t index) {
  const RandomStream stream = RandomStream(seed).child(index);
  for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
    Instance instance = claim::draw_instance(statement, stream.child(attempt));
    if (claim::satisfies(statement, instance) == Truth::yes) return instance;
  }
  FAIL("no instance satisfies the conditions");
  return {};
}

bool some_necessity_fails(const Statement& statement, const Instance& instance) {
  const auto rational = arith::make_backend("rational");
  for (const claim::Condition& condition : statement.necessary)
    if (claim::holds(condition, *rational, claim::source_of(instance, *rational)) == Truth::no) return true;
  return false;
}

Truth conditions_hold(const Statement& statement, const Backend& backend, const claim::InputSource& source) {
  Truth all = Truth::yes;
  for (const claim::Condition& condition : statement.conditions)
    all = both(all, claim::holds(condition, backend, source));
  return all;
}

}  // namespace

Agreement in_rationals(const Statement& statement, int instances) {
  const auto rational = arith::make_backend("rational", {.stand_in_row_function = true});
  Agreement agreement;
  for (int i = 0; i < instances; ++i) {
    const Instance instance = satisfying_instance(statement, static_cast<std::uint64_t>(i));
    count(all_equal(statement, *rational, claim::source_of(instance, *rational)), agreement);
  }
  return agreement;
}

Agreement in_prime_fields(const Statement& statement, int primes) {
  const Statement free = claim::parametrize(statement, {}).statement;
  Agreement agreement;
  for (std::uint64_t draw = 0; agreement.equal + agreement.different < primes; ++draw) {
    REQUIRE(draw < 20 * static_cast<std::uint64_t>(primes));
    const RandomStream stream = RandomStream(seed).child("primes").child(draw);
    const auto field = arith::make_backend("field", {.seed = stream.key()});
    const claim::InputSource source = [&](const expr::Node& input) {
      return field->uniform(input.shape, input.structure, stream.child(input.name));
    };
    if (conditions_hold(free, *field, source) != Truth::yes) continue;
    count(all_equal(free, *field, source), agreement);
  }
  return agreement;
}

Agreement with_real_functions(const Statement& statement, int instances) {
  const auto ball = arith::make_backend("ball", {.precision = 256});
  Agreement agreement;
  for (int i = 0; i < instances; ++i) {
    const Instance instance = satisfying_instance(statement, static_cast<std::uint64_t>(i));
    if (some_necessity_fails(statement, instance))
      ++agreement.different;
    else
      count(all_equal(statement, *ball, claim::source_of(instance, *ball)), agreement);
  }
  return agreement;
}

const claim::Claim& claim_named(const std::string& id) {
  static const claim::Registry registry = [] {
    claim::Registry made;
    reparam::add_lemma(made);
    reparam::add_elimination(made);
    reparam::add_query_iff(made);
    reparam::add_merge(made);
    reparam::add_gauge(made);
    reparam::add_logit_degree(made);
    reparam::add_conditioning(made);
    return made;
  }();
  return registry.at(id);
}

void check_claim_side(const std::string& id, const std::vector<claim::Size>& sizes) {
  constexpr int instances = 5, primes = 2;
  for (const claim::Size& size : sizes) {
    INFO(id << " at n = " << size.n << ", d = " << size.d << ", h = " << size.h << ", g = " << size.g);
    const Statement statement = claim_named(id).build({size, ""});
    REQUIRE_FALSE(statement.equations.empty());
    CHECK(in_rationals(statement, instances).equal == instances);
    CHECK(in_prime_fields(statement, primes).equal == primes);
  }
}

void check_ablation(const std::string& id, const std::string& dropped, const std::vector<claim::Size>& sizes) {
  constexpr int instances = 10;
  for (const claim::Size& size : sizes) {
    INFO(id << " without " << dropped << " at n = " << size.n << ", d = " << size.d << ", h = " << size.h);
    CHECK(with_real_functions(claim_named(id).build({size, dropped}), instances).different > 0);
  }
}

claim::Size layer_size(std::int64_t n, std::int64_t d, std::int64_t h, std::int64_t g, std::int64_t k) {
  return {"test", n, d, h, g, k, 1, 1};
}

}  // namespace attest::test
