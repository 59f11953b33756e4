#include "property_tests/fuzz/fuzz.h"
#include "reports/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text = attest::fuzz::text_of(data, size);
  attest::fuzz::accept_or_refuse([&] {
    const std::string written = attest::reports::to_json(attest::reports::parse_report(text));
    attest::fuzz::require(attest::reports::to_json(attest::reports::parse_report(written)) == written);
  });
  return 0;
}
