#include "property_tests/core/certificate/tamper.h"

#include <nlohmann/json.hpp>

#include "core/certificate/checksum.h"
#include "core/support/rational.h"

namespace attest::test {
namespace {

using nlohmann::json;

class Tamperer {
 public:
  Tamperer(const std::string& file, bool sealed) : original_(json::parse(file)), sealed_(sealed) {}

  std::vector<Tampered> run() {
    walk(json::json_pointer());
    return std::move(edits_);
  }

 private:
  void add(const json::json_pointer& at, const std::string& how, const json& value) {
    json edited = original_;
    edited[at] = value;
    const std::string path = at.to_string();
    const bool instance = path.rfind("/instance/", 0) == 0;
    const bool checksum = path == "/checksum";
    if (sealed_ && (checksum || how == "without checksum")) return;  // sealing undoes the edit
    if (sealed_) {
      edited.erase("checksum");
      edited["checksum"] = certificate::checksum_of(edited.dump(-1, ' ', true));
    }
    const bool size = path.rfind("/size/", 0) == 0;
    edits_.push_back({path + ": " + how, edited.dump(), instance, size, path == "/minimal" && how == "another word"});
  }

  void walk(const json::json_pointer& at) {
    const json& value = original_.at(at);
    if (value.is_object()) {
      for (const auto& [key, part] : value.items()) {
        walk(at / key);
        json removed = value;
        removed.erase(key);
        add(at, "without " + key, removed);
      }
      json more = value;
      more["unknown"] = value.empty() ? json("1") : value.begin().value();
      add(at, "with another key", more);
    } else if (value.is_array()) {
      edit_array(at, value);
    } else if (value.is_number()) {
      for (const int step : {-1, 1, 64})
        add(at, "plus " + std::to_string(step), json(value.get<std::int64_t>() + step));
    } else if (value.is_string()) {
      edit_text(at, value.get<std::string>());
    }
  }

  void edit_array(const json::json_pointer& at, const json& value) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      walk(at / i);
      json changed = value;
      changed.erase(i);
      add(at, "without part " + std::to_string(i), changed);
      changed = value;
      changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(i), value[i]);
      add(at, "part " + std::to_string(i) + " twice", changed);
      if (i + 1 == value.size() || value[i] == value[i + 1]) continue;
      changed = value;
      std::swap(changed[i], changed[i + 1]);
      add(at, "parts " + std::to_string(i) + " and the next exchanged", changed);
    }
    if (at.to_string() == "/failing") {
      json more = value;
      more.push_back("domain: invertible (2 x 2)");
      if (value != json({"domain: invertible (2 x 2)"})) add(at, "another condition", more);
    }
  }

  void edit_text(const json::json_pointer& at, const std::string& text) {
    const std::string path = at.to_string();
    if (path.rfind("/instance/", 0) == 0) {
      for (const char* step : {"1", "-1", "1/97"}) {
        const Rational edited = parse_rational(text) + parse_rational(step);
        add(at, std::string("plus ") + step, to_string(edited));
      }
      return;
    }
    if (path == "/minimal") {
      for (const char* word : {"global", "local", ""})
        if (text != word) add(at, "another word", word);
      add(at, "not a word", "minimal");
      return;
    }
    if (path == "/arithmetic") add(at, "another word", text == "ball" ? "rational" : "ball");
    if (path == "/side") {
      add(at, "another word", text == "claim" ? "without:unit" : "claim");
      add(at, "another hypothesis", "without:nothing");
    }
    add(at, "one character more", text + "x");
    add(at, "empty", "");
    for (std::size_t i = 0; i < text.size(); ++i) {
      std::string edited = text;
      const bool digit = text[i] >= '0' && text[i] <= '9';
      edited[i] =
          digit ? static_cast<char>('0' + (text[i] - '0' + 1) % 10) : static_cast<char>(text[i] == '-' ? '+' : '-');
      add(at, "character " + std::to_string(i), edited);
    }
  }

  json original_;
  bool sealed_;
  std::vector<Tampered> edits_;
};

}  // namespace

std::vector<Tampered> tampered(const std::string& file, bool sealed) { return Tamperer(file, sealed).run(); }

}  // namespace attest::test
