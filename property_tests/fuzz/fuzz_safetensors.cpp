#include "model/safetensors.h"
#include "property_tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string image = attest::fuzz::text_of(data, size);
  attest::fuzz::accept_or_refuse([&] {
    const auto header = attest::model::parse_safetensors_header("fuzzed.safetensors", image);
    std::int64_t covered = 0;
    for (const auto& tensor : header.tensors) {
      attest::fuzz::require(tensor.begin == covered && tensor.end >= tensor.begin);
      covered = tensor.end;
    }
    attest::fuzz::require(header.data_start + covered == static_cast<std::int64_t>(image.size()));
  });
  return 0;
}
