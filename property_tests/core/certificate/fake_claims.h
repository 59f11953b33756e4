#pragma once

#include "core/certificate/certificate.h"
#include "core/claim/claim.h"

namespace attest::test {

// Small false claims that reach every part of a certificate: rational and irrational equations, a necessary condition,
// a recipe, counts that the statement ignores. Ids: fake.square, fake.softmax, fake.gelu, fake.necessary.
claim::Registry fake_registry();

// One certificate of each, made by certify.
std::vector<certificate::Certificate> fake_certificates(const claim::Registry& registry);

// Rows of exact numbers as texts.
RationalMatrix exact_matrix(const std::vector<std::vector<std::string>>& rows);

}  // namespace attest::test
