#include "core/arith/backend.h"

#include <array>

#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::arith {
namespace {

struct Maker {
  const char* name;
  std::unique_ptr<Backend> (*make)(const BackendOptions&);
};

constexpr std::array<Maker, 6> makers{{{"field", make_field},
                                       {"rational", make_rational},
                                       {"ball", make_ball},
                                       {"multiprecision", make_multiprecision},
                                       {"double", make_double},
                                       {"float", make_float}}};

}  // namespace

const std::vector<std::string>& backend_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list;
    for (const auto& maker : makers) list.emplace_back(maker.name);
    return list;
  }();
  return names;
}

std::unique_ptr<Backend> make_backend(const std::string& name, const BackendOptions& options) {
  for (const auto& maker : makers)
    if (name == maker.name) return maker.make(options);
  throw InputError("unknown arithmetic '" + name + "'; expected one of " + join(backend_names(), ", "));
}

Outcome<Matrix> Backend::uniform(expr::Shape, expr::Structure, RandomStream) const {
  return Outcome<Matrix>::unable(name() + " has no uniform law on its numbers");
}

Outcome<Matrix> Backend::solve_right(const Matrix& x, const Matrix& a, expr::Structure) const {
  const Outcome<Matrix> inverted = inverse(a);
  if (!inverted.ok()) return inverted;
  return multiply(x, inverted.value());
}

Outcome<Matrix> Backend::solve_left(const Matrix& a, const Matrix& y, expr::Structure) const {
  const Outcome<Matrix> inverted = inverse(a);
  if (!inverted.ok()) return inverted;
  return multiply(inverted.value(), y);
}

Outcome<RationalMatrix> Backend::to_rational(const Matrix&) const {
  return Outcome<RationalMatrix>::unable(name() + " does not hold rational numbers");
}

}  // namespace attest::arith
