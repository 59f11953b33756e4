#include "core/claim/size.h"

#include <algorithm>

#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::claim {
namespace {

// Tokens of the real shapes: a handful, since every claim of theirs acts on each token alike.
const std::vector<Size>& sizes() {
  static const std::vector<Size> list{
      // name, n, d, h, g, k, L, m. Heads of width 4: 1/sqrt(k) is rational, so that exact arithmetic can take part.
      {"tiny", 3, 8, 2, 2, 4, 2, 6},
      {"small", 3, 16, 4, 2, 4, 3, 20},
      {"medium", 4, 32, 8, 8, 4, 4, 48},
      {"gpt2-small", 4, 768, 12, 12, 64, 12, 3072},
      {"kmg-300m", 4, 1024, 16, 16, 64, 20, 4096},
      {"kmg-1.2b", 4, 2048, 32, 32, 64, 22, 8192},
      {"llama3-8b", 4, 4096, 32, 8, 128, 1, 14336},
  };
  return list;
}

}  // namespace

Size named_size(const std::string& name) {
  for (const Size& size : sizes())
    if (size.name == name) return size;
  throw InputError("unknown size '" + name + "'; expected one of " + join(size_names(), ", "));
}

const std::vector<std::string>& size_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const Size& size : sizes()) list.push_back(size.name);
    return list;
  }();
  return names;
}

bool is_real_size(const Size& size) { return size.d > 64; }

void require_valid(const Size& size) {
  const auto require_positive = [&](const char* letter, std::int64_t value) {
    if (value < 1)
      throw InputError("size " + size.name + ": " + letter + " = " + std::to_string(value) + "; expected at least 1");
  };
  require_positive("n", size.n);
  require_positive("d", size.d);
  require_positive("h", size.h);
  require_positive("g", size.g);
  require_positive("k", size.k);
  require_positive("L", size.L);
  require_positive("m", size.m);
  if (size.h % size.g != 0)
    throw InputError("size " + size.name + ": g = " + std::to_string(size.g) + " KV heads do not divide h = " +
                     std::to_string(size.h) + " heads; choose g among the divisors of h");
}

}  // namespace attest::claim
