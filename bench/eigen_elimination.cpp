// The same eliminations by Eigen over Boost.Multiprecision numbers: exact rationals (no external library), GMP
// rationals, and mpfr at 256 bits, which carries no error bound.
#include <benchmark/benchmark.h>

#include <Eigen/LU>
#include <boost/multiprecision/cpp_int.hpp>
#include <boost/multiprecision/eigen.hpp>
#include <boost/multiprecision/gmp.hpp>
#include <boost/multiprecision/mpfr.hpp>
#include <boost/version.hpp>
#include <type_traits>

#include "bench/instances.h"

#if BOOST_VERSION < 107900
namespace boost::multiprecision::detail {
// Older versions look for bytes in everything that has a const_iterator, and Eigen's expressions have one that is void.
template <class Expression>
requires std::is_base_of_v<Eigen::EigenBase<Expression>, Expression>
struct is_byte_container_imp<Expression, true> {
  static const bool value = false;
};
}  // namespace boost::multiprecision::detail
#endif

namespace attest::bench {
namespace {

namespace mp = boost::multiprecision;
using PlainRational = mp::number<mp::cpp_rational_backend, mp::et_off>;
using GmpRational = mp::number<mp::gmp_rational, mp::et_off>;
using Mpfr256 = mp::number<mp::mpfr_float_backend<77>, mp::et_off>;  // 77 digits: 256 bits

template <class Number>
using Matrix = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic>;

template <class Number>
Matrix<Number> converted(const RationalMatrix& matrix) {
  Matrix<Number> result(matrix.rows, matrix.cols);
  for (std::int64_t i = 0; i < matrix.rows; ++i)
    for (std::int64_t j = 0; j < matrix.cols; ++j) result(i, j) = Number(matrix.at(i, j).get_num().get_si());
  return result;
}

template <class Number>
void inverse(benchmark::State& state) {
  const auto matrix = converted<Number>(integer_matrix(state.range(0), state.range(0), 1));
  for (auto _ : state) {
    Matrix<Number> result = matrix.partialPivLu().inverse();
    benchmark::DoNotOptimize(result.data());
  }
}

template <class Number>
void solve(benchmark::State& state) {
  const auto transposed =
      Matrix<Number>(converted<Number>(integer_matrix(state.range(0), state.range(0), 1)).transpose());
  const auto thin = Matrix<Number>(converted<Number>(integer_matrix(4, state.range(0), 2)).transpose());
  for (auto _ : state) {
    Matrix<Number> result = transposed.partialPivLu().solve(thin);
    benchmark::DoNotOptimize(result.data());
  }
}

void sizes(benchmark::internal::Benchmark* benchmark) {
  benchmark->Arg(8)->Arg(16)->Arg(32)->Unit(benchmark::kMicrosecond);
}

BENCHMARK_TEMPLATE(inverse, PlainRational)->Apply(sizes);
BENCHMARK_TEMPLATE(inverse, GmpRational)->Apply(sizes);
BENCHMARK_TEMPLATE(inverse, Mpfr256)->Apply(sizes);
BENCHMARK_TEMPLATE(inverse, double)->Apply(sizes);
BENCHMARK_TEMPLATE(solve, PlainRational)->Apply(sizes);
BENCHMARK_TEMPLATE(solve, GmpRational)->Apply(sizes);
BENCHMARK_TEMPLATE(solve, Mpfr256)->Apply(sizes);

}  // namespace
}  // namespace attest::bench
