#include <algorithm>
#include <set>

#include "core/certificate/certificate.h"
#include "core/certificate/content.h"
#include "core/certificate/evidence.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::certificate {
namespace {

using nlohmann::json;

// Far above every certificate that a search writes, far below what would take a machine's memory.
constexpr std::size_t most_bytes = std::size_t{16} << 20;
constexpr std::size_t most_text = 10000;
constexpr std::size_t most_entries = 65536;
constexpr std::int64_t largest_count = 256;
constexpr int deepest = 8;

[[noreturn]] void reject(const std::string& field, const std::string& found, const std::string& expected) {
  throw InputError("certificate: " + field + ": " + found + "; expected " + expected);
}

std::string shown(const json& value) {
  std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
  return text.size() <= 60 ? text : text.substr(0, 57) + "...";
}

// The JSON value, refusing repeated keys and deep nesting, which a plain parse accepts.
json read_json(const std::string& text) {
  if (text.size() > most_bytes)
    reject("file", std::to_string(text.size()) + " bytes", "at most " + std::to_string(most_bytes));
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, json::parse_event_t event, json& value) {
    if (depth > deepest) reject("file", "nested deeper than " + std::to_string(deepest), "a certificate");
    if (event == json::parse_event_t::object_start) keys.emplace_back();
    if (event == json::parse_event_t::object_end) keys.pop_back();
    if (event == json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      reject("key " + shown(value), "given twice", "each key once");
    return true;
  };
  try {
    return json::parse(text, watch);
  } catch (const json::exception& error) {
    reject("file", error.what(), "JSON text");
  }
}

// The object has exactly these keys.
void require_keys(const std::string& field, const json& object, const std::vector<std::string>& keys) {
  if (!object.is_object()) reject(field, shown(object), "an object");
  for (const auto& key : keys)
    if (!object.contains(key)) reject(field, "no key '" + key + "'", "the keys " + join(keys, ", "));
  for (const auto& [key, value] : object.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      reject(field, "unknown key " + shown(json(key)), "only the keys " + join(keys, ", "));
}

std::string text_of(const std::string& field, const json& value) {
  if (!value.is_string()) reject(field, shown(value), "a string");
  std::string text = value.get<std::string>();
  if (text.size() > most_text)
    reject(field, std::to_string(text.size()) + " bytes", "a string of at most " + std::to_string(most_text));
  return text;
}

std::string word_of(const std::string& field, const json& value, const std::vector<std::string>& words) {
  std::string text = text_of(field, value);
  if (std::find(words.begin(), words.end(), text) == words.end())
    reject(field, shown(value), "one of '" + join(words, "', '") + "'");
  return text;
}

std::int64_t count_of(const std::string& field, const json& value, std::int64_t low, std::int64_t high) {
  const std::string expected = "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
  if (!value.is_number_integer()) reject(field, shown(value), expected);
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high))
    reject(field, shown(value), expected);
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) reject(field, shown(value), expected);
  return number;
}

Rational number_of(const std::string& field, const json& value) {
  const std::string text = text_of(field, value);
  const std::string expected = "an exact number \"p/q\" in lowest terms";
  try {
    Rational number = parse_rational(text);
    if (to_string(number) != text) reject(field, shown(value), expected);
    return number;
  } catch (const InputError&) {
    reject(field, shown(value), expected);
  }
}

RationalMatrix matrix_of(const std::string& field, const json& rows) {
  const std::string expected = "a matrix: rows of equal length, at least one entry";
  if (!rows.is_array() || rows.empty() || !rows[0].is_array() || rows[0].empty()) reject(field, shown(rows), expected);
  if (rows.size() > most_entries || rows[0].size() > most_entries || rows.size() * rows[0].size() > most_entries)
    reject(field, std::to_string(rows.size()) + " x " + std::to_string(rows[0].size()),
           "at most " + std::to_string(most_entries) + " entries");
  RationalMatrix matrix(static_cast<std::int64_t>(rows.size()), static_cast<std::int64_t>(rows[0].size()));
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    const json& row = rows[static_cast<std::size_t>(i)];
    const std::string row_field = field + "[" + std::to_string(i) + "]";
    if (!row.is_array() || row.size() != rows[0].size()) reject(row_field, shown(row), expected);
    for (std::int64_t j = 0; j < matrix.cols; ++j)
      matrix.at(i, j) = number_of(row_field + "[" + std::to_string(j) + "]", row[static_cast<std::size_t>(j)]);
  }
  return matrix;
}

