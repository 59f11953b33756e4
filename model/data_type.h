#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/rational.h"

namespace attest::model {

// The element types a checkpoint file may declare. Only the four floating-point ones can be read as numbers here; the
// others are known so that their sizes can be checked and their bytes copied.
enum class DataType {
  boolean,
  uint8,
  int8,
  float8_e4m3,
  float8_e5m2,
  uint16,
  int16,
  float16,
  bfloat16,
  uint32,
  int32,
  float32,
  uint64,
  int64,
  float64,
};

// The safetensors name: "F32", "BF16", ...
std::string to_string(DataType type);
// The type of that name, or nothing.
std::optional<DataType> data_type_named(std::string_view name);
std::vector<std::string> data_type_names();
std::int64_t byte_width(DataType type);
// float16, bfloat16, float32, float64.
bool is_readable_float(DataType type);

// The value of one encoding, exactly: every finite F16, BF16 and F32 number is a double.
double decode_float16(std::uint16_t bits);
double decode_bfloat16(std::uint16_t bits);
// The little-endian element at `bytes`; the type must be a readable float.
double decode_value(DataType type, const unsigned char* bytes);

// The encoding nearest to a finite value, ties to even; nothing where the value rounds beyond the largest finite number
// of the format. The type must be a readable float.
std::optional<std::string> encode_value(DataType type, double value);

// Where elements come from, for messages: "'model.safetensors': tensor 'h.0.attn.c_attn.weight'".
struct ElementSource {
  std::string place;
  DataType type = DataType::float32;
};

// rows x cols values from consecutive little-endian elements in row-major (or column-major) order, exactly.
// Throws InputError naming the place, the position and the value where an element is NaN or infinite.
DoubleMatrix decode_matrix(const ElementSource& source, const unsigned char* bytes, std::int64_t rows,
                           std::int64_t cols, bool column_major = false);

// The inverse of decode_matrix up to rounding to nearest even. Throws InputError naming the place, the position and
// the value where an element is not finite or rounds beyond the largest finite number of the format.
std::string encode_matrix(const ElementSource& source, const DoubleMatrix& matrix, bool column_major = false);

// a * b, or nothing where it exceeds 2^63 - 1; both must be non-negative.
std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b);

}  // namespace attest::model
