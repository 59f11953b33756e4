#include "reports/html.h"

#include <array>

#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/html_parts.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

using verdict::Verdict;

// The verdicts that occur, strongest first, each with its count and what it means.
std::string legend(const verdict::Report& report) {
  constexpr std::array order = {
      Verdict::proved,      Verdict::probable,      Verdict::exact,   Verdict::certified, Verdict::consistent,
      Verdict::confirmed,   Verdict::refuted,       Verdict::differs, Verdict::undecided, Verdict::not_shown_needed,
      Verdict::unsupported, Verdict::not_derivable, Verdict::vacuous, Verdict::error};
  const verdict::Summary summary = verdict::summarize(report);
  std::string markup = "<dl class=\"legend\">\n";
  for (const Verdict verdict : order) {
    const auto count = summary.verdicts.find(verdict::to_string(verdict));
    if (count == summary.verdicts.end()) continue;
    markup += "<div><dt>" + badge(verdict, true) + "</dt><dd class=\"count\">" + std::to_string(count->second) +
              "</dd><dd>" + escape(meaning(verdict)) + "</dd></div>\n";
  }
  return markup + "</dl>\n";
}

std::string unexpected_section(const verdict::Report& report) {
  std::string rows;
  for (const auto& result : report.results) {
    if (result.expected) continue;
    rows += "<tr><td><a href=\"#" + side_anchor(result.claim, result.side) + "\">" + escape(result.claim) +
            "</a></td><td>" + escape(side_name(result.side)) + "</td><td>" + escape(result.arithmetic) + "</td><td>" +
            escape(where(result)) + "</td><td>" + badge(result.verdict, false) + "</td><td class=\"evidence\">" +
            evidence_markup(result) + "</td></tr>\n";
  }
  if (rows.empty()) return "";
  return "<section id=\"unexpected\"><h2>Not as declared</h2><div class=\"scroll\"><table "
         "class=\"results\"><thead><tr><th>claim</th>"
         "<th>side</th><th>arithmetic</th><th>matrices from</th><th>verdict</th><th>what stands behind "
         "it</th></tr></thead><tbody>" +
         rows + "</tbody></table></div></section>\n";
}

std::string environment_section(const verdict::Environment& environment) {
  const std::pair<const char*, std::string> rows[] = {{"attest", environment.attest_version},
                                                      {"seed", std::to_string(environment.seed)},
                                                      {"arguments", join(environment.arguments, " ")},
                                                      {"compiler", environment.compiler},
                                                      {"libraries", environment.libraries},
                                                      {"processor", environment.cpu}};
  std::string markup = "<section id=\"environment\"><h2>Environment</h2><table class=\"environment\"><tbody>";
  for (const auto& [name, value] : rows) {
    markup += std::string("<tr><td>") + name + "</td><td>" + escape(value) + "</td></tr>";
  }
  return markup + "</tbody></table></section>\n";
}

std::string navigation(const verdict::Report& report, bool has_layers, const std::vector<ChapterOutline>& chapters) {
  std::string markup = "<nav>";
  if (verdict::summarize(report).unexpected > 0) markup += "<a href=\"#unexpected\">Not as declared</a>";
  markup += "<a href=\"#matrix\">Verdicts</a>";
  if (has_layers) markup += "<a href=\"#layers\">Checkpoints</a>";
  for (const auto& chapter : chapters) {
    markup += "<a href=\"#chapter-" + anchor(chapter.name) + "\">Claims: " + escape(chapter.name) + "</a>";
  }
  return markup + "<a href=\"#environment\">Environment</a></nav>\n";
}

std::string header(const verdict::Report& report) {
  std::string markup = "<header><h1>attest report</h1><p class=\"headline\">" + escape(headline(report)) + "</p>";
  if (const std::string text = caveat(report); !text.empty()) markup += "<p class=\"lead\">" + escape(text) + "</p>";
  return markup + "\n";
}

}  // namespace

std::string to_html(const verdict::Report& report, const claim::Registry& registry) {
  const auto chapters = outline(report, registry);
  const std::string layers = layers_section(chapters);
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>"
      "<title>attest report</title>\n<style>" +
      style_sheet() + "</style></head>\n<body>\n";
  page += header(report) + navigation(report, !layers.empty(), chapters) + legend(report) + "</header>\n<main>\n";
  page += unexpected_section(report) + matrix_section(report, chapters) + layers;
  for (const auto& chapter : chapters) {
    page += "<section id=\"chapter-" + anchor(chapter.name) + "\"><h2>Claims: " + escape(chapter.name) + "</h2>\n";
    for (const auto& claim : chapter.claims) page += claim_section(claim);
    page += "</section>\n";
  }
  return page + "</main>\n<footer>" + environment_section(report.environment) + "</footer>\n</body>\n</html>\n";
}

}  // namespace attest::reports