claim::Size size_of(const json& value) {
  require_keys("size", value, {"n", "d", "h", "g", "k", "L", "m"});
  const auto count = [&](const char* key) {
    return count_of(std::string("size.") + key, value.at(key), 1, largest_count);
  };
  claim::Size size;
  size.n = count("n");
  size.d = count("d");
  size.h = count("h");
  size.g = count("g");
  size.k = count("k");
  size.L = count("L");
  size.m = count("m");
  return size;
}

Certificate::Difference difference_of(const std::string& field, const json& value) {
  require_keys(field, value, {"label", "row", "col", "expected", "constructed"});
  Certificate::Difference difference;
  difference.label = text_of(field + ".label", value.at("label"));
  difference.row = count_of(field + ".row", value.at("row"), 0, static_cast<std::int64_t>(most_entries));
  difference.col = count_of(field + ".col", value.at("col"), 0, static_cast<std::int64_t>(most_entries));
  difference.expected = text_of(field + ".expected", value.at("expected"));
  difference.constructed = text_of(field + ".constructed", value.at("constructed"));
  return difference;
}

void read_evidence(const json& object, Certificate& certificate) {
  if (!object.at("instance").is_object()) reject("instance", shown(object.at("instance")), "an object");
  for (const auto& [name, matrix] : object.at("instance").items())
    certificate.instance[name] = matrix_of("instance." + name, matrix);
  for (const char* field : {"differences", "failing"})
    if (!object.at(field).is_array()) reject(field, shown(object.at(field)), "an array");
  for (const json& value : object.at("differences"))
    certificate.differences.push_back(
        difference_of("differences[" + std::to_string(certificate.differences.size()) + "]", value));
  for (const json& value : object.at("failing"))
    certificate.failing.push_back(text_of("failing[" + std::to_string(certificate.failing.size()) + "]", value));
  if (certificate.differences.empty() && certificate.failing.empty())
    reject("differences", "empty, and so is failing", "something that differs");
}

void read_precision(const json& value, Certificate& certificate) {
  const bool ball = certificate.arithmetic == "ball";
  certificate.precision = count_of("precision", value, ball ? precision_step : 0, ball ? largest_precision : 0);
  if (certificate.precision % precision_step != 0)
    reject("precision", shown(value), "a multiple of " + std::to_string(precision_step) + " bits");
}

std::string checksum_text(const json& value) {
  std::string text = text_of("checksum", value);
  const std::string prefix = "crc32:";
  if (text.size() != prefix.size() + 8 || text.compare(0, prefix.size(), prefix) != 0 ||
      text.find_first_not_of("0123456789abcdef", prefix.size()) != std::string::npos)
    reject("checksum", shown(value), "\"crc32:\" and 8 hexadecimal digits");
  return text;
}

}  // namespace

Certificate parse_certificate(const std::string& text) {
  const json object = read_json(text);
  require_keys("file", object,
               {"schema", "claim", "side", "size", "arithmetic", "precision", "verdict", "minimal", "instance",
                "differences", "failing", "checksum"});
  word_of("schema", object.at("schema"), {"attest.certificate/1"});
  Certificate certificate;
  certificate.claim = text_of("claim", object.at("claim"));
  certificate.side = text_of("side", object.at("side"));
  certificate.size = size_of(object.at("size"));
  certificate.arithmetic = word_of("arithmetic", object.at("arithmetic"), {"rational", "ball"});
  read_precision(object.at("precision"), certificate);
  certificate.verdict = word_of("verdict", object.at("verdict"), {"refuted"});
  certificate.minimal = word_of("minimal", object.at("minimal"), {"global", "local", ""});
  read_evidence(object, certificate);
  certificate.stated_checksum = checksum_text(object.at("checksum"));
  return certificate;
}

}  // namespace attest::certificate
