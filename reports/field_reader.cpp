#include "reports/field_reader.h"

#include <limits>

#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::reports {
namespace {

using Json = FieldReader::Json;

// The value as it stands in the text, shortened.
std::string shown(const Json& value) {
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  constexpr std::size_t kLongest = 60;
  if (text.size() > kLongest)
    text = std::string(value.type_name()) + " of " + std::to_string(text.size()) + " characters";
  return text;
}

std::string text_of(const Json& value, const std::string& path) {
  if (!value.is_string()) reject_field(path, shown(value), "a string");
  return value.get<std::string>();
}

const Json& array_of(const Json& value, const std::string& path) {
  if (!value.is_array()) reject_field(path, shown(value), "an array");
  return value;
}

std::vector<std::string> texts_of(const Json& value, const std::string& path) {
  std::vector<std::string> texts;
  for (const auto& element : array_of(value, path)) {
    texts.push_back(text_of(element, path + "[" + std::to_string(texts.size()) + "]"));
  }
  return texts;
}

std::vector<std::vector<std::string>> text_rows_of(const Json& value, const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : array_of(value, path)) {
    const std::string row_path = path + "[" + std::to_string(rows.size()) + "]";
    rows.push_back(texts_of(row, row_path));
    if (rows.back().size() != rows.front().size()) {
      reject_field(row_path, "a row of " + std::to_string(rows.back().size()) + " entries",
                   std::to_string(rows.front().size()) + " as in the first row");
    }
  }
  return rows;
}

RationalMatrix matrix_of(const Json& value, const std::string& path) {
  const auto rows = text_rows_of(value, path);
  RationalMatrix matrix(static_cast<std::int64_t>(rows.size()),
                        rows.empty() ? 0 : static_cast<std::int64_t>(rows.front().size()));
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t col = 0; col < rows[row].size(); ++col) {
      try {
        matrix.at(static_cast<std::int64_t>(row), static_cast<std::int64_t>(col)) = parse_rational(rows[row][col]);
      } catch (const InputError& problem) {
        throw InputError("report field " + path + "[" + std::to_string(row) + "][" + std::to_string(col) +
                         "]: " + problem.what());
      }
    }
  }
  return matrix;
}

}  // namespace

void reject_field(const std::string& path, const std::string& found, const std::string& expected) {
  throw InputError("report field " + path + " is " + found + "; expected " + expected);
}

double number_of(const Json& value, const std::string& path) {
  if (value.is_number()) return value.get<double>();
  if (value == "inf") return std::numeric_limits<double>::infinity();
  if (value == "-inf") return -std::numeric_limits<double>::infinity();
  if (value == "nan") return std::numeric_limits<double>::quiet_NaN();
  reject_field(path, shown(value), "a number, or \"inf\", \"-inf\" or \"nan\"");
}

FieldReader::FieldReader(const Json& object, std::string path) : object_(object), path_(std::move(path)) {
  if (!object.is_object()) reject_field(path_.empty() ? "(top level)" : path_, shown(object), "an object");
}

std::string FieldReader::path_of(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

const Json& FieldReader::any(const std::string& key) {
  const auto found = object_.find(key);
  if (found == object_.end()) {
    throw InputError("report field " + path_of(key) + " is missing; was the file written by attest, in schema " +
                     "attest.report/1, and is it complete?");
  }
  read_.insert(key);
  return *found;
}

std::string FieldReader::text(const std::string& key) { return text_of(any(key), path_of(key)); }

bool FieldReader::boolean(const std::string& key) {
  const Json& value = any(key);
  if (!value.is_boolean()) reject_field(path_of(key), shown(value), "true or false");
  return value.get<bool>();
}

std::uint64_t FieldReader::word(const std::string& key) {
  const Json& value = any(key);
  if (!value.is_number_unsigned()) reject_field(path_of(key), shown(value), "an integer from 0 to 2^64 - 1");
  return value.get<std::uint64_t>();
}

std::int64_t FieldReader::count(const std::string& key) {
  const std::uint64_t value = word(key);
  constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (value > kLargest) reject_field(path_of(key), std::to_string(value), "an integer from 0 to 2^63 - 1");
  return static_cast<std::int64_t>(value);
}

double FieldReader::number(const std::string& key) { return number_of(any(key), path_of(key)); }

std::vector<std::string> FieldReader::texts(const std::string& key) { return texts_of(any(key), path_of(key)); }

std::vector<std::vector<std::string>> FieldReader::text_rows(const std::string& key) {
  return text_rows_of(any(key), path_of(key));
}

std::map<std::string, std::string> FieldReader::text_map(const std::string& key) {
  const Json& value = any(key);
  if (!value.is_object()) reject_field(path_of(key), shown(value), "an object of strings");
  std::map<std::string, std::string> map;
  for (const auto& [name, text] : value.items()) map[name] = text_of(text, path_of(key) + "." + name);
  return map;
}

std::map<std::string, RationalMatrix> FieldReader::matrices(const std::string& key) {
  const Json& value = any(key);
  if (!value.is_object()) reject_field(path_of(key), shown(value), "an object of matrices");
  std::map<std::string, RationalMatrix> map;
  for (const auto& [name, matrix] : value.items()) map[name] = matrix_of(matrix, path_of(key) + "." + name);
  return map;
}

std::vector<std::pair<const Json*, std::string>> FieldReader::elements(const std::string& key) {
  std::vector<std::pair<const Json*, std::string>> elements;
  for (const auto& element : array_of(any(key), path_of(key))) {
    elements.emplace_back(&element, path_of(key) + "[" + std::to_string(elements.size()) + "]");
  }
  return elements;
}

void FieldReader::finish() const {
  for (const auto& [key, value] : object_.items()) {
    if (read_.count(key) != 0) continue;
    const std::vector<std::string> known(read_.begin(), read_.end());
    throw InputError("report field " + path_of(key) + " is unknown; did you mean " +
                     join(nearest_names(key, known), ", ") + "?");
  }
}

}  // namespace attest::reports
