#include "core/support/rational.h"
#include "property_tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = attest::fuzz::text_of(data, size);
  attest::fuzz::accept_or_refuse([&] {
    const attest::Rational value = attest::parse_rational(text);
    attest::fuzz::require(attest::parse_rational(attest::to_string(value)) == value);
  });
  return 0;
}
