// Which cells `attest check` fills.
#include <algorithm>
#include <set>

#include "cli/campaign.h"
#include "cli/checkpoint_plan.h"
#include "core/arith/backend.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::cli {
namespace {

using claim::Claim;
using claim::Size;

std::vector<const Claim*> chosen_claims(const claim::Registry& registry, const std::vector<std::string>& names) {
  std::vector<const Claim*> chosen;
  std::set<std::string> chapters;
  for (const Claim& claim : registry.claims()) chapters.insert(claim::chapter_of(claim));
  for (const std::string& name : names)
    if (!chapters.contains(name)) static_cast<void>(registry.at(name));  // throws with the nearest names
  for (const Claim& claim : registry.claims()) {
    const bool wanted = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return name == claim.id || name == claim::chapter_of(claim);
    });
    if (names.empty() || wanted) chosen.push_back(&claim);
  }
  return chosen;
}

std::vector<std::string> chosen_arithmetics(const std::vector<std::string>& names) {
  const auto& known = arith::backend_names();
  for (const std::string& name : names)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError("unknown arithmetic '" + name + "'; expected one of " + join(known, ", "));
  return names.empty() ? known : names;
}

// tiny speaks for every claim; larger sizes are those the claim names.
std::vector<Size> sizes_of(const Claim& claim, const std::vector<std::string>& wanted) {
  std::vector<Size> sizes;
  const bool all = std::find(wanted.begin(), wanted.end(), "all") != wanted.end();
  for (const std::string& name : claim::size_names()) {
    const bool named = name == "tiny" || std::find(claim.sizes.begin(), claim.sizes.end(), name) != claim.sizes.end();
    const bool asked =
        all || (wanted.empty() ? name == "tiny" : std::find(wanted.begin(), wanted.end(), name) != wanted.end());
    if (named && asked) sizes.push_back(claim::named_size(name));
  }
  return sizes;
}

// Whether the claim is about a network: an activation is applied on the way to an output.
bool is_network(const Claim& claim, const Size& size) {
  try {
    for (const claim::Equation& equation : claim.build({size, ""}).equations)
      for (const expr::Node* node : expr::reachable({equation.expected}))
        if (node->op == expr::Op::elementwise && !expr::is_rational_operation(node->function) &&
            node->function != expr::Function::inv_sqrt)
          return true;
  } catch (const InputError&) {
    return false;  // a shape that the claim does not speak about: the cell will say so
  }
  return false;
}

// double certifies an inverse a layer, which takes minutes for networks beyond these many multiplications, and the
// bound outgrows the values there. Named with --arith, the cell is run all the same.
bool too_long_in_double(const Claim& claim, const Size& size) {
  constexpr double most_multiplications = 3e10;
  const double d = static_cast<double>(size.d);
  return static_cast<double>(size.L) * d * d * d > most_multiplications && is_network(claim, size);
}

bool worth_trying(const Claim& claim, const std::string& dropped, const std::string& arithmetic, const Size& size) {
  if (claim.measure) return arithmetic == "multiprecision" && size.name == "tiny";
  const bool real_size = claim::is_real_size(size);
  if (!dropped.empty() || claim.false_on_purpose)
    return size.name == "tiny" || (size.name == "small" && arithmetic != "multiprecision");
  if (real_size) return arithmetic == "field" || arithmetic == "double";
  return arithmetic != "multiprecision" || size.d <= 8;
}

// Roughly seconds, for the order of work and the time left.
double weight_of(const Claim& claim, const std::string& arithmetic, const Size& size) {
  if (claim.measure) return 5;
  const double d = static_cast<double>(size.d), m = static_cast<double>(size.m), L = static_cast<double>(size.L);
  if (!claim::is_real_size(size)) return arithmetic == "field" || arithmetic == "ball" ? 0.3 : 0.1;
  const double layers = is_network(claim, size) ? L : 1;
  return arithmetic == "field" ? layers * d * (4 * d + 2 * m) * 1e-7 : layers * (d * d * d * 1e-9 + d * m * 2e-8);
}

void add_cells(const Claim& claim, const std::string& dropped, const CheckOptions& options,
               const verdict::Options& engine, std::vector<Task>& tasks) {
  const std::string side = dropped.empty() ? "" : " without " + dropped;
  for (const Size& size : sizes_of(claim, options.sizes))
    for (const std::string& arithmetic : chosen_arithmetics(options.arithmetics)) {
      if (!worth_trying(claim, dropped, arithmetic, size)) continue;
      if (options.arithmetics.empty() && arithmetic == "double" && too_long_in_double(claim, size)) continue;
      tasks.push_back({join({claim.id, arithmetic, size.name + side}, " "), weight_of(claim, arithmetic, size),
                       [&claim, dropped, arithmetic, size, engine] {
                         return verdict::check(claim, dropped, arithmetic, size, nullptr, engine);
                       },
                       verdict::blank_result(claim, dropped, arithmetic, size)});
    }
}

void add_search(const Claim& claim, const std::string& dropped, const CheckOptions& options,
                const verdict::Options& engine, std::vector<Task>& tasks) {
  const auto arithmetics = chosen_arithmetics(options.arithmetics);
  const bool exact_wanted = std::find(arithmetics.begin(), arithmetics.end(), "rational") != arithmetics.end();
  if (options.no_search || !exact_wanted || claim.measure) return;
  tasks.push_back({claim.id + " smallest counterexample" + (dropped.empty() ? "" : " without " + dropped), 2,
                   [&claim, dropped, engine] { return verdict::refute(claim, dropped, engine); },
                   verdict::blank_result(claim, dropped, "rational", {"search"})});
}

}  // namespace

std::vector<Task> plan_campaign(const claim::Registry& registry, const CheckOptions& options) {
  for (const std::string& name : options.sizes)
    if (name != "all") static_cast<void>(claim::named_size(name));  // throws for an unknown one
  verdict::Options engine;
  engine.seed = options.seed;
  engine.trials = options.trials;
  engine.prime = options.prime;
  if (options.prime != 0) static_cast<void>(arith::make_backend("field", {.prime = options.prime}));  // throws
  const auto checkpoint = options.weights.empty() ? nullptr : open_checkpoint(options.weights);
  std::size_t checkpoint_cells = 0;
  std::vector<Task> tasks;
  for (const Claim* claim : chosen_claims(registry, options.claims)) {
    add_cells(*claim, "", options, engine, tasks);
    if (claim->false_on_purpose) add_search(*claim, "", options, engine, tasks);
    for (const auto& hypothesis : claim->hypotheses) {
      add_cells(*claim, hypothesis.id, options, engine, tasks);
      add_search(*claim, hypothesis.id, options, engine, tasks);
    }
    if (checkpoint == nullptr) continue;
    const std::size_t before = tasks.size();
    add_checkpoint_cells(*claim, checkpoint, chosen_arithmetics(options.arithmetics), engine, tasks);
    checkpoint_cells += tasks.size() - before;
  }
  if (checkpoint != nullptr && checkpoint_cells == 0)
    throw InputError("--weights " + options.weights +
                     ": none of these claims inverts a matrix of this checkpoint in these arithmetics (field, ball, "
                     "double, float); name another claim, such as reparam.eliminate_query, or leave --weights out");
  return tasks;
}

}  // namespace attest::cli
