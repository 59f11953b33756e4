#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace attest::model {

// The config.json that a training library writes beside its weights. Shapes of the tensors say everything but the
// number of heads, so this is where that comes from.
class Configuration {
 public:
  // Reads the file. Throws InputError naming it where it is not a JSON object.
  static Configuration read(const std::string& path);
  // The config.json beside the weights; an empty configuration that remembers the path where there is none.
  static Configuration beside(const std::string& weights_path);
  Configuration(Configuration&&) noexcept;
  Configuration& operator=(Configuration&&) noexcept;
  ~Configuration();

  const std::string& path() const;
  bool present() const;
  // The positive integer at the key; nothing where the key is absent or null. Throws InputError naming file, key and
  // value where it is something else.
  std::optional<std::int64_t> count(const std::string& key) const;
  // The string at the key, likewise.
  std::optional<std::string> text(const std::string& key) const;

 private:
  struct State;
  explicit Configuration(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace attest::model
