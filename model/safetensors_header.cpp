#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>

#include "core/support/error.h"
#include "core/support/text.h"
#include "model/safetensors.h"

namespace attest::model {
namespace {

using Json = nlohmann::json;
constexpr std::int64_t length_bytes = 8;
// The header is an object of objects of arrays; anything deeper is not a safetensors header.
constexpr int deepest_nesting = 3;

std::string json_text(const Json& value) {
  constexpr std::size_t longest = 80;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

[[noreturn]] void fail_field(const std::string& place, const std::string& field, const std::string& value,
                             const std::string& expected) {
  throw InputError(place + ": " + field + " is " + value + "; expected " + expected);
}

// The length in the first 8 bytes, checked against the size of the file.
std::int64_t header_length(const std::string& place, std::string_view image) {
  const auto size = static_cast<std::uint64_t>(image.size());
  if (size < length_bytes)
    fail_field(place, "the file size", std::to_string(size) + " bytes",
               "at least 8: a safetensors file starts with the length of its header");
  std::uint64_t length = 0;
  for (std::size_t i = length_bytes; i-- > 0;) length = (length << 8) | static_cast<unsigned char>(image[i]);
  if (length > static_cast<std::uint64_t>(longest_safetensors_header))
    fail_field(place, "the header length (bytes 0 to 7)", std::to_string(length),
               "at most " + std::to_string(longest_safetensors_header) + "; this is probably not a safetensors file");
  if (length > size - length_bytes)
    fail_field(place, "the header length (bytes 0 to 7)", std::to_string(length),
               "at most " + std::to_string(size - length_bytes) +
                   ", the bytes that follow it; the file is truncated or is not a safetensors file");
  return static_cast<std::int64_t>(length);
}

// The parser itself accepts repeated keys (the last one wins), which would let two readers see two different files.
class KeyWatcher {
 public:
  explicit KeyWatcher(std::string place) : place_(std::move(place)) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
      if (depth >= deepest_nesting)
        fail_field(place_, "the nesting of the header", "deeper than " + std::to_string(deepest_nesting),
                   "an object of tensors, each with dtype, shape and data_offsets");
      if (event == Json::parse_event_t::object_start) keys_.emplace_back();
    } else if (event == Json::parse_event_t::object_end) {
      keys_.pop_back();
    } else if (event == Json::parse_event_t::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second)
        fail_field(place_, "the key " + json_text(parsed), "given twice in one object", "each key once");
    }
    return true;
  }

 private:
  std::string place_;
  std::vector<std::set<std::string>> keys_;
};

Json parse_json(const std::string& place, std::string_view text) {
  try {
    KeyWatcher watcher(place);
    Json json = Json::parse(text.begin(), text.end(), std::ref(watcher));
    if (!json.is_object()) fail_field(place, "the header", json_text(json), "a JSON object");
    return json;
  } catch (const Json::exception& error) {
    throw InputError(place + ": the header is not valid UTF-8 JSON (" + error.what() +
                     "); the file is damaged or is not a safetensors file");
  }
}

const Json& field(const std::string& place, const Json& entry, const char* name) {
  const auto found = entry.find(name);
  if (found == entry.end()) fail_field(place, "field '" + std::string(name) + "'", "missing", "it to be present");
  return *found;
}

void require_known_fields(const std::string& place, const Json& entry) {
  if (!entry.is_object())
    fail_field(place, "the entry", json_text(entry), "an object with dtype, shape and data_offsets");
  for (const auto& item : entry.items())
    if (item.key() != "dtype" && item.key() != "shape" && item.key() != "data_offsets")
      fail_field(place, "field " + json_text(item.key()), json_text(item.value()),
                 "only dtype, shape and data_offsets");
}

