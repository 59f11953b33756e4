// The attest command: options only; the work is in one file a verb.
#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/verbs.h"
#include "core/support/error.h"

namespace {

using namespace attest::cli;

struct Chosen {
  std::function<int()> run;
};

void add_list(CLI::App& app, ListOptions& options, Chosen& chosen) {
  CLI::App* verb = app.add_subcommand("list", "The claims: id, kind, statement, hypotheses");
  verb->add_flag("--json", options.json, "Print an array of {id, kind, source, hypotheses, expected}");
  verb->footer("Example: attest list --json");
  verb->callback([&] { chosen.run = [&] { return list(options); }; });
}

void add_check(CLI::App& app, CheckOptions& options, Chosen& chosen) {
  CLI::App* verb = app.add_subcommand("check", "Checks claims, and what happens when each hypothesis is dropped");
  verb->add_option("claims", options.claims, "Claim ids or chapters; all when none is given");
  verb->add_option("--arith", options.arithmetics, "field,rational,ball,multiprecision,double,float")->delimiter(',');
  verb->add_option("--size", options.sizes, "tiny,small,medium,gpt2-small,kmg-300m,kmg-1.2b,llama3-8b, or all")
      ->delimiter(',');
  verb->add_option("--trials", options.trials, "Random instances a cell")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  verb->add_option("--seed", options.seed, "Seed of every random choice")->capture_default_str();
  verb->add_option("--prime", options.prime,
                   "field: this prime instead of random ones; the verdict then says F_p only");
  verb->add_option("--jobs", options.jobs, "Threads; one a core by default")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  verb->add_option("--weights", options.weights, "Take the matrices from this .safetensors checkpoint too");
  verb->add_option("--json", options.json, "Write the record here; - is standard output");
  verb->add_option("--html", options.html, "Write index.html into this folder");
  verb->add_option("--markdown", options.markdown, "Write the report as Markdown");
  verb->add_option("--junit", options.junit, "Write the results as JUnit XML");
  verb->add_option("--allow-undecided", options.allow_undecided, "A claim that may stay undecided; repeatable");
  verb->add_flag("--no-search", options.no_search, "Leave out the search for smallest counterexamples");
  verb->footer("Example: attest check reparam.telescope --arith field,double --size gpt2-small --html report");
  verb->callback([&] { chosen.run = [&] { return check(options); }; });
}

void add_refute(CLI::App& app, RefuteOptions& options, Chosen& chosen) {
  CLI::App* verb = app.add_subcommand("refute", "The smallest counterexample, exact or certified");
  verb->add_option("claim", options.claim, "Claim id")->required();
  verb->add_option("--without", options.without, "The hypothesis to drop");
  verb->add_option("--seed", options.seed, "Seed of the random part of the search")->capture_default_str();
  verb->add_option("--budget", options.budget, "Candidates a size that are walked in order")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40));
  verb->add_option("--json", options.json, "Write the record here; - is standard output");
  verb->add_option("--certificate", options.certificate, "Write the certificate here, for attest replay");
  verb->footer("Example: attest refute reparam.telescope --without one_skip_missing --certificate telescope.json");
  verb->callback([&] { chosen.run = [&] { return refute(options); }; });
}

void add_explain(CLI::App& app, ExplainOptions& options, Chosen& chosen) {
  CLI::App* verb = app.add_subcommand("explain", "Statement, hypotheses, proof idea, source, how it is checked");
  verb->add_option("claim", options.claim, "Claim id")->required();
  verb->footer("Example: attest explain reparam.query_iff");
  verb->callback([&] { chosen.run = [&] { return explain(options); }; });
}

void add_replay(CLI::App& app, ReplayOptions& options, Chosen& chosen) {
  CLI::App* verb = app.add_subcommand("replay", "Rechecks certificates from scratch");
  verb->add_option("files", options.files, "Certificates")->required();
  verb->footer("Example: attest replay telescope.json");
  verb->callback([&] { chosen.run = [&] { return replay(options); }; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"attest decides claims about transformer algebra, with proofs, certificates and bounds", "attest"};
  app.require_subcommand(1);
  app.set_version_flag("--version", std::string(ATTEST_VERSION));
  app.footer("Example: attest check reparam --html report");
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  Chosen chosen;
  ListOptions list_options;
  CheckOptions check_options;
  RefuteOptions refute_options;
  ExplainOptions explain_options;
  ReplayOptions replay_options;
  check_options.arguments = refute_options.arguments = arguments;
  add_list(app, list_options, chosen);
  add_check(app, check_options, chosen);
  add_refute(app, refute_options, chosen);
  add_explain(app, explain_options, chosen);
  add_replay(app, replay_options, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? as_declared : bad_input;
  }
  try {
    return chosen.run();
  } catch (const attest::InputError& error) {
    std::cerr << "attest: " << error.what() << '\n';
    return bad_input;
  } catch (const std::exception& error) {
    std::cerr << "attest: internal error: " << error.what() << '\n';
    return internal;
  }
}
