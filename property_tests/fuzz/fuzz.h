#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "core/support/error.h"

namespace attest::fuzz {

inline std::string text_of(const std::uint8_t* data, std::size_t size) { return std::string(data, data + size); }

// Ends the run, which libFuzzer reports with the input.
inline void require(bool condition) {
  if (!condition) std::abort();
}

// Bad input is refused with InputError; any other exception escapes and is a finding.
template <class Action>
void accept_or_refuse(Action action) {
  try {
    action();
  } catch (const InputError&) {
  }
}

}  // namespace attest::fuzz
