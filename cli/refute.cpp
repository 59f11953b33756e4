#include <algorithm>
#include <iostream>

#include "cli/campaign.h"
#include "cli/output.h"
#include "core/certificate/certificate.h"
#include "core/support/error.h"
#include "core/support/files.h"
#include "core/support/text.h"
#include "core/verdict/engine.h"
#include "reports/certificate_of.h"

namespace attest::cli {
namespace {

void require_hypothesis(const claim::Claim& claim, const std::string& without) {
  if (without.empty() && claim.false_on_purpose) return;
  if (claim.hypotheses.empty() && !claim.false_on_purpose)
    throw InputError(claim.id + " is a true claim and has no hypothesis that could be dropped");
  std::vector<std::string> ids;
  for (const auto& hypothesis : claim.hypotheses) ids.push_back(hypothesis.id);
  if (without.empty())
    throw InputError(claim.id + " is a true claim: name the hypothesis to drop with --without, one of " +
                     join(ids, ", "));
  if (std::find(ids.begin(), ids.end(), without) == ids.end())
    throw InputError(claim.id + " has no hypothesis '" + without + "'; did you mean " +
                     nearest_names(without, ids, 1).front() + "? It has " + join(ids, ", "));
}

void print_matrix(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (widths.size() <= j) widths.push_back(0);
      widths[j] = std::max(widths[j], row[j].size());
    }
  for (const auto& row : rows) {
    std::cout << "    [";
    for (std::size_t j = 0; j < row.size(); ++j)
      std::cout << ' ' << std::string(widths[j] - row[j].size(), ' ') << row[j];
    std::cout << " ]\n";
  }
}

std::vector<std::vector<std::string>> texts(const RationalMatrix& matrix) {
  std::vector<std::vector<std::string>> rows(static_cast<std::size_t>(matrix.rows));
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j)
      rows[static_cast<std::size_t>(i)].push_back(to_string(matrix.at(i, j)));
  return rows;
}

void print_counterexample(const verdict::Result& result) {
  const verdict::Counterexample& found = *result.counterexample;
  std::cout << result.kind << " refuted, " << (found.arithmetic == "rational" ? "exact" : "certified by disjoint balls")
            << ", minimal: " << found.minimal << " (" << found.search << ")\n";
  const claim::Size& size = result.size;
  std::cout << "size n = " << size.n << ", d = " << size.d << ", h = " << size.h << ", g = " << size.g
            << ", k = " << size.k << ", L = " << size.L << ", m = " << size.m << "\n\n";
  for (const auto& [name, matrix] : found.instance) {
    std::cout << "  " << name << '\n';
    print_matrix(texts(matrix));
  }
  for (const auto& side : found.sides) {
    std::cout << "\n  " << side.label << ", expected\n";
    print_matrix(side.expected);
    std::cout << "  " << side.label << ", constructed\n";
    print_matrix(side.constructed);
  }
  for (const std::string& condition : found.failing) std::cout << "\n  false: " << condition << '\n';
}

}  // namespace

int refute(const RefuteOptions& options) {
  const claim::Registry registry = all_claims();
  const claim::Claim& claim = registry.at(options.claim);
  require_hypothesis(claim, options.without);
  for (const std::string& path : {options.json, options.certificate})
    if (!path.empty() && path != "-") require_writable(path);
  verdict::Options engine;
  engine.seed = options.seed;
  engine.search_budget = options.budget;
  verdict::Report report;
  report.results.push_back(verdict::refute(claim, options.without, engine));
  report.environment = environment_of(options.seed, options.arguments);
  const verdict::Result& result = report.results.front();
  CheckOptions outputs;
  outputs.json = options.json;
  write_reports(report, registry, outputs);
  if (!options.certificate.empty()) {
    const auto certificate = reports::certificate_of(result, registry);
    if (certificate)
      write_file(options.certificate, certificate::to_json(*certificate));
    else
      std::cerr << "attest: no certificate written: " << result.reason << '\n';
  }
  if (options.json != "-") {
    std::cout << claim.id << " without " << (options.without.empty() ? "nothing (false on purpose)" : options.without)
              << ": ";
    if (result.counterexample)
      print_counterexample(result);
    else
      std::cout << "undecided: " << result.reason << '\n';
  }
  return result.verdict == verdict::Verdict::refuted ? as_declared : not_decided;
}

}  // namespace attest::cli
