#include "property_tests/reports/random_report.h"

#include <rapidcheck.h>

#include <limits>

namespace attest::test {
namespace {

using rc::gen::inRange;

std::string text() {
  static const std::vector<std::string> pieces = {"a",  "B",  "7", " ", "_", ".", "/",  "\"", "\\",
                                                  "\n", "\t", "<", "&", "é", "Ω", "証", "𝔽",  std::string(1, '\x01')};
  std::string joined;
  const int length = *inRange(0, 8);
  for (int i = 0; i < length; ++i) joined += *rc::gen::elementOf(pieces);
  return joined;
}

double number() {
  const double infinity = std::numeric_limits<double>::infinity();
  static const std::vector<double> special = {0.0,
                                              -0.0,
                                              1.0,
                                              0.1,
                                              5e-324,
                                              1.7976931348623157e308,
                                              1e21,
                                              -1e-7,
                                              infinity,
                                              -infinity,
                                              std::numeric_limits<double>::quiet_NaN()};
  if (*rc::gen::arbitrary<bool>()) return *rc::gen::elementOf(special);
  return static_cast<double>(*rc::gen::arbitrary<std::int64_t>()) * 0x1p-40;
}

std::int64_t count() {
  return *rc::gen::oneOf(inRange<std::int64_t>(0, 100), rc::gen::just(std::numeric_limits<std::int64_t>::max()));
}

std::vector<std::string> texts() {
  std::vector<std::string> list;
  const int length = *inRange(0, 4);
  for (int i = 0; i < length; ++i) list.push_back(text());
  return list;
}

std::map<std::string, RationalMatrix> matrices() {
  std::map<std::string, RationalMatrix> map;
  const int length = *inRange(0, 3);
  for (int i = 0; i < length; ++i) {
    RationalMatrix matrix(*inRange(1, 4), *inRange(1, 4));
    for (auto& entry : matrix.entries) {
      entry = Rational(Integer(static_cast<long>(*rc::gen::arbitrary<std::int64_t>())), Integer(*inRange(1, 1000)));
      entry.canonicalize();
    }
    map[text()] = matrix;
  }
  return map;
}

std::vector<std::vector<std::string>> entries() {
  const int rows = *inRange(0, 3), cols = *inRange(0, 3);
  std::vector<std::vector<std::string>> values(static_cast<std::size_t>(rows));
  for (auto& row : values) {
    for (int col = 0; col < cols; ++col) row.push_back(text());
  }
  return values;
}

verdict::Counterexample counterexample() {
  verdict::Counterexample value;
  value.minimal = *rc::gen::element<std::string>("", "local", "global");
  value.instance = matrices();
  const int sides = *inRange(0, 3);
  for (int i = 0; i < sides; ++i) value.sides.push_back({text(), entries(), entries()});
  value.failing = texts();
  value.arithmetic = *rc::gen::element<std::string>("rational", "ball");
  value.search = text();
  value.precision = count();
  return value;
}

claim::Series series() {
  claim::Series value{text(), text(), text(), {}, {}, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
  const int lines = *inRange(0, 3);
  for (int i = 0; i < lines; ++i) {
    value.names.push_back(text());
    value.points.emplace_back();
    const int points = *inRange(0, 4);
    for (int j = 0; j < points; ++j) value.points.back().emplace_back(number(), number());
  }
  return value;
}

verdict::Result result() {
  verdict::Result value;
  value.claim = text();
  value.kind = text();
  value.side = text();
  value.arithmetic = text();
  value.size = {text(), count(), count(), count(), count(), count(), count(), count()};
  value.source = text();
  value.verdict = static_cast<verdict::Verdict>(*inRange(0, static_cast<int>(verdict::Verdict::error) + 1));
  value.scope = text();
  value.expected = *rc::gen::arbitrary<bool>();
  value.trials = count();
  value.rejected = count();
  value.error_bits = number();
  value.ledger = texts();
  value.reason = text();
  if (*rc::gen::arbitrary<bool>()) value.counterexample = counterexample();
  value.witness = matrices();
  const int plots = *inRange(0, 2);
  for (int i = 0; i < plots; ++i) value.series.push_back(series());
  for (const auto& name : texts()) value.facts[name] = text();
  value.measured = {number(), number(), number(), number(), number()};
  return value;
}

}  // namespace

verdict::Report random_report() {
  verdict::Report report;
  const int results = *inRange(0, 4);
  for (int i = 0; i < results; ++i) report.results.push_back(result());
  report.environment = {text(), text(), text(), text(), *rc::gen::arbitrary<std::uint64_t>(), texts()};
  report.interrupted = *rc::gen::arbitrary<bool>();
  return report;
}

}  // namespace attest::test
