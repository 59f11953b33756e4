#include "reports/markdown.h"

#include <algorithm>

#include "core/support/text.h"
#include "reports/html_parts.h"
#include "reports/outline.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

// Text inside a table or paragraph: nothing in it may start markup, end a cell or break the line.
std::string plain(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      safe += ' ';
      continue;
    }
    if (std::string("\\`*_{}[]<>#|~$").find(c) != std::string::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string mark(const verdict::Result& result) {
  const std::string text = glyph(result.verdict) + " " + spoken(result.verdict);
  return result.expected ? text : "⚠ **" + text + "**";
}

std::string cell(const SideOutline& side, const std::string& arithmetic) {
  std::vector<std::pair<std::string, std::vector<const verdict::Result*>>> groups;
  for (const auto* result : side.results) {
    if (result->arithmetic != arithmetic) continue;
    const std::string text = mark(*result);
    const auto same =
        std::find_if(groups.begin(), groups.end(), [&](const auto& group) { return group.first == text; });
    if (same == groups.end())
      groups.push_back({text, {result}});
    else
      same->second.push_back(result);
  }
  std::vector<std::string> parts;
  for (const auto& [text, results] : groups) parts.push_back(text + " (" + plain(where_list(results)) + ")");
  return join(parts, "<br>");
}

std::string matrix(const verdict::Report& report, const std::vector<ChapterOutline>& chapters) {
  const auto arithmetics = arithmetics_of(report);
  std::string text = "| claim |";
  std::string rule = "|---|";
  for (const auto& arithmetic : arithmetics) {
    text += " " + plain(arithmetic) + " |";
    rule += "---|";
  }
  text += "\n" + rule + "\n";
  for (const auto& chapter : chapters) {
    for (const auto& claim : chapter.claims) {
      for (const auto& side : claim.sides) {
        text += "| " + (side.side == "claim" ? "**" + plain(claim.id) + "**" : "&emsp;" + plain(side_name(side.side))) +
                " |";
        for (const auto& arithmetic : arithmetics) text += " " + cell(side, arithmetic) + " |";
        text += "\n";
      }
    }
  }
  return text + "\n";
}

std::string unexpected_list(const verdict::Report& report) {
  std::string items;
  for (const auto& result : report.results) {
    if (result.expected) continue;
    items += "- " + plain(result.claim) + ", " + plain(side_name(result.side)) + ", " + plain(result.arithmetic) +
             ", " + plain(where(result)) + ": " + mark(result) + ". " + plain(evidence(result)) + "\n";
  }
  return items.empty() ? "" : "## Not as declared\n\n" + items + "\n";
}

std::string matrix_text(const RationalMatrix& matrix) {
  std::vector<std::string> rows;
  for (std::int64_t row = 0; row < matrix.rows; ++row) {
    std::vector<std::string> entries;
    for (std::int64_t col = 0; col < matrix.cols; ++col) entries.push_back(to_string(matrix.at(row, col)));
    rows.push_back("[" + join(entries, ", ") + "]");
  }
  return "[" + join(rows, ", ") + "]";
}

std::string rows_text(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::string> texts;
  for (const auto& row : rows) texts.push_back("[" + join(row, ", ") + "]");
  return "[" + join(texts, ", ") + "]";
}

std::string counterexample_text(const verdict::Counterexample& counterexample) {
  std::string text = "Counterexample";
  if (!counterexample.minimal.empty()) text += ", minimal: " + counterexample.minimal;
  text += "\n\n```\n";
  for (const auto& [name, matrix] : counterexample.instance) text += name + " = " + matrix_text(matrix) + "\n";
  for (const auto& side : counterexample.sides) {
    text += side.label + "\n  expected    " + rows_text(side.expected) + "\n  constructed " +
            rows_text(side.constructed) + "\n";
  }
  for (const auto& condition : counterexample.failing) text += "false: " + condition + "\n";
  return text + "```\n\n";
}

std::string claim_part(const ClaimOutline& claim) {
  const std::string alarm = claim.unexpected > 0 ? "⚠ " : "";
  std::string text = "<details><summary>" + alarm + "<code>" + plain(claim.id) + "</code></summary>\n\n";
  if (claim.claim != nullptr) {
    text += plain(claim.claim->statement) + "\n\n";
    if (!claim.claim->formula.empty()) text += "$$" + claim.claim->formula + "$$\n\n";
    text += "Kind: " + claim::to_string(claim.claim->kind) + ". Source: " + plain(claim.claim->source) + "\n\n";
  }
  std::vector<std::string> ledger;
  for (const auto& side : claim.sides) {
    text += "**" + plain(side_name(side.side)) +
            "**\n\n| arithmetic | matrices from | verdict | what stands behind it |\n|---|---|---|---|\n";
    for (const auto* result : side.results) {
      text += "| " + plain(result->arithmetic) + " | " + plain(where(*result)) + " | " + mark(*result) + " | " +
              plain(evidence(*result)) + " |\n";
      for (const auto& line : result->ledger) {
        if (std::find(ledger.begin(), ledger.end(), line) == ledger.end()) ledger.push_back(line);
      }
    }
    text += "\n";
    for (const auto* result : side.results) {
      if (result->counterexample) text += counterexample_text(*result->counterexample);
    }
  }
  if (!ledger.empty()) text += "Ledger:\n\n";
  for (const auto& line : ledger) text += "- " + plain(line) + "\n";
  return text + "\n</details>\n\n";
}

}  // namespace

std::string to_markdown(const verdict::Report& report, const claim::Registry& registry) {
  const auto chapters = outline(report, registry);
  std::string text = "# attest report\n\n**" + plain(headline(report)) + "**\n\n";
  if (const std::string note = caveat(report); !note.empty()) text += plain(note) + "\n\n";
  text += unexpected_list(report);
  if (!report.results.empty()) text += "## Verdicts\n\n" + matrix(report, chapters) + "## Claims\n\n";
  for (const auto& chapter : chapters) {
    for (const auto& claim : chapter.claims) text += claim_part(claim);
  }
  const auto& environment = report.environment;
  return text + "attest " + plain(environment.attest_version) + ", seed " + std::to_string(environment.seed) + ", " +
         plain(environment.compiler) + ", " + plain(environment.libraries) + "\n";
}

}  // namespace attest::reports
