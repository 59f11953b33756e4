#include "reports/tex_symbols.h"

#include <map>

namespace attest::reports {
namespace {

using Kind = TexSymbol::Kind;
using Table = std::map<std::string, TexSymbol, std::less<>>;

struct Entry {
  const char* name;
  const char* text;
};

void add(Table& table, Kind kind, std::initializer_list<Entry> entries) {
  for (const auto& [name, text] : entries) table.insert_or_assign(name, TexSymbol{kind, text});
}

void add_letters(Table& table) {
  add(table, Kind::letter,
      {{"alpha", "α"},   {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},    {"epsilon", "ϵ"},    {"varepsilon", "ε"},
       {"zeta", "ζ"},    {"eta", "η"},   {"theta", "θ"}, {"vartheta", "ϑ"}, {"iota", "ι"},       {"kappa", "κ"},
       {"lambda", "λ"},  {"mu", "μ"},    {"nu", "ν"},    {"xi", "ξ"},       {"pi", "π"},         {"rho", "ρ"},
       {"sigma", "σ"},   {"tau", "τ"},   {"phi", "ϕ"},   {"varphi", "φ"},   {"chi", "χ"},        {"psi", "ψ"},
       {"omega", "ω"},   {"Gamma", "Γ"}, {"Delta", "Δ"}, {"Theta", "Θ"},    {"Lambda", "Λ"},     {"Xi", "Ξ"},
       {"Pi", "Π"},      {"Sigma", "Σ"}, {"Phi", "Φ"},   {"Psi", "Ψ"},      {"Omega", "Ω"},      {"top", "⊤"},
       {"bot", "⊥"},     {"infty", "∞"}, {"ell", "ℓ"},   {"emptyset", "∅"}, {"varnothing", "∅"}, {"prime", "′"},
       {"partial", "∂"}, {"dots", "…"},  {"ldots", "…"}, {"cdots", "⋯"},    {"vdots", "⋮"},      {"ddots", "⋱"},
       {"%", "%"},       {"#", "#"},     {"_", "_"},     {"&", "&amp;"},    {"$", "$"},          {"dagger", "†"}});
}

void add_signs(Table& table) {
  add(table, Kind::sign,
      {{"times", "×"},
       {"cdot", "⋅"},
       {"odot", "⊙"},
       {"circ", "∘"},
       {"oplus", "⊕"},
       {"otimes", "⊗"},
       {"pm", "±"},
       {"mp", "∓"},
       {"ast", "∗"},
       {"div", "÷"},
       {"le", "≤"},
       {"leq", "≤"},
       {"ge", "≥"},
       {"geq", "≥"},
       {"ne", "≠"},
       {"neq", "≠"},
       {"ll", "≪"},
       {"gg", "≫"},
       {"equiv", "≡"},
       {"approx", "≈"},
       {"sim", "∼"},
       {"cong", "≅"},
       {"propto", "∝"},
       {"in", "∈"},
       {"notin", "∉"},
       {"ni", "∋"},
       {"subset", "⊂"},
       {"subseteq", "⊆"},
       {"supseteq", "⊇"},
       {"cup", "∪"},
       {"cap", "∩"},
       {"setminus", "∖"},
       {"mid", "∣"},
       {"nmid", "∤"},
       {"parallel", "∥"},
       {"perp", "⟂"},
       {"succeq", "⪰"},
       {"preceq", "⪯"},
       {"forall", "∀"},
       {"exists", "∃"},
       {"neg", "¬"},
       {"land", "∧"},
       {"wedge", "∧"},
       {"lor", "∨"},
       {"vee", "∨"},
       {"to", "→"},
       {"rightarrow", "→"},
       {"leftarrow", "←"},
       {"gets", "←"},
       {"mapsto", "↦"},
       {"iff", "⟺"},
       {"implies", "⟹"},
       {"Rightarrow", "⇒"},
       {"Leftarrow", "⇐"},
       {"Leftrightarrow", "⇔"},
       {"longrightarrow", "⟶"},
       {"longmapsto", "⟼"},
       {"leftrightarrow", "↔"},
       {"colon", ":"},
       {"coloneqq", "≔"},
       {"bmod", "mod"}});
  add(table, Kind::fence,
      {{"{", "{"},
       {"}", "}"},
       {"|", "‖"},
       {"lVert", "‖"},
       {"rVert", "‖"},
       {"Vert", "‖"},
       {"lvert", "|"},
       {"rvert", "|"},
       {"vert", "|"},
       {"langle", "⟨"},
       {"rangle", "⟩"},
       {"lfloor", "⌊"},
       {"rfloor", "⌋"},
       {"lceil", "⌈"},
       {"rceil", "⌉"},
       {"lbrace", "{"},
       {"rbrace", "}"}});
  add(table, Kind::big_operator,
      {{"sum", "∑"}, {"prod", "∏"}, {"bigoplus", "⨁"}, {"bigcap", "⋂"}, {"bigcup", "⋃"}, {"bigwedge", "⋀"}});
}

void add_functions_and_spaces(Table& table) {
  for (const char* name : {"log", "ln", "exp", "sin", "cos", "tan", "tanh", "arg", "dim", "ker", "deg"}) {
    add(table, Kind::function, {{name, name}});
  }
  for (const char* name : {"max", "min", "sup", "inf", "lim", "det", "gcd", "Pr"}) {
    add(table, Kind::limits, {{name, name}});
  }
  add(table, Kind::space,
      {{",", "0.167em"},
       {":", "0.222em"},
       {">", "0.222em"},
       {";", "0.278em"},
       {"!", "-0.167em"},
       {" ", "0.25em"},
       {"quad", "1em"},
       {"qquad", "2em"}});
}

const Table& symbols() {
  static const Table table = [] {
    Table filled;
    add_letters(filled);
    add_signs(filled);
    add_functions_and_spaces(filled);
    return filled;
  }();
  return table;
}

// Mathematical letters that had a code point before the block of their alphabet was made.
const std::map<std::pair<std::string, char32_t>, char32_t>& early_letters() {
  static const std::map<std::pair<std::string, char32_t>, char32_t> table = {
      {{"mathbb", 'C'}, U'ℂ'},  {{"mathbb", 'H'}, U'ℍ'},  {{"mathbb", 'N'}, U'ℕ'},  {{"mathbb", 'P'}, U'ℙ'},
      {{"mathbb", 'Q'}, U'ℚ'},  {{"mathbb", 'R'}, U'ℝ'},  {{"mathbb", 'Z'}, U'ℤ'},  {{"mathcal", 'B'}, U'ℬ'},
      {{"mathcal", 'E'}, U'ℰ'}, {{"mathcal", 'F'}, U'ℱ'}, {{"mathcal", 'H'}, U'ℋ'}, {{"mathcal", 'I'}, U'ℐ'},
      {{"mathcal", 'L'}, U'ℒ'}, {{"mathcal", 'M'}, U'ℳ'}, {{"mathcal", 'R'}, U'ℛ'}, {{"mathcal", 'e'}, U'ℯ'},
      {{"mathcal", 'g'}, U'ℊ'}, {{"mathcal", 'o'}, U'ℴ'}};
  return table;
}

struct Alphabet {
  char32_t upper, lower, digit;
};

}  // namespace

std::optional<TexSymbol> tex_symbol(std::string_view name) {
  const auto found = symbols().find(name);
  return found == symbols().end() ? std::nullopt : std::optional(found->second);
}

const std::vector<std::string>& tex_commands() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {
        "frac",       "tfrac",     "dfrac",    "sqrt",  "binom",        "operatorname", "text",    "mathrm",
        "mathbb",     "mathcal",   "mathbf",   "left",  "right",        "big",          "bigl",    "bigr",
        "Big",        "Bigl",      "Bigr",     "begin", "end",          "hat",          "widehat", "tilde",
        "widetilde",  "bar",       "overline", "vec",   "dot",          "underline",    "overset", "underset",
        "underbrace", "overbrace", "not",      "pmod",  "displaystyle", "textstyle",    "\\"};
    for (const auto& [name, symbol] : symbols()) all.push_back(name);
    return all;
  }();
  return names;
}

char32_t in_alphabet(std::string_view alphabet, char32_t character) {
  static const std::map<std::string, Alphabet, std::less<>> alphabets = {{"mathbb", {0x1D538, 0x1D552, 0x1D7D8}},
                                                                         {"mathcal", {0x1D49C, 0x1D4B6, 0}},
                                                                         {"mathbf", {0x1D400, 0x1D41A, 0x1D7CE}}};
  const auto early = early_letters().find({std::string(alphabet), character});
  if (early != early_letters().end()) return early->second;
  const auto found = alphabets.find(alphabet);
  if (found == alphabets.end()) return character;
  const Alphabet& blocks = found->second;
  if (character >= 'A' && character <= 'Z') return blocks.upper + (character - 'A');
  if (character >= 'a' && character <= 'z') return blocks.lower + (character - 'a');
  if (character >= '0' && character <= '9' && blocks.digit != 0) return blocks.digit + (character - '0');
  return character;
}

}  // namespace attest::reports
