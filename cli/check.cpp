#include <algorithm>
#include <iostream>
#include <thread>

#include "cli/campaign.h"
#include "cli/output.h"
#include "core/support/error.h"

namespace attest::cli {
namespace {

void require_known_exceptions(const claim::Registry& registry, const std::vector<std::string>& ids) {
  for (const std::string& id : ids) static_cast<void>(registry.at(id));
}

}  // namespace

int check(const CheckOptions& options) {
  const claim::Registry registry = all_claims();
  require_known_exceptions(registry, options.allow_undecided);
  const std::vector<Task> tasks = plan_campaign(registry, options);
  if (tasks.empty()) throw InputError("nothing to check: none of the claims is asked for at these sizes");
  require_writable_outputs(options);
  const auto cores = static_cast<std::int64_t>(std::max(1U, std::thread::hardware_concurrency()));
  verdict::Report report =
      run_campaign(tasks, std::min(options.jobs > 0 ? options.jobs : cores, static_cast<std::int64_t>(tasks.size())));
  report.environment = environment_of(options.seed, options.arguments);
  write_reports(report, registry, options);
  print_table(report, options.json == "-" ? std::cerr : std::cout);
  if (report.interrupted) std::cerr << "interrupted: the record holds what had finished\n";
  if (report.interrupted) {
    // Workers may still be inside a task; ending here keeps them from using what is being torn down.
    std::cout.flush();
    std::cerr.flush();
    std::_Exit(interrupted);
  }
  return verdict::exit_code(report, options.allow_undecided);
}

}  // namespace attest::cli
