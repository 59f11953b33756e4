#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace attest::claim {

// The shape of a model: n tokens, d the residual width, h heads of width k, g KV heads, L layers, m MLP hidden units.
struct Size {
  std::string name;
  std::int64_t n = 0, d = 0, h = 0, g = 0, k = 0, L = 0, m = 0;
  friend bool operator==(const Size&, const Size&) = default;
};

// The named sizes of the command line: tiny, small, and the real shapes gpt2-small, kmg-300m, kmg-1.2b, llama3-8b (one
// layer). Throws InputError naming the known ones.
Size named_size(const std::string& name);
const std::vector<std::string>& size_names();
// Real shapes: too large for rational and ball arithmetic.
bool is_real_size(const Size& size);

// Throws InputError unless every count is positive, h divides d..., g divides h; the message names the values.
void require_valid(const Size& size);

}  // namespace attest::claim
