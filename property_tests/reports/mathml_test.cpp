// Tests also: reports/tex_parser.cpp reports/tex_commands.cpp reports/tex_symbols.cpp
#include "reports/mathml.h"

#include <catch2/catch.hpp>

#include "core/claim/claim.h"
#include "core/support/error.h"
#include "core/support/files.h"
#include "property_tests/reports/oracle.h"
#include "property_tests/support/property.h"
#include "property_tests/support/skip.h"
#include "reparam/claims.h"
#include "reports/tex_symbols.h"

namespace attest::reports {
namespace {

// What stands inside <math><mrow>.
std::string inside(const std::string& tex) {
  const std::string markup = tex_to_mathml(tex, false);
  const std::string head = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"><mrow>", tail = "</mrow></math>";
  REQUIRE(markup.rfind(head, 0) == 0);
  return markup.substr(head.size(), markup.size() - head.size() - tail.size());
}

TEST_CASE("scripts attach to the symbol before them", "[reports][mathml]") {
  CHECK(inside("x^2") == "<msup><mi>x</mi><mn>2</mn></msup>");
  CHECK(inside("x_i^2") == inside("x^2_i"));
  CHECK(inside("x_i^2") == "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>");
  CHECK(inside("x^12") == "<msup><mi>x</mi><mn>1</mn></msup><mn>2</mn>");
  CHECK(inside("T^{-1}") == "<msup><mi>T</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>");
  CHECK(inside("K_i^\\top") == "<msubsup><mi>K</mi><mi>i</mi><mi>⊤</mi></msubsup>");
  CHECK(inside("f'") == "<msup><mi>f</mi><mo>′</mo></msup>");
}

TEST_CASE("fractions and roots take arguments with and without braces", "[reports][mathml]") {
  CHECK(inside("\\frac{a}{b}") == "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>");
  CHECK(inside("\\tfrac12") == "<mstyle displaystyle=\"false\"><mfrac><mn>1</mn><mn>2</mn></mfrac></mstyle>");
  CHECK(inside("\\sqrt k") == "<msqrt><mi>k</mi></msqrt>");
  CHECK(inside("\\sqrt[3]{k}") == "<mroot><mrow><mi>k</mi></mrow><mrow><mn>3</mn></mrow></mroot>");
}

TEST_CASE("limits stand below and above a sum", "[reports][mathml]") {
  CHECK(inside("\\sum_{i}^n x") == "<munderover><mo>∑</mo><mrow><mi>i</mi></mrow><mi>n</mi></munderover><mi>x</mi>");
  CHECK(inside("\\max_x").find("<munder><mi>max</mi>") == 0);
}

TEST_CASE("matrices keep their rows and columns", "[reports][mathml]") {
  CHECK(inside("\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}") ==
        "<mrow><mo fence=\"true\" stretchy=\"true\">(</mo><mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr>"
        "<mtr><mtd><mn>3</mn></mtd><mtd><mn>4</mn></mtd></mtr></mtable><mo fence=\"true\" "
        "stretchy=\"true\">)</mo></mrow>");
}

TEST_CASE("letters of other alphabets and plain text", "[reports][mathml]") {
  CHECK(inside("\\mathbb{R}") == "<mi>ℝ</mi>");
  CHECK(inside("\\mathbb{F}_p") == "<msub><mi>𝔽</mi><mi>p</mi></msub>");
  CHECK(inside("\\text{if } x < 1") == "<mtext>if </mtext><mi>x</mi><mo>&lt;</mo><mn>1</mn>");
  CHECK(inside("\\operatorname{mha}(X)").rfind("<mi>mha</mi><mo stretchy=\"false\">(</mo>", 0) == 0);
  CHECK(inside("\\gamma \\odot x") == "<mi>γ</mi><mo>⊙</mo><mi>x</mi>");
  CHECK(inside("a \\not= b") == "<mi>a</mi><mo>=\u0338</mo><mi>b</mi>");
}

TEST_CASE("what is outside the subset is rejected with its place", "[reports][mathml]") {
  for (const char* tex : {"\\alhpa",
                          "{a",
                          "a}",
                          "\\left( a",
                          "a \\right)",
                          "\\frac{a}",
                          "x^",
                          "x^a^b",
                          "x_a_b",
                          "\\begin{pmatrix} 1",
                          "\\begin{tabular} 1 \\end{tabular}",
                          "\\begin{pmatrix} 1 \\end{bmatrix}",
                          "",
                          "  ",
                          "\\",
                          "#",
                          "\\text{a",
                          "\\left\\alpha a \\right)",
                          "\\sqrt[3",
                          "\\bigx(",
                          "\\text{$x$}",
                          "\\not x"}) {
    INFO(tex);
    CHECK_THROWS_WITH(tex_to_mathml(tex, true), Catch::Contains("character"));
  }
  CHECK_THROWS_WITH(tex_to_mathml("a + \\alhpa", true), Catch::Contains("character 5") && Catch::Contains("\\alpha"));
  CHECK_THROWS_AS(tex_to_mathml(std::string(1000, '{') + std::string(1000, '}'), true), InputError);
}

TEST_CASE("every command without arguments gives well-formed markup", "[reports][mathml]") {
  std::string page = "<page>";
  int symbols = 0;
  for (const auto& name : tex_commands()) {
    if (!tex_symbol(name)) continue;
    page += tex_to_mathml("a \\" + name + " b", true);
    ++symbols;
  }
  CHECK(symbols > 150);
  std::string output;
  const auto opinion = test::well_formed_xml(page + "</page>", &output);
  if (opinion == test::Opinion::absent) ATTEST_SKIP("python3 is not installed");
  INFO(output);
  CHECK(opinion == test::Opinion::agrees);
}

TEST_CASE("any text is either typeset or rejected as input", "[reports][mathml]") {
  static const std::vector<std::string> pieces = {"x",
                                                  "1",
                                                  "^",
                                                  "_",
                                                  "{",
                                                  "}",
                                                  "&",
                                                  "\\\\",
                                                  "\\frac",
                                                  "\\sqrt",
                                                  "[",
                                                  "]",
                                                  "'",
                                                  "\\left(",
                                                  "\\right)",
                                                  "\\sum",
                                                  "\\alpha",
                                                  "(",
                                                  " ",
                                                  "\\text{a}",
                                                  "\\begin{pmatrix}",
                                                  "\\end{pmatrix}",
                                                  "\\hat",
                                                  "|",
                                                  "\\not",
                                                  "=",
                                                  "é",
                                                  "\\bigl",
                                                  "\\quad"};
  const auto checked = test::check_property(
      "TeX from pieces",
      [&] {
        std::string tex;
        const int length = *rc::gen::inRange(1, 9);
        for (int i = 0; i < length; ++i) tex += *rc::gen::elementOf(pieces);
        bool typeset = true;
        try {
          RC_ASSERT(tex_to_mathml(tex, true).rfind("<math", 0) == 0);
          std::string joined;
          for (const auto& part : tex_parts(tex)) joined += part;
          RC_ASSERT(joined.size() <= tex.size());
        } catch (const InputError&) {
          typeset = false;
        }
        RC_CLASSIFY(typeset, "typeset");
        RC_CLASSIFY(!typeset, "rejected");
      },
      2000);
  CHECK(checked.count("typeset") > 100);
  CHECK(checked.count("rejected") > 100);
}

TEST_CASE("a formula is cut at the spaces between its parts only", "[reports][mathml]") {
  CHECK(tex_parts("a = b, \\quad c = \\left( d \\quad e \\right)") ==
        std::vector<std::string>{"a = b, ", " c = \\left( d \\quad e \\right)"});
  CHECK(tex_parts("\\text{a \\quad b}").size() == 1);
  CHECK(tex_parts("\\{ a \\quad b \\}").size() == 2);
}

TEST_CASE("names of matrices carry index and layer", "[reports][mathml]") {
  CHECK(name_to_mathml("W_Q.2").find("<msubsup><mi>W</mi><mi>Q</mi>") != std::string::npos);
  CHECK(name_to_mathml("gamma").find("<mi>γ</mi>") != std::string::npos);
  CHECK(name_to_mathml("a<b").find("a&lt;b") != std::string::npos);
  for (const char* name : {"", ".", "_", "W_", "_Q", "X.", "W_gate.10"}) CHECK_NOTHROW(name_to_mathml(name));
}

TEST_CASE("the documentation lists every command of the subset", "[reports][mathml]") {
  const std::string page = read_file(std::string(ATTEST_SOURCE_DIR) + "/docs/report.md");
  for (const auto& name : tex_commands()) {
    // Signs and letters are listed as such; the forms of \\big by their letters.
    if (name.size() == 1 || name.rfind("big", 0) == 0 || name.rfind("Big", 0) == 0 || name == "begin" || name == "end")
      continue;
    const auto greek = tex_symbol(name);
    const bool is_greek = greek && greek->kind == TexSymbol::Kind::letter && greek->text >= "Α" && greek->text <= "ϵ";
    if (is_greek) continue;
    INFO(name);
    const bool listed = page.find("\\" + name) != std::string::npos;
    CHECK(listed);
  }
}

TEST_CASE("the formula of every registered claim is in the subset", "[reports][mathml]") {
  claim::Registry registry;
  reparam::register_claims(registry);
  int formulas = 0;
  for (const auto& claim : registry.claims()) {
    INFO(claim.id << ": " << claim.formula);
    if (claim.formula.empty()) continue;
    CHECK_NOTHROW(tex_to_mathml(claim.formula, true));
    for (const auto& part : tex_parts(claim.formula)) CHECK_NOTHROW(tex_to_mathml(part, true));
    ++formulas;
  }
  CHECK(formulas > 5);
}

}  // namespace
}  // namespace attest::reports
