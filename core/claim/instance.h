#pragma once

#include <map>
#include <string>

#include "core/arith/backend.h"
#include "core/claim/claim.h"
#include "core/claim/evaluate.h"

namespace attest::claim {

// Exact values for the inputs of a statement, by name.
using Instance = std::map<std::string, RationalMatrix>;

// A random instance with small rational entries, constructive: every recipe is met by construction, redrawing only
// where a determinant happens to vanish. The same stream gives the same instance on every machine.
Instance draw_instance(const Statement& statement, RandomStream stream);

// Small random entries for one free input; sparser for large ones, so that exact products stay short.
RationalMatrix draw_free(expr::Shape shape, expr::Structure structure, RandomStream stream);

// What the condition says of the values of its operands.
Truth decide(Condition::Kind kind, const std::vector<arith::Matrix>& operands, const arith::Backend& backend);
// Whether the instance satisfies the condition, in the given arithmetic (rational decides it).
Truth holds(const Condition& condition, const arith::Backend& backend, const InputSource& source);
// All conditions in exact rational arithmetic; the text of the first that fails is put into *failed if given.
Truth satisfies(const Statement& statement, const Instance& instance, std::string* failed = nullptr);

// "W_Q is invertible", "[B_0 | B_1] has independent column spaces", ...
std::string to_text(const Condition& condition);

}  // namespace attest::claim
