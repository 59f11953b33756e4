// Gaussian elimination in attest's arithmetics: the inverse of an n x n integer matrix, and the solution of X A = Y
// with a thin Y. The libraries it is held against are in eigen_elimination.cpp, on the same matrices in the same run.
#include <benchmark/benchmark.h>

#include "bench/instances.h"
#include "core/arith/backend.h"

namespace attest::bench {
namespace {

void inverse(benchmark::State& state, const std::string& arithmetic, std::int64_t precision) {
  const auto backend = arith::make_backend(arithmetic, {.precision = precision});
  const auto matrix = backend->from_rational(integer_matrix(state.range(0), state.range(0), 1)).value();
  for (auto _ : state) {
    auto result = backend->inverse(matrix);
    if (!result.ok()) state.SkipWithError(result.reason().c_str());
    benchmark::DoNotOptimize(result);
  }
}

void solve(benchmark::State& state, const std::string& arithmetic, std::int64_t precision) {
  const auto backend = arith::make_backend(arithmetic, {.precision = precision});
  const auto matrix = backend->from_rational(integer_matrix(state.range(0), state.range(0), 1)).value();
  const auto thin = backend->from_rational(integer_matrix(4, state.range(0), 2)).value();
  for (auto _ : state) {
    auto result = backend->solve_right(thin, matrix, expr::Structure::general);
    if (!result.ok()) state.SkipWithError(result.reason().c_str());
    benchmark::DoNotOptimize(result);
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(inverse, attest_field, "field", 0)->Apply(sizes);
BENCHMARK_CAPTURE(inverse, attest_rational, "rational", 0)->Apply(sizes);
BENCHMARK_CAPTURE(inverse, attest_ball_256_bits, "ball", 256)->Apply(sizes);
BENCHMARK_CAPTURE(inverse, attest_multiprecision_256_bits, "multiprecision", 256)->Apply(sizes);
BENCHMARK_CAPTURE(inverse, attest_double, "double", 0)->Apply(sizes);
BENCHMARK_CAPTURE(solve, attest_field, "field", 0)->Apply(sizes);
BENCHMARK_CAPTURE(solve, attest_rational, "rational", 0)->Apply(sizes);
BENCHMARK_CAPTURE(solve, attest_ball_256_bits, "ball", 256)->Apply(sizes);

}  // namespace
}  // namespace attest::bench
