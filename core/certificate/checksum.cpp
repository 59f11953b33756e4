#include "core/certificate/checksum.h"

#include <array>
#include <cstdint>

namespace attest::certificate {
namespace {

std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t remainder = 0xFFFFFFFFU;
  for (const char byte : bytes) {
    remainder ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) remainder = (remainder >> 1) ^ ((remainder & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~remainder;
}

}  // namespace

std::string checksum_of(std::string_view bytes) {
  constexpr std::array digits = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};
  std::string text = "crc32:";
  const std::uint32_t value = crc32(bytes);
  for (int shift = 28; shift >= 0; shift -= 4) text += digits[(value >> shift) & 15U];
  return text;
}

}  // namespace attest::certificate
