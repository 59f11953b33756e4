#include "core/verdict/cell.h"

#include <algorithm>

#include "core/support/check.h"

namespace attest::verdict {

using arith::Backend;
using arith::Matrix;
using claim::Instance;
using claim::Statement;

std::optional<Instance> draw_satisfying(const Statement& statement, RandomStream stream, std::int64_t* rejected) {
  constexpr std::uint64_t redraws = 200;
  for (std::uint64_t attempt = 0; attempt < redraws; ++attempt) {
    Instance instance = claim::draw_instance(statement, stream.child(attempt));
    if (claim::satisfies(statement, instance) == Truth::yes) return instance;
    ++*rejected;
  }
  return std::nullopt;
}

std::int64_t trials_for(const Cell& cell) {
  if (cell.options.trials > 0) return cell.options.trials;
  if (cell.weights != nullptr || claim::is_real_size(cell.size)) return 1;
  return cell.size.d <= 8 ? 4 : 2;
}

Outcome<Evaluated> evaluate_sides(const std::vector<claim::Equation>& equations, const Backend& backend,
                                  const claim::InputSource& source, std::optional<bool> thin_first) {
  std::vector<expr::Expr> roots;
  for (const auto& equation : equations) {
    roots.push_back(equation.expected);
    roots.push_back(equation.constructed);
  }
  const claim::EvaluationPlan plan(roots, thin_first.value_or(backend.associative()));
  auto values = plan.run(backend, source);
  if (!values.ok()) return Outcome<Evaluated>::failure_of(values);
  Evaluated sides;
  for (std::size_t i = 0; i < equations.size(); ++i) {
    sides.expected.push_back(values.value()[2 * i]);
    sides.constructed.push_back(values.value()[2 * i + 1]);
  }
  return sides;
}

Side side_text(const claim::Equation& equation, const Backend& backend, const Matrix& expected,
               const Matrix& constructed) {
  const auto texts = [&](const Matrix& matrix) {
    std::vector<std::vector<std::string>> rows;
    for (std::int64_t i = 0; i < matrix->shape.rows; ++i) {
      rows.emplace_back();
      for (std::int64_t j = 0; j < matrix->shape.cols; ++j) rows.back().push_back(backend.entry_text(matrix, i, j));
    }
    return rows;
  };
  return {equation.label, texts(expected), texts(constructed)};
}

void add_to_ledger(Result& result, const std::vector<std::string>& lines) {
  for (const std::string& line : lines)
    if (std::find(result.ledger.begin(), result.ledger.end(), line) == result.ledger.end())
      result.ledger.push_back(line);
}

claim::InputSource weighted_source(const Cell& cell, const Instance& instance, const Backend& backend) {
  return [&cell, &instance, &backend](const expr::Node& input) -> Outcome<Matrix> {
    if (cell.weights != nullptr) {
      const auto weight = cell.weights->matrices.find(input.name);
      if (weight != cell.weights->matrices.end()) return backend.from_doubles(weight->second);
    }
    return claim::source_of(instance, backend)(input);
  };
}

}  // namespace attest::verdict
