#include "reparam/claims.h"

namespace attest::reparam {

void register_claims(claim::Registry& registry) {
  add_lemma(registry);
  add_elimination(registry);
  add_query_iff(registry);
  add_telescope(registry);
  add_shared(registry);
  add_head_basis(registry);
  add_bias(registry);
  add_rope(registry);
  add_local_basis(registry);
  add_merge(registry);
  add_skipless(registry);
  add_gauge(registry);
  add_logit_degree(registry);
  add_conditioning(registry);
}

}  // namespace attest::reparam
