#include <algorithm>

#include "core/arith/backend.h"
#include "core/certificate/certificate.h"
#include "core/certificate/content.h"
#include "core/certificate/evidence.h"
#include "core/claim/evaluate.h"
#include "core/support/error.h"
#include "core/support/text.h"

namespace attest::certificate {
namespace {

// Collects steps; every check either adds a step or ends the replay.
class Replay {
 public:
  Replay(const Certificate& certificate, const claim::Registry& registry)
      : certificate_(certificate), registry_(registry) {}

  ReplayResult run() {
    try {
      result_.agrees =
          checksum() && statement() && size() && shapes() && conditions() && dropped_hypothesis() && evidence();
    } catch (const InputError& error) {
      differs(error.what());
    }
    if (result_.agrees)
      step(certificate_.minimal.empty() ? "minimality is not stated"
                                        : "minimal: " + certificate_.minimal +
                                              " is not rechecked (the search is not "
                                              "repeated)");
    return std::move(result_);
  }

 private:
  void step(const std::string& text) { result_.steps.push_back(text); }
  bool differs(const std::string& text) {
    result_.disagreement = text;
    result_.agrees = false;
    return false;
  }

  bool checksum() {
    if (certificate_.stated_checksum.empty()) return true;  // made in memory: the next steps recompute all of it
    const std::string recomputed = content_checksum(certificate_);
    if (recomputed != certificate_.stated_checksum)
      return differs("checksum: the file says " + certificate_.stated_checksum + ", its content has " + recomputed +
                     ": it was edited");
    step("checksum " + recomputed + " of the content");
    return true;
  }

  bool statement() {
    claim_ = &registry_.at(certificate_.claim);
    const auto sides = claim::sides_of(*claim_);
    if (std::find(sides.begin(), sides.end(), certificate_.side) == sides.end())
      return differs("side: '" + certificate_.side + "' is not one of " + join(sides, ", "));
    if (certificate_.verdict != "refuted") return differs("verdict: '" + certificate_.verdict + "' is not 'refuted'");
    if (!claim_->build) return differs("claim: " + claim_->id + " is measured and has no instance to recheck");
    dropped_ = certificate_.side == "claim" ? "" : certificate_.side.substr(std::string("without:").size());
    step("claim " + claim_->id + ", side " + certificate_.side + ", is in the registry");
    return true;
  }

  // Before anything is built: a count cannot be larger than what the instance has entries for.
  bool size_is_covered() {
    std::int64_t entries = 16;
    for (const auto& [name, matrix] : certificate_.instance) entries += matrix.rows * matrix.cols;
    const claim::Size& size = certificate_.size;
    const std::int64_t largest = std::max({size.n, size.d, size.h, size.g, size.k, size.L, size.m});
    if (largest <= entries && size.L <= 64) return true;
    return differs("size: a count of " + std::to_string(largest) + " is too large for this instance");
  }

  bool size() {
    if (!size_is_covered()) return false;
    const claim::Size canonical = canonical_size(*claim_, dropped_, certificate_.size);
    if (!(canonical == certificate_.size))
      return differs("size: a count that the statement does not depend on is not the smallest possible");
    statement_ = claim_->build({certificate_.size, dropped_});
    step("the claim admits the size");
    return true;
  }

  bool shapes() {
    if (certificate_.instance.size() != statement_.inputs.size())
      return differs("instance: " + std::to_string(certificate_.instance.size()) + " matrices, the statement has " +
                     std::to_string(statement_.inputs.size()) + " inputs");
    for (const auto& input : statement_.inputs) {
      const auto found = certificate_.instance.find(input.name);
      if (found == certificate_.instance.end()) return differs("instance: no matrix " + input.name);
      const expr::Shape shape{found->second.rows, found->second.cols};
      if (shape != input.shape)
        return differs("instance." + input.name + ": " + to_string(shape) + ", the statement has " +
                       to_string(input.shape));
      const std::string violation = recipe_violation(input, found->second);
      if (!violation.empty()) return differs("instance: " + violation);
    }
    step("the instance has exactly the statement's " + std::to_string(statement_.inputs.size()) + " inputs");
    return true;
  }

  bool conditions() {
    std::string failed;
    const Truth all = claim::satisfies(statement_, certificate_.instance, &failed);
    if (all != Truth::yes)
      return differs("hypotheses: " + failed + " is " + std::string(to_string(all)) + " for the instance");
    for (const auto& condition : statement_.conditions) step("holds exactly: " + claim::to_text(condition));
    return true;
  }

