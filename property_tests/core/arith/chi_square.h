#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace attest::test {

// Pearson's statistic of the counts against equal probabilities.
inline double chi_square(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double statistic = 0;
  for (const std::int64_t count : counts) {
    const double excess = static_cast<double>(count) - expected;
    statistic += excess * excess / expected;
  }
  return statistic;
}

// A chi-square variable of k degrees of freedom exceeds k + 2 sqrt(k x) + 2 x with probability at most e^-x (Laurent &
// Massart, Annals of Statistics 28, 2000, lemma 1); x = 20: at most 2.1e-9.
inline double chi_square_limit(std::size_t classes) {
  const double k = static_cast<double>(classes - 1), x = 20;
  return k + 2 * std::sqrt(k * x) + 2 * x;
}

}  // namespace attest::test
