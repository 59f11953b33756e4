#include "reports/escape.h"

namespace attest::reports {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_xml_character(char32_t c) {
  if (c < 0x20) return c == '\t' || c == '\n' || c == '\r';
  return c < 0xD800 || (c > 0xDFFF && c < 0xFFFE) || (c > 0xFFFF && c <= 0x10FFFF);
}

}  // namespace

char32_t next_character(std::string_view text, std::size_t& position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(position++);
  if (first < 0x80) return first;
  const int more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1;
  if (first < 0xC2 || first > 0xF4) return kReplacement;
  char32_t character = first & (0x3FU >> more);
  for (int i = 0; i < more; ++i) {
    if (position >= text.size() || (byte(position) & 0xC0U) != 0x80U) return kReplacement;
    character = (character << 6U) | (byte(position++) & 0x3FU);
  }
  constexpr char32_t kSmallest[] = {0x80, 0x800, 0x10000};
  return character < kSmallest[more - 1] || !is_xml_character(character) ? kReplacement : character;
}

std::string utf8(char32_t c) {
  const auto tail = [&](unsigned shift) { return static_cast<char>(0x80U | ((c >> shift) & 0x3FU)); };
  if (c < 0x80) return {static_cast<char>(c)};
  if (c < 0x800) return {static_cast<char>(0xC0U | (c >> 6U)), tail(0)};
  if (c < 0x10000) return {static_cast<char>(0xE0U | (c >> 12U)), tail(6), tail(0)};
  return {static_cast<char>(0xF0U | (c >> 18U)), tail(12), tail(6), tail(0)};
}

std::string escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t position = 0; position < text.size();) {
    const char32_t character = next_character(text, position);
    switch (character) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += utf8(is_xml_character(character) ? character : kReplacement);
    }
  }
  return escaped;
}

std::string anchor(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const bool kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
    id += kept ? c : '-';
  }
  return id;
}

}  // namespace attest::reports
