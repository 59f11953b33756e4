// The smallest counterexample: small sizes and entries walked in a fixed order, random instances shrunk where walking
// takes too long.
#include <algorithm>
#include <chrono>

#include "core/support/check.h"
#include "core/verdict/difference.h"
#include "core/verdict/search.h"

namespace attest::verdict {
namespace {

using claim::Instance;
using claim::Statement;

constexpr int largest_entry = 2;
constexpr std::int64_t default_budget = 100000;  // candidates at a size that is walked to its end
constexpr std::int64_t glance_budget = 4000;     // candidates at a size too large for that
constexpr std::uint64_t random_starts = 60;

struct Found {
  Instance free;
  bool by_walking = false;
};

struct Search {
  std::int64_t candidates = 0;
  std::int64_t sizes = 0;
  bool exhausted_below = true;  // every size before was walked to its end
};

bool respects(const expr::Node& input, const RationalMatrix& value) {
  for (std::int64_t i = 0; i < value.rows; ++i) {
    for (std::int64_t j = 0; j < value.cols; ++j) {
      const Rational& entry = value.at(i, j);
      switch (input.structure) {
        case expr::Structure::general:
          break;
        case expr::Structure::unit_lower:
          if (i < j ? entry != 0 : i == j && entry != 1) return false;
          break;
        case expr::Structure::upper:
          if (i > j ? entry != 0 : i == j && entry == 0) return false;
          break;
        case expr::Structure::diagonal_signs:
          if (i != j ? entry != 0 : entry != 1 && entry != -1) return false;
          break;
      }
    }
  }
  return true;
}

class SizeSearch {
 public:
  SizeSearch(const SearchStatement& at, Search& progress)
      : free_(at.walked.statement), entries_(at.entries), progress_(progress), finder_(free_) {
    for (const expr::Expr& root : roots_of(free_))
      for (const expr::Node* input : expr::inputs_of({root}))
        if (input->structure != expr::Structure::general) structured_.push_back(input);
  }

  std::optional<Found> run(std::int64_t budget, RandomStream stream) {
    const bool exhaustible = assignments(entries_, largest_entry, budget + 1) <= budget;
    std::optional<Found> found = walk(exhaustible ? budget : std::min(budget, glance_budget));
    if (found) return found;
    if (exhaustible) return std::nullopt;
    progress_.exhausted_below = false;
    return random(stream);
  }

 private:
  static std::vector<expr::Expr> roots_of(const Statement& statement) {
    std::vector<expr::Expr> roots;
    for (const auto& equation : statement.equations) {
      roots.push_back(equation.expected);
      roots.push_back(equation.constructed);
    }
    return roots;
  }

  bool refutes(const Instance& instance) const {
    for (const expr::Node* input : structured_)
      if (!respects(*input, instance.at(input->name))) return false;
    return finder_.satisfies(instance) == Truth::yes && finder_.differs(instance);
  }

  std::optional<Found> walk(std::int64_t budget) {
    std::optional<Found> found;
    std::int64_t left = budget;
    walk_entries(entries_, largest_entry, [&](const std::vector<int>& entries) {
      if (left-- == 0) return true;
      ++progress_.candidates;
      Instance instance = instance_from(free_, entries);
      if (!refutes(instance)) return false;
      found = Found{std::move(instance), true};
      return true;
    });
    return found;
  }

  std::optional<Found> random(RandomStream stream) {
    for (std::uint64_t start = 0; start < random_starts; ++start) {
      ++progress_.candidates;
      Instance instance;
      for (const claim::Input& input : free_.inputs) instance.emplace(input.name, draw(input, stream.child(start)));
      if (!refutes(instance)) continue;
      const auto still_fails = [&](const Instance& candidate) {
        ++progress_.candidates;
        return refutes(candidate);
      };
      return Found{shrink(free_, std::move(instance), still_fails), false};
    }
    return std::nullopt;
  }

  RationalMatrix draw(const claim::Input& input, RandomStream stream) const {
    auto structure = expr::Structure::general;
    for (const expr::Node* node : structured_)
      if (node->name == input.name) structure = node->structure;
    return claim::draw_free(input.shape, structure, stream.child(input.name));
  }

  const Statement& free_;
  std::int64_t entries_;
  Search& progress_;
  DifferenceFinder finder_;
  std::vector<const expr::Node*> structured_;
};

// The original inputs' exact values.
Instance originals_of(const SearchStatement& at, const Instance& free) {
  const auto rational = arith::make_backend("rational");
  const claim::InputSource source = claim::source_of(free, *rational);
  Instance originals;
  for (const auto& [name, expression] : at.walked.originals) {
    const auto value = claim::evaluate({expression}, *rational, source);
    originals.emplace(name, rational->to_rational(value.value().front()).value());
  }
  return originals;
}

Counterexample counterexample_of(const SearchStatement& at, const Found& found, const Search& progress) {
  const auto shown = DifferenceFinder(at.statement).find(originals_of(at, found.free));
  ATTEST_CHECK(shown.has_value(), "what differs in the free inputs differs in the original ones");
  Counterexample counterexample = *shown;
  counterexample.minimal = found.by_walking && progress.exhausted_below ? "global" : "local";
  counterexample.search = std::to_string(progress.candidates) + " candidates at " + std::to_string(progress.sizes) +
                          (progress.sizes == 1 ? " size" : " sizes");
  return counterexample;
}

void search_all(const claim::Claim& claim, const std::string& dropped, const Options& options, Result& result) {
  const std::int64_t budget = options.search_budget > 0 ? options.search_budget : default_budget;
  const RandomStream stream = RandomStream(options.seed).child("refute").child(claim.id).child(dropped);
  Search progress;
  for (const SearchStatement& at : search_statements(claim, dropped)) {
    ++progress.sizes;
    const auto found = SizeSearch(at, progress).run(budget, stream.child(static_cast<std::uint64_t>(progress.sizes)));
    if (!found) continue;
    result.counterexample = counterexample_of(at, *found, progress);
    result.verdict = Verdict::refuted;
    result.arithmetic = result.counterexample->arithmetic;
    result.size = at.size;
    add_to_ledger(result, at.walked.statement.ledger);
    break;
  }
  result.trials = progress.candidates;
  if (result.verdict == Verdict::refuted) return;
  // Everything was walked: the hypothesis is not shown to be needed at these sizes.
  if (progress.sizes > 0 && progress.exhausted_below) result.verdict = Verdict::not_shown_needed;
  result.reason = progress.sizes == 0 ? "the claim names no sizes to search"
                                      : "no counterexample among " + std::to_string(progress.candidates) +
                                            " candidates at " + std::to_string(progress.sizes) + " sizes";
}

}  // namespace

Result refute(const claim::Claim& claim, const std::string& dropped, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  Result result = blank_result(claim, dropped, "rational", {"search"});
  result.source = "smallest";
  search_all(claim, dropped, options, result);
  // A hypothesis that is listed must be shown to matter, by a real function, somewhere.
  result.expected = result.verdict == Verdict::refuted;
  result.measured.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace attest::verdict
