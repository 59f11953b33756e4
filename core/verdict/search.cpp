#include "core/verdict/search.h"

#include <algorithm>
#include <array>
#include <set>

#include "core/support/error.h"

namespace attest::verdict {

using claim::Instance;
using claim::Size;
using claim::Statement;

namespace {

// A fingerprint of what the statement says, the same for equal statements in different graphs.
std::uint64_t fingerprint(const Statement& statement) {
  std::vector<expr::Expr> roots;
  std::vector<std::uint64_t> shape_of_statement;
  for (const auto& equation : statement.equations) {
    roots.push_back(equation.expected);
    roots.push_back(equation.constructed);
  }
  for (const auto* list : {&statement.conditions, &statement.necessary})
    for (const auto& condition : *list) {
      shape_of_statement.push_back(static_cast<std::uint64_t>(condition.kind));
      roots.insert(roots.end(), condition.operands.begin(), condition.operands.end());
    }
  std::map<const expr::Node*, std::uint64_t> hashes;
  for (const expr::Node* node : expr::reachable(roots)) {
    std::vector<std::uint64_t> words{
        static_cast<std::uint64_t>(node->op),         static_cast<std::uint64_t>(node->shape.rows),
        static_cast<std::uint64_t>(node->shape.cols), static_cast<std::uint64_t>(node->function),
        static_cast<std::uint64_t>(node->mask.kind),  static_cast<std::uint64_t>(node->mask.width),
        static_cast<std::uint64_t>(node->first_row),  static_cast<std::uint64_t>(node->first_col)};
    const auto add_text = [&](const std::string& text) { words.insert(words.end(), text.begin(), text.end()); };
    add_text(node->name);
    add_text(attest::to_string(node->value));
    if (node->matrix)
      for (const Rational& entry : node->matrix->entries) add_text(attest::to_string(entry) + ",");
    for (const expr::Node* operand : node->operands) words.push_back(hashes.at(operand));
    hashes[node] = siphash({1, 2}, words.data(), words.size());
  }
  for (const expr::Expr& root : roots) shape_of_statement.push_back(hashes.at(root.address()));
  return siphash({3, 4}, shape_of_statement.data(), shape_of_statement.size());
}

Size largest_of(const std::vector<Size>& sizes) {
  Size largest{"search", 1, 1, 1, 1, 1, 1, 1};
  for (const Size& size : sizes) {
    largest.n = std::max(largest.n, size.n);
    largest.d = std::max(largest.d, size.d);
    largest.h = std::max(largest.h, size.h);
    largest.k = std::max(largest.k, size.k);
    largest.L = std::max(largest.L, size.L);
    largest.m = std::max(largest.m, size.m);
  }
  return largest;
}

// g is not part of the order: for each h, one KV head a head first.
std::vector<Size> sizes_up_to(const Size& largest) {
  std::vector<Size> sizes;
  for (std::int64_t n = 1; n <= largest.n; ++n)
    for (std::int64_t d = 1; d <= largest.d; ++d)
      for (std::int64_t h = 1; h <= largest.h; ++h)
        for (std::int64_t k = 1; k <= largest.k; ++k)
          for (std::int64_t L = 1; L <= largest.L; ++L)
            for (std::int64_t m = 1; m <= largest.m; ++m)
              for (std::int64_t g = h; g >= 1; --g)
                if (h % g == 0) sizes.push_back({"search", n, d, h, g, k, L, m});
  return sizes;
}

constexpr std::array<int, 5> values_in_order{0, 1, -1, 2, -2};

// All vectors with the given numbers of entries of size 1 and 2, in lexicographic order.
bool place(std::vector<int>& values, std::size_t position, std::int64_t ones, std::int64_t twos,
           const std::function<bool(const std::vector<int>&)>& visit) {
  if (position == values.size()) return visit(values);
  const auto left = static_cast<std::int64_t>(values.size() - position) - 1;
  for (const int value : values_in_order) {
    const std::int64_t ones_after = ones - (value == 1 || value == -1);
    const std::int64_t twos_after = twos - (value == 2 || value == -2);
    if (ones_after < 0 || twos_after < 0 || ones_after + twos_after > left) continue;
    values[position] = value;
    if (place(values, position + 1, ones_after, twos_after, visit)) return true;
  }
  return false;
}

}  // namespace

std::vector<SearchStatement> search_statements(const claim::Claim& claim, const std::string& dropped) {
  std::vector<SearchStatement> found;
  std::set<std::uint64_t> seen;
  if (!claim.search_sizes) return found;
  for (const Size& size : sizes_up_to(largest_of(claim.search_sizes(dropped)))) {
    try {
      const Statement statement = claim.build({size, dropped});
      if (!seen.insert(fingerprint(statement)).second) continue;
      SearchStatement search{size, statement, claim::parametrize(statement, {.invertible = true, .singular = true})};
      for (const auto& input : search.walked.statement.inputs) search.entries += input.shape.count();
      found.push_back(std::move(search));
    } catch (const InputError&) {
      continue;  // a shape that the claim does not speak about
    }
  }
  return found;
}

bool walk_entries(std::int64_t places, int largest, const std::function<bool(const std::vector<int>&)>& visit) {
  std::vector<int> values(static_cast<std::size_t>(places), 0);
  if (visit(values)) return true;
  if (largest >= 1)
    for (std::int64_t ones = 1; ones <= places; ++ones)
      if (place(values, 0, ones, 0, visit)) return true;
  if (largest >= 2)
    for (std::int64_t nonzero = 1; nonzero <= places; ++nonzero)
      for (std::int64_t twos = 1; twos <= nonzero; ++twos)
        if (place(values, 0, nonzero - twos, twos, visit)) return true;
  return false;
}

std::int64_t assignments(std::int64_t places, int largest, std::int64_t cap) {
  std::int64_t count = 1;
  for (std::int64_t i = 0; i < places && count < cap; ++i) count *= 2 * largest + 1;
  return std::min(count, cap);
}

Instance instance_from(const Statement& free, const std::vector<int>& entries) {
  Instance instance;
  std::size_t next = 0;
  for (const claim::Input& input : free.inputs) {
    RationalMatrix matrix(input.shape.rows, input.shape.cols);
    for (Rational& entry : matrix.entries) entry = entries[next++];
    instance.emplace(input.name, std::move(matrix));
  }
  return instance;
}

Instance shrink(const Statement& free, Instance instance, const std::function<bool(const Instance&)>& still_fails) {
  bool shrunk = true;
  while (shrunk) {
    shrunk = false;
    for (const claim::Input& input : free.inputs) {
      for (std::size_t i = 0; i < instance.at(input.name).entries.size(); ++i) {
        const Rational current = instance.at(input.name).entries[i];
        for (const int value : values_in_order) {
          const bool smaller = abs(Rational(value)) < abs(current) || (Rational(value) == -current && value > 0);
          if (!smaller) continue;
          instance.at(input.name).entries[i] = value;
          if (still_fails(instance)) {
            shrunk = true;
            break;
          }
          instance.at(input.name).entries[i] = current;
        }
      }
    }
  }
  return instance;
}

}  // namespace attest::verdict
