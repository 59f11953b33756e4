#include "core/arith/thread_caches.h"

#include <flint/flint.h>
#include <mpfr.h>

namespace attest::arith {

void release_thread_caches() {
  flint_cleanup();
  mpfr_free_cache();
}

}  // namespace attest::arith
