#include "core/certificate/evidence.h"

#include "core/arith/backend.h"
#include "core/certificate/decimal.h"
#include "core/claim/evaluate.h"
#include "core/support/text.h"

namespace attest::certificate {
namespace {

using arith::Backend;
using Difference = Certificate::Difference;

// Both sides of an equation, or why there is no value.
struct Values {
  std::optional<std::vector<arith::Matrix>> sides;
  bool may_improve = false;  // more bits might give a value
  std::string reason;
};

Values values_of(const claim::Equation& equation, const claim::Instance& instance, const Backend& backend) {
  const Outcome<std::vector<arith::Matrix>> outcome =
      claim::evaluate({equation.expected, equation.constructed}, backend, claim::source_of(instance, backend));
  if (outcome.ok()) return {outcome.value(), false, ""};
  return {std::nullopt, outcome.status() == Status::unable, outcome.reason()};
}

std::string no_value(const claim::Equation& equation, const std::string& arithmetic, const std::string& reason) {
  return equation.label + ": no value in " + arithmetic + " arithmetic (" + reason + ")";
}

// The first entry that differs over Q.
std::optional<Difference> rational_difference(const claim::Equation& equation, const claim::Instance& instance,
                                              const Backend& backend, std::vector<std::string>& notes) {
  const Values values = values_of(equation, instance, backend);
  if (!values.sides) {
    notes.push_back(no_value(equation, "rational", values.reason));
    return std::nullopt;
  }
  const auto expected = backend.to_rational((*values.sides)[0]), constructed = backend.to_rational((*values.sides)[1]);
  if (!expected.ok() || !constructed.ok()) {
    notes.push_back(no_value(equation, "rational", expected.ok() ? constructed.reason() : expected.reason()));
    return std::nullopt;
  }
  for (std::int64_t i = 0; i < equation.expected.rows(); ++i)
    for (std::int64_t j = 0; j < equation.expected.cols(); ++j) {
      const Rational& a = expected.value().at(i, j);
      const Rational& b = constructed.value().at(i, j);
      if (a != b) return Difference{equation.label, i, j, to_string(a), to_string(b)};
    }
  return std::nullopt;
}

std::optional<Integer> rounded_entry(const Backend& backend, const arith::Matrix& matrix, std::int64_t row,
                                     std::int64_t col, std::int64_t decimals) {
  const auto enclosure = parse_enclosure(backend.entry_text(matrix, row, col));
  if (!enclosure) return std::nullopt;
  return rounded_value(*enclosure, decimals);
}

// The first entry whose roundings lie at least 2 units apart. settled: every entry before it was rounded, so that more
// bits cannot change the answer.
struct BallScan {
  bool settled = false;
  std::optional<Difference> difference;
};

BallScan scan_balls(const claim::Equation& equation, const std::vector<arith::Matrix>& sides, const Backend& backend,
                    std::int64_t decimals) {
  for (std::int64_t i = 0; i < equation.expected.rows(); ++i)
    for (std::int64_t j = 0; j < equation.expected.cols(); ++j) {
      const auto a = rounded_entry(backend, sides[0], i, j, decimals);
      const auto b = rounded_entry(backend, sides[1], i, j, decimals);
      if (!a || !b) return {};
      if (abs(Integer(*a - *b)) >= 2)
        return {true, Difference{equation.label, i, j, rounded_text(*a, decimals), rounded_text(*b, decimals)}};
    }
  return {true, std::nullopt};
}

// The working precision doubles until every rounding is determined; the stated precision alone fixes the result.
std::optional<Difference> ball_difference(const claim::Equation& equation, const claim::Instance& instance,
                                          std::int64_t precision, std::vector<std::string>& notes) {
  std::string reason = "a value too close to a tie of rounding";
  for (std::int64_t bits = 2 * precision; bits <= 16 * precision; bits *= 2) {
    arith::BackendOptions options;
    options.precision = bits;
    const auto backend = arith::make_backend("ball", options);
    const Values values = values_of(equation, instance, *backend);
    if (values.sides) {
      const BallScan scan = scan_balls(equation, *values.sides, *backend, precision / 4);
      if (scan.settled) return scan.difference;
      continue;
    }
    reason = values.reason;
    if (!values.may_improve) break;
  }
  notes.push_back(no_value(equation, "ball", reason));
  return std::nullopt;
}

const char* phrase(claim::Condition::Kind kind) {
  using Kind = claim::Condition::Kind;
  switch (kind) {
    case Kind::invertible:
      return "invertible";
    case Kind::singular:
      return "singular";
    case Kind::equal:
      return "equal";
    case Kind::different:
      return "different";
    case Kind::independent:
      return "independent column spaces";
    case Kind::dependent:
      return "dependent column spaces";
    case Kind::equal_row_spaces:
      return "equal row spaces";
    case Kind::different_row_spaces:
      return "different row spaces";
    case Kind::nonzero:
      return "not zero";
    case Kind::full_rank:
      return "full rank";
  }
  return "?";
}

// "independence: independent column spaces (2 x 2, 2 x 2)": the hypothesis, what is false, the shapes of the operands.
// Not the operands' formulas, so that the text does not depend on how expressions are printed.
std::string necessity_text(const claim::Condition& condition) {
  std::vector<std::string> shapes;
  for (const expr::Expr& operand : condition.operands) shapes.push_back(expr::to_string(operand.shape()));
  return (condition.hypothesis.empty() ? "domain" : condition.hypothesis) + ": " + phrase(condition.kind) + " (" +
         join(shapes, ", ") + ")";
}

std::vector<std::string> failing_conditions(const claim::Statement& statement, const claim::Instance& instance,
                                            const Backend& rational) {
  const claim::InputSource source = claim::source_of(instance, rational);
  std::vector<std::string> failing;
  for (const auto& condition : statement.necessary)
    if (claim::holds(condition, rational, source) == Truth::no) failing.push_back(necessity_text(condition));
  return failing;
}

}  // namespace

Evidence evidence_of(const claim::Statement& statement, const claim::Instance& instance, const std::string& arithmetic,
                     std::int64_t precision) {
  const auto rational = arith::make_backend("rational");
  Evidence evidence;
  for (const auto& equation : statement.equations) {
    auto difference = arithmetic == "ball" ? ball_difference(equation, instance, precision, evidence.notes)
                                           : rational_difference(equation, instance, *rational, evidence.notes);
    if (difference) evidence.differences.push_back(*std::move(difference));
  }
  evidence.failing = failing_conditions(statement, instance, *rational);
  return evidence;
}

Outcome<Certificate> certify(const claim::Claim& claim, const std::string& dropped, const claim::Size& size,
                             const claim::Instance& instance, const std::string& minimal) {
  Certificate certificate;
  certificate.claim = claim.id;
  certificate.side = dropped.empty() ? "claim" : "without:" + dropped;
  certificate.size = canonical_size(claim, dropped, size);
  certificate.verdict = "refuted";
  certificate.minimal = minimal;
  certificate.instance = instance;
  const claim::Statement statement = claim.build({certificate.size, dropped});
  for (std::int64_t precision = 0; precision <= largest_precision;
       precision = precision == 0 ? precision_step : 2 * precision) {
    certificate.arithmetic = precision == 0 ? "rational" : "ball";
    certificate.precision = precision;
    Evidence evidence = evidence_of(statement, instance, certificate.arithmetic, precision);
    if (evidence.differences.empty() && evidence.failing.empty()) continue;
    certificate.differences = std::move(evidence.differences);
    certificate.failing = std::move(evidence.failing);
    return certificate;
  }
  return Outcome<Certificate>::unable("no equation differs certainly at " + std::to_string(largest_precision) +
                                      " bits and no necessary condition is false");
}

}  // namespace attest::certificate
