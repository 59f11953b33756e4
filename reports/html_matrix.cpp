#include <algorithm>
#include <map>

#include "core/support/text.h"
#include "reports/escape.h"
#include "reports/html_parts.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

using Results = std::vector<const verdict::Result*>;

// The counterexample search has a column of its own, whatever arithmetic its answer is stated in.
const std::string kSearch = "search";

std::string column_of(const verdict::Result& result) {
  return result.source == "smallest" ? kSearch : result.arithmetic;
}

std::vector<std::string> columns_of(const verdict::Report& report) {
  std::vector<std::string> columns;
  for (const auto& arithmetic : arithmetics_of(report)) {
    const auto uses = [&](const verdict::Result& result) { return column_of(result) == arithmetic; };
    if (std::any_of(report.results.begin(), report.results.end(), uses)) columns.push_back(arithmetic);
  }
  const auto searched = [](const verdict::Result& result) { return column_of(result) == kSearch; };
  if (std::any_of(report.results.begin(), report.results.end(), searched)) columns.push_back(kSearch);
  return columns;
}

// The results of one cell, one group a verdict; what was not expected comes first.
std::vector<Results> groups_of(const Results& results, const std::string& column) {
  std::vector<Results> groups;
  for (const auto* result : results) {
    if (column_of(*result) != column) continue;
    const auto same = std::find_if(groups.begin(), groups.end(), [&](const Results& group) {
      return group.front()->verdict == result->verdict && group.front()->expected == result->expected;
    });
    if (same == groups.end())
      groups.push_back({result});
    else
      same->push_back(result);
  }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const Results& a, const Results& b) { return !a.front()->expected && b.front()->expected; });
  return groups;
}

std::string tooltip(const Results& group) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> lines;
  for (const auto* result : group) {
    if (lines.size() == kMost) {
      lines.push_back("and " + std::to_string(group.size() - kMost) + " more");
      break;
    }
    lines.push_back(where(*result) + ": " + evidence(*result));
  }
  return join(lines, "\n");
}

// Where most cells take their matrices from: said once, so that a cell only says where it departs from it.
std::string usual_where(const std::vector<ChapterOutline>& chapters, const std::vector<std::string>& columns) {
  std::map<std::string, int> counts;
  for (const auto& chapter : chapters) {
    for (const auto& claim : chapter.claims) {
      for (const auto& side : claim.sides) {
        for (const auto& column : columns) {
          if (column == kSearch) continue;
          for (const auto& group : groups_of(side.results, column)) ++counts[where_list(group)];
        }
      }
    }
  }
  std::string usual;
  for (const auto& [list, count] : counts) {
    if (usual.empty() || count > counts[usual]) usual = list;
  }
  return usual;
}

std::string cell(const SideOutline& side, const std::string& column, const std::string& target,
                 const std::string& usual) {
  std::string markup;
  const auto groups = groups_of(side.results, column);
  for (const auto& group : groups) {
    const verdict::Result& first = *group.front();
    markup += "<a class=\"cell\" href=\"#" + target + "\" title=\"" + escape(tooltip(group)) + "\">" +
              badge(first.verdict, first.expected);
    const std::string list = where_list(group);
    if (groups.size() > 1 || (list != usual && column != kSearch))
      markup += "<span class=\"sizes\">" + escape(list) + "</span>";
    markup += "</a>";
  }
  return "<td>" + (markup.empty() ? std::string("<span class=\"none\" title=\"not run\">&#160;</span>") : markup) +
         "</td>";
}

std::string row_head(const ClaimOutline& claim, const SideOutline& side, const std::string& target) {
  if (side.side != "claim") {
    const std::string title = side.dropped == nullptr ? "" : " title=\"" + escape(side.dropped->text) + "\"";
    return "<th scope=\"row\" class=\"dropped\"><a href=\"#" + target + "\"" + title + ">" +
           escape(side_name(side.side)) + "</a></th>";
  }
  std::string note;
  if (claim.claim != nullptr && claim.claim->false_on_purpose) note = " <span class=\"pill\">false on purpose</span>";
  return "<th scope=\"row\"><a href=\"#" + anchor(claim.id) + "\">" + escape(claim.id) + "</a>" + note + "</th>";
}

