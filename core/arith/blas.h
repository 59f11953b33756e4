#pragma once

#include <cstdint>
#include <string>

// The only door to OpenBLAS: dense products and inverses of row-major matrices. One thread a call (OpenBLAS's bits
// change with its thread count and its kernels), set at the first use together with an exact self-test on integer
// matrices. Which kernels run is OpenBLAS's own choice, or that of OPENBLAS_CORETYPE in the environment.
namespace attest::arith::blas {

// C = A B + beta C, A m x k, B k x n, C m x n; ld* is the distance between rows. Each entry of A B is a sum of its k
// products in an order that OpenBLAS chooses, fused or not: docs/error_bounds.md#products holds for all of them.
void approx_multiply(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda, const double* b,
                     std::int64_t ldb, double beta, double* c, std::int64_t ldc);
void approx_multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
                     std::int64_t ldb, float beta, float* c, std::int64_t ldc);

// Replaces the n x n matrix by an approximation of its inverse (LU with row exchanges); no bound. False where a pivot
// is exactly 0, which says nothing about the matrix; the contents are then unspecified.
[[nodiscard]] bool approx_invert(std::int64_t n, double* a);
[[nodiscard]] bool approx_invert(std::int64_t n, float* a);

// What OpenBLAS calls itself: version, target, threading.
std::string description();

}  // namespace attest::arith::blas