  // The statement's own conditions for the dropped hypothesis hold already. Where it has none, the claim's condition on
  // the same inputs must be false.
  bool dropped_hypothesis() {
    if (dropped_.empty()) return true;
    for (const auto& condition : statement_.conditions) {
      if (condition.hypothesis != dropped_) continue;
      step("dropped hypothesis " + dropped_ + " is violated: " + claim::to_text(condition));
      return true;
    }
    claim::Statement kept;
    try {
      kept = claim_->build({certificate_.size, ""});
    } catch (const InputError& error) {
      step("dropped hypothesis " + dropped_ + ": the size alone violates it (" + error.what() + ")");
      return true;
    }
    bool stated = false;
    for (const auto& condition : kept.conditions) {
      if (condition.hypothesis != dropped_ || !is_about_inputs(condition)) continue;
      stated = true;
      const Truth truth = truth_of(condition);
      if (truth == Truth::unknown) return differs("dropped hypothesis " + dropped_ + ": not decided");
      if (truth == Truth::yes) continue;
      step("dropped hypothesis " + dropped_ + " is violated: false that " + claim::to_text(condition));
      return true;
    }
    if (stated) return differs("dropped hypothesis " + dropped_ + ": the instance satisfies it");
    step("dropped hypothesis " + dropped_ + ": dropped by the statement's form, it is no condition on these inputs");
    return true;
  }

  // Whether the operands are inputs of the instance, or constants: an expression of the claim could mean something
  // else.
  bool is_about_inputs(const claim::Condition& condition) const {
    for (const expr::Expr& operand : condition.operands) {
      const expr::Node& node = operand.node();
      if (node.op != expr::Op::input && !expr::inputs_of({operand}).empty()) return false;
      if (node.op != expr::Op::input) continue;
      const auto found = certificate_.instance.find(node.name);
      if (found == certificate_.instance.end()) return false;
      if (expr::Shape{found->second.rows, found->second.cols} != node.shape) return false;
    }
    return true;
  }

  Truth truth_of(const claim::Condition& condition) const {
    const auto rational = arith::make_backend("rational");
    return claim::holds(condition, *rational, claim::source_of(certificate_.instance, *rational));
  }

  bool evidence() {
    if (certificate_.arithmetic != "rational" && certificate_.arithmetic != "ball")
      return differs("arithmetic: '" + certificate_.arithmetic + "' is neither rational nor ball");
    const bool ball = certificate_.arithmetic == "ball";
    if (ball ? certificate_.precision < precision_step || certificate_.precision > largest_precision ||
                   certificate_.precision % precision_step != 0
             : certificate_.precision != 0)
      return differs("precision: " + std::to_string(certificate_.precision) + " bits is out of range");
    const Evidence recomputed =
        evidence_of(statement_, certificate_.instance, certificate_.arithmetic, certificate_.precision);
    for (const auto& note : recomputed.notes) step(note);
    if (!same_differences(recomputed) || !same_failing(recomputed)) return false;
    if (recomputed.differences.empty() && recomputed.failing.empty()) return differs("evidence: nothing differs");
    return true;
  }

  bool same_differences(const Evidence& recomputed) {
    for (std::size_t i = 0; i < std::max(recomputed.differences.size(), certificate_.differences.size()); ++i) {
      const std::string field = "differences[" + std::to_string(i) + "]";
      if (i >= certificate_.differences.size())
        return differs(field + ": not stated, recomputed " + shown(recomputed.differences[i]));
      if (i >= recomputed.differences.size())
        return differs(field + ": stated " + shown(certificate_.differences[i]) + ", recomputed no difference");
      if (!(certificate_.differences[i] == recomputed.differences[i]))
        return differs(field + ": stated " + shown(certificate_.differences[i]) + ", recomputed " +
                       shown(recomputed.differences[i]));
      step("recomputed: " + shown(recomputed.differences[i]));
    }
    return true;
  }

  bool same_failing(const Evidence& recomputed) {
    if (recomputed.failing != certificate_.failing)
      return differs("failing: stated '" + join(certificate_.failing, "', '") + "', recomputed '" +
                     join(recomputed.failing, "', '") + "'");
    for (const auto& condition : recomputed.failing) step("necessary and false: " + condition);
    return true;
  }

  static std::string shown(const Certificate::Difference& difference) {
    return difference.label + " [" + std::to_string(difference.row) + ", " + std::to_string(difference.col) +
           "]: expected " + difference.expected + ", constructed " + difference.constructed;
  }

  const Certificate& certificate_;
  const claim::Registry& registry_;
  ReplayResult result_;
  const claim::Claim* claim_ = nullptr;
  std::string dropped_;
  claim::Statement statement_;
};

}  // namespace

ReplayResult replay(const Certificate& certificate, const claim::Registry& registry) {
  return Replay(certificate, registry).run();
}

}  // namespace attest::certificate
