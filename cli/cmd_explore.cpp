// detent explore: how many schedules there are that matter, which were run, and the smallest one that fails.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <stdexcept>

#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "cli/checker.hpp"
#include "cli/command.hpp"
#include "cli/explore_coverage.hpp"
#include "cli/explore_engine.hpp"
#include "cli/failure_answer.hpp"
#include "cli/model_options.hpp"
#include "cli/output.hpp"
#include "harness/run.hpp"
#include "reports/json/schedule_json.hpp"
#include "sim/simulate.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/strategy.hpp"
#include "verify/static/structure.hpp"

namespace detent::cli {
namespace {

namespace explore = verify::explore;

constexpr std::size_t kListedPairs = 100;
constexpr std::uint32_t kKeptSchedules = 100;  ///< in which situations are looked for

struct ExploreOptions {
  Common common;
  app::ModelOptions model;
  std::string level = "ops";
  std::string strategy = "dfs";
  bool count_only = false;
  std::uint64_t budget = 0;
  std::uint32_t workers = 3;
  std::uint64_t input_seed = 0;
  std::uint64_t max_states = explore::CountLimits{}.max_states;
  std::uint64_t max_leaves = explore::CountLimits{}.max_leaves;
  std::uint32_t simulate = 2;
  FailureOptions failure;
  bool mutex_orders = false;
  bool commuting_orders = false;
  EngineExplore engine;  ///< what only --level threads takes
};

/// Executions of the failing and the first schedules in simulated time, and how many gave another digest.
struct SimulatedSchedules {
  std::uint64_t runs = 0;
  std::uint64_t other_digest = 0;
};

explore::OpExploreOptions explore_options(const ExploreOptions& options, const app::LoadedModel& loaded) {
  explore::OpExploreOptions result;
  result.strategy = options.strategy;
  result.budget = options.budget;
  result.seed = options.common.seed;
  result.workers = options.workers;
  result.count = {.max_states = options.max_states, .max_leaves = options.max_leaves};
  result.runner.input_seed = options.input_seed;
  result.runner.backends = loaded.backends;
  result.keep = kKeptSchedules;
  return result;
}

Json traces_json(const ExploreOptions& options, const explore::OpExploreReport& report) {
  Json traces = reports::traces_json(coverage_of(report, options.strategy));
  const explore::ReachableTraces& reachable = report.reachable;
  traces["reachable"] = {{"workers", reachable.workers},
                         {"policy", "id"},
                         {"of", reachable.checked},
                         {"reachable", reachable.reachable},
                         {"unknown", reachable.unknown}};
  return traces;
}

Json pairs_json(const detent_desc& desc, const std::vector<explore::OpPair>& pairs) {
  Json list = Json::array();
  for (const explore::OpPair& pair : pairs) {
    if (list.size() == kListedPairs) break;
    if (pair.kind == explore::PairKind::kMutexOnly) continue;
    list.push_back(races_json(desc, {pair.bytes}).front());
  }
  return list;
}

/// What a replay line of this exploration starts from.
app::ReplayLine line_of(const ExploreOptions& options) {
  app::ReplayLine line;
  line.model = options.common.model;
  line.seed = options.common.seed;
  line.split = options.model.split;
  line.input_seed = options.input_seed;
  return line;
}

/// One after another on one core each: the order is the given one, so the digest must be the native one.
SimulatedSchedules simulate_schedules(const ExploreOptions& options, const app::LoadedModel& loaded,
                                      const explore::OpExploreReport& report) {
  SimulatedSchedules result;
  const detent_desc& desc = loaded.desc();
  std::vector<std::pair<std::string, std::uint32_t>> cores;
  for (std::uint32_t c = 0; c < desc.class_count; ++c) {
    if (desc.classes[c].kind == DETENT_CLASS_WORKERS) cores.emplace_back(desc.classes[c].name, 1U);
  }
  if (cores.size() != 1) return result;  // ops of two classes overlap: the order of their effects is not the given one
  const sim::Platform platform = sim::plain_platform(cores);
  std::vector<explore::ExecutedSchedule> schedules;
  if (report.failure) schedules.push_back({report.failure->schedule, report.failure->digest});
  schedules.insert(schedules.end(), report.schedules.begin(), report.schedules.end());
  for (const explore::ExecutedSchedule& schedule : schedules) {
    if (result.runs == options.simulate) break;
    sim::SimOptions sim_options;
    sim_options.worker_count = 1;
    sim_options.input_seed = options.input_seed;
    sim_options.jitter.kind = sim::Jitter::Kind::kWorst;
    sim_options.policy = "given";
    sim_options.order = schedule.order;
    sim_options.backends = loaded.backends;
    const sim::SimResult simulated = sim::simulate(desc, platform, sim_options);
    ++result.runs;
    if (simulated.failure || simulated.digests != std::vector{schedule.digest}) ++result.other_digest;
  }
  return result;
}

std::string count_text(const explore::OpExploreReport& report) {
  if (report.count.exact) return explore::format_count(report.count.total);
  const std::string least = "at least " + explore::format_count(report.count.total);
  if (!report.estimate) return least;
  return fmt::format("{}, about {:.3g} +- {:.2g} (Knuth, {} samples)", least, report.estimate->total,
                     report.estimate->standard_error, report.estimate->samples);
}

void print(const ExploreOptions& options, const explore::OpSpace& space, const explore::OpExploreReport& report,
           const std::optional<FailureAnswer>& failure) {
  const Common& common = options.common;
  say(common, fmt::format("{}: {} ops, {} unordered pairs, {} of them open (order matters)", common.model,
                          space.desc().op_count, report.pairs.unordered_total, report.open_pairs));
  say(common, fmt::format("  traces    {} in all", count_text(report)));
  if (!options.count_only) {
    say(common, fmt::format("  executed  {} schedules ({}), {} traces seen, {} redundant, {} with another digest",
                            report.executions, options.strategy, report.seen, report.redundant(), report.differing));
    say(common, fmt::format("  pairs     both orders of {} of {} open and {} of {} unordered pairs",
                            report.pairs.conflicting_both, report.pairs.conflicting_total, report.pairs.unordered_both,
                            report.pairs.unordered_total));
    if (report.unseen_mass)
      say(common, fmt::format("  unseen    {:.3g} of the mass (Good-Turing)", *report.unseen_mass));
    const explore::ReachableTraces& reachable = report.reachable;
    say(common, fmt::format("  reachable {} of {} traces checked, by {} workers, lowest id first", reachable.reachable,
                            reachable.checked, reachable.workers));
  }
  if (failure) print_failure(common, space.desc(), *report.failure, *failure);
  say(common, fmt::format("  {} {}: {}", report.verdict.property, verify::outcome_name(report.verdict.outcome),
                          report.verdict.summary));
  if (failure) print_replay(common, app::format_replay_line(failure->line), options.failure.file);
}

Json answer_json(const ExploreOptions& options, const explore::OpSpace& space, const explore::OpExploreReport& report) {
  Json answer = json_header("explore", options.common);
  answer["level"] = options.level;
  answer["strategy"] = options.count_only ? Json(nullptr) : Json(options.strategy);
  answer["verdict"] = verify::outcome_name(report.verdict.outcome);
  answer["verdicts"] = verdicts_json({report.verdict});
  answer["traces"] = traces_json(options, report);
  answer["executions"] = report.executions;
  answer["redundant"] = report.redundant();
  answer["redundancy"] = reports::redundancy_json(report.executions, report.seen);
  answer["differing"] = report.differing;
  if (options.strategy == "sample") answer["differing_share"] = report.differing_share;
  answer["pair_coverage"] = reports::pair_coverage_json(report.pairs);
  answer["unseen_mass"] = report.unseen_mass ? Json(*report.unseen_mass) : Json(nullptr);
  answer["open_pairs"] = report.open_pairs;
  answer["racing_pairs"] = report.racing_pairs;
  answer["order_dependent_pairs"] = report.order_dependent_pairs;
  answer["commuting_pairs"] = report.ignored_pairs;
  answer["pairs"] = pairs_json(space.desc(), space.pairs());
  answer["failure"] = nullptr;
  return answer;
}

int explore_command(const ExploreOptions& options) {
  app::LoadedModel loaded = [&] {
    app::ModelOptions model = options.model;
    model.weights = !options.count_only;
    return app::load(options.common.model, model);
  }();
  const verify::Verdict structure = verify::check_structure(loaded.desc());
  if (structure.outcome == verify::Outcome::kViolated) {
    throw std::invalid_argument(options.common.model + ": " + structure.witnesses.front().text);
  }
  if (options.level == "threads") {
    if (options.count_only) throw std::invalid_argument("--count: the thread level executes; leave it out");
    EngineExplore words = options.engine;
    words.strategy = options.strategy;
    words.workers = options.workers;
    words.budget = options.budget;
    words.input_seed = options.input_seed;
    words.split = options.model.split;
    words.failure_file = options.failure.file;
    app::require_executable(loaded);
    return explore_engine(options.common, loaded, words);
  }
  const EngineExplore& faults = options.engine;
  const bool has_faults = !faults.failing_ops.empty() || faults.failing_starts != 0 || faults.duplicate_answers != 0 ||
                          faults.op_deadline_ps != 0 || faults.early_timeouts || faults.cancel ||
                          faults.spurious_wakeups != 0 || faults.runs != 1 || faults.spin_limit != 0;
  if (has_faults) {
    throw std::invalid_argument(
        "--fail-op, --failing-starts, --duplicate-answers, --deadline, --early-timeouts, --cancel, --spurious, --runs, "
        "--spin: add --level threads");
  }
  for (const char* name : {"bounded", "rotate", "states"}) {
    if (options.strategy == name) throw std::invalid_argument(fmt::format("--strategy {}: add --level threads", name));
  }
  const explore::OpSpace space(loaded.desc(),
                               {.commuting_orders = options.commuting_orders, .mutex_orders = options.mutex_orders});
  explore::OpExploreOptions explore_with = explore_options(options, loaded);
  Progress progress(options.common, "schedules");
  explore_with.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  const bool execute = !options.count_only;
  if (execute) app::require_executable(loaded);
  const explore::OpExploreReport report =
      execute ? explore::explore_ops(space, explore_with) : explore::count_op_traces(space, explore_with);

  Json answer = answer_json(options, space, report);
  SimulatedSchedules simulated;
  if (execute && report.executions != 0) {
    simulated = simulate_schedules(options, loaded, report);
    answer["simulated"] = {{"runs", simulated.runs}, {"other_digest", simulated.other_digest}};
    answer["serial_digest"] = harness::format_digest(report.serial_digest);
  }
  std::vector<explore::Situation> situations;
  if (execute && report.executions != 0) situations = op_situations(space, report);
  add_situations(situations, answer);
  std::optional<FailureAnswer> failure;
  if (report.failure) {
    failure = answer_failure(line_of(options), loaded, space, *report.failure, options.failure);
    answer["failure"] = failure_json(space.desc(), *report.failure, *failure);
    answer["replay"] = answer["failure"]["replay"];
  }
  write_json(options.common, answer);
  print(options, space, report, failure);
  print_findings(options.common, situations);
  if (simulated.other_digest != 0) {
    say(options.common, fmt::format("  VIOLATED: {} of {} schedules gave other bytes in simulation than natively",
                                    simulated.other_digest, simulated.runs));
    return kViolated;
  }
  return exit_code({report.verdict});
}

void add_limits(CLI::App& command, ExploreOptions& options) {
  command
      .add_option("--budget", options.budget, "Schedules to execute at most; 0 = by the work of one run, 16 to 1000")
      ->capture_default_str();
  command.add_option("--max-states", options.max_states, "Counting: states kept per independent group of ops")
      ->capture_default_str();
  command.add_option("--max-traces", options.max_leaves, "Counting: traces visited where states do not suffice")
      ->capture_default_str();
  command.add_option("--simulate", options.simulate, "Schedules executed in simulated time, too")
      ->check(CLI::Range(0U, 16U))
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
  add_common(*command, options->common);
  add_model_options(*command, options->model);
  command
      ->add_option("--level", options->level,
                   "ops: orders of ops whose bytes conflict; threads: the engine's own threads, step by step")
      ->check(CLI::IsMember({"ops", "threads"}))
      ->capture_default_str();
  command->add_flag("--count", options->count_only, "Only count the traces; execute nothing");
  std::vector<std::string> strategies = explore::strategy_names();
  strategies.insert(strategies.end(), {"bounded", "rotate", "states"});
  command
      ->add_option(
          "--strategy", options->strategy,
          "dfs, sample, pairs, triples, pct, pos or random; threads: dfs, states, bounded, pct, pos, random or rotate")
      ->check(CLI::IsMember(strategies))
      ->capture_default_str();
  command->add_option("--workers", options->workers, "Workers whose reachable traces are told apart")
      ->check(CLI::Range(0U, DETENT_MAX_WORKERS))
      ->capture_default_str();
  command->add_option("--input-seed", options->input_seed, "Seed of the input data")->capture_default_str();
  command->add_flag("--mutex-orders", options->mutex_orders, "Orders of ops that only share a mutex count, too");
  command->add_flag("--commuting-orders", options->commuting_orders, "Orders declared irrelevant count, too");
  add_limits(*command, *options);
  EngineExplore& engine = options->engine;
  command->add_option("--mode", engine.mode, "threads: serial, layered, closed-loop or static")->capture_default_str();
  command->add_option("--scheduler", engine.scheduler, "threads: role or thread")->capture_default_str();
  command
      ->add_option("--memory", engine.memory,
                   "threads: what loads may see: c11 (all that C++20 allows) or sc (the newest value)")
      ->check(CLI::IsMember(std::vector<std::string>{"sc", "c11"}))
      ->capture_default_str();
  command->add_option("--spurious", engine.spurious_wakeups, "threads: waits of each thread that return unasked")
      ->check(CLI::Range(0U, 8U))
      ->capture_default_str();
  command
      ->add_option("--state-memory", engine.state_memory_mib,
                   "threads, states: MiB for the table of states; where they are not enough the answer is unknown")
      ->check(CLI::Range(1U, 1U << 24U))
      ->type_name("MIB")
      ->capture_default_str();
  command->add_flag("--cancel", engine.cancel, "threads: the run may be cancelled at any moment");
  command
      ->add_option("--deadline", engine.op_deadline_ps,
                   "threads: deadline of an op; any may take longer, as often as --early-timeouts says")
      ->type_name("PS");
  command
      ->add_option("--early-timeouts", engine.early_timeouts,
                   "threads: deadlines that pass while others could run; 1 with --deadline")
      ->check(CLI::Range(0U, 8U));
  command->add_option("--runs", engine.runs, "threads: runs on one context")
      ->check(CLI::Range(1U, 8U))
      ->capture_default_str();
  command->add_option("--spin", engine.spin_limit, "threads: pauses before a thread that waits goes to sleep")
      ->check(CLI::Range(0U, 8U))
      ->capture_default_str();
  command
      ->add_option("--fail-op", engine.failing_ops, "threads: the kernel of this op returns an error; may be repeated")
      ->type_name("OP");
  command->add_option("--failing-starts", engine.failing_starts, "threads: starts of workers that fail")
      ->check(CLI::Range(0U, 8U));
  command
      ->add_option("--duplicate-answers", engine.duplicate_answers, "threads: answers of each ASYNC op that come twice")
      ->check(CLI::Range(0U, 8U));
  command->add_option("--choices", engine.choices, "threads: replay this schedule, step by step");
  command->callback([options, &action] { action = [options] { return explore_command(*options); }; });
}

}  // namespace detent::cli
