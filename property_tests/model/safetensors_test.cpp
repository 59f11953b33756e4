#include "model/safetensors.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <limits>

#include "property_tests/model/scratch.h"
#include "property_tests/support/property.h"

namespace attest::model {
namespace {

TEST_CASE("written tensors of every float type are read back exactly", "[model][safetensors]") {
  const test::ScratchFolder folder;
  const std::string path = folder.file("weights.safetensors");
  const std::vector<DataType> types{DataType::float16, DataType::bfloat16, DataType::float32, DataType::float64};
  std::vector<EncodedTensor> tensors;
  for (const DataType type : types) {
    tensors.push_back(encode_tensor(to_string(type) + ".matrix", type, test::pattern(3, 5)));
    tensors.push_back(encode_tensor(to_string(type) + ".row", type, test::pattern(1, 4), true));
  }
  write_safetensors(path, tensors, {{"format", "pt"}});
  const SafetensorsFile file(path);
  CHECK(file.header().metadata.at("format") == "pt");
  CHECK(file.header().data_start % 8 == 0);
  for (const DataType type : types) {
    const DoubleMatrix matrix = file.read(to_string(type) + ".matrix"), row = file.read(to_string(type) + ".row");
    CHECK(matrix.rows == 3);
    CHECK(matrix.cols == 5);
    CHECK(matrix.entries == test::pattern(3, 5).entries);
    CHECK(file.info(to_string(type) + ".row").shape == std::vector<std::int64_t>{4});
    CHECK(row.rows == 1);
    CHECK(row.entries == test::pattern(1, 4).entries);
  }
}

TEST_CASE("bytes of unreadable types are copied but not read", "[model][safetensors]") {
  const test::ScratchFolder folder;
  const std::string path = folder.file("weights.safetensors");
  write_safetensors(path, {{"ids", DataType::int64, {2}, std::string("0123456789abcdef")},
                           {"cube", DataType::float32, {1, 1, 1}, std::string(4, '\0')},
                           {"scalar", DataType::float32, {}, std::string("\0\0\x80\x3f", 4)}});
  const SafetensorsFile file(path);
  CHECK(file.raw("ids") == "0123456789abcdef");
  CHECK(file.read("scalar").at(0, 0) == 1.0);
  CHECK_THAT(test::error_of([&] { (void)file.read("ids"); }),
             Catch::Contains(path) && Catch::Contains("tensor 'ids'") && Catch::Contains("'dtype' is I64"));
  CHECK_THAT(test::error_of([&] { (void)file.read("cube"); }),
             Catch::Contains("tensor 'cube'") && Catch::Contains("'shape' is [1, 1, 1]"));
}

TEST_CASE("a missing tensor is named with the nearest present ones", "[model][safetensors]") {
  const test::ScratchFolder folder;
  const std::string path = folder.file("weights.safetensors");
  write_safetensors(path, {encode_tensor("layer.0.query", DataType::float32, test::pattern(1, 1)),
                           encode_tensor("layer.0.key", DataType::float32, test::pattern(1, 1))});
  const SafetensorsFile file(path);
  CHECK_FALSE(file.contains("layer.0.quary"));
  CHECK_THAT(test::error_of([&] { (void)file.read("layer.0.quary"); }),
             Catch::Contains(path) && Catch::Contains("'layer.0.quary'") &&
                 Catch::Contains("nearest names are 'layer.0.query'"));
}

TEST_CASE("a NaN weight is refused with file, tensor and position", "[model][safetensors]") {
  const test::ScratchFolder folder;
  auto tensor = encode_tensor("W", DataType::float32, test::pattern(2, 3));
  tensor.bytes.replace(4 * 5, 4, std::string("\0\0\xc0\x7f", 4));
  const std::string path = folder.write("nan.safetensors", encode_safetensors({tensor}));
  const SafetensorsFile file(path);
  CHECK_THAT(test::error_of([&] { (void)file.read("W"); }),
             Catch::Contains(path) && Catch::Contains("tensor 'W': entry [1, 2] is NaN"));
}

TEST_CASE("the writer refuses repeated, reserved and non-UTF-8 names", "[model][safetensors]") {
  const auto tensor = encode_tensor("W", DataType::float32, test::pattern(1, 1));
  auto reserved = tensor, broken = tensor;
  reserved.name = "__metadata__";
  broken.name = "\xff";
  CHECK_THAT(test::error_of([&] {
               (void)encode_safetensors({tensor, tensor});
             }),
             Catch::Contains("'W' is given twice"));
  CHECK_THAT(test::error_of([&] { (void)encode_safetensors({reserved}); }), Catch::Contains("reserved"));
  CHECK_THAT(test::error_of([&] { (void)encode_safetensors({broken}); }), Catch::Contains("UTF-8"));
}

TEST_CASE("a write that fails leaves nothing behind", "[model][safetensors]") {
  const test::ScratchFolder folder;
  DoubleMatrix matrix = test::pattern(1, 1);
  matrix.at(0, 0) = std::numeric_limits<double>::infinity();
  CHECK_THAT(
      test::error_of([&] { write_safetensors(folder.file("w"), {encode_tensor("W", DataType::float32, matrix)}); }),
      Catch::Contains("tensor 'W': entry [0, 0] is +Inf"));
  CHECK(test::error_of([&] { write_safetensors(folder.file("absent/w"), {}); }) != "no InputError");
  CHECK(std::filesystem::is_empty(std::filesystem::path(folder.file("w")).parent_path()));
}

TEST_CASE("random shapes and values round-trip", "[model][safetensors]") {
  const auto report = test::check_property("what is written is read", [] {
    const auto extent = rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, 6));
    const std::int64_t rows = *extent, cols = *extent;
    DoubleMatrix matrix(rows, cols);
    for (auto& entry : matrix.entries) entry = static_cast<double>(*rc::gen::arbitrary<std::int32_t>()) * 0x1p-20;
    const std::string image = encode_safetensors({encode_tensor("a b\"\xc3\xa9", DataType::float64, matrix)});
    const SafetensorsHeader header = parse_safetensors_header("image", image);
    RC_ASSERT(header.tensors.size() == 1u);
    RC_ASSERT(header.tensors[0].name == "a b\"\xc3\xa9");
    RC_TAG(std::string(matrix.entries.empty() ? "empty" : "filled"));
    const auto* bytes = reinterpret_cast<const unsigned char*>(image.data() + header.data_start);
    RC_ASSERT(decode_matrix({"image", DataType::float64}, bytes, rows, cols).entries == matrix.entries);
  });
  CHECK(report.count("filled") > 40);
  CHECK(report.count("empty") > 5);
}

}  // namespace
}  // namespace attest::model
