#pragma once

#include "core/certificate/certificate.h"

namespace attest::test {

// Certificates of random instances of every side of a reparam claim that can be refuted: at the claim's own search
// sizes and, where it admits it, at n = 3, d = 4, h = 2, g = 1, k = 2, L = 2, m = 3. Sides without one at any size are
// listed.
struct RandomCertificates {
  std::vector<certificate::Certificate> made;
  std::vector<std::string> without;
  std::size_t sides = 0;
};
RandomCertificates random_certificates(const claim::Registry& registry);

}  // namespace attest::test
