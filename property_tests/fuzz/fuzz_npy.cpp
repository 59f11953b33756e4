#include "model/npy.h"
#include "property_tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string image = attest::fuzz::text_of(data, size);
  attest::fuzz::accept_or_refuse([&] {
    const auto array = attest::model::parse_npy("fuzzed.npy", image);
    const auto count = static_cast<std::size_t>(array.values.rows * array.values.cols);
    attest::fuzz::require(array.values.entries.size() == count);
  });
  return 0;
}
