#include <algorithm>

#include "core/support/error.h"
#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/html_parts.h"
#include "reports/mathml.h"
#include "reports/svg_plot.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

using Results = std::vector<const verdict::Result*>;

// The distinct ledger lines of a claim; tables refer to them by number.
class Ledger {
 public:
  std::string references(const std::vector<std::string>& lines) {
    std::vector<int> numbers;
    for (const auto& line : lines) numbers.push_back(number_of(line));
    return ranges(std::move(numbers));
  }

  std::string list() const {
    if (lines_.empty()) return "";
    std::string markup = "<h4>Ledger: what these verdicts rest on</h4>\n<ol class=\"ledger\">";
    for (const auto& line : lines_) markup += "<li>" + escape(line) + "</li>";
    return markup + "</ol>\n";
  }

 private:
  int number_of(const std::string& line) {
    const auto found = std::find(lines_.begin(), lines_.end(), line);
    const auto index = found - lines_.begin();
    if (found == lines_.end()) lines_.push_back(line);
    return static_cast<int>(index) + 1;
  }
  std::vector<std::string> lines_;
};

bool same_row(const verdict::Result& a, const verdict::Result& b) {
  const auto layer_a = layer_of(a.source), layer_b = layer_of(b.source);
  return layer_a && layer_b && layer_a->first == layer_b->first && a.arithmetic == b.arithmetic &&
         a.verdict == b.verdict && a.expected == b.expected && a.reason == b.reason && a.scope == b.scope;
}

// Layers of one checkpoint with the same answer share a row.
std::vector<Results> rows_of(const Results& results) {
  std::vector<Results> rows;
  for (const auto* result : results) {
    const auto same =
        std::find_if(rows.begin(), rows.end(), [&](const Results& row) { return same_row(*row.front(), *result); });
    if (same == rows.end())
      rows.push_back({result});
    else
      same->push_back(result);
  }
  return rows;
}

// One result that stands for the row: the weakest numbers of its layers.
verdict::Result weakest(const Results& row) {
  verdict::Result worst = *row.front();
  for (const auto* result : row) {
    worst.measured.ratio = std::max(worst.measured.ratio, result->measured.ratio);
    worst.measured.radius = std::max(worst.measured.radius, result->measured.radius);
    worst.measured.digits = std::min(worst.measured.digits, result->measured.digits);
    worst.error_bits = std::min(worst.error_bits, result->error_bits);
    worst.trials = std::min(worst.trials, result->trials);
    if (result != row.front()) {
      worst.measured.seconds += result->measured.seconds;
      worst.ledger.insert(worst.ledger.end(), result->ledger.begin(), result->ledger.end());
    }
  }
  return worst;
}

std::string size_text(const Results& row) {
  const claim::Size& size = row.front()->size;
  std::vector<std::string> counts;
  const std::pair<const char*, std::int64_t> named[] = {{"n", size.n}, {"d", size.d}, {"h", size.h}, {"g", size.g},
                                                        {"k", size.k}, {"L", size.L}, {"m", size.m}};
  for (const auto& [name, count] : named) {
    if (count > 0) counts.push_back(std::string(name) + " " + std::to_string(count));
  }
  return escape(where_list(row)) + "<span class=\"shape\">" + join(counts, ", ") + "</span>";
}

std::string seconds_text(double seconds) { return seconds < 0.01 ? "&lt;&#8239;0.01 s" : short_number(seconds) + " s"; }

std::string results_table(const SideOutline& side, Ledger& ledger) {
  std::string markup =
      "<div class=\"scroll\"><table class=\"results\"><thead><tr><th>arithmetic</th><th>matrices from</th>"
      "<th>verdict</th><th>what stands behind it</th><th>ledger</th><th class=\"number\">time</th></tr></thead><tbody>";
  for (const auto& row : rows_of(side.results)) {
    const verdict::Result worst = weakest(row);
    std::string phrase = evidence_markup(worst);
    if (row.size() > 1)
      phrase = (phrase.empty() ? "" : "worst of the layers: " + phrase + "; ") +
               std::string("<a href=\"#layers\">layer by layer</a>");
    markup += "<tr><td>" + escape(worst.arithmetic) + "</td><td>" + size_text(row) + "</td><td>" +
              badge(worst.verdict, worst.expected) + "</td><td class=\"evidence\">" + phrase +
              "</td><td class=\"refs\">" + ledger.references(worst.ledger) + "</td><td class=\"number\">" +
              seconds_text(worst.measured.seconds) + "</td></tr>\n";
  }
  return markup + "</tbody></table></div>\n";
}