// A non-negative integer below 2^63; JSON numbers with a fraction, an exponent or a sign are not integers.
std::int64_t natural(const std::string& place, const std::string& name, const Json& whole, const Json& value) {
  if (!value.is_number_unsigned() ||
      value.get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
    fail_field(place, "field '" + name + "'", json_text(whole), "non-negative integers below 2^63");
  return value.get<std::int64_t>();
}

DataType read_data_type(const std::string& place, const Json& entry) {
  const Json& value = field(place, entry, "dtype");
  const auto type = value.is_string() ? data_type_named(value.get_ref<const std::string&>()) : std::nullopt;
  if (!type.has_value())
    fail_field(place, "field 'dtype'", json_text(value), "one of " + join(data_type_names(), ", "));
  return *type;
}

std::vector<std::int64_t> read_shape(const std::string& place, const Json& entry) {
  const Json& value = field(place, entry, "shape");
  if (!value.is_array()) fail_field(place, "field 'shape'", json_text(value), "an array of non-negative integers");
  std::vector<std::int64_t> shape;
  for (const auto& dimension : value) shape.push_back(natural(place, "shape", value, dimension));
  return shape;
}

// The bytes that type and shape ask for.
std::int64_t byte_count(const std::string& place, DataType type, const std::vector<std::int64_t>& shape) {
  std::optional<std::int64_t> count = byte_width(type);
  for (const std::int64_t dimension : shape) {
    count = checked_product(*count, dimension);
    if (!count.has_value())
      fail_field(place, "field 'shape'", shape_text(shape),
                 "at most 2^63 - 1 bytes of " + to_string(type) + "; the product overflows");
  }
  return *count;
}

void read_offsets(const std::string& place, const Json& entry, std::int64_t data_size, TensorInfo* info) {
  const Json& value = field(place, entry, "data_offsets");
  if (!value.is_array() || value.size() != 2)
    fail_field(place, "field 'data_offsets'", json_text(value), "two integers [begin, end]");
  info->begin = natural(place, "data_offsets", value, value[0]);
  info->end = natural(place, "data_offsets", value, value[1]);
  if (info->begin > info->end) fail_field(place, "field 'data_offsets'", json_text(value), "begin <= end");
  if (info->end > data_size)
    fail_field(
        place, "field 'data_offsets'", json_text(value),
        "an end of at most " + std::to_string(data_size) + ", the data bytes in the file; the file is truncated");
  const std::int64_t expected = byte_count(place, info->type, info->shape);
  if (info->end - info->begin != expected)
    fail_field(place, "field 'data_offsets'", json_text(value),
               std::to_string(expected) + " bytes between them, for shape " + shape_text(info->shape) + " of " +
                   to_string(info->type));
}

std::map<std::string, std::string> read_metadata(const std::string& place, const Json& value) {
  if (!value.is_object()) fail_field(place, "'__metadata__'", json_text(value), "an object of strings");
  std::map<std::string, std::string> metadata;
  for (const auto& item : value.items()) {
    if (!item.value().is_string())
      fail_field(place, "'__metadata__' key " + json_text(item.key()), json_text(item.value()), "a string");
    metadata.emplace(item.key(), item.value().get<std::string>());
  }
  return metadata;
}

// Sorts by position and requires that the tensors cover the data without overlaps and holes.
void require_cover(const std::string& file_place, std::int64_t data_size, std::vector<TensorInfo>* tensors) {
  std::sort(tensors->begin(), tensors->end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  std::int64_t covered = 0;
  std::string previous = "the start of the data";
  for (const auto& tensor : *tensors) {
    if (tensor.begin != covered)
      fail_field(file_place + ": tensor '" + tensor.name + "'", "field 'data_offsets'",
                 "[" + std::to_string(tensor.begin) + ", " + std::to_string(tensor.end) + "]",
                 "a begin of " + std::to_string(covered) + ", the end of " + previous +
                     (tensor.begin < covered ? "; the tensors overlap" : "; there is a hole between them"));
    covered = tensor.end;
    previous = "tensor '" + tensor.name + "'";
  }
  if (covered != data_size)
    fail_field(file_place, "the size of the data", std::to_string(data_size) + " bytes",
               std::to_string(covered) + ", the end of " + previous + "; bytes are left over that no tensor owns");
}

}  // namespace

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::vector<std::string> dimensions;
  for (const std::int64_t dimension : shape) dimensions.push_back(std::to_string(dimension));
  return "[" + join(dimensions, ", ") + "]";
}

SafetensorsHeader parse_safetensors_header(const std::string& file_name, std::string_view image) {
  const std::string place = "'" + file_name + "'";
  const std::int64_t length = header_length(place, image);
  const Json json = parse_json(place, image.substr(length_bytes, static_cast<std::size_t>(length)));
  SafetensorsHeader header;
  header.data_start = length_bytes + length;
  const std::int64_t data_size = static_cast<std::int64_t>(image.size()) - header.data_start;
  for (const auto& item : json.items()) {
    if (item.key() == "__metadata__") {
      header.metadata = read_metadata(place, item.value());
      continue;
    }
    const std::string tensor_place = place + ": tensor '" + item.key() + "'";
    require_known_fields(tensor_place, item.value());
    TensorInfo info;
    info.name = item.key();
    info.type = read_data_type(tensor_place, item.value());
    info.shape = read_shape(tensor_place, item.value());
    read_offsets(tensor_place, item.value(), data_size, &info);
    header.tensors.push_back(std::move(info));
  }
  require_cover(place, data_size, &header.tensors);
  return header;
}

}  // namespace attest::model
