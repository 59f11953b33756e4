// Tests also: core/certificate/canonical.cpp core/certificate/checksum.cpp core/certificate/parse.cpp
#include "core/certificate/certificate.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/certificate/checksum.h"
#include "core/support/error.h"
#include "property_tests/core/certificate/fake_claims.h"
#include "property_tests/support/property.h"

namespace attest::certificate {
namespace {

using nlohmann::json;

bool same(const Certificate& a, const Certificate& b) {
  return a.claim == b.claim && a.side == b.side && a.size == b.size && a.arithmetic == b.arithmetic &&
         a.precision == b.precision && a.verdict == b.verdict && a.minimal == b.minimal && a.instance == b.instance &&
         a.differences == b.differences && a.failing == b.failing;
}

Rational arbitrary_rational() {
  Rational q(*rc::gen::arbitrary<std::int64_t>(), *rc::gen::inRange<std::int64_t>(1, 1000000));
  q.canonicalize();
  return *rc::gen::inRange(0, 4) == 0 ? Rational(*rc::gen::inRange(-1, 2)) : q;
}

RationalMatrix arbitrary_matrix() {
  RationalMatrix matrix(*rc::gen::inRange<std::int64_t>(1, 5), *rc::gen::inRange<std::int64_t>(1, 5));
  for (Rational& entry : matrix.entries) entry = arbitrary_rational();
  return matrix;
}

// Any text that JSON can carry: code points below U+0800 encoded as UTF-8.
std::string arbitrary_text() {
  std::string text;
  for (const auto point : *rc::gen::container<std::vector<int>>(rc::gen::inRange(1, 0x7FF))) {
    if (point < 0x80) {
      text += static_cast<char>(point);
      continue;
    }
    text += static_cast<char>(0xC0 | (point >> 6));
    text += static_cast<char>(0x80 | (point & 0x3F));
  }
  return text;
}

Certificate arbitrary_certificate() {
  Certificate certificate;
  certificate.claim = arbitrary_text();
  certificate.side = arbitrary_text();
  certificate.size = {"", *rc::gen::inRange<std::int64_t>(1, 257), 2, 3, 4, 5,
                      6,  *rc::gen::inRange<std::int64_t>(1, 257)};
  const bool ball = *rc::gen::arbitrary<bool>();
  certificate.arithmetic = ball ? "ball" : "rational";
  certificate.precision = ball ? 64 * *rc::gen::inRange<std::int64_t>(1, 65) : 0;
  certificate.verdict = "refuted";
  certificate.minimal = *rc::gen::element<std::string>("global", "local", "");
  for (int i = *rc::gen::inRange(0, 4); i > 0; --i) certificate.instance[arbitrary_text()] = arbitrary_matrix();
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i)
    certificate.differences.push_back({arbitrary_text(), *rc::gen::inRange<std::int64_t>(0, 100),
                                       *rc::gen::inRange<std::int64_t>(0, 100), arbitrary_text(), arbitrary_text()});
  for (int i = *rc::gen::inRange(0, 3); i > 0; --i) certificate.failing.push_back(arbitrary_text());
  if (certificate.differences.empty() && certificate.failing.empty()) certificate.failing.push_back("A is invertible");
  RC_TAG(certificate.arithmetic);
  return certificate;
}

// The message of the InputError that parsing throws; "" where it does not throw.
std::string complaint(const std::string& text) {
  try {
    parse_certificate(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

json good() {
  const claim::Registry registry = test::fake_registry();
  return json::parse(to_json(test::fake_certificates(registry).front()));
}

void require_complaint(const json& broken, const std::string& field) {
  INFO(broken.dump());
  const std::string message = complaint(broken.dump());
  CAPTURE(message, field);
  CHECK(message.find("certificate: ") == 0);
  CHECK(message.find(field) != std::string::npos);
}

}  // namespace

TEST_CASE("a certificate survives the way through its file", "[certificate]") {
  const auto report = test::check_property("parse(to_json(c)) = c and its checksum is right", [] {
    const Certificate certificate = arbitrary_certificate();
    const Certificate read = parse_certificate(to_json(certificate));
    RC_ASSERT(same(read, certificate));
    RC_ASSERT(to_json(read) == to_json(certificate));
    const json file = json::parse(to_json(certificate));
    RC_ASSERT(read.stated_checksum == file.at("checksum").get<std::string>());
  });
  CHECK(report.count("ball") > 10);
  CHECK(report.count("rational") > 10);
}

TEST_CASE("the checksum is the CRC-32 of ISO 3309", "[certificate]") {
  CHECK(checksum_of("123456789") == "crc32:cbf43926");
  CHECK(checksum_of("") == "crc32:00000000");
}

TEST_CASE("a certificate without a key, or with another key, is refused by name", "[certificate]") {
  const json whole = good();
  for (const auto& [key, value] : whole.items()) {
    json broken = whole;
    broken.erase(key);
    require_complaint(broken, "'" + key + "'");
    broken = whole;
    broken[key + "_"] = value;
    require_complaint(broken, key + "_");
  }
  for (const char* key : {"n", "d", "h", "g", "k", "L", "m"}) {
    json broken = whole;
    broken["size"].erase(key);
    require_complaint(broken, "size: no key '" + std::string(key) + "'");
  }
  json broken = whole;
  broken["size"]["name"] = "tiny";
  require_complaint(broken, "size: unknown key");
  broken = whole;
  broken["differences"][0].erase("label");
  require_complaint(broken, "differences[0]: no key 'label'");
  broken = whole;
  broken["differences"][0]["note"] = "";
  require_complaint(broken, "differences[0]: unknown key");
}

TEST_CASE("a value of the wrong type is refused by the name of its field", "[certificate]") {
  const json whole = good();
  const std::vector<json> values = {nullptr,          true,      7, -1, 2.5, "text", json::array(), json::object(),
                                    json::array({1}), {{"a", 1}}};
  int refused = 0;
  for (const auto& [key, value] : whole.items())
    for (const json& other : values) {
      if (other.type() == value.type() || (other.is_number_integer() && value.is_number_integer())) continue;
      json broken = whole;
      broken[key] = other;
      require_complaint(broken, key);
      ++refused;
    }
  CHECK(refused > 80);
}

TEST_CASE("a number that is not in lowest terms is refused", "[certificate]") {
  const std::vector<std::string> texts = {"2/4", "4/2", "-0", "+1", "01",  "1/1",  "0/5", " 1",    "1 ",   "1.5",
                                          "1e3", "",    "-",  "/",  "1/0", "1/-2", "nan", "0x1p0", "0x10", "--1"};
  for (const auto& text : texts) {
    json broken = good();
    broken["instance"]["A"][0][1] = text;
    require_complaint(broken, "instance.A[0][1]");
  }
  json huge = good();
  huge["instance"]["A"][0][1] = std::string(10001, '7');
  require_complaint(huge, "instance.A[0][1]");
  huge["instance"]["A"][0][1] = std::string(10000, '7');
  CHECK(complaint(huge.dump()).empty());
}

TEST_CASE("a matrix that is ragged, empty or huge is refused", "[certificate]") {
  const std::vector<json> matrices = {json::array(),
                                      json::array({json::array()}),
                                      json::parse(R"([["1","2"],["3"]])"),
                                      json::parse(R"([["1"],["2","3"]])"),
                                      json::parse(R"(["1","2"])"),
                                      json::parse(R"([["1",2]])"),
                                      json::parse(R"([["1"],"2"])"),
                                      json(3)};
  for (const json& matrix : matrices) {
    json broken = good();
    broken["instance"]["A"] = matrix;
    require_complaint(broken, "instance.A");
  }
  json broken = good();
  broken["instance"]["A"] = json::array({json(std::vector<std::string>(65537, "0"))});
  require_complaint(broken, "instance.A");
}

TEST_CASE("a count out of range is refused", "[certificate]") {
  for (const json& value : std::vector<json>{0, -1, 257, 1.0, 18446744073709551615ULL, -9223372036854775807LL, "1"}) {
    json broken = good();
    broken["size"]["d"] = value;
    require_complaint(broken, "size.d");
  }
  for (const json& value : std::vector<json>{-1, 65537, 18446744073709551615ULL}) {
    json broken = good();
    broken["differences"][0]["row"] = value;
    require_complaint(broken, "differences[0].row");
  }
  for (const json& value : std::vector<json>{64, -64, 1}) {
    json broken = good();
    broken["precision"] = value;
    require_complaint(broken, "precision");
    broken["arithmetic"] = "ball";
    if (value != 64) require_complaint(broken, "precision");
  }
  json broken = good();
  broken["arithmetic"] = "ball";
  for (const json& value : std::vector<json>{0, 65, 4160, 1 << 30}) {
    broken["precision"] = value;
    require_complaint(broken, "precision");
  }
}

TEST_CASE("words outside the format are refused", "[certificate]") {
  for (const auto& [key, word] : std::vector<std::pair<std::string, std::string>>{{"schema", "attest.certificate/2"},
                                                                                  {"arithmetic", "double"},
                                                                                  {"verdict", "proved"},
                                                                                  {"minimal", "no"},
                                                                                  {"checksum", "crc32:12"},
                                                                                  {"checksum", "crc32:1234567G"}}) {
    json broken = good();
    broken[key] = word;
    require_complaint(broken, key);
  }
  json broken = good();
  broken["differences"] = json::array();
  require_complaint(broken, "differences");
}

TEST_CASE("what is not JSON, or JSON with a key given twice, is refused", "[certificate]") {
  const std::string text = to_json(test::fake_certificates(test::fake_registry()).front());
  for (std::size_t length = 0; length + 2 < text.size(); length += 37)
    CHECK(complaint(text.substr(0, length)).find("certificate: file") == 0);
  CHECK(complaint(text + "x").find("certificate: file") == 0);
  CHECK(complaint("\xFF\xFE").find("certificate: file") == 0);
  std::string twice = text;
  twice.insert(1, "\"minimal\": \"global\",");
  CHECK(complaint(twice).find("given twice") != std::string::npos);
  CHECK(complaint(std::string(100000, '[')).find("nested deeper") != std::string::npos);
  CHECK(complaint(std::string((16 << 20) + 1, ' ')).find("bytes") != std::string::npos);
}

}  // namespace attest::certificate
