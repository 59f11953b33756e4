#include "core/certificate/certificate.h"
#include "property_tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = attest::fuzz::text_of(data, size);
  attest::fuzz::accept_or_refuse([&] {
    const std::string written = attest::certificate::to_json(attest::certificate::parse_certificate(text));
    attest::fuzz::require(attest::certificate::to_json(attest::certificate::parse_certificate(written)) == written);
  });
  return 0;
}
