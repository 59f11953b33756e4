#include "property_tests/reparam/network_checks.h"

#include <catch2/catch.hpp>

#include "core/claim/evaluate.h"
#include "core/claim/instance.h"
#include "core/verdict/difference.h"
#include "core/verdict/engine.h"
#include "reparam/claims.h"

namespace attest::test {

using claim::Equation;
using claim::Instance;
using claim::Size;
using claim::Statement;

namespace {

struct Agreement {
  int compared = 0;  // equations; those that the arithmetic is unable to evaluate are left out
  int nonzero = 0;   // of these, with a side that is not the zero matrix
};

Agreement require_equal(const Statement& statement, const Instance& instance, const arith::Backend& backend) {
  Agreement agreement;
  for (const Equation& equation : statement.equations) {
    const auto values =
        claim::evaluate({equation.expected, equation.constructed}, backend, claim::source_of(instance, backend));
    INFO(backend.name() << ", " << equation.label << (values.ok() ? "" : ": " + values.reason()));
    REQUIRE(values.status() != Status::undefined);
    if (!values.ok()) continue;
    REQUIRE(backend.compare(values.value()[0], values.value()[1]).equal == Truth::yes);
    const arith::Matrix zero = backend.fill(values.value()[0]->shape, 0).value();
    ++agreement.compared;
    if (backend.compare(values.value()[0], zero).equal == Truth::no) ++agreement.nonzero;
  }
  return agreement;
}

}  // namespace

Instance satisfying_instance(const Statement& statement, std::uint64_t seed) {
  for (std::uint64_t draw = 0; draw < 100; ++draw) {
    Instance instance = claim::draw_instance(statement, RandomStream(seed).child(draw));
    if (claim::satisfies(statement, instance) == Truth::yes) return instance;
  }
  FAIL("no instance satisfies the hypotheses");
  return {};
}

const claim::Registry& reparam_claims() {
  static const claim::Registry registry = [] {
    claim::Registry made;
    reparam::register_claims(made);
    return made;
  }();
  return registry;
}

void require_holds(const std::string& id, const std::vector<std::string>& sizes) {
  const claim::Claim& claim = reparam_claims().at(id);
  for (const std::string& name : sizes) {
    const Statement statement = claim.build({claim::named_size(name), ""});
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      INFO(id << " at " << name << ", seed " << seed);
      const Instance instance = satisfying_instance(statement, seed);
      const auto rational = arith::make_backend("rational", {.stand_in_row_function = true});
      CHECK(require_equal(statement, instance, *rational).nonzero > 0);
      const auto field = arith::make_backend("field", {.seed = seed});
      const Agreement modulo_prime = require_equal(statement, instance, *field);
      CHECK(modulo_prime.compared == static_cast<int>(statement.equations.size()));
      CHECK(modulo_prime.nonzero == modulo_prime.compared);
    }
  }
}

void require_refuted(const std::string& id, const std::string& dropped, const Size& smallest) {
  INFO(id << " without " << dropped);
  const verdict::Result result = verdict::refute(reparam_claims().at(id), dropped, {});
  REQUIRE(result.verdict == verdict::Verdict::refuted);
  CHECK(result.counterexample->minimal == "global");
  const Size& size = result.size;
  CHECK(std::vector{size.n, size.d, size.h, size.g, size.k, size.L, size.m} ==
        std::vector{smallest.n, smallest.d, smallest.h, smallest.g, smallest.k, smallest.L, smallest.m});
}

void require_differs(const std::string& id, const std::string& dropped, const std::string& size) {
  INFO(id << " without " << dropped << " at " << size);
  const Statement statement = reparam_claims().at(id).build({claim::named_size(size), dropped});
  const verdict::DifferenceFinder finder(statement);
  bool differs = false;
  for (std::uint64_t seed = 1; seed <= 5 && !differs; ++seed)
    differs = finder.differs(satisfying_instance(statement, seed));
  CHECK(differs);
}

}  // namespace attest::test
