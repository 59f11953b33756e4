#include "reports/mathml.h"

#include <cctype>

#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/tex_parser.h"
#include "reports/tex_symbols.h"

namespace attest::reports {
namespace {

// A letter, a Greek letter by its name, or a word that stays upright.
std::string identifier(const std::string& text) {
  const auto symbol = tex_symbol(text);
  if (symbol && symbol->kind == TexSymbol::Kind::letter) return "<mi>" + symbol->text + "</mi>";
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return digits ? "<mn>" + text + "</mn>" : "<mi>" + escape(text) + "</mi>";
}

const std::string kMath = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">";

// "-3/7" as a fraction, a longer one in line; empty where the text is no such number.
std::string number_markup(const std::string& text) {
  const bool negative = !text.empty() && text[0] == '-';
  const std::string body = negative ? text.substr(1) : text;
  if (body.empty() || body.find_first_not_of("0123456789/") != std::string::npos) return "";
  const std::string sign = negative ? "<mo form=\"prefix\">−</mo>" : "";
  const auto slash = body.find('/');
  if (slash == std::string::npos) return sign + "<mn>" + body + "</mn>";
  constexpr std::size_t kLongestStacked = 6;
  if (body.size() > 2 * kLongestStacked) return sign + "<mn>" + body + "</mn>";
  return sign + "<mfrac><mn>" + body.substr(0, slash) + "</mn><mn>" + body.substr(slash + 1) + "</mn></mfrac>";
}

std::string in_parentheses(const std::string& rows) {
  return "<mo fence=\"true\" stretchy=\"true\">(</mo><mtable>" + rows +
         "</mtable><mo fence=\"true\" stretchy=\"true\">)</mo>";
}

std::string name_markup(std::string_view name) {
  const auto dot = name.find('.');
  const std::string_view stem = name.substr(0, dot);
  const auto underscore = stem.find('_');
  const std::string base = identifier(std::string(stem.substr(0, underscore)));
  const bool has_index = underscore != std::string_view::npos && underscore + 1 < stem.size();
  const std::string index = has_index ? identifier(std::string(stem.substr(underscore + 1))) : "";
  std::string layer;
  if (dot != std::string_view::npos) {
    layer = "<mrow><mo stretchy=\"false\">(</mo>" + identifier(std::string(name.substr(dot + 1))) +
            "<mo stretchy=\"false\">)</mo></mrow>";
  }
  if (!index.empty() && !layer.empty()) return "<msubsup>" + base + index + layer + "</msubsup>";
  if (!index.empty()) return "<msub>" + base + index + "</msub>";
  if (!layer.empty()) return "<msup>" + base + layer + "</msup>";
  return base;
}

}  // namespace

std::string tex_to_mathml(std::string_view tex, bool display) {
  return std::string("<math xmlns=\"http://www.w3.org/1998/Math/MathML\"") + (display ? " display=\"block\"" : "") +
         "><mrow>" + TexParser(tex).formula() + "</mrow></math>";
}

std::vector<std::string> tex_parts(std::string_view tex) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < tex.size();) {
    std::size_t end = i + 1;
    if (tex[i] == '\\') {
      while (end < tex.size() && std::isalpha(static_cast<unsigned char>(tex[end])) != 0) ++end;
      if (end == i + 1 && end < tex.size()) ++end;  // a command of one sign, such as \{
    }
    const std::string_view token = tex.substr(i, end - i);
    if (token == "{" || token == "\\left" || token == "\\begin") ++depth;
    if (token == "}" || token == "\\right" || token == "\\end") --depth;
    if (depth == 0 && (token == "\\quad" || token == "\\qquad"))
      parts.emplace_back();
    else
      parts.back() += token;
    i = end;
  }
  std::erase_if(parts, [](const std::string& part) { return part.find_first_not_of(' ') == std::string::npos; });
  return parts;
}

std::string name_to_mathml(std::string_view name) { return kMath + name_markup(name) + "</math>"; }

std::string matrix_to_mathml(std::string_view name, const RationalMatrix& matrix) {
  std::string rows;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    rows += "<mtr>";
    for (std::int64_t col = 0; col < matrix.cols; ++col) {
      rows += "<mtd>" + number_markup(to_string(matrix.at(row, col))) + "</mtd>";
    }
    rows += "</mtr>";
  }
  const std::string left = name.empty() ? "" : name_markup(name) + "<mo>=</mo>";
  return kMath + "<mrow>" + left + in_parentheses(rows) + "</mrow></math>";
}

std::string texts_to_mathml(const std::vector<std::vector<std::string>>& rows,
                            const std::vector<std::vector<bool>>& marked) {
  std::string markup;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    markup += "<mtr>";
    for (std::size_t col = 0; col < rows[row].size(); ++col) {
      const std::string number = number_markup(rows[row][col]);
      if (number.empty()) return "";
      const bool is_marked = row < marked.size() && col < marked[row].size() && marked[row][col];
      markup += std::string(is_marked ? "<mtd class=\"entry-differs\">" : "<mtd>") + number + "</mtd>";
    }
    markup += "</mtr>";
  }
  return kMath + "<mrow>" + in_parentheses(markup) + "</mrow></math>";
}

}  // namespace attest::reports
