#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/support/rational.h"

namespace attest::reports {

// Reads one JSON object field by field; every complaint is an InputError with the path of the field. Internal to the
// reader of records.
class FieldReader {
 public:
  using Json = nlohmann::ordered_json;

  // Throws InputError if the value is not an object.
  FieldReader(const Json& object, std::string path);

  std::string text(const std::string& key);
  bool boolean(const std::string& key);
  std::int64_t count(const std::string& key);  // an integer >= 0 that fits in 63 bits
  std::uint64_t word(const std::string& key);  // an integer of 64 bits without sign
  double number(const std::string& key);       // a number, or "inf", "-inf", "nan"
  std::vector<std::string> texts(const std::string& key);
  std::map<std::string, std::string> text_map(const std::string& key);
  std::map<std::string, RationalMatrix> matrices(const std::string& key);
  std::vector<std::vector<std::string>> text_rows(const std::string& key);
  // The elements of an array, each with its path.
  std::vector<std::pair<const Json*, std::string>> elements(const std::string& key);
  // The field whatever its type is.
  const Json& any(const std::string& key);
  FieldReader object(const std::string& key) { return FieldReader(any(key), path_of(key)); }
  std::string path_of(const std::string& key) const;
  // Throws InputError if the object has a field that was not read: a misspelt one, or one of a later schema.
  void finish() const;

 private:
  const Json& object_;
  std::string path_;
  std::set<std::string> read_;
};

// Throws the InputError: the field, what was found, what was expected.
[[noreturn]] void reject_field(const std::string& path, const std::string& found, const std::string& expected);

// A number, or "inf", "-inf", "nan".
double number_of(const FieldReader::Json& value, const std::string& path);

}  // namespace attest::reports
