#include "reports/tex_parser.h"

#include <cctype>

#include "core/support/error.h"
#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/tex_symbols.h"

namespace attest::reports {
namespace {

constexpr int kDeepestNesting = 100;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

std::string element(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag + ">";
}

const std::string kThinSpace = "<mspace width=\"0.167em\"/>";

}  // namespace

void TexParser::fail(const std::string& problem) const {
  throw InputError("formula '" + std::string(tex_) + "', character " + std::to_string(position_ + 1) + ": " + problem +
                   "; docs/report.md lists the TeX that reports can typeset");
}

void TexParser::skip_spaces() {
  while (!at_end() && (tex_[position_] == ' ' || tex_[position_] == '\n' || tex_[position_] == '\t')) ++position_;
}

bool TexParser::looking_at_command(std::string_view name) const {
  if (at_end() || tex_[position_] != '\\' || tex_.substr(position_ + 1, name.size()) != name) return false;
  const std::size_t after = position_ + 1 + name.size();
  return after >= tex_.size() || !is_letter(tex_[after]) || !is_letter(name.back());
}

std::string TexParser::command_name() {
  if (at_end()) fail("a backslash at the end");
  if (!is_letter(tex_[position_])) return std::string(1, tex_[position_++]);
  const std::size_t start = position_;
  while (!at_end() && is_letter(tex_[position_])) ++position_;
  return std::string(tex_.substr(start, position_ - start));
}

void TexParser::expect(char character, const std::string& where) {
  skip_spaces();
  if (at_end() || tex_[position_] != character) fail(std::string("expected '") + character + "' " + where);
  ++position_;
}

std::string TexParser::raw_group() {
  expect('{', "to open an argument");
  const std::size_t start = position_;
  int open = 1;
  for (; !at_end(); ++position_) {
    if (tex_[position_] == '{') ++open;
    if (tex_[position_] == '}' && --open == 0) {
      const std::string_view text = tex_.substr(start, position_++ - start);
      if (text.find_first_of("\\$") != std::string_view::npos) fail("only plain text may stand in this argument");
      return std::string(text);
    }
  }
  fail("an argument without its closing brace");
}

bool TexParser::at_row_end() const {
  if (at_end() || tex_[position_] == '}' || tex_[position_] == '&') return true;
  return looking_at("\\\\") || looking_at_command("right") || looking_at_command("end");
}

std::string TexParser::row() {
  if (++depth_ > kDeepestNesting) fail("nested more than " + std::to_string(kDeepestNesting) + " deep");
  std::string markup;
  auto previous = Atom::Kind::sign;
  for (skip_spaces(); !at_row_end(); skip_spaces()) {
    const Atom next = item();
    // TeX sets a thin space between a function's name and an ordinary symbol on either side of it.
    const bool after_function =
        previous == Atom::Kind::function && (next.kind == Atom::Kind::ordinary || next.kind == Atom::Kind::function);
    const bool before_function =
        next.kind == Atom::Kind::function && (previous == Atom::Kind::ordinary || previous == Atom::Kind::close);
    if (after_function || before_function) markup += kThinSpace;
    markup += next.markup;
    previous = next.kind;
  }
  --depth_;
  return markup;
}

std::string TexParser::formula() {
  const std::string markup = row();
  if (!at_end()) fail("'" + std::string(tex_.substr(position_, 6)) + "' without its beginning");
  if (markup.empty()) fail("an empty formula");
  return markup;
}

std::string TexParser::group() {
  skip_spaces();
  if (at_row_end()) fail("an argument is missing");
  // Without braces the argument is one character or command: \tfrac12 is a half, x^12 is x^1 2.
  if (is_digit(tex_[position_])) return element("mn", std::string(1, tex_[position_++]));
  if (tex_[position_] != '{') return atom().markup;
  ++position_;
  const std::string markup = element("mrow", row());
  expect('}', "to close an argument");
  return markup;
}

TexParser::Atom TexParser::item() { return with_scripts(atom()); }

std::string TexParser::primes() {
  std::string text;
  while (!at_end() && tex_[position_] == '\'') {
    text += "′";
    ++position_;
  }
  return element("mo", text);
}

TexParser::Atom TexParser::with_scripts(Atom base) {
  std::string below, above;
  for (skip_spaces(); !at_end(); skip_spaces()) {
    const char mark = tex_[position_];
    if (mark == '\'') {
      if (!above.empty()) fail("a prime after a superscript");
      above = primes();
      skip_spaces();
      if (looking_at("^")) {
        ++position_;
        above = element("mrow", above + group());
      }
    } else if (mark == '_' || mark == '^') {
      std::string& script = mark == '_' ? below : above;
      if (!script.empty()) fail(std::string("a second '") + mark + "' on one symbol");
      ++position_;
      script = group();
    } else {
      break;
    }
  }
  const bool limits = base.kind == Atom::Kind::big_operator;
  if (!below.empty() && !above.empty()) {
    base.markup = element(limits ? "munderover" : "msubsup", base.markup + below + above);
  } else if (!below.empty()) {
    base.markup = element(limits ? "munder" : "msub", base.markup + below);
  } else if (!above.empty()) {
    base.markup = element(limits ? "mover" : "msup", base.markup + above);
  }
  return base;
}

TexParser::Atom TexParser::atom() {
  skip_spaces();
  const char c = tex_[position_];
  if (c == '\\') {
    ++position_;
    return command_atom();
  }
  if (c == '{') return {Atom::Kind::ordinary, group()};
  if (c == '^' || c == '_') return {Atom::Kind::ordinary, "<mrow></mrow>"};
  return character_atom();
}

TexParser::Atom TexParser::character_atom() {
  const char c = tex_[position_];
  if (is_digit(c)) {
    std::string digits;
    while (!at_end() && (is_digit(tex_[position_]) ||
                         (tex_[position_] == '.' && position_ + 1 < tex_.size() && is_digit(tex_[position_ + 1])))) {
      digits += tex_[position_++];
    }
    return {Atom::Kind::ordinary, element("mn", digits)};
  }
  const char32_t character = next_character(tex_, position_);
  if (is_letter(c) || character > 0x7F) return {Atom::Kind::ordinary, element("mi", utf8(character))};
  switch (c) {
    case '-':
      return {Atom::Kind::sign, element("mo", "−")};
    case '*':
      return {Atom::Kind::sign, element("mo", "∗")};
    case '<':
      return {Atom::Kind::sign, element("mo", "&lt;")};
    case '>':
      return {Atom::Kind::sign, element("mo", "&gt;")};
    case '~':
      return {Atom::Kind::space, "<mspace width=\"0.25em\"/>"};
    case '/':
      return {Atom::Kind::sign, "<mo lspace=\"0\" rspace=\"0\">/</mo>"};
    case '(':
    case '[':
      return {Atom::Kind::open, std::string("<mo stretchy=\"false\">") + c + "</mo>"};
    case ')':
    case ']':
      return {Atom::Kind::close, std::string("<mo stretchy=\"false\">") + c + "</mo>"};
    // A bar alone opens as often as it closes: no space of its own on either side.
    case '|':
      return {Atom::Kind::open, "<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">|</mo>"};
    case '!':
      return {Atom::Kind::close, "<mo lspace=\"0\" rspace=\"0\">!</mo>"};
    case '+':
    case '=':
    case ',':
    case ';':
    case ':':
    case '.':
    case '?':
      return {Atom::Kind::sign, element("mo", std::string(1, c))};
    default:
      --position_;
      fail(std::string("'") + c + "' is not part of the subset");
  }
}

}  // namespace attest::reports
