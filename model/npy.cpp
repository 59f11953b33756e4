#include "model/npy.h"

#include <limits>
#include <optional>

#include "core/support/check.h"
#include "core/support/error.h"
#include "core/support/files.h"
#include "model/mapped_file.h"
#include "model/safetensors.h"

namespace attest::model {
namespace {

constexpr std::string_view magic("\x93NUMPY", 6);

[[noreturn]] void fail_field(const std::string& place, const std::string& field, const std::string& value,
                             const std::string& expected) {
  throw InputError(place + ": " + field + " is " + value + "; expected " + expected);
}

struct Description {
  DataType type;
  std::string_view text;
};
constexpr Description descriptions[] = {
    {DataType::float16, "<f2"}, {DataType::float32, "<f4"}, {DataType::float64, "<f8"}};

// Reads the header's Python dictionary with exactly the keys descr, fortran_order and shape, in any order.
class HeaderParser {
 public:
  HeaderParser(std::string place, std::string_view text) : place_(std::move(place)), text_(text) {}

  void parse(NpyArray* array) {
    take('{');
    while (!peek('}')) {
      read_item(array);
      if (!peek('}')) take(',');
    }
    take('}');
    skip_spaces();
    if (text_.substr(position_) != "\n") fail("a newline at the end of the header");
    if (!has_descr_) fail_missing("descr");
    if (!has_order_) fail_missing("fortran_order");
    if (!has_shape_) fail_missing("shape");
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    throw InputError(place_ + ": the header is wrong at its character " + std::to_string(position_) + "; expected " +
                     expected);
  }
  [[noreturn]] void fail_missing(const std::string& key) const {
    fail_field(place_, "header key '" + key + "'", "missing", "it to be present");
  }

  void skip_spaces() {
    while (position_ < text_.size() && text_[position_] == ' ') ++position_;
  }
  bool peek(char expected) {
    skip_spaces();
    return position_ < text_.size() && text_[position_] == expected;
  }
  void take(char expected) {
    if (!peek(expected)) fail(std::string("'") + expected + "'");
    ++position_;
  }

  std::string read_string() {
    const char quote = peek('"') ? '"' : '\'';
    take(quote);
    const auto end = text_.find(quote, position_);
    if (end == std::string_view::npos) fail("the end of a string");
    std::string value(text_.substr(position_, end - position_));
    position_ = end + 1;
    return value;
  }

  bool read_boolean() {
    skip_spaces();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(position_, word.size()) == word) {
        position_ += word.size();
        return value;
      }
    }
    fail("True or False for 'fortran_order'");
  }

  std::int64_t read_natural() {
    skip_spaces();
    std::optional<std::int64_t> value;
    for (; position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '9'; ++position_) {
      const std::int64_t digit = text_[position_] - '0';
      std::int64_t next = 0;
      if (__builtin_mul_overflow(value.value_or(0), std::int64_t{10}, &next) ||
          __builtin_add_overflow(next, digit, &next))
        fail("dimensions below 2^63 in 'shape'");
      value = next;
    }
    if (!value.has_value()) fail("a non-negative integer in 'shape'");
    return *value;
  }

  std::vector<std::int64_t> read_shape() {
    std::vector<std::int64_t> shape;
    bool comma = false;
    take('(');
    while (!peek(')')) {
      shape.push_back(read_natural());
      comma = peek(',');
      if (!comma) break;
      take(',');
    }
    take(')');
    if (shape.size() == 1 && !comma) fail("a tuple for 'shape': one dimension is written (n,)");
    return shape;
  }

  void read_item(NpyArray* array) {
    const std::string key = read_string();
    bool* seen = key == "descr"           ? &has_descr_
                 : key == "fortran_order" ? &has_order_
                 : key == "shape"         ? &has_shape_
                                          : nullptr;
    if (seen == nullptr) fail_field(place_, "header key '" + key + "'", "unknown", "descr, fortran_order and shape");
    if (*seen) fail_field(place_, "header key '" + key + "'", "given twice", "each key once");
    *seen = true;
    take(':');
    if (key == "descr") {
      array->type = read_type();
    } else if (key == "fortran_order") {
      array->fortran_order = read_boolean();
    } else {
      array->shape = read_shape();
    }
  }

  DataType read_type() {
    const std::string text = read_string();
    for (const auto& description : descriptions)
      if (description.text == text) return description.type;
    fail_field(place_, "header key 'descr'", "'" + text + "'", "'<f2', '<f4' or '<f8' (little-endian floats)");
  }

  std::string place_;
  std::string_view text_;
  std::size_t position_ = 0;
  bool has_descr_ = false, has_order_ = false, has_shape_ = false;
};

