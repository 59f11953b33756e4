#include "model/safetensors.h"

#include <nlohmann/json.hpp>
#include <unordered_map>

#include "core/support/check.h"
#include "core/support/error.h"
#include "core/support/files.h"
#include "core/support/text.h"
#include "model/mapped_file.h"

namespace attest::model {

struct SafetensorsFile::State {
  explicit State(const std::string& file_path)
      : path(file_path), file(file_path), header(parse_safetensors_header(file_path, file.bytes())) {
    for (std::size_t i = 0; i < header.tensors.size(); ++i) index.emplace(header.tensors[i].name, i);
  }
  std::string path;
  MappedFile file;
  SafetensorsHeader header;
  std::unordered_map<std::string, std::size_t> index;
};

SafetensorsFile::SafetensorsFile(const std::string& path) : state_(std::make_unique<State>(path)) {}
SafetensorsFile::~SafetensorsFile() = default;
SafetensorsFile::SafetensorsFile(SafetensorsFile&&) noexcept = default;
SafetensorsFile& SafetensorsFile::operator=(SafetensorsFile&&) noexcept = default;

const std::string& SafetensorsFile::path() const { return state_->path; }
const SafetensorsHeader& SafetensorsFile::header() const { return state_->header; }

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& tensor : state_->header.tensors) names.push_back(tensor.name);
  return names;
}

bool SafetensorsFile::contains(const std::string& name) const { return state_->index.count(name) > 0; }

const TensorInfo& SafetensorsFile::info(const std::string& name) const {
  const auto found = state_->index.find(name);
  if (found != state_->index.end()) return state_->header.tensors[found->second];
  const auto nearest = nearest_names(name, names());
  throw InputError(
      "'" + path() + "': there is no tensor '" + name + "'; " +
      (nearest.empty() ? "the file has no tensors" : "the nearest names are '" + join(nearest, "', '") + "'"));
}

DoubleMatrix SafetensorsFile::read(const std::string& name) const {
  const TensorInfo& tensor = info(name);
  const std::string place = "'" + path() + "': tensor '" + name + "'";
  if (!is_readable_float(tensor.type))
    throw InputError(place + ": field 'dtype' is " + to_string(tensor.type) +
                     "; expected F16, BF16, F32 or F64: other types are not weights that can be read exactly here");
  if (tensor.shape.size() > 2)
    throw InputError(place + ": field 'shape' is " + shape_text(tensor.shape) + "; expected at most 2 dimensions");
  const std::int64_t cols = tensor.shape.empty() ? 1 : tensor.shape.back();
  const std::int64_t rows = tensor.shape.size() == 2 ? tensor.shape.front() : 1;
  const auto* bytes = reinterpret_cast<const unsigned char*>(raw(name).data());
  return decode_matrix({place, tensor.type}, bytes, rows, cols);
}

std::string_view SafetensorsFile::raw(const std::string& name) const {
  const TensorInfo& tensor = info(name);
  return state_->file.bytes().substr(static_cast<std::size_t>(state_->header.data_start + tensor.begin),
                                     static_cast<std::size_t>(tensor.end - tensor.begin));
}

EncodedTensor encode_tensor(const std::string& name, DataType type, const DoubleMatrix& values, bool as_row) {
  ATTEST_CHECK(!as_row || values.rows == 1, "a rank-1 tensor has one row");
  ATTEST_CHECK(is_readable_float(type), "values are written as F16, BF16, F32 or F64");
  EncodedTensor tensor;
  tensor.name = name;
  tensor.type = type;
  tensor.shape = as_row ? std::vector<std::int64_t>{values.cols} : std::vector<std::int64_t>{values.rows, values.cols};
  tensor.bytes = encode_matrix({"tensor '" + name + "'", type}, values);
  return tensor;
}

std::string encode_safetensors(const std::vector<EncodedTensor>& tensors,
                               const std::map<std::string, std::string>& metadata) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!metadata.empty()) header["__metadata__"] = metadata;
  std::int64_t position = 0;
  for (const auto& tensor : tensors) {
    if (tensor.name == "__metadata__" || header.contains(tensor.name))
      throw InputError("tensor name '" + tensor.name + "' is " +
                       (tensor.name == "__metadata__" ? "reserved" : "given twice") + "; rename the tensor");
    std::int64_t expected = byte_width(tensor.type);
    for (const std::int64_t dimension : tensor.shape) expected = checked_product(expected, dimension).value_or(-1);
    ATTEST_CHECK(expected == static_cast<std::int64_t>(tensor.bytes.size()),
                 "tensor '" + tensor.name + "' has bytes that do not fit its shape");
    header[tensor.name] = {
        {"dtype", to_string(tensor.type)}, {"shape", tensor.shape}, {"data_offsets", {position, position + expected}}};
    position += expected;
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const nlohmann::json::exception& error) {
    throw InputError(std::string("tensor names and metadata must be UTF-8: ") + error.what());
  }
  text.append((8 - text.size() % 8) % 8, ' ');
  std::string image;
  image.reserve(8 + text.size() + static_cast<std::size_t>(position));
  for (std::size_t length = text.size(), i = 0; i < 8; ++i, length >>= 8)
    image.push_back(static_cast<char>(length & 0xff));
  image += text;
  for (const auto& tensor : tensors) image += tensor.bytes;
  return image;
}

void write_safetensors(const std::string& path, const std::vector<EncodedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  write_file(path, encode_safetensors(tensors, metadata));
}

}  // namespace attest::model
