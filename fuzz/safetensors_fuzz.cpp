// libFuzzer entry point: any bytes are a header that is read with consistent tensors or refused as bad input. Not built
// by default (docs/checkpoints.md#fuzzing).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/support/check.h"
#include "core/support/error.h"
#include "model/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view image(reinterpret_cast<const char*>(data), size);
  try {
    const auto header = attest::model::parse_safetensors_header("fuzz", image);
    std::int64_t covered = 0;
    for (const auto& tensor : header.tensors) {
      ATTEST_CHECK(tensor.begin == covered && tensor.end >= tensor.begin, "tensors in order without holes");
      covered = tensor.end;
    }
    ATTEST_CHECK(header.data_start + covered == static_cast<std::int64_t>(size), "tensors that cover the data");
  } catch (const attest::InputError&) {
    // Refused: fine.
  }
  return 0;
}
