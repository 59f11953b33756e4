#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/rational.h"
#include "model/data_type.h"

namespace attest::model {

// One entry of the header: a tensor and where its bytes lie, counted from the first byte after the header.
struct TensorInfo {
  std::string name;
  DataType type = DataType::float32;
  std::vector<std::int64_t> shape;
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// "[768, 2304]".
std::string shape_text(const std::vector<std::int64_t>& shape);

struct SafetensorsHeader {
  std::vector<TensorInfo> tensors;              // in the order of their bytes
  std::map<std::string, std::string> metadata;  // the file's __metadata__
  std::int64_t data_start = 0;                  // position of the first data byte in the file
};

// Longer headers are refused before they are read, as by the reference implementation.
constexpr std::int64_t longest_safetensors_header = 100'000'000;

// Parses and validates the header of a whole file image: 8 bytes length N, N bytes of JSON, data. Every field is
// checked against every other and against the size of the image (docs/checkpoints.md lists the checks); the first
// that fails throws InputError naming the file, the tensor, the field, its value and what was expected.
SafetensorsHeader parse_safetensors_header(const std::string& file_name, std::string_view image);

// A checkpoint file, mapped into memory; nothing but the header is read until a tensor is asked for. The file must not
// be truncated by another process while it is open.
class SafetensorsFile {
 public:
  // Throws InputError naming the file where it cannot be opened or its header is wrong.
  explicit SafetensorsFile(const std::string& path);
  ~SafetensorsFile();
  SafetensorsFile(SafetensorsFile&&) noexcept;
  SafetensorsFile& operator=(SafetensorsFile&&) noexcept;

  const std::string& path() const;
  const SafetensorsHeader& header() const;
  std::vector<std::string> names() const;
  bool contains(const std::string& name) const;
  // Throws InputError with the nearest names where the tensor is missing.
  const TensorInfo& info(const std::string& name) const;
  // The values, exactly; a rank-1 tensor is 1 x n, a rank-0 one 1 x 1. Throws InputError where the tensor is missing,
  // is not F16, BF16, F32 or F64, has rank above 2, or holds NaN or an infinity (with the position).
  DoubleMatrix read(const std::string& name) const;
  // The bytes as they lie in the file, for copying; valid while the file is open.
  std::string_view raw(const std::string& name) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct EncodedTensor {
  std::string name;
  DataType type = DataType::float32;
  std::vector<std::int64_t> shape;
  std::string bytes;
};

// Values rounded to nearest even in the format; `as_row` stores a 1 x n matrix as a rank-1 tensor. Throws InputError
// naming tensor, position and value where a value is not finite or overflows the format.
EncodedTensor encode_tensor(const std::string& name, DataType type, const DoubleMatrix& values, bool as_row = false);

// The file image, tensors in the given order without holes, data aligned to 8 bytes. Throws InputError on a repeated or
// reserved name; a shape that does not fit its bytes is a broken invariant.
std::string encode_safetensors(const std::vector<EncodedTensor>& tensors,
                               const std::map<std::string, std::string>& metadata = {});
// The same into a file: the whole file or nothing.
void write_safetensors(const std::string& path, const std::vector<EncodedTensor>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace attest::model
