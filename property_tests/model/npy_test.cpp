#include "model/npy.h"

#include <catch2/catch.hpp>

#include "property_tests/model/scratch.h"
#include "property_tests/support/property.h"

namespace attest::model {
namespace {

// A version 1.0 image with this header text and that many data bytes.
std::string image_of(const std::string& header, std::size_t data_size, const std::string& version = {"\x01\x00", 2}) {
  std::string image = "\x93NUMPY" + version;
  image.push_back(static_cast<char>(header.size() & 255));
  image.push_back(static_cast<char>(header.size() >> 8));
  return image + header + std::string(data_size, '\0');
}

const std::string good = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }\n";

TEST_CASE("written arrays are read back exactly in every type, order and version", "[model][npy]") {
  int checked = 0;
  for (const DataType type : {DataType::float16, DataType::float32, DataType::float64})
    for (const bool fortran_order : {false, true})
      for (const int version : {1, 2}) {
        const DoubleMatrix matrix = test::pattern(3, 5, version);
        const std::string image = encode_npy(matrix, {type, fortran_order, false, version});
        const NpyArray array = parse_npy("a.npy", image);
        CHECK(array.type == type);
        CHECK(array.fortran_order == fortran_order);
        CHECK(array.shape == std::vector<std::int64_t>{3, 5});
        CHECK(array.values.entries == matrix.entries);
        CHECK((image.size() - 15 * static_cast<std::size_t>(byte_width(type))) % 64 == 0);
        ++checked;
      }
  CHECK(checked == 12);
}

TEST_CASE("column order in the file means columns first", "[model][npy]") {
  const std::string text = "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 1)}\n";
  std::string image = image_of(text, 0) + std::string("\0\0\x80\x3f\0\0\0\x40", 8);
  CHECK(parse_npy("a", image).values.entries == std::vector<double>{1, 2});
  const DoubleMatrix matrix = test::pattern(2, 2);
  const std::string c = encode_npy(matrix, {DataType::float64, false, false, 1});
  const std::string f = encode_npy(matrix, {DataType::float64, true, false, 1});
  CHECK(c.substr(c.size() - 24, 8) == f.substr(f.size() - 16, 8));
}

TEST_CASE("an array of rank 0 or 1 is one row", "[model][npy]") {
  const NpyArray row = parse_npy("a", encode_npy(test::pattern(1, 4), {DataType::float32, false, true, 1}));
  CHECK(row.shape == std::vector<std::int64_t>{4});
  CHECK(row.values.rows == 1);
  const NpyArray scalar = parse_npy("a", image_of("{\"shape\": (), 'fortran_order':False,'descr':'<f8'}\n", 8));
  CHECK(scalar.values.entries == std::vector<double>{0});
}

TEST_CASE("a malformed array file is refused with the file, the field, its value and what was expected",
          "[model][npy]") {
  const auto header = [](const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + "}\n";
  };
  struct Malformed {
    std::string image, message;
  };
  const std::vector<Malformed> cases{
      {"", "magic"},
      {"\x93NUMPX\x01" + std::string(9, '\0'), "magic"},
      {"\x93NUMPY\x01", "file size is 7 bytes"},
      {"\x93NUMPY\x01" + std::string(1, '\0'), "file size is 8 bytes"},
      {image_of(good, 48, std::string("\x03\x00", 2)), "version is 3.0"},
      {image_of(good, 48, std::string("\x01\x01", 2)), "version is 1.1"},
      {image_of(good, 48).substr(0, 40), "header length is"},
      {image_of(good, 47), "size of the data is 47 bytes; expected 48"},
      {image_of(good, 49), "size of the data is 49 bytes; expected 48"},
      {image_of(header("'>f8'", "False", "(2, 3)"), 48), "'descr' is '>f8'"},
      {image_of(header("'<i8'", "False", "(2, 3)"), 48), "'descr' is '<i8'"},
      {image_of(header("'<f8'", "false", "(2, 3)"), 48), "True or False"},
      {image_of(header("'<f8'", "False", "(2, -3)"), 48), "non-negative integer"},
      {image_of(header("'<f8'", "False", "(6)"), 48), "one dimension is written (n,)"},
      {image_of(header("'<f8'", "False", "(1, 2, 3)"), 48), "'shape' is [1, 2, 3]"},
      {image_of(header("'<f8'", "False", "(4294967296, 4294967296)"), 48), "overflows"},
      {image_of(header("'<f8'", "False", "(9223372036854775808,)"), 48), "below 2^63"},
      {image_of("{'descr': '<f8', 'fortran_order': False}\n", 48), "'shape' is missing"},
      {image_of("{'descr': '<f8', 'shape': (6,)}\n", 48), "'fortran_order' is missing"},
      {image_of("{'fortran_order': False, 'shape': (6,)}\n", 48), "'descr' is missing"},
      {image_of("{'descr': '<f8', 'descr': '<f8'}\n", 48), "'descr' is given twice"},
      {image_of("{'order': False}\n", 48), "'order' is unknown"},
      {image_of(good.substr(0, good.size() - 1), 48), "newline"},
      {image_of("{'descr: \n", 48), "end of a string"},
      {image_of("'descr'\n", 48), "expected '{'"},
      {image_of("{'descr' '<f8'}\n", 48), "expected ':'"},
  };
  for (const auto& malformed : cases) {
    INFO(malformed.message);
    CHECK_THAT(test::error_of([&] { (void)parse_npy("a.npy", malformed.image); }),
               Catch::StartsWith("'a.npy'") && Catch::Contains(malformed.message));
  }
  CHECK(parse_npy("a.npy", image_of(good, 48)).values.entries == std::vector<double>(6, 0.0));
}

TEST_CASE("an array file on disk is read and a NaN in it is refused with its position", "[model][npy]") {
  const test::ScratchFolder folder;
  write_npy(folder.file("w.npy"), test::pattern(4, 2));
  CHECK(read_npy(folder.file("w.npy")).values.entries == test::pattern(4, 2).entries);
  std::string image = encode_npy(test::pattern(2, 2));
  image.replace(image.size() - 8, 8, std::string("\0\0\0\0\0\0\xf8\x7f", 8));
  const std::string path = folder.write("nan.npy", image);
  CHECK_THAT(test::error_of([&] { (void)read_npy(path); }), Catch::Contains(path) && Catch::Contains("[1, 1] is NaN"));
}

TEST_CASE("a mutated array file is read or refused as bad input", "[model][npy]") {
  const std::string original = encode_npy(test::pattern(2, 2));
  const auto report = test::check_property(
      "one byte changed",
      [&](std::uint64_t word) {
        std::string image = original;
        image[word % 80] = static_cast<char>((word >> 32) & 255);
        try {
          RC_ASSERT(parse_npy("a", image).values.entries.size() == 4u);
          RC_TAG(std::string("read"));
        } catch (const InputError&) {
          RC_TAG(std::string("refused"));
        }
      },
      1000);
  CHECK(report.count("refused") > 300);
}

}  // namespace
}  // namespace attest::model
