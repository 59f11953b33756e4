#include "cli/output.h"

#include <algorithm>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <map>

#include "core/arith/backend.h"
#include "core/support/error.h"
#include "core/support/files.h"
#include "reports/html.h"
#include "reports/json.h"
#include "reports/junit.h"
#include "reports/markdown.h"

namespace attest::cli {
namespace {

std::string html_path(const CheckOptions& options) {
  return (std::filesystem::path(options.html) / "index.html").string();
}

void require_writable_output(const std::string& path) {
  if (!path.empty() && path != "-") require_writable(path);
}

using Row = std::map<std::string, const verdict::Result*>;  // by arithmetic

std::string cell_text(const Row& row, const std::string& arithmetic) {
  const auto found = row.find(arithmetic);
  if (found == row.end()) return "";
  std::string text = verdict::to_string(found->second->verdict);
  if (found->second->verdict == verdict::Verdict::probable)
    text += " 2^-" + std::to_string(static_cast<int>(found->second->error_bits));
  if (!found->second->expected) text += " (!)";
  return text;
}

std::string row_title(const verdict::Result& result) {
  const std::string where = result.source == "random" ? result.size.name : result.source;
  return result.claim + (result.side == "claim" ? " (" + result.kind + ")" : " " + result.side) + ", " + where;
}

// What was found on each layer of a checkpoint.
void print_layers(const verdict::Report& report, std::ostream& out) {
  bool first = true;
  for (const verdict::Result& result : report.results) {
    if (result.facts.empty() || result.source.find(" layer ") == std::string::npos) continue;
    out << (first ? "\n" : "") << result.source << ", " << result.arithmetic << '\n';
    for (const auto& [name, value] : result.facts) out << "  " << name << ": " << value << '\n';
    first = false;
  }
}

}  // namespace

void require_writable_outputs(const CheckOptions& options) {
  if (!options.html.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.html, error);
    if (error) throw InputError("cannot write '" + options.html + "': " + error.message());
    require_writable_output(html_path(options));
  }
  for (const std::string& path : {options.json, options.markdown, options.junit}) require_writable_output(path);
}

void write_reports(const verdict::Report& report, const claim::Registry& registry, const CheckOptions& options) {
  if (!options.json.empty()) {
    const std::string json = reports::to_json(report, registry);
    if (options.json == "-")
      std::cout << json;
    else
      write_file(options.json, json);
  }
  if (!options.html.empty()) write_file(html_path(options), reports::to_html(report, registry));
  if (!options.markdown.empty()) write_file(options.markdown, reports::to_markdown(report, registry));
  if (!options.junit.empty()) write_file(options.junit, reports::to_junit(report));
}

void print_table(const verdict::Report& report, std::ostream& out) {
  std::vector<std::pair<std::string, Row>> rows;
  for (const verdict::Result& result : report.results) {
    const std::string title = row_title(result);
    auto at = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return row.first == title; });
    if (at == rows.end()) at = rows.insert(rows.end(), {title, {}});
    at->second[result.arithmetic] = &result;
  }
  std::size_t width = 0;
  for (const auto& [title, row] : rows) width = std::max(width, title.size());
  out << std::left << std::setw(static_cast<int>(width) + 2) << "";
  for (const std::string& arithmetic : arith::backend_names()) out << std::setw(16) << arithmetic;
  out << '\n';
  for (const auto& [title, row] : rows) {
    out << std::setw(static_cast<int>(width) + 2) << title;
    for (const std::string& arithmetic : arith::backend_names()) out << std::setw(16) << cell_text(row, arithmetic);
    out << '\n';
  }
  print_layers(report, out);
  const verdict::Summary summary = verdict::summarize(report);
  out << '\n' << summary.results << " results, " << summary.unexpected << " not as declared\n";
  for (const verdict::Result& result : report.results)
    if (!result.expected)
      out << "  (!) " << row_title(result) << ", " << result.arithmetic << ": " << verdict::to_string(result.verdict)
          << (result.reason.empty() ? "" : ": " + result.reason) << '\n';
}

}  // namespace attest::cli
