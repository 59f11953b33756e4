#include "model/data_type.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <sstream>

#include "core/support/check.h"
#include "core/support/error.h"

namespace attest::model {
namespace {

struct Description {
  DataType type;
  const char* name;
  std::int64_t width;
};

constexpr std::array<Description, 15> descriptions{{{DataType::boolean, "BOOL", 1},
                                                    {DataType::uint8, "U8", 1},
                                                    {DataType::int8, "I8", 1},
                                                    {DataType::float8_e4m3, "F8_E4M3", 1},
                                                    {DataType::float8_e5m2, "F8_E5M2", 1},
                                                    {DataType::uint16, "U16", 2},
                                                    {DataType::int16, "I16", 2},
                                                    {DataType::float16, "F16", 2},
                                                    {DataType::bfloat16, "BF16", 2},
                                                    {DataType::uint32, "U32", 4},
                                                    {DataType::int32, "I32", 4},
                                                    {DataType::float32, "F32", 4},
                                                    {DataType::uint64, "U64", 8},
                                                    {DataType::int64, "I64", 8},
                                                    {DataType::float64, "F64", 8}}};

const Description& describe(DataType type) {
  for (const auto& description : descriptions)
    if (description.type == type) return description;
  ATTEST_CHECK(false, "a data type without a description");
  std::abort();
}

std::uint64_t little_endian(const unsigned char* bytes, std::int64_t width) {
  std::uint64_t word = 0;
  for (std::int64_t i = width; i-- > 0;) word = (word << 8) | bytes[i];
  return word;
}

std::string little_endian_bytes(std::uint64_t word, std::int64_t width) {
  std::string bytes;
  for (std::int64_t i = 0; i < width; ++i, word >>= 8) bytes.push_back(static_cast<char>(word & 0xff));
  return bytes;
}

// The encoding of |value| in a format with that many stored fraction bits, least normal exponent and pattern of
// infinity. The quotient by the spacing of the format is exact (a power of two), so the rounding happens once.
std::optional<std::uint16_t> encode_half_width(double value, int fraction_bits, int least_exponent,
                                               std::uint16_t infinity) {
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  const double magnitude = std::fabs(value);
  if (magnitude == 0) return sign;
  const int exponent = std::max(std::ilogb(magnitude), least_exponent);
  const double steps = std::nearbyint(std::ldexp(magnitude, fraction_bits - exponent));
  // A carry out of the fraction moves on to the next exponent by itself.
  const double bits = std::ldexp(exponent - least_exponent, fraction_bits) + steps;
  if (bits >= infinity) return std::nullopt;
  return static_cast<std::uint16_t>(sign | static_cast<std::uint16_t>(bits));
}

std::string position_text(std::int64_t row, std::int64_t col) {
  return "[" + std::to_string(row) + ", " + std::to_string(col) + "]";
}

std::string value_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::ostringstream text;
  text.precision(std::numeric_limits<double>::max_digits10);
  text << value;
  return text.str();
}

std::int64_t element_index(const DoubleMatrix& matrix, std::int64_t row, std::int64_t col, bool column_major) {
  return column_major ? col * matrix.rows + row : row * matrix.cols + col;
}

}  // namespace

std::string to_string(DataType type) { return describe(type).name; }

std::optional<DataType> data_type_named(std::string_view name) {
  for (const auto& description : descriptions)
    if (description.name == name) return description.type;
  return std::nullopt;
}

std::vector<std::string> data_type_names() {
  std::vector<std::string> names;
  for (const auto& description : descriptions) names.emplace_back(description.name);
  return names;
}

std::int64_t byte_width(DataType type) { return describe(type).width; }

bool is_readable_float(DataType type) {
  return type == DataType::float16 || type == DataType::bfloat16 || type == DataType::float32 ||
         type == DataType::float64;
}

double decode_float16(std::uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = (bits >> 10) & 0x1f;
  const int fraction = bits & 0x3ff;
  if (exponent == 0x1f)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -24);
  return sign * std::ldexp(0x400 | fraction, exponent - 25);
}

double decode_bfloat16(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

double decode_value(DataType type, const unsigned char* bytes) {
  ATTEST_CHECK(is_readable_float(type), "decode_value of " + to_string(type));
  const std::uint64_t word = little_endian(bytes, byte_width(type));
  if (type == DataType::float64) return std::bit_cast<double>(word);
  if (type == DataType::float32) return std::bit_cast<float>(static_cast<std::uint32_t>(word));
  const auto half = static_cast<std::uint16_t>(word);
  return type == DataType::float16 ? decode_float16(half) : decode_bfloat16(half);
}

std::optional<std::string> encode_value(DataType type, double value) {
  ATTEST_CHECK(is_readable_float(type) && std::isfinite(value), "encode_value of a finite value as a float");
  const std::int64_t width = byte_width(type);
  if (type == DataType::float64) return little_endian_bytes(std::bit_cast<std::uint64_t>(value), width);
  if (type == DataType::float32) {
    // From here on the nearest float is infinite: the midpoint of the largest float and 2^128 goes to even, which is
    // up.
    if (std::fabs(value) >= 0x1.ffffffp+127) return std::nullopt;
    return little_endian_bytes(std::bit_cast<std::uint32_t>(static_cast<float>(value)), width);
  }
  const auto bits =
      type == DataType::float16 ? encode_half_width(value, 10, -14, 0x7c00) : encode_half_width(value, 7, -126, 0x7f80);
  if (!bits.has_value()) return std::nullopt;
  return little_endian_bytes(*bits, width);
}

DoubleMatrix decode_matrix(const ElementSource& source, const unsigned char* bytes, std::int64_t rows,
                           std::int64_t cols, bool column_major) {
  DoubleMatrix matrix(rows, cols);
  const std::int64_t width = byte_width(source.type);
  if (matrix.entries.empty()) return matrix;
  for (std::int64_t row = 0; row < rows; ++row)
    for (std::int64_t col = 0; col < cols; ++col) {
      const double value = decode_value(source.type, bytes + element_index(matrix, row, col, column_major) * width);
      if (!std::isfinite(value))
        throw InputError(source.place + ": entry " + position_text(row, col) + " is " + value_text(value) +
                         "; expected finite numbers: the file is damaged or its training diverged");
      matrix.at(row, col) = value;
    }
  return matrix;
}

std::string encode_matrix(const ElementSource& source, const DoubleMatrix& matrix, bool column_major) {
  const std::int64_t width = byte_width(source.type);
  std::string bytes(matrix.entries.size() * static_cast<std::size_t>(width), '\0');
  if (bytes.empty()) return bytes;
  for (std::int64_t row = 0; row < matrix.rows; ++row)
    for (std::int64_t col = 0; col < matrix.cols; ++col) {
      const double value = matrix.at(row, col);
      const auto encoded = std::isfinite(value) ? encode_value(source.type, value) : std::nullopt;
      if (!encoded.has_value())
        throw InputError(source.place + ": entry " + position_text(row, col) + " is " + value_text(value) +
                         ", which has no finite " + to_string(source.type) + " value; write a wider type");
      bytes.replace(static_cast<std::size_t>(element_index(matrix, row, col, column_major) * width),
                    static_cast<std::size_t>(width), *encoded);
    }
  return bytes;
}

std::optional<std::int64_t> checked_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

}  // namespace attest::model
