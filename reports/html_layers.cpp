#include <algorithm>
#include <map>

#include "reports/escape.h"
#include "reports/html_parts.h"
#include "reports/words.h"

namespace attest::reports {
namespace {

using Results = std::vector<const verdict::Result*>;

// What a table of layers shows: one row a layer; the verdict a column an arithmetic, then one column a fact.
struct LayerTable {
  std::vector<std::string> arithmetics;
  std::vector<std::string> facts;
  std::map<int, Results> layers;
};

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

std::map<std::string, LayerTable> tables_of(const SideOutline& side) {
  std::map<std::string, LayerTable> tables;
  for (const auto* result : side.results) {
    const auto layer = layer_of(result->source);
    if (!layer) continue;
    LayerTable& table = tables[layer->first];
    add_once(table.arithmetics, result->arithmetic);
    for (const auto& [name, value] : result->facts) add_once(table.facts, name);
    table.layers[layer->second].push_back(result);
  }
  return tables;
}

// Several arithmetics may state one fact: once where they agree.
std::string fact_text(const Results& results, const std::string& name) {
  std::vector<std::string> values;
  for (const auto* result : results) {
    const auto found = result->facts.find(name);
    if (found != result->facts.end()) add_once(values, found->second);
  }
  std::string text;
  for (const auto& value : values) text += (text.empty() ? "" : " / ") + escape(value);
  return text.empty() ? "&#160;" : text;
}

std::string table_markup(const LayerTable& table) {
  std::string markup = "<div class=\"scroll\"><table class=\"layers\"><thead><tr><th class=\"number\">layer</th>";
  for (const auto& name : table.facts) markup += "<th class=\"number\">" + escape(name) + "</th>";
  for (const auto& name : table.arithmetics) markup += "<th>" + escape(name) + "</th>";
  markup += "</tr></thead><tbody>";
  for (const auto& [number, results] : table.layers) {
    markup += "<tr><th scope=\"row\" class=\"number\">" + std::to_string(number) + "</th>";
    for (const auto& name : table.facts) markup += "<td class=\"number\">" + fact_text(results, name) + "</td>";
    for (const auto& arithmetic : table.arithmetics) {
      markup += "<td>";
      for (const auto* result : results) {
        if (result->arithmetic != arithmetic) continue;
        markup += "<span title=\"" + escape(evidence(*result)) + "\">" + badge(result->verdict, result->expected) +
                  "</span> ";
      }
      markup += "</td>";
    }
    markup += "</tr>\n";
  }
  return markup + "</tbody></table></div>\n";
}

}  // namespace

std::string layers_section(const std::vector<ChapterOutline>& chapters) {
  std::map<std::string, std::string> by_checkpoint;
  for (const auto& chapter : chapters) {
    for (const auto& claim : chapter.claims) {
      for (const auto& side : claim.sides) {
        for (const auto& [checkpoint, table] : tables_of(side)) {
          by_checkpoint[checkpoint] += "<h4><a href=\"#" + side_anchor(claim.id, side.side) + "\">" + escape(claim.id) +
                                       (side.side == "claim" ? "" : ", " + escape(side_name(side.side))) +
                                       "</a></h4>\n" + table_markup(table);
        }
      }
    }
  }
  if (by_checkpoint.empty()) return "";
  std::string markup = "<section id=\"layers\"><h2>Checkpoints, layer by layer</h2>\n";
  for (const auto& [checkpoint, tables] : by_checkpoint) markup += "<h3>" + escape(checkpoint) + "</h3>\n" + tables;
  return markup + "</section>\n";
}

}  // namespace attest::reports
