#pragma once

#include <string>
#include <string_view>

namespace attest::certificate {

// "crc32:xxxxxxxx", the CRC-32 of ISO 3309 (polynomial 0xEDB88320, reflected) of the bytes. Finds every accidental edit
// of up to 32 adjacent bits; it is no signature: whoever edits on purpose can write a new one, and then the recomputed
// evidence has to give way.
std::string checksum_of(std::string_view bytes);

}  // namespace attest::certificate
