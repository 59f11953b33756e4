#include "reports/escape.h"

#include <catch2/catch.hpp>

#include "property_tests/reports/oracle.h"
#include "property_tests/support/property.h"
#include "property_tests/support/skip.h"

namespace attest::reports {
namespace {

TEST_CASE("what means something in markup is escaped", "[reports][escape]") {
  CHECK(escape("a<b>&\"'") == "a&lt;b&gt;&amp;&quot;&#39;");
  CHECK(escape("Ω証𝔽\t\n") == "Ω証𝔽\t\n");
  CHECK(escape(std::string("\x01\x00", 2)) == "\uFFFD\uFFFD");
}

TEST_CASE("malformed UTF-8 becomes replacement characters", "[reports][escape]") {
  // A lone continuation, an overlong slash, a surrogate, a value past the end, a cut sequence.
  for (const char* text : {"\x80", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    const std::string escaped = escape(text);
    CHECK(escaped.find("\uFFFD") == 0);
    CHECK(escaped.find_first_of("\xC0\xED\xF4") == std::string::npos);
  }
}

TEST_CASE("any bytes give well-formed character data", "[reports][escape]") {
  std::string page;
  test::check_property(
      "bytes",
      [&] {
        page += "<p title=\"" + escape(*rc::gen::arbitrary<std::string>()) + "\">" +
                escape(*rc::gen::arbitrary<std::string>()) + "</p>";
      },
      300);
  std::string output;
  const auto opinion = test::well_formed_xml("<page>" + page + "</page>", &output);
  if (opinion == test::Opinion::absent) ATTEST_SKIP("python3 is not installed");
  INFO(output);
  CHECK(opinion == test::Opinion::agrees);
}

TEST_CASE("characters survive being read and written", "[reports][escape]") {
  for (char32_t character = 0x20; character < 0x11000; character += 7) {
    if (character >= 0xD800 && character <= 0xDFFF) continue;
    std::size_t position = 0;
    const std::string text = utf8(character);
    CHECK(next_character(text, position) == character);
    CHECK(position == text.size());
  }
}

TEST_CASE("anchors have letters, digits and marks only", "[reports][escape]") {
  CHECK(anchor("reparam.lemma--without:x y") == "reparam.lemma--without-x-y");
}

}  // namespace
}  // namespace attest::reports
