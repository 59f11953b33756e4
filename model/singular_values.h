#pragma once

#include "core/support/rational.h"

namespace attest::model {

// lower <= value <= upper, certified; upper may be infinite.
struct Bounds {
  double lower = 0;
  double upper = 0;
};

// The extreme singular values of a square matrix and cond_2 = largest / smallest.
struct SingularValues {
  double approx_smallest = 0;  // LAPACK, no bound
  double approx_largest = 0;
  double approx_condition = 0;  // infinite where approx_smallest is 0
  Bounds smallest;              // a lower bound of 0: invertibility was not certified
  Bounds largest;
  Bounds condition;
};

// Approximate values by LAPACK's SVD A ~ P diag(s) Q, then certified bounds in ball arithmetic: with M = P^T A Q^T and
// P, Q nearly orthogonal, |sigma_i(M) - s_i| <= ||M - diag(s)||_F (Weyl), and dividing by the norms of P and Q gives
// sigma_i(A). Where that does not separate the smallest one from 0, ||A^-1||_F / sqrt(n) <= ||A^-1||_2 <= ||A^-1||_F
// for a certified inverse at higher precision. Throws InputError where the matrix is not square, is empty, or the
// decomposition does not converge.
SingularValues singular_values(const DoubleMatrix& matrix);

// Certified bounds of the i-th singular value of A from |sigma_i(M) - value| <= defect, M = P^T A Q^T,
// ||P^T P - I|| <= left_defect and ||Q Q^T - I|| <= right_defect: the steps above. [0, inf) unless both are below 1.
Bounds transferred_bounds(double value, double defect, double left_defect, double right_defect);

}  // namespace attest::model
