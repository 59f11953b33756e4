#pragma once

#include "core/claim/claim.h"

namespace attest::reparam {

// reparam.single_layer, which add_telescope registers before reparam.telescope.
claim::Claim single_layer_claim();

}  // namespace attest::reparam
