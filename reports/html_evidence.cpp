#include "core/support/text.h"
#include "reports/certificate_of.h"
#include "reports/escape.h"
#include "reports/html_parts.h"
#include "reports/mathml.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

using Texts = std::vector<std::vector<std::string>>;
using Marks = std::vector<std::vector<bool>>;

Marks differing(const verdict::Side& side, const std::string& arithmetic) {
  Marks marks(side.expected.size());
  for (std::size_t row = 0; row < marks.size(); ++row) {
    for (std::size_t col = 0; col < side.expected[row].size(); ++col) {
      const bool both = row < side.constructed.size() && col < side.constructed[row].size();
      marks[row].push_back(both && entries_differ(side.expected[row][col], side.constructed[row][col], arithmetic));
    }
  }
  return marks;
}

// "[-14.0661452180734113 +/- 5.32e-35]" as "-14.066145218073… ± 5.32e-35": the whole text is in the tooltip and the
// record.
std::string shortened(const std::string& text) {
  const std::string separator = " +/- ";
  const auto at = text.find(separator);
  if (at == std::string::npos || text.front() != '[' || text.back() != ']') return text;
  constexpr std::size_t kLongest = 16;
  std::string middle = text.substr(1, at - 1);
  const bool cut = middle.size() > kLongest && middle.find_first_of("eE") == std::string::npos;
  if (cut) middle = middle.substr(0, kLongest) + "…";
  const auto radius = at + separator.size();
  return middle + " ± " + text.substr(radius, text.size() - radius - 1);
}

// Enclosures are long: a plain table in a fixed-width face reads better than a formula.
std::string text_table(const Texts& rows, const Marks& marks) {
  std::string markup = "<table class=\"entries\">";
  for (std::size_t row = 0; row < rows.size(); ++row) {
    markup += "<tr>";
    for (std::size_t col = 0; col < rows[row].size(); ++col) {
      const bool marked = row < marks.size() && col < marks[row].size() && marks[row][col];
      markup += std::string(marked ? "<td class=\"entry-differs\"" : "<td") + " title=\"" + escape(rows[row][col]) +
                "\">" + escape(shortened(rows[row][col])) + "</td>";
    }
    markup += "</tr>";
  }
  return markup + "</table>";
}

std::string values(const Texts& rows, const Marks& marks) {
  const std::string formula = texts_to_mathml(rows, marks);
  return formula.empty() ? text_table(rows, marks) : formula;
}

std::string side_block(const verdict::Side& side, const std::string& arithmetic) {
  const Marks marks = differing(side, arithmetic);
  return "<div class=\"sides\"><p class=\"equation\">" + escape(side.label) + "</p><div class=\"pair\"><figure>" +
         values(side.expected, marks) +
         "<figcaption>expected</figcaption></figure><span class=\"unequal\">≠</span><figure>" +
         values(side.constructed, marks) + "<figcaption>constructed</figcaption></figure></div></div>";
}

std::string matrices(const std::map<std::string, RationalMatrix>& instance) {
  std::string markup = "<div class=\"matrices\">";
  for (const auto& [name, matrix] : instance) markup += "<div>" + matrix_to_mathml(name, matrix) + "</div>";
  return markup + "</div>";
}

std::string minimality(const verdict::Counterexample& counterexample) {
  if (counterexample.minimal == "global") return "minimal: global. Every smaller candidate was tried.";
  if (counterexample.minimal == "local") return "minimal: local. No entry of it can shrink.";
  return "";
}

}  // namespace

std::string counterexample_block(const verdict::Counterexample& counterexample) {
  std::string markup = "<div class=\"counterexample\"><h5>Counterexample <span class=\"pill\">" +
                       std::string(counterexample.arithmetic == "ball" ? "certified" : "exact") + "</span></h5>";
  std::vector<std::string> notes;
  if (const std::string text = minimality(counterexample); !text.empty()) notes.push_back(text);
  if (!counterexample.search.empty()) notes.push_back("Search: " + counterexample.search + ".");
  if (counterexample.arithmetic == "ball" && counterexample.precision > 0) {
    notes.push_back("Enclosures at " + std::to_string(counterexample.precision) + " bits.");
  }
  if (!notes.empty()) markup += "<p class=\"note\">" + escape(join(notes, " ")) + "</p>";
  markup += matrices(counterexample.instance);
  for (const auto& side : counterexample.sides) markup += side_block(side, counterexample.arithmetic);
  if (!counterexample.failing.empty()) {
    markup += "<p>Necessary conditions that are false here:</p><ul>";
    for (const auto& condition : counterexample.failing) markup += "<li>" + escape(condition) + "</li>";
    markup += "</ul>";
  }
  return markup + "</div>\n";
}

std::string folded_counterexample(const verdict::Result& result) {
  return "<details class=\"witness\"><summary>Another counterexample, not minimised (" + escape(result.arithmetic) +
         ", " + escape(where(result)) + ")</summary>" + counterexample_block(*result.counterexample) + "</details>\n";
}

std::string witness_block(const verdict::Result& result) {
  return "<details class=\"witness\"><summary>An instance that satisfies the hypotheses (" + escape(result.arithmetic) +
         ", " + escape(where(result)) + ")</summary>" + matrices(result.witness) + "</details>\n";
}

}  // namespace attest::reports
