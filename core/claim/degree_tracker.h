#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/claim/degree.h"
#include "core/claim/fraction.h"

namespace attest::claim {

// Calls of one function symbol whose arguments can coincide, with the same bounds on their arguments.
struct Calls {
  Fraction argument;
  double count = 0;
};

// What names the product of the entries that a node takes reciprocals of: the node's own id names its determinant.
inline std::int64_t reciprocal_name(const expr::Node& node) { return -1 - node.id; }

// Bounds of the entries of every node of a DAG, and of what can go wrong when it is evaluated modulo p.
class DegreeTracker {
 public:
  // Operands before users.
  void visit(const expr::Node& node) { fractions_.emplace(node.id, fraction_of(node)); }
  const Fraction& at(const expr::Node& node) const { return fractions_.at(node.id); }
  const Determinants& determinants() const { return determinants_; }

  // Adds the differences of all pairs of calls of one symbol.
  void add_pairs(FailureBound& bound) const;
  // A condition that holds formally fails modulo p only where the minors that show it vanish.
  void add_condition(const Condition& condition);
  // Adds the determinants that may vanish, and the constants that p may divide.
  void add_determinants(FailureBound& bound) const;

 private:
  Fraction fraction_of(const expr::Node& node);
  Fraction input(const expr::Node& node) const;
  Fraction constant(const RationalMatrix& matrix);
  Fraction inverse_of(const expr::Node& node);
  Fraction inverse_of_input(const expr::Node& node);
  Fraction inverse_of_any(const expr::Node& node);
  Fraction reciprocals(const expr::Node& node);
  Fraction call_rows(const expr::Node& node);
  Fraction call_entries(const expr::Node& node);
  Fraction joined(const expr::Node& node) const;
  void add_calls(const std::string& symbol, const Fraction& argument, double count);
  void name_determinant(std::int64_t name, PolynomialBound bound, bool depends_on_calls);

  std::map<std::int64_t, Fraction> fractions_;
  Determinants determinants_;
  std::set<std::int64_t> may_vanish_;
  bool calls_in_determinants_ = false;
  std::map<std::string, std::vector<Calls>> calls_;
  double constant_bits_ = 0;
  PolynomialBound condition_minors_;
};

}  // namespace attest::claim
