#pragma once

namespace attest::arith {

// FLINT, Arb and MPFR keep memory and constants (pi, log 2, ...) for each thread. A thread that evaluated something
// calls this before it ends, when none of its matrices are left.
void release_thread_caches();

}  // namespace attest::arith
