#include <catch2/catch.hpp>

#include "model/safetensors.h"
#include "property_tests/model/scratch.h"
#include "property_tests/support/property.h"

namespace attest::model {
namespace {

std::string length_bytes(std::uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i, length >>= 8) bytes.push_back(static_cast<char>(length & 255));
  return bytes;
}

// A file image with this header text and that many data bytes.
std::string image_of(const std::string& header, std::size_t data_size) {
  return length_bytes(header.size()) + header + std::string(data_size, '\0');
}

std::string entry(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return R"({"dtype":)" + dtype + R"(,"shape":)" + shape + R"(,"data_offsets":)" + offsets + "}";
}

std::string message_of(const std::string& image) {
  return test::error_of([&] { (void)parse_safetensors_header("m.safetensors", image); });
}

struct Malformed {
  const char* what;
  std::string image;
  std::vector<std::string> message;  // all of it is in the message, beside the file name
};

// One 2 x 2 F32 tensor named t with a wrong field.
std::string one_tensor(const std::string& dtype, const std::string& shape, const std::string& offsets,
                       std::size_t data_size = 16) {
  return image_of(R"({"t":)" + entry(dtype, shape, offsets) + "}", data_size);
}

const std::string good = entry(R"("F32")", "[2,2]", "[0,16]");

std::vector<Malformed> malformed_frames() {
  return {
      {"an empty file", "", {"file size is 0 bytes", "at least 8"}},
      {"a file of 7 bytes", "1234567", {"file size is 7 bytes"}},
      {"a header longer than the file", length_bytes(100) + "{}", {"header length", "is 100", "at most 2"}},
      {"a header one byte longer than the file", length_bytes(3) + "{}", {"header length", "is 3", "at most 2"}},
      {"a header longer than the cap",
       length_bytes(100'000'001) + "{}",
       {"header length", "is 100000001", "100000000"}},
      {"a header length of 2^64 - 1", length_bytes(~std::uint64_t{0}) + "{}", {"18446744073709551615"}},
      {"an empty header", image_of("", 0), {"not valid UTF-8 JSON"}},
      {"text that is not JSON", image_of("{\"t\":", 0), {"not valid UTF-8 JSON"}},
      {"text after the JSON", image_of("{} x", 0), {"not valid UTF-8 JSON"}},
      {"a byte that is not UTF-8", image_of("{\"\xff\":" + good + "}", 16), {"not valid UTF-8 JSON"}},
      {"a header that is an array", image_of("[]", 0), {"the header is []", "a JSON object"}},
      {"a header that is nested deeper", image_of("{\"t\":{\"shape\":[[1]]}}", 0), {"nesting"}},
      {"a tensor given twice", image_of("{\"t\":" + good + ",\"t\":" + good + "}", 16), {"key \"t\"", "twice"}},
      {"a field given twice", image_of(R"({"t":{"dtype":"F32","dtype":"F32"}})", 16), {"key \"dtype\"", "twice"}},
      {"metadata that is no object", image_of(R"({"__metadata__":3})", 0), {"'__metadata__' is 3"}},
      {"metadata that is no string", image_of(R"({"__metadata__":{"a":1}})", 0), {"'__metadata__' key \"a\" is 1"}},
      {"data that no tensor owns", image_of("{\"t\":" + good + "}", 20), {"size of the data is 20 bytes", "16"}},
      {"data without tensors", image_of("{}", 1), {"size of the data is 1 bytes", "expected 0"}},
  };
}

std::vector<Malformed> malformed_fields() {
  return {
      {"an entry that is no object", image_of(R"({"t":5})", 0), {"tensor 't'", "the entry is 5"}},
      {"an unknown field", image_of(R"({"t":{"dtype":"F32","strides":[1]}})", 0), {"tensor 't'", "\"strides\" is [1]"}},
      {"no dtype", image_of(R"({"t":{"shape":[0],"data_offsets":[0,0]}})", 0), {"'t'", "'dtype' is missing"}},
      {"no shape", image_of(R"({"t":{"dtype":"F32","data_offsets":[0,0]}})", 0), {"'t'", "'shape' is missing"}},
      {"no offsets", image_of(R"({"t":{"dtype":"F32","shape":[0]}})", 0), {"'t'", "'data_offsets' is missing"}},
      {"an unknown dtype", one_tensor(R"("F31")", "[2,2]", "[0,16]"), {"'t'", "'dtype' is \"F31\"", "BF16"}},
      {"a dtype that is no string", one_tensor("32", "[2,2]", "[0,16]"), {"'t'", "'dtype' is 32"}},
      {"a shape that is no array", one_tensor(R"("F32")", "4", "[0,16]"), {"'t'", "'shape' is 4"}},
      {"a negative dimension", one_tensor(R"("F32")", "[-2,-2]", "[0,16]"), {"'shape' is [-2,-2]", "non-negative"}},
      {"a fractional dimension", one_tensor(R"("F32")", "[2.0,2]", "[0,16]"), {"'shape' is [2.0,2]", "integers"}},
      {"a dimension of 2^63", one_tensor(R"("F32")", "[9223372036854775808]", "[0,16]"), {"9223372036854775808"}},
      {"a dimension of 2^64 + 4",
       one_tensor(R"("F32")", "[18446744073709551620]", "[0,16]"),
       {"'shape' is", "integers"}},
      {"a product that overflows",
       one_tensor(R"("F32")", "[4294967296,4294967296]", "[0,16]"),
       {"'shape'", "overflows"}},
      {"bytes that overflow", one_tensor(R"("F32")", "[2305843009213693953]", "[0,4]", 4), {"'shape'", "overflows"}},
      {"offsets that are no pair", one_tensor(R"("F32")", "[2,2]", "[0,16,32]"), {"'data_offsets' is [0,16,32]"}},
      {"offsets that are no integers", one_tensor(R"("F32")", "[2,2]", "[0,\"16\"]"), {"'data_offsets' is [0,\"16\"]"}},
      {"a negative offset", one_tensor(R"("F32")", "[2,2]", "[-16,0]"), {"'data_offsets' is [-16,0]"}},
      {"offsets in the wrong order", one_tensor(R"("F32")", "[2,2]", "[16,0]"), {"[16,0]", "begin <= end"}},
      {"offsets beyond the file", one_tensor(R"("F32")", "[2,2]", "[0,16]", 15), {"[0,16]", "at most 15", "truncated"}},
      {"fewer bytes than the shape",
       one_tensor(R"("F32")", "[2,3]", "[0,16]"),
       {"[0,16]", "24 bytes", "[2, 3] of F32"}},
      {"more bytes than the shape", one_tensor(R"("F16")", "[2,2]", "[0,16]"), {"[0,16]", "8 bytes", "F16"}},
      {"tensors that overlap",
       image_of("{\"t\":" + good + ",\"u\":" + entry(R"("F32")", "[2]", "[12,20]") + "}", 20),
       {"tensor 'u'", "[12, 20]", "a begin of 16", "overlap"}},
      {"two tensors in one place", image_of("{\"t\":" + good + ",\"u\":" + good + "}", 16), {"tensor 'u'", "overlap"}},
      {"a hole between tensors",
       image_of("{\"t\":" + good + ",\"u\":" + entry(R"("F32")", "[1]", "[20,24]") + "}", 24),
       {"tensor 'u'", "[20, 24]", "a begin of 16", "hole"}},
      {"a hole before the first tensor",
       one_tensor(R"("F32")", "[2,2]", "[4,20]", 20),
       {"'t'", "a begin of 0", "hole"}},
  };
}

void check_all(const std::vector<Malformed>& cases) {
  for (const auto& malformed : cases) {
    INFO(malformed.what);
    const std::string message = message_of(malformed.image);
    CHECK_THAT(message, Catch::StartsWith("'m.safetensors'"));
    for (const auto& part : malformed.message) CHECK_THAT(message, Catch::Contains(part));
  }
}

TEST_CASE("a file whose frame is wrong is refused with the file and what was expected", "[model][safetensors]") {
  check_all(malformed_frames());
}

TEST_CASE("a tensor entry that is wrong is refused with tensor, field, value and what was expected",
          "[model][safetensors]") {
  check_all(malformed_fields());
}

TEST_CASE("a right header is read whole", "[model][safetensors]") {
  const std::string text = R"({"b":)" + entry(R"("BF16")", "[3]", "[16,22]") +
                           R"(,"__metadata__":{"format":"pt"},"a":)" + good + R"(,"empty":)" +
                           entry(R"("I64")", "[0,4]", "[16,16]") + R"(,"scalar":)" + entry(R"("U8")", "[]", "[22,23]") +
                           "}  ";
  const SafetensorsHeader header = parse_safetensors_header("m.safetensors", image_of(text, 23));
  REQUIRE(header.tensors.size() == 4);
  CHECK(header.tensors[0].name == "a");
  CHECK(header.tensors[1].name == "empty");
  CHECK(header.tensors[1].shape == std::vector<std::int64_t>{0, 4});
  CHECK(header.tensors[2].name == "b");
  CHECK(header.tensors[2].type == DataType::bfloat16);
  CHECK(header.tensors[2].begin == 16);
  CHECK(header.tensors[3].shape.empty());
  CHECK(header.metadata.at("format") == "pt");
  CHECK(header.data_start == static_cast<std::int64_t>(8 + text.size()));
}

TEST_CASE("a mutated file is either read with consistent tensors or refused as bad input", "[model][safetensors]") {
  const std::string text = R"({"a":)" + good + R"(,"b":)" + entry(R"("F16")", "[2,1]", "[16,20]") + "}";
  const std::string original = image_of(text, 20);
  const auto report = test::check_property(
      "one byte changed",
      [&](std::uint64_t word) {
        std::string image = original;
        image[word % image.size()] = static_cast<char>((word >> 32) & 255);
        std::int64_t covered = 0;
        bool refused = false;
        try {
          for (const auto& tensor : parse_safetensors_header("m.safetensors", image).tensors) {
            RC_ASSERT(tensor.begin == covered);
            covered = tensor.end;
          }
        } catch (const InputError&) {
          refused = true;
        }
        RC_TAG(std::string(refused ? "refused" : "read"));
        RC_ASSERT(refused || covered <= static_cast<std::int64_t>(image.size()));
      },
      2000);
  CHECK(report.count("refused") > 500);
  CHECK(report.count("read") > 100);
}

TEST_CASE("every proper prefix of a file is refused", "[model][safetensors]") {
  const std::string image = image_of("{\"t\":" + good + "}", 16);
  for (std::size_t size = 0; size < image.size(); ++size) {
    INFO(size);
    CHECK(message_of(image.substr(0, size)) != "no InputError");
  }
  CHECK(message_of(image) == "no InputError");
}

}  // namespace
}  // namespace attest::model
