// Tests also: reports/html_style.cpp reports/html_matrix.cpp reports/html_detail.cpp reports/html_evidence.cpp
// Tests also: reports/html_layers.cpp
#include "reports/html.h"

#include <catch2/catch.hpp>
#include <regex>
#include <set>

#include "property_tests/reports/oracle.h"
#include "property_tests/reports/random_report.h"
#include "property_tests/reports/sample.h"
#include "property_tests/support/property.h"
#include "property_tests/support/skip.h"
#include "reports/escape.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

std::string sample_page() { return to_html(test::sample_report(), test::sample_registry()); }

// <!DOCTYPE html> aside, the page is XML.
std::string without_doctype(const std::string& page) { return page.substr(page.find('\n')); }

std::set<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex expression(pattern);
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), expression), end; it != end; ++it) found.insert((*it)[1]);
  return found;
}

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST_CASE("the page of the sample is the golden one", "[reports][html]") {
  CHECK(test::difference_from_golden("sample.html", sample_page()) == "");
}

TEST_CASE("the page is well-formed whatever the record says", "[reports][html]") {
  std::string output;
  auto opinion = test::well_formed_xml(without_doctype(sample_page()), &output);
  if (opinion == test::Opinion::absent) ATTEST_SKIP("python3 is not installed");
  INFO(output);
  CHECK(opinion == test::Opinion::agrees);
  test::check_property(
      "a page of an arbitrary record is well-formed",
      [&] {
        const std::string page = to_html(test::random_report(), test::sample_registry());
        RC_ASSERT(test::well_formed_xml(without_doctype(page), &output) == test::Opinion::agrees);
      },
      20);
}

TEST_CASE("every link inside the page has its target, and every target is unique", "[reports][html]") {
  const std::string page = sample_page();
  const auto targets = all_matches(page, "id=\"([^\"]*)\"");
  for (const auto& link : all_matches(page, "href=\"#([^\"]*)\"")) {
    INFO(link);
    CHECK(targets.count(link) == 1);
    CHECK(occurrences(page, "id=\"" + link + "\"") == 1);
  }
}

TEST_CASE("the page reaches nothing outside itself and runs nothing", "[reports][html]") {
  const std::string page = sample_page();
  for (const char* forbidden : {"src=", "<script", "<link", "@import", "url(", "javascript:", "onclick"}) {
    INFO(forbidden);
    CHECK(page.find(forbidden) == std::string::npos);
  }
  CHECK(all_matches(page, "href=\"([^#][^\"]*)\"").empty());
}

TEST_CASE("every verdict has its word and its sign on the page", "[reports][html]") {
  const std::string page = sample_page();
  const verdict::Report report = test::sample_report();
  std::set<std::string> seen;
  for (const auto& result : report.results) {
    seen.insert(verdict::to_string(result.verdict));
    CHECK(page.find(glyph(result.verdict) + "</i>" + spoken(result.verdict)) != std::string::npos);
    for (const auto& line : result.ledger) CHECK(page.find("<li>" + escape(line) + "</li>") != std::string::npos);
    CHECK(page.find(escape(result.reason)) != std::string::npos);
  }
  CHECK(seen.size() == 14);
}

TEST_CASE("what is not as declared is listed and marked", "[reports][html]") {
  const std::string page = sample_page();
  const auto section =
      page.substr(page.find("id=\"unexpected\""), page.find("id=\"matrix\"") - page.find("id=\"unexpected\""));
  CHECK(occurrences(section, "⚠") == 4);
  verdict::Report fine = test::sample_report();
  for (auto& result : fine.results) result.expected = true;
  const std::string calm = to_html(fine, test::sample_registry());
  CHECK(calm.find("id=\"unexpected\"") == std::string::npos);
  CHECK(occurrences(calm, "⚠") == 1);  // in the sentence that explains the sign
}

TEST_CASE("a formula outside the subset is shown as it is written", "[reports][html]") {
  claim::Claim claim = test::sample_registry().claims().front();
  claim.formula = "\\nosuchcommand{x}";
  claim::Registry registry;
  registry.add(claim);
  CHECK(to_html(test::sample_report(), registry).find("<code>\\nosuchcommand{x}</code>") != std::string::npos);
}

TEST_CASE("an empty record gives a page that says so", "[reports][html]") {
  CHECK(to_html({}, test::sample_registry()).find("Nothing was checked.") != std::string::npos);
}

}  // namespace
}  // namespace attest::reports
