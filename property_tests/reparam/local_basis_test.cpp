#include <catch2/catch.hpp>

#include "core/verdict/difference.h"
#include "property_tests/reparam/network_checks.h"
#include "reparam/network.h"
#include "reparam/transforms.h"

namespace attest::test {

TEST_CASE("one basis for every sub-block preserves the function", "[reparam][local_basis]") {
  require_holds("reparam.local_basis", {"tiny", "small"});
}

TEST_CASE("bases that are not all equal fail for some parameters", "[reparam][local_basis]") {
  require_refuted("reparam.local_basis", "equal_bases", {"", 1, 1, 1, 1, 1, 1, 1});
  require_differs("reparam.local_basis", "equal_bases", "tiny");
}

TEST_CASE("a single sub-block with another basis fails, whichever it is", "[reparam][local_basis]") {
  const claim::Size size{"local", 2, 2, 1, 1, 2, 2, 3};
  for (std::size_t different = 0; different <= 4; ++different) {
    claim::Statement statement = reparam::network_statement(size);
    const auto spec = reparam::network_spec(statement, size, reparam::Skips::both, true);
    const auto weights = reparam::add_weights(statement, spec);
    const auto basis = [&](const char* name) {
      return reparam::basis_of(
          reparam::ensure_input(statement, name, {2, 2}, {.kind = claim::Recipe::Kind::invertible}));
    };
    std::vector<reparam::Basis> points(5, basis("T"));
    points[different] = basis("S");
    statement.conditions.push_back({claim::Condition::Kind::different, {points[different].T, basis("T").T}, ""});
    reparam::require_same_function(statement, "output", weights, reparam::change_basis(weights, spec, points), spec);
    const verdict::DifferenceFinder finder(statement);
    bool differs = false;
    for (std::uint64_t seed = 1; seed <= 8 && !differs; ++seed)
      differs = finder.differs(satisfying_instance(statement, seed));
    INFO("basis " << different);
    CHECK(differs);
  }
}

}  // namespace attest::test
