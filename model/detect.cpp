#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>

#include "core/support/error.h"
#include "core/support/text.h"
#include "model/family.h"
#include "model/layout.h"

namespace attest::model {
namespace {

constexpr std::int64_t most_layers = 100'000;

struct Place {
  std::string prefix;
  std::int64_t layer;
};

// "PREFIX" and I where the name is PREFIX + layer_prefix + I + "." + marker.
std::optional<Place> marked_layer(const FamilyDescription& family, std::string_view name) {
  const std::string suffix = "." + family.marker;
  if (name.size() <= suffix.size() || name.substr(name.size() - suffix.size()) != suffix) return std::nullopt;
  name.remove_suffix(suffix.size());
  const auto digits = name.find_last_not_of("0123456789");
  const std::size_t start = digits == std::string_view::npos ? 0 : digits + 1;
  const std::string_view head = name.substr(0, start);
  if (head.size() < family.layer_prefix.size() ||
      head.substr(head.size() - family.layer_prefix.size()) != family.layer_prefix)
    return std::nullopt;
  Place place{std::string(head.substr(0, head.size() - family.layer_prefix.size())), 0};
  if (!place.prefix.empty() && place.prefix.back() != '.') return std::nullopt;
  const auto [end, error] = std::from_chars(name.data() + start, name.data() + name.size(), place.layer);
  if (error != std::errc() || end != name.data() + name.size() || place.layer >= most_layers) return std::nullopt;
  return place;
}

std::string looked_for() {
  std::vector<std::string> parts;
  for (const auto& family : families())
    parts.push_back("'" + family.layer_prefix + "0." + family.marker + "' (" + family.name + ")");
  return join(parts, ", ") + ", each with any prefix";
}

std::string examples_of(const std::vector<std::string>& names) {
  if (names.empty()) return "the file has no tensors";
  constexpr std::size_t most = 5;
  const std::vector<std::string> shown(names.begin(), names.begin() + std::min(most, names.size()));
  return "the file has " + std::to_string(names.size()) + " tensors: '" + join(shown, "', '") + "'" +
         (names.size() > most ? ", ..." : "");
}

}  // namespace

Layout detect_layout(const std::string& file_name, const std::vector<std::string>& tensor_names) {
  std::map<std::pair<std::size_t, std::string>, std::set<std::int64_t>> found;
  for (std::size_t i = 0; i < families().size(); ++i)
    for (const auto& name : tensor_names)
      if (const auto place = marked_layer(families()[i], name)) found[{i, place->prefix}].insert(place->layer);
  if (found.empty())
    throw InputError("'" + file_name + "': the layout of this checkpoint is unknown: looked for " + looked_for() +
                     "; " + examples_of(tensor_names));
  if (found.size() > 1) {
    std::vector<std::string> models;
    for (const auto& item : found)
      models.push_back(families()[item.first.first].name + " under '" + item.first.second + "'");
    throw InputError("'" + file_name + "': several models are in this file (" + join(models, ", ") +
                     "); expected one: save the one you mean to a file of its own");
  }
  const auto& [key, layers] = *found.begin();
  const FamilyDescription& family = families()[key.first];
  for (std::int64_t layer = 0; layer <= *layers.rbegin(); ++layer)
    if (layers.count(layer) == 0)
      throw InputError("'" + file_name + "': there is no tensor '" + key.second + family.layer_prefix +
                       std::to_string(layer) + "." + family.marker + "' although layer " +
                       std::to_string(*layers.rbegin()) +
                       " is there; if the checkpoint is split over several files, join them first");
  return {family.family, key.second, static_cast<std::int64_t>(layers.size())};
}

}  // namespace attest::model
