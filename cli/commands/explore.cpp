// detent explore: how many schedules there are that matter, which were run, and the smallest one that fails.
#include "app/explore/explore.hpp"

#include <CLI/CLI.hpp>
#include <stdexcept>

#include "app/explore/pool.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ExploreOptions {
  Common common;
  app::ExploreRequest wanted;
  std::vector<std::string> others{};
  std::vector<std::int32_t> priorities{};
  const CLI::App* command = nullptr;
};

int explore_command(ExploreOptions& options) {
  options.wanted.request = options.common;
  options.wanted.given = given_options(*options.command);
  check_networks(options.others);
  if (options.others.empty() && !options.priorities.empty()) {
    throw std::invalid_argument("--priorities: are of several models; name them behind MODEL");
  }
  const StopOnInterrupt stop;
  if (!options.others.empty()) {
    return show(options.common, app::explore_models_together(options.wanted, options.others, options.priorities));
  }
  return show(options.common, app::explore_every_outcome(options.wanted, progress_of(options.common, "schedules")));
}

void add_limits(CLI::App& command, app::ExploreRequest& options) {
  command
      .add_option("--budget", options.budget, "Schedules to execute at most; 0 = by the work of one run, 16 to 1000")
      ->capture_default_str();
  command.add_option("--max-states", options.ops.max_states, "Counting: states kept per independent group of ops")
      ->capture_default_str();
  command.add_option("--max-traces", options.ops.max_leaves, "Counting: traces visited where states do not suffice")
      ->capture_default_str();
  command.add_option("--simulate", options.ops.simulate, "Schedules executed in simulated time, too")
      ->check(whole_number(0, 16))
      ->capture_default_str();
  command.add_option("--gate-runs", options.failure.gate_runs, "Native runs in which gates must reproduce the failure")
      ->capture_default_str();
  add_file(command, "--failure", options.failure.file,
           "Write the failing schedule for detent replay: constraints, bytes, hashes of engine and model");
}

}  // namespace

void add_explore(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("explore", "Count, run and cover the schedules of MODEL that matter");
  auto& [common, wanted, others, priorities, self] = make_options(*command, action, explore_command);
  self = command;
  add_scheduled_model(*command, common, wanted.model);
  add_schedule_file(*command, wanted.model.schedule, "with --level threads, where --mode static follows them");
  add_outcome_option(*command, wanted.model);
  add_failures_option(*command, wanted.model);
  add_prepared_option(*command, add_device_option(*command, wanted.model.device), wanted.model.device);
  add_networks(*command, others, priorities,
               "threads: more models, whose contexts share the workers of one pool with MODEL's");
  choose(
      command->add_option("--level", wanted.level,
                          "ops: orders of ops whose bytes conflict; threads: the engine's own threads, step by step"),
      {"ops", "threads"})
      ->capture_default_str();
  command->add_flag("--count", wanted.ops.count_only, "Only count the traces; execute nothing");
  choose(command->add_option(
             "--strategy", wanted.strategy,
             "dfs, sample, pairs, triples, pct, pos or random; threads: dfs, states, bounded, pct, pos, random or "
             "rotate"),
         app::explore_strategies())
      ->capture_default_str();
  command->add_option("--workers", wanted.workers, "Workers whose reachable traces are told apart")
      ->check(whole_number(0, DETENT_MAX_WORKERS))
      ->capture_default_str();
  add_input_seed(*command, common);
  add_shard_options(*command, wanted.ops.campaign, "Write what --shard executed to FILE, when it is done", "schedules");
  command->add_flag("--mutex-orders", wanted.ops.mutex_orders, "Orders of ops that only share a mutex count, too");
  command->add_flag("--commuting-orders", wanted.ops.commuting_orders, "Orders declared irrelevant count, too");
  add_limits(*command, wanted);
  app::ReplayLine& line = wanted.threads.line;
  app::ThreadReplaySpec& engine = line.threads;
  add_engine_option(*command, "mode", line.engine, "threads: serial, layered, closed-loop or static");
  add_engine_option(*command, "scheduler", line.engine, "threads: role or thread");
  choose(command->add_option("--memory", engine.memory,
                             "threads: what loads may see: c11 (all that C++20 allows) or sc (the newest value)"),
         {"sc", "c11"})
      ->capture_default_str();
  command->add_option("--spurious", engine.spurious, "threads: waits of each thread that return unasked")
      ->check(whole_number(0, 8))
      ->capture_default_str();
  command
      ->add_option("--state-memory", wanted.threads.state_memory_mib,
                   "threads, states: MiB for the table of states; where they are not enough the answer is unknown")
      ->check(whole_number(1, 1U << 24U))
      ->type_name("MIB")
      ->capture_default_str();
  command->add_flag("--cancel", engine.cancel, "threads: the run may be cancelled at any moment");
  take_time(command->add_option("--deadline", engine.op_deadline_ps,
                                "threads: deadline of an op; any may take longer, as often as --early-timeouts says"));
  command
      ->add_option("--early-timeouts", wanted.threads.early_timeouts,
                   "threads: deadlines that pass while others could run; 1 with --deadline")
      ->check(whole_number(0, 8));
  command->add_option("--runs", engine.runs, "threads: runs on one context")
      ->check(whole_number(1, 8))
      ->capture_default_str();
  command->add_option("--spin", line.engine.spin_limit, "threads: pauses before a thread that waits goes to sleep")
      ->check(whole_number(0, 8))
      ->default_str("0");
  command
      ->add_option("--fail-op", engine.failing_ops, "threads: the kernel of this op returns an error; may be repeated")
      ->type_name("OP");
  command
      ->add_option("--fail-device", wanted.failing_devices,
                   "threads: the kernels of all ops of this class of cores return an error; may be repeated")
      ->type_name("CLASS");
  command->add_option("--failing-starts", engine.failing_starts, "threads: starts of workers that fail")
      ->check(whole_number(0, 8));
  command
      ->add_option("--duplicate-answers", engine.duplicate_answers, "threads: answers of each ASYNC op that come twice")
      ->check(whole_number(0, 8));
  command->add_option("--choices", engine.choices, "threads: replay this schedule, step by step");
}

}  // namespace detent::cli
