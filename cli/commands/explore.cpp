// detent explore: how many schedules there are that matter, which were run, and the smallest one that fails.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "app/explore/combinations.hpp"
#include "app/explore/ops.hpp"
#include "app/explore/threads.hpp"
#include "app/model/loaded_model.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "app/static/static_checks.hpp"
#include "cli/command.hpp"
#include "cli/command_line.hpp"
#include "cli/interrupt.hpp"
#include "cli/options.hpp"
#include "cli/output.hpp"

namespace detent::cli {
namespace {

struct ExploreOptions {
  Common common;
  app::ModelOptions model;
  std::string level = "ops";
  std::string strategy = "dfs";
  std::uint64_t budget = 0;
  std::uint32_t workers = 3;
  app::FailureOptions failure;
  app::OpExploreRequest ops;          ///< what only --level ops takes
  app::ThreadExploreRequest threads;  ///< what only --level threads takes
  const CLI::App* command = nullptr;
};

/// Options that mean something at --level threads alone.
constexpr std::array kThreadOptions = {"--fail-op",  "--failing-starts", "--duplicate-answers",
                                       "--deadline", "--early-timeouts", "--cancel",
                                       "--spurious", "--runs",           "--spin",
                                       "--memory",   "--choices"};

/// What decides the schedules of orders of ops, and what comes of them.
std::string identity_of_orders(const CLI::App& command, const app::LoadedModel& loaded) {
  std::vector<app::NamedOption> given = given_options(command);
  std::erase_if(given, [](const app::NamedOption& option) {
    return std::ranges::find(kThreadOptions, option.first) != kThreadOptions.end();
  });
  return app::exploration_identity(given, loaded);
}

/// One model, or one combination of outcomes of it.
app::Answer explore_one(const ExploreOptions& options, const app::ModelOptions& wanted_model,
                        const std::string& failure_file) {
  app::LoadedModel loaded = [&] {
    app::ModelOptions model = wanted_model;
    model.weights = !options.ops.count_only;
    return app::load(options.common.model, model);
  }();
  app::require_structure(options.common.model, loaded.desc());
  if (options.level == "threads") {
    for (const char* name : {"--shard", "--campaign", "--merge", "--resume"}) {
      if (options.command->count(name) == 0) continue;
      throw std::invalid_argument(fmt::format("{}: shards are of --level ops; leave it out", name));
    }
    if (options.ops.count_only) throw std::invalid_argument("--count: the thread level executes; leave it out");
    app::ThreadExploreRequest wanted = options.threads;
    wanted.line.model = options.common.model;
    wanted.line.seeds = options.common.seeds;
    wanted.line.engine.workers = options.workers;
    wanted.line.split = options.model.split;
    wanted.line.set = options.model.set;
    wanted.line.outcomes = loaded.outcomes;
    wanted.strategy = options.strategy;
    wanted.budget = options.budget;
    wanted.failure_file = failure_file;
    app::require_executable(loaded);
    return app::explore_threads(wanted, loaded);
  }
  for (const char* name : kThreadOptions) {
    if (options.command->count(name) == 0) continue;
    throw std::invalid_argument(fmt::format("{}: is of the engine's threads; add --level threads", name));
  }
  for (const char* name : {"bounded", "rotate", "states"}) {
    if (options.strategy == name) throw std::invalid_argument(fmt::format("--strategy {}: add --level threads", name));
  }
  app::OpExploreRequest ops = options.ops;
  ops.request = options.common;
  ops.strategy = options.strategy;
  ops.split = options.model.split;
  ops.set = options.model.set;
  ops.outcomes = loaded.outcomes;
  ops.workers = options.workers;
  ops.budget = options.budget;
  ops.failure = options.failure;
  ops.failure.file = failure_file;
  if (!ops.count_only) app::require_executable(loaded);
  if (app::needs_identity(ops.campaign)) {
    ops.identity = identity_of_orders(*options.command, loaded);
  }
  return app::explore_orders(ops, loaded, progress_of(options.common, "schedules"));
}

int explore_command(const ExploreOptions& options) {
  const app::Combinations combinations = app::combinations_of(options.common.model, options.model);
  const StopOnInterrupt stop;
  if (!combinations.has_guards) return show(options.common, explore_one(options, options.model, options.failure.file));
  if (combinations.texts.size() > 1 && app::needs_identity(options.ops.campaign)) {
    throw std::invalid_argument("--shard, --campaign, --merge: of one combination of outcomes; name it with --outcome");
  }
  const auto explore = [&](const app::ModelOptions& model, bool has_failed) {
    return explore_one(options, model, has_failed ? "" : options.failure.file);
  };
  return show(options.common, app::explore_combinations(options.common, options.model, combinations, explore));
}

void add_limits(CLI::App& command, ExploreOptions& options) {
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
  command
      .add_option("--failure", options.failure.file,
                  "Write the failing schedule for detent replay: constraints, bytes, hashes of engine and model")
      ->type_name("FILE");
}

}  // namespace

void add_explore(CLI::App& app, Action& action) {
  auto options = std::make_shared<ExploreOptions>();
  CLI::App* command = app.add_subcommand("explore", "Count, run and cover the schedules of MODEL that matter");
  options->command = command;
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  add_set_option(*command, options->model.set);
  add_outcome_option(*command, options->model);
  choose(
      command->add_option("--level", options->level,
                          "ops: orders of ops whose bytes conflict; threads: the engine's own threads, step by step"),
      {"ops", "threads"})
      ->capture_default_str();
  command->add_flag("--count", options->ops.count_only, "Only count the traces; execute nothing");
  std::vector<std::string> strategies = app::op_strategies();
  strategies.insert(strategies.end(), {"bounded", "rotate", "states"});
  choose(command->add_option(
             "--strategy", options->strategy,
             "dfs, sample, pairs, triples, pct, pos or random; threads: dfs, states, bounded, pct, pos, random or "
             "rotate"),
         strategies)
      ->capture_default_str();
  command->add_option("--workers", options->workers, "Workers whose reachable traces are told apart")
      ->check(whole_number(0, DETENT_MAX_WORKERS))
      ->capture_default_str();
  add_input_seed(*command, options->common);
  add_shard_options(*command, options->ops.campaign, "Write what --shard executed to FILE, when it is done",
                    "schedules");
  command->add_flag("--mutex-orders", options->ops.mutex_orders, "Orders of ops that only share a mutex count, too");
  command->add_flag("--commuting-orders", options->ops.commuting_orders, "Orders declared irrelevant count, too");
  add_limits(*command, *options);
  app::ReplayLine& line = options->threads.line;
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
      ->add_option("--state-memory", options->threads.state_memory_mib,
                   "threads, states: MiB for the table of states; where they are not enough the answer is unknown")
      ->check(whole_number(1, 1U << 24U))
      ->type_name("MIB")
      ->capture_default_str();
  command->add_flag("--cancel", engine.cancel, "threads: the run may be cancelled at any moment");
  take_time(command->add_option("--deadline", engine.op_deadline_ps,
                                "threads: deadline of an op; any may take longer, as often as --early-timeouts says"));
  command
      ->add_option("--early-timeouts", options->threads.early_timeouts,
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
  command->add_option("--failing-starts", engine.failing_starts, "threads: starts of workers that fail")
      ->check(whole_number(0, 8));
  command
      ->add_option("--duplicate-answers", engine.duplicate_answers, "threads: answers of each ASYNC op that come twice")
      ->check(whole_number(0, 8));
  command->add_option("--choices", engine.choices, "threads: replay this schedule, step by step");
  command->callback([options, &action] { action = [options] { return explore_command(*options); }; });
}

}  // namespace detent::cli
