#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include "cli/verbs.h"
#include "core/verdict/engine.h"

namespace attest::cli {

// One unit of work: a cell of the verdict matrix, or the search for a smallest counterexample.
struct Task {
  std::string title;  // "reparam.telescope field gpt2-small"
  double weight = 1;  // expected cost, for the order of work and the time left
  std::function<verdict::Result()> run;
  verdict::Result blank{};  // claim, side, arithmetic, size: what an error is reported with
};

// Runs the tasks on `jobs` threads, costly ones first; results come back in the order of the tasks whatever the number
// of threads. An exception becomes a result with verdict error. When interrupted, tasks that have not finished are left
// out and report.interrupted is set.
verdict::Report run_campaign(const std::vector<Task>& tasks, std::int64_t jobs);

// The tasks of `attest check`: claims x sides x sizes x arithmetics, the searches, and the checkpoint's layers.
std::vector<Task> plan_campaign(const claim::Registry& registry, const CheckOptions& options);

// Compiler, CPU and library versions, for the record.
verdict::Environment environment_of(std::uint64_t seed, const std::vector<std::string>& arguments);

}  // namespace attest::cli
