#include "cli/verbs.h"
#include "reparam/claims.h"

namespace attest::cli {

claim::Registry all_claims() {
  claim::Registry registry;
  reparam::register_claims(registry);
  return registry;
}

}  // namespace attest::cli
