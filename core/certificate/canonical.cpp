#include <array>
#include <sstream>

#include "core/certificate/evidence.h"
#include "core/support/error.h"

namespace attest::certificate {
namespace {

// Nodes numbered in the order in which they are first met, so that the text depends on the expressions alone.
class Printer {
 public:
  std::size_t number(expr::Expr root) {
    for (const expr::Node* node : expr::reachable({root})) {
      if (numbers_.count(node) != 0) continue;
      const std::size_t next = numbers_.size();
      print(*node);
      numbers_[node] = next;
    }
    return numbers_.at(root.address());
  }
  std::ostringstream& text() { return text_; }

 private:
  void print(const expr::Node& node) {
    text_ << '\n' << static_cast<int>(node.op) << ' ' << expr::to_string(node.shape) << " of";
    for (const expr::Node* operand : node.operands) text_ << ' ' << numbers_.at(operand);
    text_ << ' ' << node.name << ' ' << static_cast<int>(node.structure) << ' ' << node.value << ' '
          << expr::to_string(node.mask) << ' ' << expr::to_string(node.function) << ' ' << node.first_row << ' '
          << node.first_col;
    if (node.matrix)
      for (const Rational& entry : node.matrix->entries) text_ << ' ' << entry;
  }

  std::map<const expr::Node*, std::size_t> numbers_;
  std::ostringstream text_;
};

void print_conditions(Printer& printer, const std::vector<claim::Condition>& conditions) {
  for (const auto& condition : conditions) {
    std::string operands;
    for (const auto& operand : condition.operands) operands += " " + std::to_string(printer.number(operand));
    printer.text() << "\ncondition " << static_cast<int>(condition.kind) << ' ' << condition.hypothesis << operands;
  }
  printer.text() << "\n.";
}

using Count = std::int64_t claim::Size::*;
constexpr std::array<Count, 7> counts = {&claim::Size::n, &claim::Size::d, &claim::Size::h, &claim::Size::g,
                                         &claim::Size::k, &claim::Size::L, &claim::Size::m};

// The statement's fingerprint at a size; "" where it is not admitted.
std::string fingerprint_at(const claim::Claim& claim, const std::string& dropped, const claim::Size& size) {
  try {
    claim::require_valid(size);
    return fingerprint(claim.build({size, dropped}));
  } catch (const InputError&) {
    return "";
  }
}

}  // namespace

std::string fingerprint(const claim::Statement& statement) {
  Printer printer;
  for (const auto& input : statement.inputs)
    printer.text() << "\ninput " << input.name << ' ' << expr::to_string(input.shape) << ' '
                   << static_cast<int>(input.recipe.kind) << ' ' << input.recipe.rank << ' ' << input.recipe.block
                   << ' ' << input.recipe.group;
  print_conditions(printer, statement.conditions);
  for (const auto& equation : statement.equations) {
    const std::size_t expected = printer.number(equation.expected), constructed = printer.number(equation.constructed);
    printer.text() << "\nequation " << equation.label << ' ' << expected << ' ' << constructed;
  }
  print_conditions(printer, statement.necessary);
  return printer.text().str();
}

claim::Size canonical_size(const claim::Claim& claim, const std::string& dropped, const claim::Size& size) {
  claim::require_valid(size);
  const std::string original = fingerprint(claim.build({size, dropped}));
  claim::Size canonical = size;
  canonical.name.clear();
  for (const Count count : counts) {
    claim::Size smaller = canonical;
    for (std::int64_t value = 1; value < canonical.*count; ++value) {
      smaller.*count = value;
      if (fingerprint_at(claim, dropped, smaller) != original) continue;
      canonical = smaller;
      break;
    }
  }
  return canonical;
}

}  // namespace attest::certificate
