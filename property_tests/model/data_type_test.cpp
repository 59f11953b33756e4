#include "model/data_type.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "property_tests/model/scratch.h"
#include "property_tests/support/property.h"

namespace attest::model {
namespace {

// The value of an encoding from the definition of a binary interchange format, in rational arithmetic.
Rational value_by_definition(unsigned bits, unsigned exponent_bits, unsigned fraction_bits) {
  const unsigned fraction = bits & ((1u << fraction_bits) - 1);
  const unsigned exponent = (bits >> fraction_bits) & ((1u << exponent_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  Rational value(fraction + (exponent != 0 ? 1u << fraction_bits : 0u));
  const int power = (exponent != 0 ? static_cast<int>(exponent) : 1) - bias - static_cast<int>(fraction_bits);
  Rational scale(Integer(1) << static_cast<unsigned>(std::abs(power)));
  value = power >= 0 ? Rational(value * scale) : Rational(value / scale);
  return (bits >> (exponent_bits + fraction_bits)) != 0 ? Rational(-value) : value;
}

std::uint16_t word_of(const std::string& bytes) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[0]) | static_cast<unsigned char>(bytes[1]) << 8);
}

struct Half {
  DataType type;
  double (*decode)(std::uint16_t);
  unsigned exponent_bits, fraction_bits;
};
constexpr Half halves[] = {{DataType::float16, decode_float16, 5, 10}, {DataType::bfloat16, decode_bfloat16, 8, 7}};

TEST_CASE("all 65536 encodings of F16 and of BF16 decode to the value of the definition", "[model][data_type]") {
  for (const Half& half : halves) {
    int finite = 0, wrong = 0;
    const unsigned infinite_exponent = (1u << half.exponent_bits) - 1;
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const double value = half.decode(static_cast<std::uint16_t>(bits));
      const unsigned fraction = bits & ((1u << half.fraction_bits) - 1);
      if (((bits >> half.fraction_bits) & infinite_exponent) == infinite_exponent) {
        const bool right = fraction != 0 ? std::isnan(value) : std::isinf(value) && (value < 0) == (bits >= 32768);
        wrong += right ? 0 : 1;
        continue;
      }
      ++finite;
      const bool right = std::isfinite(value) && std::signbit(value) == (bits >= 32768) &&
                         exact_rational(value) == value_by_definition(bits, half.exponent_bits, half.fraction_bits);
      wrong += right ? 0 : 1;
    }
    CHECK(finite == static_cast<int>(65536 - (2u << half.fraction_bits)));
    CHECK(wrong == 0);
  }
}