std::string facts_table(const SideOutline& side) {
  std::string rows;
  for (const auto* result : side.results) {
    if (layer_of(result->source)) continue;  // in the table of the layers
    for (const auto& [name, value] : result->facts) {
      rows += "<tr><td>" + escape(name) + "</td><td class=\"number\">" + escape(value) + "</td><td>" +
              escape(result->arithmetic + ", " + where(*result)) + "</td></tr>";
    }
  }
  if (rows.empty()) return "";
  return "<table class=\"facts\"><thead><tr><th>found</th><th "
         "class=\"number\">value</th><th>in</th></tr></thead><tbody>" +
         rows + "</tbody></table>\n";
}

// The minimal counterexample, else the first; the others are folded away.
std::string counterexamples(const SideOutline& side) {
  const verdict::Result* best = nullptr;
  for (const auto* result : side.results) {
    if (!result->counterexample) continue;
    if (best == nullptr || (best->counterexample->minimal.empty() && !result->counterexample->minimal.empty()))
      best = result;
  }
  if (best == nullptr) return "";
  std::string markup = counterexample_block(*best->counterexample);
  for (const auto* result : side.results) {
    if (result->counterexample && result != best) markup += folded_counterexample(*result);
  }
  return markup;
}

std::string side_block(const ClaimOutline& claim, const SideOutline& side, Ledger& ledger) {
  const std::string prefix = "without:";
  std::string title = side.side == "claim" ? "As stated" : escape(side.side);
  if (side.side.rfind(prefix, 0) == 0) {
    title = "Without <code>" + escape(side.side.substr(prefix.size())) + "</code>";
  }
  std::string markup =
      "<section class=\"side\" id=\"" + side_anchor(claim.id, side.side) + "\"><h4>" + title + "</h4>\n";
  if (side.dropped != nullptr) markup += "<p class=\"note\">Dropped: " + escape(side.dropped->text) + ".</p>\n";
  markup += results_table(side, ledger) + facts_table(side);
  markup += counterexamples(side);
  bool witnessed = false;
  for (const auto* result : side.results) {
    for (const auto& series : result->series) markup += svg_plot(series);
    if (!result->witness.empty() && !witnessed) {
      markup += witness_block(*result);
      witnessed = true;
    }
  }
  return markup + "</section>\n";
}

std::string formula_block(const std::string& tex) {
  if (tex.empty()) return "";
  try {
    std::string markup = "<div class=\"formula\">";
    for (const auto& part : tex_parts(tex)) markup += tex_to_mathml(part, true);
    return markup + "</div>\n";
  } catch (const InputError&) {
    return "<p class=\"formula\"><code>" + escape(tex) + "</code></p>\n";
  }
}

std::string about(const claim::Claim& claim) {
  std::string markup = "<p class=\"statement\">" + escape(claim.statement) + "</p>\n" + formula_block(claim.formula) +
                       "<dl class=\"about\">";
  if (!claim.hypotheses.empty()) {
    markup += "<dt>Hypotheses</dt><dd><ul>";
    for (const auto& hypothesis : claim.hypotheses) {
      markup += "<li><code>" + escape(hypothesis.id) + "</code> " + escape(hypothesis.text) + "</li>";
    }
    markup += "</ul></dd>";
  }
  const std::pair<const char*, const std::string&> texts[] = {
      {"Why", claim.proof_idea}, {"How it is checked", claim.how_checked}, {"Source", claim.source}};
  for (const auto& [name, text] : texts) {
    if (!text.empty()) markup += std::string("<dt>") + name + "</dt><dd>" + escape(text) + "</dd>";
  }
  return markup + "</dl>\n";
}

std::string pill(const std::string& text) { return " <span class=\"pill\">" + escape(text) + "</span>"; }

}  // namespace

std::string claim_section(const ClaimOutline& claim) {
  std::string markup = "<article class=\"claim-detail\" id=\"" + anchor(claim.id) + "\"><h3>" + escape(claim.id);
  if (claim.claim != nullptr) {
    markup += pill(claim::to_string(claim.claim->kind));
    if (claim.claim->false_on_purpose) markup += pill("false on purpose");
  }
  if (claim.unexpected > 0) {
    markup +=
        " <span class=\"pill alarm\">⚠ " + plural(claim.unexpected, "verdict", "verdicts") + " not as declared</span>";
  }
  markup += "<a class=\"up\" href=\"#matrix\">↑ all verdicts</a></h3>\n";
  markup +=
      claim.claim != nullptr
          ? about(*claim.claim)
          : "<p class=\"note\">This version of attest has no claim of this name: the statement is not shown.</p>\n";
  Ledger ledger;
  for (const auto& side : claim.sides) markup += side_block(claim, side, ledger);
  return markup + ledger.list() + "</article>\n";
}

}  // namespace attest::reports
