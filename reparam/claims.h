#pragma once

#include "core/claim/claim.h"

namespace attest::reparam {

// Every claim of the chapter, in the order of README.md.
void register_claims(claim::Registry& registry);

// One function a file; each adds the claims that the file defines.
void add_lemma(claim::Registry& registry);
void add_elimination(claim::Registry& registry);
void add_query_iff(claim::Registry& registry);
void add_merge(claim::Registry& registry);
void add_gauge(claim::Registry& registry);
void add_logit_degree(claim::Registry& registry);
void add_conditioning(claim::Registry& registry);
void add_telescope(claim::Registry& registry);
void add_shared(claim::Registry& registry);
void add_head_basis(claim::Registry& registry);
void add_bias(claim::Registry& registry);
void add_rope(claim::Registry& registry);
void add_local_basis(claim::Registry& registry);
void add_skipless(claim::Registry& registry);

}  // namespace attest::reparam
