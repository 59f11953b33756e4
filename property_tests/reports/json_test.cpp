// Tests also: reports/json_read.cpp reports/field_reader.cpp
#include "reports/json.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/support/error.h"
#include "core/support/files.h"
#include "property_tests/reports/oracle.h"
#include "property_tests/reports/random_report.h"
#include "property_tests/reports/sample.h"
#include "property_tests/support/property.h"
#include "property_tests/support/skip.h"

namespace attest::reports {
namespace {

using Json = nlohmann::ordered_json;

// Exact equality of two records, NaN equal to itself: their text, field by field, is compared through another writer.
std::string fields(const verdict::Report& report) {
  std::string all = report.environment.attest_version + "|" + report.environment.cpu + "|" +
                    std::to_string(report.environment.seed) + (report.interrupted ? "!" : "");
  for (const auto& argument : report.environment.arguments) all += "|" + argument;
  for (const auto& r : report.results) {
    all += "\n" + r.claim + "|" + r.kind + "|" + r.side + "|" + r.arithmetic + "|" + r.source + "|" + r.scope + "|" +
           r.reason + "|" + verdict::to_string(r.verdict) + (r.expected ? "+" : "-");
    for (const auto n : {r.trials, r.rejected, r.size.n, r.size.d, r.size.h, r.size.g, r.size.k, r.size.L, r.size.m}) {
      all += "|" + std::to_string(n);
    }
    all += r.size.name;
    char hex[64];
    for (const double x : {r.error_bits, r.measured.radius, r.measured.ratio, r.measured.digits, r.measured.seconds,
                           r.measured.peak_mebibytes}) {
      std::snprintf(hex, sizeof hex, "|%a", x);
      all += x != x ? "|nan" : hex;
    }
    for (const auto& line : r.ledger) all += "|" + line;
    for (const auto& [name, value] : r.facts) all += "|" + name + "=" + value;
    for (const auto& s : r.series) {
      all += "|" + s.title + s.x_label + s.y_label + (s.log_x ? "x" : "") + (s.log_y ? "y" : "");
      for (const auto& name : s.names) all += "|" + name;
      for (const auto& line : s.points) all += "|" + std::to_string(line.size());
    }
  }
  return all;
}

bool same_evidence(const verdict::Result& a, const verdict::Result& b) {
  if (a.witness != b.witness || a.counterexample.has_value() != b.counterexample.has_value()) return false;
  if (!a.counterexample) return true;
  const auto &x = *a.counterexample, &y = *b.counterexample;
  bool same = x.minimal == y.minimal && x.instance == y.instance && x.failing == y.failing && x.search == y.search &&
              x.arithmetic == y.arithmetic && x.precision == y.precision && x.sides.size() == y.sides.size();
  for (std::size_t i = 0; same && i < x.sides.size(); ++i) {
    same = x.sides[i].label == y.sides[i].label && x.sides[i].expected == y.sides[i].expected &&
           x.sides[i].constructed == y.sides[i].constructed;
  }
  return same;
}

Json sample() { return Json::parse(to_json(test::sample_report(), test::sample_registry())); }

std::string complaint(const Json& record) {
  try {
    (void)parse_report(record.dump());
  } catch (const InputError& problem) {
    return problem.what();
  }
  return "";
}

TEST_CASE("a record that is written and read back is the same record", "[reports][json]") {
  const claim::Registry registry;
  const auto checked = test::check_property("a record survives JSON", [&] {
    const verdict::Report report = test::random_report();
    const std::string text = to_json(report, registry);
    const verdict::Report again = parse_report(text);
    RC_ASSERT(fields(again) == fields(report));
    for (std::size_t i = 0; i < report.results.size(); ++i) {
      RC_ASSERT(same_evidence(again.results[i], report.results[i]));
      RC_CLASSIFY(report.results[i].counterexample.has_value(), "counterexample");
      RC_CLASSIFY(!report.results[i].series.empty(), "series");
    }
    RC_ASSERT(to_json(again, registry) == text);
  });
  CHECK(checked.count("counterexample") > 10);
  CHECK(checked.count("series") > 10);
}

TEST_CASE("the record of the sample is the golden one", "[reports][json]") {
  const std::string text = to_json(test::sample_report(), test::sample_registry());
  CHECK(test::difference_from_golden("sample.json", text) == "");
}

TEST_CASE("the record obeys the published schema", "[reports][json]") {
  const std::string schema = read_file(std::string(ATTEST_SOURCE_DIR) + "/docs/report.schema.json");
  const std::string program =
      "import json, sys, jsonschema\nschema, record = json.load(sys.stdin)\n"
      "jsonschema.Draft7Validator.check_schema(schema)\njsonschema.Draft7Validator(schema).validate(record)\n";
  const auto ask = [&](const Json& record) {
    return test::ask_python(program, "[" + schema + "," + record.dump() + "]", "jsonschema", nullptr);
  };
  if (ask(sample()) == test::Opinion::absent) ATTEST_SKIP("python3-jsonschema is not installed");
  CHECK(ask(sample()) == test::Opinion::agrees);
  Json misspelt = sample();
  misspelt["results"][0]["verdict"] = "proven";
  CHECK(ask(misspelt) == test::Opinion::objects);
  Json lacking = sample();
  lacking["results"][0].erase("ledger");
  CHECK(ask(lacking) == test::Opinion::objects);
}

TEST_CASE("every field is required, by its path", "[reports][json]") {
  const Json whole = sample();
  REQUIRE(complaint(whole) == "");
  for (const auto& [key, value] : whole.items()) {
    Json record = whole;
    record.erase(key);
    INFO(key);
    CHECK_THAT(complaint(record), Catch::Contains("report field " + key + " is missing"));
  }
  for (const auto& [key, value] : whole["results"][0].items()) {
    Json record = whole;
    record["results"][0].erase(key);
    INFO(key);
    CHECK_THAT(complaint(record), Catch::Contains("results[0]." + key + " is missing"));
  }
  for (const auto& [key, value] : whole["results"][0]["size"].items()) {
    Json record = whole;
    record["results"][0]["size"].erase(key);
    CHECK_THAT(complaint(record), Catch::Contains("results[0].size." + key + " is missing"));
  }
}

TEST_CASE("a field of the wrong type or value is named", "[reports][json]") {
  const std::vector<std::pair<std::string, Json>> damages = {
      {"/schema", "attest.report/2"},
      {"/interrupted", "no"},
      {"/summary/results", 7},
      {"/summary/unexpected", 0},
      {"/summary/verdicts/exact", 2},
      {"/results/0/verdict", "proven"},
      {"/results/0/expected", 1},
      {"/results/0/trials", -1},
      {"/results/0/trials", 1.5},
      {"/results/0/trials", 18446744073709551615ULL},
      {"/results/0/size/n", "3"},
      {"/results/0/error_bits", "many"},
      {"/results/0/measured/ratio", nullptr},
      {"/results/0/ledger", "one line"},
      {"/results/0/ledger/0", 3},
      {"/results/0/minimal", "global"},
      {"/results/0/facts", Json::array()},
      {"/results/0/certificate", Json::object()},
      {"/results/0/witness", Json::array()},
      {"/environment/seed", -1},
      {"/results/3/witness/X/0/1", "0.75"},
      {"/results/3/witness/T/1", Json::array({"1"})},
      {"/results/3/witness/T/1/0", "1/0"},
      {"/results/5/series/0/lines/0/points/0", Json::array({1})},
      {"/results/7/counterexample/minimal", "tiny"},
      {"/results/7/counterexample/instance/X", 1},
  };
  for (const auto& [pointer, value] : damages) {
    Json record = sample();
    record.at(Json::json_pointer(pointer)) = value;
    const std::string said = complaint(record);
    INFO(pointer << " = " << value.dump() << ": " << said);
    CHECK_THAT(said, Catch::Contains("report field"));
  }
}

TEST_CASE("an unknown field is rejected with the nearest known one", "[reports][json]") {
  Json record = sample();
  record["results"][0]["verdicts"] = "exact";
  CHECK_THAT(complaint(record), Catch::Contains("results[0].verdicts is unknown") && Catch::Contains("verdict"));
}

TEST_CASE("a text that is no record is rejected", "[reports][json]") {
  for (const char* text : {"", "{", "[]", "3", "null", "{}", "\"attest.report/1\""}) {
    INFO(text);
    CHECK_THROWS_AS(parse_report(text), InputError);
  }
}

TEST_CASE("a byte that is not UTF-8 does not stop the writer", "[reports][json]") {
  verdict::Report report = test::sample_report();
  report.results[0].reason = "file \xff\xfe";
  CHECK_NOTHROW(parse_report(to_json(report, test::sample_registry())));
}

}  // namespace
}  // namespace attest::reports
