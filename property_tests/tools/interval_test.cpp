#include <array>
#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "core/arith/backend.h"
#include "core/certificate/decimal.h"
#include "core/expr/function.h"
#include "core/support/text.h"
#include "property_tests/support/skip.h"

namespace attest {
namespace {

// One line a value: function, x, lower and upper end of the interval of tools/recheck at 192 bits.
constexpr const char* program = R"(
import sys
sys.path.insert(0, sys.argv[1])
if hasattr(sys, 'set_int_max_str_digits'):
    sys.set_int_max_str_digits(0)
from fractions import Fraction
from recheck.interval import Interval, exp, inv_sqrt
from recheck.matrix import Certified
points = [Fraction(p, q) for p in (-4001, -350, -61, -7, -1, 0, 1, 2, 9, 80, 500, 4001) for q in (1, 3, 10, 97)]
certified = Certified(192)
for x in points:
    values = {name: certified.activation(name, x) for name in ('relu', 'relu_squared', 'gelu', 'gelu_tanh', 'silu', 'tanh')}
    values['exp'] = exp(min(x, Fraction(30)), 192)
    if x > 0:
        values['inv_sqrt'] = inv_sqrt(x, 192)
    for name, value in values.items():
        low, high = Interval.of(value, 192).ends()
        print(name, min(x, Fraction(30)) if name == 'exp' else x, low, high)
)";

std::string output_of_program() {
  const std::string command = std::string("python3 -B -c \"") + program + "\" '" ATTEST_SOURCE_DIR "/tools' 2>&1";
  std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string output;
  std::array<char, 4096> buffer{};
  for (std::size_t count = 0; (count = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    output.append(buffer.data(), count);
  return output;
}

certificate::Enclosure ball_value(expr::Function function, const Rational& x) {
  arith::BackendOptions options;
  options.precision = 1024;
  const auto ball = arith::make_backend("ball", options);
  RationalMatrix matrix(1, 1);
  matrix.at(0, 0) = x;
  const auto value = ball->elementwise(function, ball->from_rational(matrix).value());
  REQUIRE(value.ok());
  const auto enclosure = certificate::parse_enclosure(ball->entry_text(value.value(), 0, 0));
  REQUIRE(enclosure.has_value());
  return *enclosure;
}

}  // namespace

TEST_CASE("the intervals of replay.py contain what balls of 1024 bits enclose, and are narrow", "[tools]") {
  if (std::system("python3 -c pass") != 0) ATTEST_SKIP("no python3");
  const Rational widest = Rational(1) / (Rational(Integer(1) << 120));
  int values = 0;
  for (const auto& line : split(output_of_program(), '\n')) {
    if (line.empty()) continue;
    INFO(line);
    const auto parts = split(line, ' ');
    REQUIRE(parts.size() == 4);
    const auto function = expr::function_named(parts[0]);
    REQUIRE(function.has_value());
    const Rational x = parse_rational(parts[1]), low = parse_rational(parts[2]), high = parse_rational(parts[3]);
    const certificate::Enclosure ball = ball_value(*function, x);
    CHECK(low <= ball.high);
    CHECK(ball.low <= high);
    CHECK(high - low <= widest);
    ++values;
  }
  CHECK(values > 300);
}

}  // namespace attest
