#include <nlohmann/json.hpp>

#include "core/certificate/certificate.h"
#include "core/support/error.h"
#include "reports/field_reader.h"
#include "reports/json.h"

namespace attest::reports {
namespace {

using Json = FieldReader::Json;

claim::Size read_size(FieldReader reader) {
  claim::Size size;
  size.name = reader.text("name");
  size.n = reader.count("n");
  size.d = reader.count("d");
  size.h = reader.count("h");
  size.g = reader.count("g");
  size.k = reader.count("k");
  size.L = reader.count("L");
  size.m = reader.count("m");
  reader.finish();
  return size;
}

verdict::Verdict read_verdict(FieldReader& reader) {
  const std::string name = reader.text("verdict");
  const auto verdict = verdict::verdict_named(name);
  if (!verdict) reject_field(reader.path_of("verdict"), "\"" + name + "\"", "a verdict of docs/verdicts.md");
  return *verdict;
}

std::string read_minimal(FieldReader& reader) {
  const std::string minimal = reader.text("minimal");
  if (minimal != "" && minimal != "global" && minimal != "local") {
    reject_field(reader.path_of("minimal"), "\"" + minimal + "\"", "\"global\", \"local\" or \"\"");
  }
  return minimal;
}

verdict::Counterexample read_counterexample(FieldReader reader) {
  verdict::Counterexample value;
  value.minimal = read_minimal(reader);
  value.arithmetic = reader.text("arithmetic");
  value.precision = reader.count("precision");
  value.search = reader.text("search");
  value.instance = reader.matrices("instance");
  for (const auto& [element, path] : reader.elements("sides")) {
    FieldReader side(*element, path);
    value.sides.push_back({side.text("label"), side.text_rows("expected"), side.text_rows("constructed")});
    side.finish();
  }
  value.failing = reader.texts("failing");
  reader.finish();
  return value;
}

std::pair<double, double> read_point(const Json& value, const std::string& path) {
  if (!value.is_array() || value.size() != 2) reject_field(path, value.dump(), "a pair [x, y]");
  return {number_of(value[0], path + "[0]"), number_of(value[1], path + "[1]")};
}

claim::Series read_series(FieldReader reader) {
  claim::Series value;
  value.title = reader.text("title");
  value.x_label = reader.text("x_label");
  value.y_label = reader.text("y_label");
  value.log_x = reader.boolean("log_x");
  value.log_y = reader.boolean("log_y");
  for (const auto& [element, path] : reader.elements("lines")) {
    FieldReader line(*element, path);
    value.names.push_back(line.text("name"));
    value.points.emplace_back();
    for (const auto& [point, point_path] : line.elements("points")) {
      value.points.back().push_back(read_point(*point, point_path));
    }
    line.finish();
  }
  reader.finish();
  return value;
}

verdict::Measured read_measured(FieldReader reader) {
  verdict::Measured value;
  value.radius = reader.number("radius");
  value.ratio = reader.number("ratio");
  value.digits = reader.number("digits");
  value.seconds = reader.number("seconds");
  value.peak_mebibytes = reader.number("peak_mebibytes");
  reader.finish();
  return value;
}

// A certificate is not kept (to_json makes it again), but one that is damaged or about something else is rejected.
void require_certificate(FieldReader& reader, const verdict::Result& result) {
  const Json& stated = reader.any("certificate");
  if (stated.is_null()) return;
  const std::string path = reader.path_of("certificate");
  if (result.verdict != verdict::Verdict::refuted || !result.counterexample) {
    reject_field(path, "a certificate", "null, because nothing is refuted");
  }
  try {
    const auto certificate = certificate::parse_certificate(stated.dump());
    if (certificate.claim != result.claim || certificate.side != result.side ||
        certificate.instance != result.counterexample->instance) {
      reject_field(path, "about another claim, side or instance", "one of this result's counterexample");
    }
  } catch (const InputError& problem) {
    throw InputError("report field " + path + ": " + problem.what());
  }
}

void read_evidence(FieldReader& reader, verdict::Result& result) {
  const Json& counterexample = reader.any("counterexample");
  if (!counterexample.is_null()) {
    result.counterexample = read_counterexample(reader.object("counterexample"));
  }
  const std::string minimal = read_minimal(reader);
  if (minimal != (result.counterexample ? result.counterexample->minimal : "")) {
    reject_field(reader.path_of("minimal"), "\"" + minimal + "\"", "what counterexample.minimal says");
  }
  require_certificate(reader, result);
  result.witness = reader.matrices("witness");
  for (const auto& [element, path] : reader.elements("series")) {
    result.series.push_back(read_series(FieldReader(*element, path)));
  }
}

verdict::Result read_result(FieldReader reader) {
  verdict::Result result;
  result.claim = reader.text("claim");
  result.kind = reader.text("kind");
  result.side = reader.text("side");
  result.arithmetic = reader.text("arithmetic");
  result.size = read_size(reader.object("size"));
  result.source = reader.text("source");
  result.verdict = read_verdict(reader);
  result.scope = reader.text("scope");
  result.expected = reader.boolean("expected");
  result.trials = reader.count("trials");
  result.rejected = reader.count("rejected");
  result.error_bits = reader.number("error_bits");
  result.reason = reader.text("reason");
  result.ledger = reader.texts("ledger");
  result.facts = reader.text_map("facts");
  read_evidence(reader, result);
  result.measured = read_measured(reader.object("measured"));
  reader.finish();
  return result;
}

verdict::Environment read_environment(FieldReader reader) {
  verdict::Environment value;
  value.attest_version = reader.text("attest_version");
  value.compiler = reader.text("compiler");
  value.cpu = reader.text("cpu");
  value.libraries = reader.text("libraries");
  value.seed = reader.word("seed");
  value.arguments = reader.texts("arguments");
  reader.finish();
  return value;
}

void require_summary(FieldReader reader, const verdict::Report& report) {
  const verdict::Summary summary = verdict::summarize(report);
  const auto require = [&](FieldReader& object, const std::string& key, std::int64_t counted) {
    const std::int64_t stated = object.count(key);
    if (stated != counted) {
      reject_field(object.path_of(key), std::to_string(stated), std::to_string(counted) + ", counted from the results");
    }
  };
  require(reader, "results", summary.results);
  require(reader, "unexpected", summary.unexpected);
  FieldReader verdicts = reader.object("verdicts");
  for (const auto& [name, counted] : summary.verdicts) require(verdicts, name, counted);
  verdicts.finish();
  reader.finish();
}

}  // namespace

verdict::Report parse_report(const std::string& text) {
  Json record;
  try {
    record = Json::parse(text);
  } catch (const Json::exception& problem) {
    throw InputError(std::string("the report is not JSON: ") + problem.what());
  }
  FieldReader reader(record, "");
  if (const std::string schema = reader.text("schema"); schema != kReportSchema) {
    reject_field("schema", "\"" + schema + "\"", std::string("\"") + kReportSchema + "\"");
  }
  verdict::Report report;
  report.interrupted = reader.boolean("interrupted");
  for (const auto& [element, path] : reader.elements("results")) {
    report.results.push_back(read_result(FieldReader(*element, path)));
  }
  require_summary(reader.object("summary"), report);
  report.environment = read_environment(reader.object("environment"));
  reader.finish();
  return report;
}

}  // namespace attest::reports
