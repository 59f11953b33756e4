// Evaluating an expression DAG: one attention layer with its query projection removed and put back, n tokens of width
// d, in each arithmetic. Measures the overhead of the DAG together with the arithmetic.
#include <benchmark/benchmark.h>

#include "bench/instances.h"
#include "core/claim/evaluate.h"

namespace attest::bench {
namespace {

void attention(benchmark::State& state, const std::string& arithmetic) {
  const std::int64_t tokens = 8, width = state.range(0);
  expr::Graph graph;
  const auto x = graph.input("X", {tokens, width}), w_q = graph.input("W_Q", {width, width});
  const auto w_k = graph.input("W_K", {width, width}), w_v = graph.input("W_V", {width, width});
  const auto rebased = x * w_q * (expr::inverse(w_q) * w_k) * expr::transpose(x * w_k);
  const auto root = expr::softmax(rebased, expr::Mask::causal()) * (x * w_v);
  const auto backend = arith::make_backend(arithmetic, {.precision = 128, .stand_in_row_function = true});
  std::map<std::string, RationalMatrix> instance;
  for (const expr::Node* input : expr::inputs_of({root}))
    instance[input->name] = integer_matrix(input->shape.rows, input->shape.cols, 3 + instance.size());
  const auto source = claim::source_of(instance, *backend);
  for (auto _ : state) {
    auto values = claim::evaluate({root}, *backend, source);
    if (!values.ok()) state.SkipWithError(values.reason().c_str());
    benchmark::DoNotOptimize(values);
  }
}

void widths(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_CAPTURE(attention, field, "field")->Apply(widths);
BENCHMARK_CAPTURE(attention, rational, "rational")->Apply(widths);
BENCHMARK_CAPTURE(attention, ball_128_bits, "ball")->Apply(widths);
BENCHMARK_CAPTURE(attention, double, "double")->Apply(widths);

}  // namespace
}  // namespace attest::bench
