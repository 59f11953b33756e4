#include "cli/checkpoint_plan.h"

#include <algorithm>
#include <iomanip>
#include <memory>
#include <set>
#include <sstream>

#include "core/arith/backend.h"
#include "core/expr/transformer.h"
#include "core/support/error.h"
#include "model/conditioning.h"
#include "model/head_ranks.h"
#include "model/layout.h"

namespace attest::cli {
namespace {

using claim::Claim;
using claim::Recipe;
using claim::Size;
using model::Checkpoint;

constexpr std::int64_t tokens = 4;  // every claim acts on each token alike: a handful is enough

// The statement's inputs that the checkpoint provides, and those of them that the claim inverts.
struct Provided {
  std::set<std::string> names, inverted;
};

// Empty where the checkpoint's weights are no test of the claim: it inverts none of them, or it needs an invertible
// matrix that the checkpoint does not have.
Provided provided_inputs(const claim::Statement& statement, const std::set<std::string>& names) {
  Provided provided;
  for (const claim::Input& input : statement.inputs) {
    const Recipe::Kind kind = input.recipe.kind;
    if (names.contains(input.name)) {
      provided.names.insert(input.name);
      if (kind == Recipe::Kind::invertible) provided.inverted.insert(input.name);
    } else if (kind != Recipe::Kind::general && kind != Recipe::Kind::unit_circle) {
      return {};
    }
  }
  return provided.inverted.empty() ? Provided{} : provided;
}

std::string number(double value) {
  std::ostringstream text;
  text << std::setprecision(3) << value;
  return text.str();
}

// Six digits, rounded outwards.
std::string bound_text(double value, bool is_lower) {
  std::ostringstream text;
  text << std::setprecision(6) << value * (is_lower ? 1 - 1e-5 : 1 + 1e-5);
  return text.str();
}

std::string rank_text(const model::Rank& rank) {
  return rank.proved() ? std::to_string(rank.lower) : "at least " + std::to_string(rank.lower);
}

void add_costs(const std::map<std::string, DoubleMatrix>& layer, const std::string& format, verdict::Result& result) {
  const model::QueryElimination elimination = model::query_elimination(layer);
  const model::Bounds& condition = elimination.query.condition;
  result.facts["cond(W_Q)"] = number(elimination.query.approx_condition) + ", certified between " +
                              bound_text(condition.lower, true) + " and " + bound_text(condition.upper, false);
  for (const model::EliminationCost& cost : elimination.costs) {
    if (cost.format != format) continue;
    result.facts["digits lost in W_Q^-1 " + cost.weight] =
        cost.failure.empty() ? number(cost.digits_lost) + " of " + number(cost.format_digits) : cost.failure;
  }
}

void add_ranks(const std::map<std::string, DoubleMatrix>& layer, const Size& size, verdict::Result& result) {
  const model::LayerRanks ranks = model::layer_ranks(layer, size, 1);
  result.facts["rank W_Q"] = rank_text(ranks.W_Q);
  std::string heads;
  for (const model::HeadRanks& head : ranks.heads) heads += (heads.empty() ? "" : ", ") + rank_text(head.logit_form);
  result.facts["rank of B_i, head by head"] = heads;
  result.facts["dim of the sum of col(B_i)"] = rank_text(ranks.query_condition.dimension_of_sum);
  const Truth holds = ranks.query_condition.holds();
  result.facts["query_iff: an identity query exists"] = holds == Truth::yes  ? "yes"
                                                        : holds == Truth::no ? "no"
                                                                             : "not decided";
}

struct Source {
  std::shared_ptr<Checkpoint> checkpoint;
  std::int64_t first_layer = 1, last_layer = 1;
  bool layered_names = false;  // "W_Q.1" instead of "W_Q"
  Provided provided;
};

verdict::WeightSource read_weights(const Source& source) {
  verdict::WeightSource weights;
  weights.name = source.checkpoint->name();
  if (source.first_layer == source.last_layer) weights.name += " layer " + std::to_string(source.first_layer);
  for (std::int64_t layer = source.first_layer; layer <= source.last_layer; ++layer)
    for (auto& [name, matrix] : source.checkpoint->layer(layer)) {
      const std::string full = source.layered_names ? expr::layer_weight(name, layer) : name;
      if (source.provided.names.contains(full)) weights.matrices.emplace(full, std::move(matrix));
    }
  return weights;
}

// "W_Q of layer 3 is singular: rank 380 of 384", or nothing. The rank is taken modulo a random 60-bit prime, which can
// only make it smaller, and does so with negligible probability.
std::string singular_weight(const verdict::WeightSource& weights, const Source& source,
                            const verdict::Options& engine) {
  const auto field = arith::make_backend("field", {.seed = engine.seed});
  for (const std::string& name : source.provided.inverted) {
    const DoubleMatrix& matrix = weights.matrices.at(name);
    const auto held = field->from_doubles(matrix);
    if (!held.ok()) continue;
    const auto rank = field->rank(held.value());
    if (!rank.ok() || rank.value() == matrix.rows) continue;
    const auto dot = name.find('.');
    return name.substr(0, dot) + " of layer " +
           (dot == std::string::npos ? std::to_string(source.first_layer) : name.substr(dot + 1)) +
           " is singular: rank " + std::to_string(rank.value()) + " of " + std::to_string(matrix.rows) +
           "; the claim inverts it, so these weights do not satisfy its hypotheses";
  }
  return "";
}

verdict::Result vacuous_result(const Claim& claim, const std::string& arithmetic, const Size& size,
                               const std::string& source, const std::string& reason) {
  verdict::Result result = verdict::blank_result(claim, "", arithmetic, size);
  result.source = source;
  result.verdict = verdict::Verdict::vacuous;
  result.reason = reason;
  return result;
}

verdict::Result check_checkpoint(const Claim& claim, const std::string& arithmetic, const Size& size,
                                 const Source& source, const verdict::Options& engine) {
  const verdict::WeightSource weights = read_weights(source);
  const std::string singular = singular_weight(weights, source, engine);
  if (!singular.empty()) return vacuous_result(claim, arithmetic, size, weights.name, singular);
  verdict::Result result = verdict::check(claim, "", arithmetic, size, &weights, engine);
  result.ledger.push_back(
      "the checkpoint's matrices are the instance; the claim's own network, not the checkpoint's function, is "
      "compared");
  if (claim.id == "reparam.eliminate_query") {
    const auto layer = source.checkpoint->layer(source.first_layer);
    if (arithmetic == "double" || arithmetic == "float") add_costs(layer, arithmetic, result);
    if (arithmetic == "field") add_ranks(layer, size, result);
  }
  return result;
}

bool worth_trying(const std::string& arithmetic) { return arithmetic != "rational" && arithmetic != "multiprecision"; }

void add_tasks(const Claim& claim, const Size& size, const Source& source, const std::vector<std::string>& arithmetics,
               const verdict::Options& engine, std::vector<Task>& tasks) {
  for (const std::string& arithmetic : arithmetics) {
    if (!worth_trying(arithmetic)) continue;
    // Through all layers at once balls take minutes, and floating-point bounds outgrow the values: layer by layer they
    // speak, for the whole network the field does.
    if (source.layered_names && source.last_layer > source.first_layer && arithmetic != "field") continue;
    const std::string where =
        size.name + (source.first_layer == source.last_layer ? " layer " + std::to_string(source.first_layer) : "");
    tasks.push_back({claim.id + " " + arithmetic + " " + where, arithmetic == "ball" ? 6.0 : 2.0,
                     [&claim, arithmetic, size, source, engine] {
                       return check_checkpoint(claim, arithmetic, size, source, engine);
                     },
                     verdict::blank_result(claim, "", arithmetic, size)});
  }
}

// Nothing where the shape is one that the claim does not speak about.
Provided provided_by(const Claim& claim, const Size& size, const std::set<std::string>& names) {
  try {
    return provided_inputs(claim.build({size, ""}), names);
  } catch (const InputError&) {
    return {};
  }
}

std::set<std::string> names_of(const Checkpoint& checkpoint, bool layered) {
  std::set<std::string> names;
  const auto first = checkpoint.layer(1);
  for (std::int64_t layer = 1; layer <= checkpoint.layers(); ++layer)
    for (const auto& [name, matrix] : first) names.insert(layered ? expr::layer_weight(name, layer) : name);
  return names;
}

}  // namespace

std::shared_ptr<Checkpoint> open_checkpoint(const std::string& path) {
  auto checkpoint = std::make_shared<Checkpoint>(Checkpoint::open(path));
  // Every tensor is read once here, so that a NaN in the last layer is bad input and not the end of a long run.
  for (std::int64_t layer = 1; layer <= checkpoint->layers(); ++layer) static_cast<void>(checkpoint->layer(layer));
  return checkpoint;
}

void add_checkpoint_cells(const Claim& claim, const std::shared_ptr<Checkpoint>& checkpoint,
                          const std::vector<std::string>& arithmetics, const verdict::Options& engine,
                          std::vector<Task>& tasks) {
  if (claim.measure || claim.false_on_purpose) return;
  Source source;
  source.checkpoint = checkpoint;
  Size size = source.checkpoint->size();
  size.name = source.checkpoint->name();
  size.n = tokens;
  for (const bool layered : {false, true}) {
    source.layered_names = layered;
    Size wanted = size;
    if (!layered) wanted.L = 1;
    source.provided = provided_by(claim, wanted, names_of(*source.checkpoint, layered));
    if (source.provided.names.empty()) continue;
    if (layered) {
      source.first_layer = 1;
      source.last_layer = source.checkpoint->layers();
      add_tasks(claim, wanted, source, arithmetics, engine, tasks);
      continue;
    }
    for (std::int64_t layer = 1; layer <= source.checkpoint->layers(); ++layer) {
      source.first_layer = source.last_layer = layer;
      add_tasks(claim, wanted, source, arithmetics, engine, tasks);
    }
  }
}

}  // namespace attest::cli
