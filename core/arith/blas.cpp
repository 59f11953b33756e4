#include "core/arith/blas.h"

#include <cblas.h>

#include <limits>
#include <mutex>
#include <vector>

#include "core/support/check.h"

// Declared here because the reference cblas.h, which some systems install instead of OpenBLAS's own, lacks them. The
// LAPACK routines inside OpenBLAS have no C header.
extern "C" {
void openblas_set_num_threads(int count);
char* openblas_get_config(void);
void dgetrf_(const int* m, const int* n, double* a, const int* lda, int* pivots, int* info);
void sgetrf_(const int* m, const int* n, float* a, const int* lda, int* pivots, int* info);
void dgetri_(const int* n, double* a, const int* lda, const int* pivots, double* work, const int* size, int* info);
void sgetri_(const int* n, float* a, const int* lda, const int* pivots, float* work, const int* size, int* info);
}

namespace attest::arith::blas {
namespace {

int dimension(std::int64_t value) {
  ATTEST_CHECK(value >= 0 && value <= std::numeric_limits<int>::max(), "a matrix dimension beyond 32 bits");
  return static_cast<int>(value);
}

void gemm(int m, int n, int k, const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, a, lda, b, ldb, beta, c, ldc);
}
void gemm(int m, int n, int k, const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F, a, lda, b, ldb, beta, c, ldc);
}

// A product of small integers is exact in any order, so any difference is a broken library.
template <class Number>
void self_test() {
  constexpr int m = 37, n = 29, k = 67;
  std::vector<Number> a(m * k), b(k * n), c(m * n, Number(7));
  for (int i = 0; i < m * k; ++i) a[static_cast<std::size_t>(i)] = static_cast<Number>(i * 31 % 17 - 8);
  for (int i = 0; i < k * n; ++i) b[static_cast<std::size_t>(i)] = static_cast<Number>(i * 23 % 13 - 6);
  gemm(m, n, k, a.data(), k, b.data(), n, Number(0), c.data(), n);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int l = 0; l < k; ++l) sum += ((i * k + l) * 31 % 17 - 8) * ((l * n + j) * 23 % 13 - 6);
      ATTEST_CHECK(c[static_cast<std::size_t>(i * n + j)] == static_cast<Number>(sum),
                   "OpenBLAS multiplies small integer matrices wrongly");
    }
  }
}

void prepare() {
  static std::once_flag once;
  std::call_once(once, [] {
    openblas_set_num_threads(1);
    self_test<double>();
    self_test<float>();
  });
}

template <class Number>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const Number* a, std::int64_t lda, const Number* b,
              std::int64_t ldb, Number beta, Number* c, std::int64_t ldc) {
  if (m == 0 || n == 0) return;
  prepare();
  gemm(dimension(m), dimension(n), dimension(k), a, dimension(lda), b, dimension(ldb), beta, c, dimension(ldc));
}

// LAPACK reads the rows as columns: it inverts the transpose, whose inverse read back as rows is the inverse.
template <class Number, class Factor, class Invert>
bool invert(std::int64_t size, Number* a, Factor factor, Invert invert_factored) {
  if (size == 0) return true;
  prepare();
  const int n = dimension(size);
  int info = 0;
  std::vector<int> pivots(static_cast<std::size_t>(n));
  factor(&n, &n, a, &n, pivots.data(), &info);
  ATTEST_CHECK(info >= 0, "an argument that getrf rejects");
  if (info > 0) return false;
  constexpr int block = 64;
  const int work_size = n * block;
  std::vector<Number> work(static_cast<std::size_t>(n) * block);
  invert_factored(&n, a, &n, pivots.data(), work.data(), &work_size, &info);
  ATTEST_CHECK(info >= 0, "an argument that getri rejects");
  return info == 0;
}

}  // namespace

void approx_multiply(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda, const double* b,
                     std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  multiply(m, n, k, a, lda, b, ldb, beta, c, ldc);
}
void approx_multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
                     std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  multiply(m, n, k, a, lda, b, ldb, beta, c, ldc);
}

bool approx_invert(std::int64_t n, double* a) { return invert(n, a, dgetrf_, dgetri_); }
bool approx_invert(std::int64_t n, float* a) { return invert(n, a, sgetrf_, sgetri_); }

std::string description() {
  prepare();
  return openblas_get_config();
}

}  // namespace attest::arith::blas
