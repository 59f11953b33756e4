#include "core/certificate/certificate.h"

#include "core/certificate/checksum.h"
#include "core/certificate/content.h"

namespace attest::certificate {
namespace {

using nlohmann::json;

json size_json(const claim::Size& size) {
  return {{"n", size.n}, {"d", size.d}, {"h", size.h}, {"g", size.g}, {"k", size.k}, {"L", size.L}, {"m", size.m}};
}

json matrix_json(const RationalMatrix& matrix) {
  json rows = json::array();
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    json row = json::array();
    for (std::int64_t j = 0; j < matrix.cols; ++j) row.push_back(to_string(matrix.at(i, j)));
    rows.push_back(std::move(row));
  }
  return rows;
}

json difference_json(const Certificate::Difference& difference) {
  return {{"label", difference.label},
          {"row", difference.row},
          {"col", difference.col},
          {"expected", difference.expected},
          {"constructed", difference.constructed}};
}

std::string compact(const json& value) { return value.dump(-1, ' ', true); }

// "key": value on a line of its own, its parts on lines below it where it has any.
std::string member(const std::string& key, const json& value) {
  if (value.empty() || !(key == "instance" || key == "differences")) return "  \"" + key + "\": " + compact(value);
  std::string text = "  \"" + key + "\": " + (value.is_object() ? "{" : "[");
  const char* separator = "\n";
  for (const auto& [name, part] : value.items()) {
    text += separator + std::string("    ") + (value.is_object() ? json(name).dump() + ": " : "") + compact(part);
    separator = ",\n";
  }
  return text + "\n  " + (value.is_object() ? "}" : "]");
}

}  // namespace

json content_of(const Certificate& certificate) {
  json instance = json::object();
  for (const auto& [name, matrix] : certificate.instance) instance[name] = matrix_json(matrix);
  json differences = json::array();
  for (const auto& difference : certificate.differences) differences.push_back(difference_json(difference));
  return {{"schema", "attest.certificate/1"},
          {"claim", certificate.claim},
          {"side", certificate.side},
          {"size", size_json(certificate.size)},
          {"arithmetic", certificate.arithmetic},
          {"precision", certificate.precision},
          {"verdict", certificate.verdict},
          {"minimal", certificate.minimal},
          {"instance", std::move(instance)},
          {"differences", std::move(differences)},
          {"failing", certificate.failing}};
}

std::string content_checksum(const Certificate& certificate) { return checksum_of(compact(content_of(certificate))); }

std::string to_json(const Certificate& certificate) {
  json content = content_of(certificate);
  content["checksum"] = content_checksum(certificate);
  std::string text = "{\n";
  for (const char* key : {"schema", "claim", "side", "size", "arithmetic", "precision", "verdict", "minimal",
                          "instance", "differences", "failing"})
    text += member(key, content.at(key)) + ",\n";
  return text + member("checksum", content.at("checksum")) + "\n}\n";
}

}  // namespace attest::certificate
