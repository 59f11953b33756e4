#pragma once

#include <nlohmann/json.hpp>

#include "core/certificate/certificate.h"

namespace attest::certificate {

// Everything of a certificate but its checksum, as JSON with sorted keys.
nlohmann::json content_of(const Certificate& certificate);

// The checksum of the content: of its compact JSON text with sorted keys and ASCII escapes.
std::string content_checksum(const Certificate& certificate);

}  // namespace attest::certificate
