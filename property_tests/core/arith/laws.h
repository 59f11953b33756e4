#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/arith/backend.h"
#include "property_tests/core/arith/computations.h"

// One law suite for every arithmetic: what a Backend must satisfy whatever its numbers are.
namespace attest::test {

// What may be expected of an arithmetic beyond never being wrong.
struct Expectations {
  bool never_unable = false;     // on rational operations
  bool decides = false;          // equality, invertibility and rank of what it computed
  bool real_functions = false;   // softmax and activations are the real ones
  bool knows_undefined = false;  // says "undefined" where an exact argument has no value
  bool bounded = false;          // two different numbers are told apart, by disjoint enclosures or a ratio above 1
};
Expectations expectations_of(const arith::Backend& backend);

// The laws on one random instance, and what came out.
class LawRun {
 public:
  LawRun(const arith::Backend& backend, Expectations expected) : backend_(backend), expected_(expected) {}
  void check_all(RandomStream stream);

  const std::vector<std::string>& violations() const { return violations_; }
  // Per law, how often an equation had two values to compare, and how often not.
  const std::map<std::string, int>& answered() const { return answered_; }
  const std::map<std::string, int>& unanswered() const { return unanswered_; }
  // The comparisons in order, for arithmetics that only measure.
  const std::vector<arith::Comparison>& measured() const { return measured_; }
  double worst_ratio() const { return worst_ratio_; }

 private:
  enum class Kind { rational, function };
  void equal(const std::string& law, const Term& left, const Term& right, Kind kind = Kind::rational);
  void different(const std::string& law, const Term& left, const Term& right);
  void without_value(const std::string& law, const Outcome<arith::Matrix>& outcome, bool certain);
  void fail(const std::string& law, const std::string& what) { violations_.push_back(law + ": " + what); }

  void check_ring(RandomStream stream);
  void check_blocks(RandomStream stream);
  void check_scaling(RandomStream stream);
  void check_inverse(RandomStream stream);
  void check_triangular(RandomStream stream);
  void check_singular(RandomStream stream);
  void check_rank(RandomStream stream);
  void check_softmax(RandomStream stream);
  void check_hidden_keys(RandomStream stream);
  void check_functions(RandomStream stream);
  void check_domains();
  void check_conversions(RandomStream stream);

  const arith::Backend& backend_;
  Expectations expected_;
  std::vector<std::string> violations_;
  std::map<std::string, int> answered_, unanswered_;
  std::vector<arith::Comparison> measured_;
  double worst_ratio_ = 0;
};

}  // namespace attest::test
