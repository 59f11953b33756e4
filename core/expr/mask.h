#pragma once

#include <cstdint>
#include <string>

namespace attest::expr {

// Which keys a query row sees. Finite additive masks and ALiBi are added to the logits as expressions instead.
struct Mask {
  enum class Kind { none, causal, window };
  Kind kind = Kind::none;
  std::int64_t width = 0;  // window: the query and the width - 1 keys before it

  static Mask none() { return {}; }
  static Mask causal() { return {Kind::causal, 0}; }
  static Mask window(std::int64_t width) { return {Kind::window, width}; }

  // Bottom-right aligned: query row i of n_q sees keys j <= i + n_k - n_q.
  bool visible(std::int64_t i, std::int64_t j, std::int64_t n_q, std::int64_t n_k) const {
    const std::int64_t last = i + n_k - n_q;
    switch (kind) {
      case Kind::none:
        return true;
      case Kind::causal:
        return j <= last;
      case Kind::window:
        return j <= last && j > last - width;
    }
    return false;
  }
  friend bool operator==(const Mask&, const Mask&) = default;
};

std::string to_string(const Mask& mask);

}  // namespace attest::expr
