#include "core/expr/print.h"

#include "core/support/check.h"

namespace attest::expr {
namespace {

enum Precedence { sum = 0, product = 1, power = 2, atom = 3 };

struct Style {
  bool tex = false;
};

struct Text {
  std::string text;
  Precedence precedence = atom;
};

Text print(const Node& node, Style style);

std::string wrapped(const Node& node, Precedence at_least, Style style) {
  const Text inner = print(node, style);
  if (inner.precedence >= at_least) return inner.text;
  return style.tex ? "\\left(" + inner.text + "\\right)" : "(" + inner.text + ")";
}

// W_Q.1 becomes W_{Q}^{(1)} in TeX: the part after the dot is the layer.
std::string tex_name(const std::string& name) {
  const auto dot = name.find('.');
  std::string base = name.substr(0, dot);
  const auto underscore = base.find('_');
  if (underscore != std::string::npos) base = base.substr(0, underscore) + "_{" + base.substr(underscore + 1) + "}";
  return dot == std::string::npos ? base : base + "^{(" + name.substr(dot + 1) + ")}";
}

std::string listed(const Node& node, const char* separator, Style style) {
  std::string text;
  for (std::size_t i = 0; i < node.operands.size(); ++i)
    text += (i == 0 ? "" : separator) + print(*node.operands[i], style).text;
  return text;
}

std::string call(const std::string& name, const Node& node, Style style) {
  const std::string inner = listed(node, ", ", style);
  return style.tex ? "\\operatorname{" + name + "}\\left(" + inner + "\\right)" : name + "(" + inner + ")";
}

std::string fraction(const Rational& value, Style style) {
  if (!style.tex || value.get_den() == 1) return attest::to_string(value);
  return "\\tfrac{" + value.get_num().get_str() + "}{" + value.get_den().get_str() + "}";
}

std::string filled(const Node& node, Style style) {
  if (node.shape == Shape{1, 1}) return fraction(node.value, style);
  const std::string shape =
      std::to_string(node.shape.rows) + (style.tex ? "\\times " : "x") + std::to_string(node.shape.cols);
  return style.tex ? "[" + fraction(node.value, style) + "]_{" + shape + "}"
                   : "[" + attest::to_string(node.value) + "]_" + shape;
}

std::string matrix_text(const RationalMatrix& matrix, Style style) {
  std::string text = style.tex ? "\\begin{pmatrix}" : "[";
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    if (i > 0) text += style.tex ? "\\\\" : "; ";
    for (std::int64_t j = 0; j < matrix.cols; ++j)
      text += (j == 0 ? "" : style.tex ? "&" : " ") + attest::to_string(matrix.at(i, j));
  }
  return text + (style.tex ? "\\end{pmatrix}" : "]");
}

std::string block(const Node& node, Style style) {
  const auto range = [](std::int64_t first, std::int64_t count) {
    return std::to_string(first) + ".." + std::to_string(first + count - 1);
  };
  const std::string where =
      range(node.first_row, node.shape.rows) + (style.tex ? ",\\," : ", ") + range(node.first_col, node.shape.cols);
  return wrapped(*node.operands[0], atom, style) + (style.tex ? "_{[" + where + "]}" : "[" + where + "]");
}

std::string softmax_text(const Node& node, Style style) {
  const std::string mask = node.mask.kind == Mask::Kind::none ? "" : to_string(node.mask);
  const std::string inner = print(*node.operands[0], style).text;
  if (style.tex)
    return "\\operatorname{softmax}" + (mask.empty() ? "" : "_{\\text{" + mask + "}}") + "\\left(" + inner + "\\right)";
  return "softmax" + (mask.empty() ? "" : "[" + mask + "]") + "(" + inner + ")";
}

std::string infix(const Node& node, const std::string& symbol, Precedence left, Precedence right, Style style) {
  return wrapped(*node.operands[0], left, style) + symbol + wrapped(*node.operands[1], right, style);
}

Text print(const Node& node, Style style) {
  const auto operand = [&](Precedence at_least) { return wrapped(*node.operands[0], at_least, style); };
  switch (node.op) {
    case Op::input:
      return {style.tex ? tex_name(node.name) : node.name, atom};
    case Op::identity:
      return {"I", atom};
    case Op::fill:
      return {filled(node, style), atom};
    case Op::constant:
      return {matrix_text(*node.matrix, style), atom};
    case Op::add:
      return {infix(node, " + ", sum, sum, style), sum};
    case Op::subtract:
      return {infix(node, " - ", sum, product, style), sum};
    case Op::multiply:
      return {infix(node, style.tex ? "\\," : " ", product, power, style), product};
    case Op::scale:
      return {fraction(node.value, style) + (style.tex ? "\\," : " ") + operand(power), product};
    case Op::scale_by:
      return {infix(node, style.tex ? "\\," : " ", power, power, style), product};
    case Op::scale_rows:
      return {(style.tex ? "\\operatorname{diag}\\left(" : "diag(") + print(*node.operands[0], style).text +
                  (style.tex ? "\\right)\\," : ") ") + wrapped(*node.operands[1], power, style),
              product};
    case Op::transpose:
      return {operand(atom) + (style.tex ? "^{\\top}" : "^T"), power};
    case Op::inverse:
      return {operand(atom) + (style.tex ? "^{-1}" : "^-1"), power};
    case Op::hadamard:
      return {infix(node, style.tex ? "\\odot " : " o ", power, power, style), product};
    case Op::concat_columns:
      return {"[" + listed(node, style.tex ? "\\;|\\;" : " | ", style) + "]", atom};
    case Op::concat_rows:
      return {"[" + listed(node, "; ", style) + "]", atom};
    case Op::slice:
      return {block(node, style), atom};
    case Op::softmax:
      return {softmax_text(node, style), atom};
    case Op::elementwise:
      return {call(std::string(to_string(node.function)), node, style), atom};
  }
  ATTEST_CHECK(false, "an operation without a printer");
}

}  // namespace

std::string to_text(Expr expression) { return print(expression.node(), {.tex = false}).text; }
std::string to_tex(Expr expression) { return print(expression.node(), {.tex = true}).text; }

std::string short_name(Expr expression) {
  // A deep expression would print exponentially long for a message that is cut anyway.
  const auto depth_limited = [](const Node& node) { return reachable({Expr(&node)}).size() > 40; };
  if (depth_limited(expression.node())) return "(an expression of " + to_string(expression.shape()) + ")";
  std::string text = to_text(expression);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

}  // namespace attest::expr
