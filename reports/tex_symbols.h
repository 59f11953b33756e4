#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace attest::reports {

// What a TeX command without arguments stands for. Internal to the converter of mathml.h.
struct TexSymbol {
  enum class Kind {
    letter,        // <mi>: Greek letters, \top, \infty
    sign,          // <mo>: relations, arrows, binary operators, punctuation
    fence,         // <mo> that does not grow by itself
    big_operator,  // <mo> with limits below and above: \sum
    function,      // <mi> upright: \log
    limits,        // the same with limits below: \max
    space,         // <mspace> of this width
  };
  Kind kind;
  std::string text;
};

// The symbol of "\name", name without the backslash.
std::optional<TexSymbol> tex_symbol(std::string_view name);

// Every command of the subset, those with arguments included; for messages.
const std::vector<std::string>& tex_commands();

// A letter or digit in one of the alphabets mathbb, mathcal, mathbf; the character itself where it has none.
char32_t in_alphabet(std::string_view alphabet, char32_t character);

}  // namespace attest::reports