// The header text; *data_start is the position of the first data byte.
std::string_view header_text(const std::string& place, std::string_view image, std::size_t* data_start) {
  if (image.substr(0, magic.size()) != magic)
    fail_field(place, "the magic string (bytes 0 to 5)", "something else", "\\x93NUMPY; this is not a .npy file");
  if (image.size() < 8) fail_field(place, "the file size", std::to_string(image.size()) + " bytes", "a version");
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(image[i])); };
  const std::size_t major = byte(6), minor = byte(7);
  if ((major != 1 && major != 2) || minor != 0)
    fail_field(place, "the version", std::to_string(major) + "." + std::to_string(minor), "1.0 or 2.0");
  const std::size_t width = major == 1 ? 2 : 4;
  if (image.size() < 8 + width)
    fail_field(place, "the file size", std::to_string(image.size()) + " bytes", "a header length");
  std::size_t length = 0;
  for (std::size_t i = width; i-- > 0;) length = (length << 8) | byte(8 + i);
  *data_start = 8 + width + length;
  if (*data_start > image.size())
    fail_field(
        place, "the header length", std::to_string(length),
        "at most " + std::to_string(image.size() - 8 - width) + ", the bytes that follow; the file is truncated");
  return image.substr(8 + width, length);
}

void require_data_size(const std::string& place, const NpyArray& array, std::size_t data_size) {
  if (array.shape.size() > 2) fail_field(place, "header key 'shape'", shape_text(array.shape), "at most 2 dimensions");
  std::optional<std::int64_t> count = byte_width(array.type);
  for (const std::int64_t dimension : array.shape) {
    count = checked_product(*count, dimension);
    if (!count.has_value())
      fail_field(place, "header key 'shape'", shape_text(array.shape), "at most 2^63 - 1 bytes; the product overflows");
  }
  if (static_cast<std::uint64_t>(*count) != data_size)
    fail_field(place, "the size of the data", std::to_string(data_size) + " bytes",
               std::to_string(*count) + " for shape " + shape_text(array.shape) + " of " + to_string(array.type));
}

}  // namespace

NpyArray parse_npy(const std::string& file_name, std::string_view image) {
  const std::string place = "'" + file_name + "'";
  std::size_t data_start = 0;
  const std::string_view text = header_text(place, image, &data_start);
  NpyArray array;
  HeaderParser(place, text).parse(&array);
  require_data_size(place, array, image.size() - data_start);
  const std::int64_t cols = array.shape.empty() ? 1 : array.shape.back();
  const std::int64_t rows = array.shape.size() == 2 ? array.shape.front() : 1;
  const auto* bytes = reinterpret_cast<const unsigned char*>(image.data() + data_start);
  array.values = decode_matrix({place, array.type}, bytes, rows, cols, array.fortran_order);
  return array;
}

NpyArray read_npy(const std::string& path) {
  const MappedFile file(path);
  return parse_npy(path, file.bytes());
}

std::string encode_npy(const DoubleMatrix& values, const NpyOptions& options) {
  ATTEST_CHECK(options.major_version == 1 || options.major_version == 2, "a .npy version this writer knows");
  ATTEST_CHECK(!options.as_row || values.rows == 1, "a rank-1 array has one row");
  std::string descr;
  for (const auto& description : descriptions)
    if (description.type == options.type) descr = description.text;
  ATTEST_CHECK(!descr.empty(), ".npy values are written as F16, F32 or F64");
  std::string header = "{'descr': '" + descr + "', 'fortran_order': " + (options.fortran_order ? "True" : "False") +
                       ", 'shape': (" + (options.as_row ? "" : std::to_string(values.rows) + ", ") +
                       std::to_string(values.cols) + (options.as_row ? ",)" : ")") + ", }";
  const std::size_t width = options.major_version == 1 ? 2 : 4;
  // The data start at a multiple of 64, so that they can be mapped as vectors; the newline ends the padding.
  const std::size_t unpadded = magic.size() + 2 + width + header.size() + 1;
  header.append((64 - unpadded % 64) % 64, ' ');
  header.push_back('\n');
  std::string image(magic);
  image.push_back(static_cast<char>(options.major_version));
  image.push_back('\0');
  for (std::size_t length = header.size(), i = 0; i < width; ++i, length >>= 8)
    image.push_back(static_cast<char>(length & 0xff));
  return image + header + encode_matrix({"the array", options.type}, values, options.fortran_order);
}

void write_npy(const std::string& path, const DoubleMatrix& values, const NpyOptions& options) {
  write_file(path, encode_npy(values, options));
}

}  // namespace attest::model
