#include <arb.h>
#include <cblas.h>
#include <flint/flint.h>
#include <mpfr.h>

#include <Eigen/Core>
#include <boost/version.hpp>

#include "core/arith/backend.h"

namespace attest::arith {

std::string library_versions() {
  const auto dotted = [](int major, int minor, int patch) {
    return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  };
  return std::string("FLINT ") + FLINT_VERSION + ", Arb " + arb_version + ", MPFR " + mpfr_get_version() + ", GMP " +
         gmp_version + ", Eigen " + dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) + ", Boost " +
         dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100) + ", " + openblas_get_config();
}

}  // namespace attest::arith
