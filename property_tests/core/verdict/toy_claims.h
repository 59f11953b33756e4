#pragma once

#include "core/claim/claim.h"

// Claims about two matrices, small enough to know every answer beforehand.
namespace attest::test {

// A B = B A for diagonal A, B ("diagonal" can be dropped): true, and false without.
claim::Claim commuting_diagonals();
// A B = B A, false on purpose, without a hypothesis to drop.
claim::Claim everything_commutes();
// softmax(A) = softmax(A + c 1 1^T): true of the real softmax, false of a general row function.
claim::Claim shift_invariance();
// Its hypotheses contradict each other: A invertible and singular.
claim::Claim vacuous();

}  // namespace attest::test