TEST_CASE("every finite encoding of F16 and of BF16 is encoded back to itself", "[model][data_type]") {
  for (const Half& half : halves) {
    int wrong = 0;
    for (unsigned bits = 0; bits < 65536; ++bits) {
      const double value = half.decode(static_cast<std::uint16_t>(bits));
      if (!std::isfinite(value)) continue;
      const auto encoded = encode_value(half.type, value);
      wrong += encoded.has_value() && word_of(*encoded) == bits ? 0 : 1;
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("midpoints of neighbouring half-width numbers round to even and points beside them to the nearer one",
          "[model][data_type]") {
  for (const Half& half : halves) {
    int wrong = 0, checked = 0;
    for (unsigned bits = 0; std::isfinite(half.decode(static_cast<std::uint16_t>(bits + 1))); ++bits, ++checked) {
      const double low = half.decode(static_cast<std::uint16_t>(bits));
      const double high = half.decode(static_cast<std::uint16_t>(bits + 1));
      const double middle = low + (high - low) / 2;  // exact: two bits more than the format has
      const unsigned even = bits % 2 == 0 ? bits : bits + 1;
      wrong += word_of(*encode_value(half.type, middle)) == even ? 0 : 1;
      wrong += word_of(*encode_value(half.type, std::nextafter(middle, low))) == bits ? 0 : 1;
      wrong += word_of(*encode_value(half.type, std::nextafter(middle, high))) == bits + 1 ? 0 : 1;
    }
    CHECK(checked > 31000);
    CHECK(wrong == 0);
  }
}

TEST_CASE("values that round beyond the largest finite number have no encoding", "[model][data_type]") {
  CHECK(encode_value(DataType::float16, 65519.999).has_value());
  CHECK_FALSE(encode_value(DataType::float16, 65520).has_value());
  CHECK_FALSE(encode_value(DataType::bfloat16, 0x1.ffp+127).has_value());
  CHECK(encode_value(DataType::bfloat16, std::nextafter(0x1.ffp+127, 0)).has_value());
  CHECK(encode_value(DataType::float32, std::nextafter(0x1.ffffffp+127, 0)).has_value());
  CHECK_FALSE(encode_value(DataType::float32, -0x1.ffffffp+127).has_value());
}

TEST_CASE("random F32 and F64 bit patterns survive decoding and encoding", "[model][data_type]") {
  const auto report = test::check_property(
      "decode then encode is the identity on finite encodings",
      [](std::uint64_t word, bool wide) {
        const DataType type = wide ? DataType::float64 : DataType::float32;
        std::string bytes;
        for (std::int64_t i = 0; i < byte_width(type); ++i) bytes.push_back(static_cast<char>((word >> (8 * i)) & 255));
        const double value = decode_value(type, reinterpret_cast<const unsigned char*>(bytes.data()));
        RC_PRE(std::isfinite(value));
        RC_TAG(std::string(wide ? "F64" : "F32"));
        RC_ASSERT(encode_value(type, value) == std::optional<std::string>(bytes));
      },
      1000);
  CHECK(report.count("F64") > 100);
  CHECK(report.count("F32") > 100);
}

TEST_CASE("F32 bytes are little-endian", "[model][data_type]") {
  const unsigned char bytes[] = {0x00, 0x00, 0xc0, 0x3f};
  CHECK(decode_value(DataType::float32, bytes) == 1.5);
}

TEST_CASE("a NaN or an infinity in a matrix is refused with its position and value", "[model][data_type]") {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    std::string bytes;
    for (int i = 0; i < 6; ++i) {
      const auto word = std::bit_cast<std::uint64_t>(i == 4 ? bad : 1.0);
      for (int b = 0; b < 8; ++b) bytes.push_back(static_cast<char>((word >> (8 * b)) & 255));
    }
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    const std::string rows_first = test::error_of([&] {
      (void)decode_matrix({"the place", DataType::float64}, data, 2, 3);
    });
    CHECK_THAT(rows_first,
               Catch::Contains("the place: entry [1, 1] is " + std::string(std::isnan(bad) ? "NaN" : "-Inf")));
    const std::string columns_first = test::error_of([&] {
      (void)decode_matrix({"the place", DataType::float64}, data, 2, 3, true);
    });
    CHECK_THAT(columns_first, Catch::Contains("entry [0, 2]"));
  }
}

TEST_CASE("encoding refuses what the format cannot hold, with its position", "[model][data_type]") {
  DoubleMatrix matrix = test::pattern(2, 2);
  matrix.at(1, 0) = 1e6;
  CHECK_THAT(test::error_of([&] {
               (void)encode_matrix({"W", DataType::float16}, matrix);
             }),
             Catch::Contains("W: entry [1, 0] is 1000000") && Catch::Contains("F16"));
  matrix.at(1, 0) = std::numeric_limits<double>::quiet_NaN();
  CHECK_THAT(test::error_of([&] {
               (void)encode_matrix({"W", DataType::float64}, matrix);
             }),
             Catch::Contains("entry [1, 0] is NaN"));
}

TEST_CASE("products beyond 63 bits are noticed", "[model][data_type]") {
  CHECK(checked_product(std::int64_t{1} << 31, std::int64_t{1} << 31) == std::int64_t{1} << 62);
  CHECK_FALSE(checked_product(std::int64_t{1} << 32, std::int64_t{1} << 31).has_value());
}

TEST_CASE("every data type is found by its name", "[model][data_type]") {
  const auto names = data_type_names();
  REQUIRE(names.size() == 15);
  for (const auto& name : names) CHECK(to_string(data_type_named(name).value()) == name);
  CHECK_FALSE(data_type_named("f32").has_value());
}

}  // namespace
}  // namespace attest::model
