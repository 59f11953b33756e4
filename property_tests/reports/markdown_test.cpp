#include "reports/markdown.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "core/support/text.h"
#include "property_tests/reports/oracle.h"
#include "property_tests/reports/sample.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

// Bars that separate cells: those that are not escaped.
std::int64_t bars(const std::string& line) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\')
      ++i;
    else if (line[i] == '|')
      ++count;
  }
  return count;
}

TEST_CASE("the Markdown of the sample is the golden one", "[reports][markdown]") {
  CHECK(test::difference_from_golden("sample.md", to_markdown(test::sample_report(), test::sample_registry())) == "");
}

TEST_CASE("every row of a table has as many cells as its head", "[reports][markdown]") {
  std::int64_t wanted = 0, rows = 0;
  for (const auto& line : split(to_markdown(test::sample_report(), test::sample_registry()), '\n')) {
    if (line.rfind("|", 0) != 0) {
      wanted = 0;
      continue;
    }
    if (wanted == 0) wanted = bars(line);
    INFO(line);
    CHECK(bars(line) == wanted);
    ++rows;
  }
  CHECK(rows > 30);
}

TEST_CASE("Markdown names every claim, counterexample and unexpected verdict", "[reports][markdown]") {
  const std::string text = to_markdown(test::sample_report(), test::sample_registry());
  CHECK(text.find("## Not as declared") != std::string::npos);
  CHECK(text.find("T = [[0, 0], [0, 1]]") != std::string::npos);
  CHECK(text.find("minimal: global") != std::string::npos);
  CHECK(text.find("Mini\\|LM \\<v2\\> layers 0–5") != std::string::npos);
}

}  // namespace
}  // namespace attest::reports
