#pragma once

#include <string>
#include <string_view>

namespace attest::reports {

// The text as character data of HTML and XML, safe in attribute values with either quote as well. Bytes that are not
// UTF-8 and control characters that XML 1.0 forbids become U+FFFD.
std::string escape(std::string_view text);

// The text as an id: letters, digits, '.', '-' and '_' stay, everything else becomes '-'.
std::string anchor(std::string_view text);

// Reads one character of UTF-8 at `position` and moves past it; 0xFFFD for a malformed one.
char32_t next_character(std::string_view text, std::size_t& position);
// The character as UTF-8.
std::string utf8(char32_t character);

}  // namespace attest::reports