std::string claim_rows(const ClaimOutline& claim, const std::vector<std::string>& columns, const std::string& usual) {
  std::string rows;
  for (const auto& side : claim.sides) {
    const std::string target = side_anchor(claim.id, side.side);
    rows += std::string("<tr class=\"") + (side.side == "claim" ? "claim" : "ablation") + "\">" +
            row_head(claim, side, target);
    for (const auto& column : columns) rows += cell(side, column, target, usual);
    rows += "</tr>\n";
  }
  return rows;
}

}  // namespace

std::string side_anchor(const std::string& claim, const std::string& side) { return anchor(claim + "--" + side); }

std::string badge(verdict::Verdict verdict, bool expected) {
  return "<span class=\"v " + verdict::to_string(verdict) + (expected ? "" : " unexpected") + "\"><i>" +
         (expected ? "" : "⚠ ") + glyph(verdict) + "</i>" + spoken(verdict) + "</span>";
}

std::string evidence_markup(const verdict::Result& result) {
  const std::string text = escape(evidence(result));
  const auto power = text.find("2^-");
  if (power == std::string::npos) return text;
  const auto end = std::min(text.find_first_not_of("0123456789.", power + 3), text.size());
  return text.substr(0, power) + "2<sup>−" + text.substr(power + 3, end - power - 3) + "</sup>" + text.substr(end);
}

std::string where_list(const std::vector<const verdict::Result*>& results) {
  std::vector<std::string> names;
  std::map<std::string, std::vector<int>> layers;
  for (const auto* result : results) {
    if (const auto layer = layer_of(result->source))
      layers[layer->first].push_back(layer->second);
    else if (const std::string name = where(*result); std::find(names.begin(), names.end(), name) == names.end()) {
      names.push_back(name);
    }
  }
  for (auto& [checkpoint, numbers] : layers) {
    const bool several = *std::max_element(numbers.begin(), numbers.end()) != numbers.front();
    names.push_back(checkpoint + (several ? " layers " : " layer ") + ranges(numbers));
  }
  return join(names, ", ");
}

std::string matrix_section(const verdict::Report& report, const std::vector<ChapterOutline>& chapters) {
  const auto columns = columns_of(report);
  const std::string usual = usual_where(chapters, columns);
  std::string markup =
      "<section id=\"matrix\"><h2>Verdicts</h2>\n"
      "<p class=\"lead\">Each claim is checked as it is stated and, in the rows below it, with one hypothesis "
      "dropped. A dropped hypothesis should break the claim: there <em>refuted</em>, or <em>differs</em> in "
      "floating point, is the answer that is wanted. A verdict marked ⚠ is not one that the claim declares. "
      "The column <em>search</em> is the hunt for the smallest counterexample. Where a cell names no size, it is "
      "about " +
      escape(usual) +
      ".</p>\n"
      "<div class=\"scroll\"><table class=\"matrix\"><thead><tr><th scope=\"col\">claim</th>";
  for (const auto& column : columns) markup += "<th scope=\"col\">" + escape(column) + "</th>";
  markup += "</tr></thead>\n";
  for (const auto& chapter : chapters) {
    markup += "<tbody class=\"chapter\"><tr><th colspan=\"" + std::to_string(columns.size() + 1) +
              "\" scope=\"rowgroup\">" + escape(chapter.name) + "</th></tr></tbody>\n";
    for (const auto& claim : chapter.claims) markup += "<tbody>" + claim_rows(claim, columns, usual) + "</tbody>\n";
  }
  return markup + "</table></div></section>\n";
}

}  // namespace attest::reports
