#include "model/configuration.h"

#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/support/error.h"
#include "core/support/files.h"

namespace attest::model {

struct Configuration::State {
  std::string path;
  bool present = false;
  nlohmann::json values = nlohmann::json::object();
};

Configuration::Configuration(std::unique_ptr<State> state) : state_(std::move(state)) {}
Configuration::Configuration(Configuration&&) noexcept = default;
Configuration& Configuration::operator=(Configuration&&) noexcept = default;
Configuration::~Configuration() = default;

Configuration Configuration::read(const std::string& path) {
  auto state = std::make_unique<State>();
  state->path = path;
  state->present = true;
  try {
    state->values = nlohmann::json::parse(read_file(path));
  } catch (const nlohmann::json::exception& error) {
    throw InputError("'" + path + "' is not valid JSON (" + error.what() + "); expected the model's config.json");
  }
  if (!state->values.is_object())
    throw InputError("'" + path + "' is not a JSON object; expected the model's config.json");
  return Configuration(std::move(state));
}

Configuration Configuration::beside(const std::string& weights_path) {
  const auto path = (std::filesystem::path(weights_path).parent_path() / "config.json").string();
  if (std::filesystem::exists(path)) return read(path);
  auto state = std::make_unique<State>();
  state->path = path;
  return Configuration(std::move(state));
}

const std::string& Configuration::path() const { return state_->path; }
bool Configuration::present() const { return state_->present; }

std::optional<std::int64_t> Configuration::count(const std::string& key) const {
  const auto found = state_->values.find(key);
  if (found == state_->values.end() || found->is_null()) return std::nullopt;
  if (!found->is_number_unsigned() || found->get<std::uint64_t>() == 0 ||
      found->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    throw InputError("'" + path() + "': key '" + key + "' is " +
                     found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) +
                     "; expected a positive integer");
  return found->get<std::int64_t>();
}

std::optional<std::string> Configuration::text(const std::string& key) const {
  const auto found = state_->values.find(key);
  if (found == state_->values.end() || found->is_null()) return std::nullopt;
  if (!found->is_string())
    throw InputError("'" + path() + "': key '" + key + "' is " +
                     found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "; expected a string");
  return found->get<std::string>();
}

}  // namespace attest::model
