#include "reports/json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/certificate_of.h"

namespace attest::reports {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

Json matrix(const RationalMatrix& value) {
  Json rows = Json::array();
  for (std::int64_t row = 0; row < value.rows; ++row) {
    Json entries = Json::array();
    for (std::int64_t col = 0; col < value.cols; ++col) entries.push_back(to_string(value.at(row, col)));
    rows.push_back(std::move(entries));
  }
  return rows;
}

Json matrices(const std::map<std::string, RationalMatrix>& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = matrix(value);
  return object;
}

Json size_object(const claim::Size& size) {
  return {{"name", size.name}, {"n", size.n}, {"d", size.d}, {"h", size.h},
          {"g", size.g},       {"k", size.k}, {"L", size.L}, {"m", size.m}};
}

Json counterexample_object(const verdict::Counterexample& value) {
  Json sides = Json::array();
  for (const auto& side : value.sides) {
    sides.push_back({{"label", side.label}, {"expected", side.expected}, {"constructed", side.constructed}});
  }
  return {{"minimal", value.minimal}, {"arithmetic", value.arithmetic},       {"precision", value.precision},
          {"search", value.search},   {"instance", matrices(value.instance)}, {"sides", std::move(sides)},
          {"failing", value.failing}};
}

Json series_object(const claim::Series& value) {
  Json lines = Json::array();
  for (std::size_t i = 0; i < value.names.size(); ++i) {
    Json points = Json::array();
    if (i < value.points.size()) {
      for (const auto& [x, y] : value.points[i]) points.push_back(Json::array({number(x), number(y)}));
    }
    lines.push_back({{"name", value.names[i]}, {"points", std::move(points)}});
  }
  return {{"title", value.title}, {"x_label", value.x_label}, {"y_label", value.y_label},
          {"log_x", value.log_x}, {"log_y", value.log_y},     {"lines", std::move(lines)}};
}

Json measured_object(const verdict::Measured& value) {
  return {{"radius", number(value.radius)},
          {"ratio", number(value.ratio)},
          {"digits", number(value.digits)},
          {"seconds", number(value.seconds)},
          {"peak_mebibytes", number(value.peak_mebibytes)}};
}

Json certificate_object(const verdict::Result& result, const claim::Registry& registry) {
  const auto certificate = certificate_of(result, registry);
  return certificate ? Json::parse(certificate::to_json(*certificate)) : Json(nullptr);
}

Json result_object(const verdict::Result& result, const claim::Registry& registry) {
  Json series = Json::array();
  for (const auto& one : result.series) series.push_back(series_object(one));
  Json object;
  object["claim"] = result.claim;
  object["kind"] = result.kind;
  object["side"] = result.side;
  object["arithmetic"] = result.arithmetic;
  object["size"] = size_object(result.size);
  object["source"] = result.source;
  object["verdict"] = verdict::to_string(result.verdict);
  object["scope"] = result.scope;
  object["expected"] = result.expected;
  object["trials"] = result.trials;
  object["rejected"] = result.rejected;
  object["error_bits"] = number(result.error_bits);
  object["minimal"] = result.counterexample ? result.counterexample->minimal : "";
  object["reason"] = result.reason;
  object["ledger"] = result.ledger;
  object["facts"] = result.facts;
  object["counterexample"] = result.counterexample ? counterexample_object(*result.counterexample) : Json(nullptr);
  object["certificate"] = certificate_object(result, registry);
  object["witness"] = matrices(result.witness);
  object["series"] = std::move(series);
  object["measured"] = measured_object(result.measured);
  return object;
}

Json environment_object(const verdict::Environment& value) {
  return {{"attest_version", value.attest_version}, {"compiler", value.compiler}, {"cpu", value.cpu},
          {"libraries", value.libraries},           {"seed", value.seed},         {"arguments", value.arguments}};
}

}  // namespace

std::string to_json(const verdict::Report& report, const claim::Registry& registry) {
  const verdict::Summary summary = verdict::summarize(report);
  Json results = Json::array();
  for (const auto& result : report.results) results.push_back(result_object(result, registry));
  Json record;
  record["schema"] = kReportSchema;
  record["interrupted"] = report.interrupted;
  record["summary"] = {
      {"results", summary.results}, {"unexpected", summary.unexpected}, {"verdicts", summary.verdicts}};
  record["results"] = std::move(results);
  record["environment"] = environment_object(report.environment);
  // A ledger line may quote a file name that is not UTF-8: it is shown with replacement characters, never an exception.
  return record.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace attest::reports
