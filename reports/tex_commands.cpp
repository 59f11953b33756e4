#include <map>

#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/tex_parser.h"
#include "reports/tex_symbols.h"

namespace attest::reports {
namespace {

using Kind = TexSymbol::Kind;

std::string element(const std::string& tag, const std::string& content) {
  return "<" + tag + ">" + content + "</" + tag + ">";
}

// A one-letter <mi> is slanted unless told otherwise; a name of several letters is upright by itself.
std::string upright(const std::string& text) {
  const bool single = text.size() == 1;
  return (single ? "<mi mathvariant=\"normal\">" : "<mi>") + escape(text) + "</mi>";
}

const std::map<std::string, std::string, std::less<>>& accents() {
  static const std::map<std::string, std::string, std::less<>> table = {
      {"hat", "^"}, {"widehat", "^"},  {"tilde", "~"}, {"widetilde", "~"},
      {"bar", "¯"}, {"overline", "¯"}, {"vec", "→"},   {"dot", "˙"}};
  return table;
}

struct Delimiters {
  const char *open, *close;
};

const std::map<std::string, Delimiters, std::less<>>& environments() {
  static const std::map<std::string, Delimiters, std::less<>> table = {{"matrix", {"", ""}},    {"pmatrix", {"(", ")"}},
                                                                       {"bmatrix", {"[", "]"}}, {"vmatrix", {"|", "|"}},
                                                                       {"cases", {"{", ""}},    {"aligned", {"", ""}}};
  return table;
}

}  // namespace

TexParser::Atom TexParser::command_atom() {
  const std::size_t start = position_ - 1;
  const std::string name = command_name();
  const auto symbol = tex_symbol(name);
  if (symbol) {
    switch (symbol->kind) {
      case Kind::letter:
        return {Atom::Kind::ordinary, element("mi", symbol->text)};
      case Kind::sign:
        return {Atom::Kind::sign, element("mo", symbol->text)};
      case Kind::fence:
        return {Atom::Kind::close, "<mo stretchy=\"false\">" + symbol->text + "</mo>"};
      case Kind::big_operator:
        return {Atom::Kind::big_operator, element("mo", symbol->text)};
      case Kind::function:
        return {Atom::Kind::function, upright(symbol->text)};
      case Kind::limits: {
        Atom atom = with_scripts({Atom::Kind::big_operator, upright(symbol->text)});
        atom.kind = Atom::Kind::function;
        return atom;
      }
      case Kind::space:
        return {Atom::Kind::space, "<mspace width=\"" + symbol->text + "\"/>"};
    }
  }
  Atom atom = command_with_arguments(name);
  if (atom.markup.empty()) {
    position_ = start;
    fail("\\" + name + " is not part of the subset (nearest: \\" + join(nearest_names(name, tex_commands()), ", \\") +
         ")");
  }
  return atom;
}

TexParser::Atom TexParser::command_with_arguments(const std::string& name) {
  if (name == "frac" || name == "tfrac" || name == "dfrac" || name == "binom") return fraction(name);
  if (name == "sqrt") return root();
  if (name == "left") return fenced();
  if (name.rfind("big", 0) == 0 || name.rfind("Big", 0) == 0) return sized_fence(name);
  if (name == "begin") return environment();
  if (name == "operatorname") return {Atom::Kind::function, upright(raw_group())};
  if (name == "text") return {Atom::Kind::ordinary, element("mtext", escape(raw_group()))};
  if (name == "mathrm" || name == "mathbb" || name == "mathcal" || name == "mathbf") return alphabet(name);
  if (name == "not") return negated();
  if (name == "overset" || name == "underset" || name == "underbrace" || name == "overbrace") return stacked(name);
  if (name == "pmod") {
    return {Atom::Kind::ordinary,
            "<mspace width=\"1em\"/><mo stretchy=\"false\">(</mo><mi>mod</mi>"
            "<mspace width=\"0.333em\"/>" +
                group() + "<mo stretchy=\"false\">)</mo>"};
  }
  if (name == "displaystyle" || name == "textstyle") {
    const std::string value = name == "displaystyle" ? "true" : "false";
    return {Atom::Kind::ordinary, "<mstyle displaystyle=\"" + value + "\">" + row() + "</mstyle>"};
  }
  if (name == "underline" || accents().count(name) != 0) return accent(name);
  return {};
}

TexParser::Atom TexParser::fraction(const std::string& name) {
  const std::string above = group();
  const std::string below = group();
  if (name == "binom") {
    return {Atom::Kind::ordinary,
            "<mrow><mo>(</mo><mfrac linethickness=\"0\">" + above + below + "</mfrac><mo>)</mo></mrow>"};
  }
  const std::string markup = element("mfrac", above + below);
  if (name == "frac") return {Atom::Kind::ordinary, markup};
  const std::string display = name == "dfrac" ? "true" : "false";
  return {Atom::Kind::ordinary, "<mstyle displaystyle=\"" + display + "\">" + markup + "</mstyle>"};
}

TexParser::Atom TexParser::root() {
  skip_spaces();
  if (!looking_at("[")) return {Atom::Kind::ordinary, element("msqrt", group())};
  ++position_;
  std::string degree;
  for (skip_spaces(); !at_row_end() && !looking_at("]"); skip_spaces()) degree += item().markup;
  expect(']', "to close the degree of a root");
  return {Atom::Kind::ordinary, element("mroot", group() + element("mrow", degree))};
}

// The character of a delimiter; empty for the invisible one.
std::string TexParser::delimiter() {
  skip_spaces();
  if (at_end()) fail("a delimiter is missing");
  if (tex_[position_] == '\\') {
    ++position_;
    const auto symbol = tex_symbol(command_name());
    if (!symbol || symbol->kind != Kind::fence) fail("not a delimiter");
    return symbol->text;
  }
  const char c = tex_[position_];
  if (std::string("()[]|/.").find(c) == std::string::npos) fail(std::string("'") + c + "' is not a delimiter");
  ++position_;
  return c == '.' ? "" : std::string(1, c);
}

TexParser::Atom TexParser::fenced() {
  const auto fence = [](const std::string& text) {
    return text.empty() ? std::string() : "<mo fence=\"true\" stretchy=\"true\">" + text + "</mo>";
  };
  std::string markup = fence(delimiter());
  markup += row();
  if (!looking_at_command("right")) fail("\\left without its \\right");
  position_ += std::string_view("\\right").size();
  markup += fence(delimiter());
  return {Atom::Kind::close, element("mrow", markup)};
}

TexParser::Atom TexParser::sized_fence(const std::string& name) {
  static const std::map<std::string, std::string, std::less<>> sizes = {
      {"big", "1.2em"},   {"bigl", "1.2em"},   {"bigr", "1.2em"},   {"bigm", "1.2em"},
      {"Big", "1.623em"}, {"Bigl", "1.623em"}, {"Bigr", "1.623em"}, {"Bigm", "1.623em"}};
  const auto size = sizes.find(name);
  if (size == sizes.end()) return {};
  const std::string text = delimiter();
  const std::string bounds = "minsize=\"" + size->second + "\" maxsize=\"" + size->second + "\"";
  return {name.back() == 'r' ? Atom::Kind::close : Atom::Kind::open,
          "<mo stretchy=\"true\" symmetric=\"true\" " + bounds + ">" + text + "</mo>"};
}

std::vector<std::vector<std::string>> TexParser::environment_rows(const std::string& name) {
  std::vector<std::vector<std::string>> rows(1);
  for (;;) {
    rows.back().push_back(row());
    if (looking_at("&")) {
      ++position_;
    } else if (looking_at("\\\\")) {
      position_ += 2;
      rows.emplace_back();
    } else if (looking_at_command("end")) {
      position_ += std::string_view("\\end").size();
      if (const std::string closed = raw_group(); closed != name)
        fail("\\begin{" + name + "} closed by \\end{" + closed + "}");
      // A row break before \end starts no row.
      if (rows.size() > 1 && rows.back().size() == 1 && rows.back().front().empty()) rows.pop_back();
      return rows;
    } else {
      fail("\\begin{" + name + "} without its \\end");
    }
  }
}

TexParser::Atom TexParser::environment() {
  const std::string name = raw_group();
  const auto known = environments().find(name);
  if (known == environments().end()) fail("\\begin{" + name + "} is not part of the subset");
  std::string table;
  for (const auto& cells : environment_rows(name)) {
    std::string markup;
    for (const auto& cell : cells) markup += element("mtd", cell);
    table += element("mtr", markup);
  }
  const std::string style = name == "cases"     ? " class=\"cases\""
                            : name == "aligned" ? " class=\"aligned\" displaystyle=\"true\""
                                                : "";
  std::string markup = "<mtable" + style + ">" + table + "</mtable>";
  const auto fence = [](const char* text) {
    return *text == '\0' ? std::string() : "<mo fence=\"true\" stretchy=\"true\">" + std::string(text) + "</mo>";
  };
  markup = fence(known->second.open) + markup + fence(known->second.close);
  return {Atom::Kind::close, element("mrow", markup)};
}

TexParser::Atom TexParser::alphabet(const std::string& name) {
  const std::string text = raw_group();
  if (name == "mathrm") return {Atom::Kind::ordinary, upright(text)};
  std::string letters;
  for (std::size_t i = 0; i < text.size();) letters += utf8(in_alphabet(name, next_character(text, i)));
  return {Atom::Kind::ordinary, "<mi>" + escape(letters) + "</mi>"};
}

TexParser::Atom TexParser::accent(const std::string& name) {
  if (name == "underline") return {Atom::Kind::ordinary, element("munder", group() + "<mo stretchy=\"true\">_</mo>")};
  const bool wide = name == "widehat" || name == "widetilde" || name == "overline";
  const std::string mark = accents().find(name)->second;
  return {Atom::Kind::ordinary, "<mover accent=\"true\">" + group() + "<mo stretchy=\"" + (wide ? "true" : "false") +
                                    "\">" + mark + "</mo></mover>"};
}

TexParser::Atom TexParser::stacked(const std::string& name) {
  if (name == "underbrace" || name == "overbrace") {
    const bool under = name == "underbrace";
    const std::string brace = std::string("<mo stretchy=\"true\">") + (under ? "⏟" : "⏞") + "</mo>";
    return {Atom::Kind::big_operator, element(under ? "munder" : "mover", group() + brace)};
  }
  const std::string small = group();
  return {Atom::Kind::sign, element(name == "overset" ? "mover" : "munder", group() + small)};
}

// \not followed by a relation: the combining solidus over it.
TexParser::Atom TexParser::negated() {
  Atom next = atom();
  const auto end = next.markup.rfind("</mo>");
  if (next.kind != Atom::Kind::sign || end == std::string::npos) fail("\\not before something that is no relation");
  next.markup.insert(end, "\u0338");
  return next;
}

}  // namespace attest::reports
