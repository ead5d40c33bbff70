// detent bound: analytic bounds on the makespan and on every op's completion.
#include <CLI/CLI.hpp>

#include "app/bound/bound_model.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {

void add_bound(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("bound", "Bound the makespan of MODEL under any work-conserving schedule");
  auto& [common, wanted] = ask(*command, action, app::bound_model);
  add_scheduled_model(*command, common, wanted.model, AutoSplit::kOffered);
  add_schedule_file(*command, wanted.model.schedule, "static lists instead of a work-conserving schedule");
  add_outcome_option(*command, wanted.model);
  add_failures_option(*command, wanted.model);
  add_costs_option(*command, wanted.model);
  add_chip_of_times(*command, wanted.platform, wanted.cores, wanted.workers);
  choose(command->add_option(
             "--method", wanted.method,
             "Upper bound to compute; exact: the longest run under --policy; smt: by Z3 too; sag: near it, where exact "
             "does not end; lists: of --lists"),
         {"graham", "he2022", "typed", "serial", "exact", "smt", "sag", "lists", "all"})
      ->capture_default_str();
  choose(command->add_option("--mode", wanted.mode, "static: --lists are followed; default: where they are given"),
         {"static", "closed-loop"});
  choose(command->add_option("--policy", wanted.exact.policy, "Of --method exact and sag: which ready op begins first"),
         {"id", "priority", "critical-path", "fifo"})
      ->capture_default_str();
  command
      ->add_option(
          "--max-states", wanted.exact.max_states,
          "Of --method exact and sag: states to look at; more: a bound in its place, of exact with exit code 3")
      ->capture_default_str();
  command
      ->add_option("--sag-width", wanted.sag_width,
                   "Of --method sag: states to keep of each set of ops that has begun; more: closer, and slower")
      ->capture_default_str();
  add_smt_limits(*command, wanted.smt_seconds, wanted.smt_steps);
  add_deadline_option(*command, wanted.deadline);
  add_file(*command, "--witness", wanted.witness,
           "Of --method exact: write an op graph whose ops take the times of the longest run; simulate takes as long");
  command->add_flag("--budget", wanted.budget,
                    "Show what the lowest bound counts of each op and client, and which time to measure first");
  add_spread_of_times(*command, wanted.jitter, wanted.no_npu);
  command->add_flag("--no-overheads", wanted.no_overheads, "The runtime costs nothing");
  add_chip_flags(*command, wanted.no_contention, wanted.private_ports);
}

}  // namespace detent::cli
