// Model -> op-level schedules, engine schedules, cover goals, verdicts.
#include "app/check/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/explore/coverage.hpp"
#include "app/explore/failure_story.hpp"
#include "app/model/worker_count.hpp"
#include "app/replay/failure_line.hpp"
#include "base/counted.hpp"
#include "harness/engine_spec.hpp"
#include "verify/explore/coverage/cover_goals.hpp"
#include "verify/explore/coverage/engine_graph.hpp"
#include "verify/explore/ops/explore.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

constexpr std::uint32_t kMaxCoveredOps = 4096;  ///< beyond: neither pairs nor conflicts are looked at one by one
constexpr double kCoverageWork = 1e9;           ///< bytes and operations of all schedules that check runs
constexpr double kHeavyWork = 2e9;              ///< of one run: none is spent on races, whose minimising takes many
constexpr double kSuspectWork = 2e10;           ///< of all runs that look for a racing pair which shows
constexpr std::uint64_t kFewestSuspects = 8;
constexpr std::uint64_t kMostSuspects = 256;
constexpr std::uint64_t kFewestSchedules = 2;  ///< the id order, and one that turns what it can
constexpr std::uint64_t kMostSchedules = 64;
constexpr std::uint32_t kMostEngineWorkers = 4;
constexpr std::size_t kPairsPutSideBySide = 4;

void add_note(reports::ScheduleCoverage& coverage, const std::string& note) {
  if (note.empty()) return;
  coverage.note += (coverage.note.empty() ? "" : "; ") + note;
}

explore::EngineShape shape_of(const ScheduleOptions& schedule, const CoverageOptions& options,
                              const CheckResult& result) {
  explore::EngineShape shape;
  shape.mode = schedule.engine.mode;
  shape.scheduler = schedule.engine.scheduler;
  std::uint32_t workers = options.workers != 0 ? options.workers : result.native_workers;
  if (!result.native && options.workers == 0) workers = default_workers();
  if (workers == 0) shape.mode = DETENT_MODE_SERIAL;
  shape.workers = std::clamp(workers, 1U, kMostEngineWorkers);
  return shape;
}

explore::OpExploreOptions op_options(const Request& request, const CoverageOptions& options, const LoadedModel& loaded,
                                     const explore::OpSpace& space, double work) {
  explore::OpExploreOptions result;
  const double fitting = std::clamp(kCoverageWork / work, double{kFewestSchedules}, double{kMostSchedules});
  result.budget = options.schedules.value_or(static_cast<std::uint64_t>(fitting));
  result.strategy = "pairs";
  result.seed = request.seeds.schedule;
  result.workers = 0;
  result.count = {.max_states = 1U << 14U, .max_leaves = 20'000};
  result.estimate_samples = 1000;
  result.runner.input_seed = request.seeds.input;
  result.runner.backends = loaded.backends;
  result.runner.values = &loaded.values;
  result.keep = static_cast<std::uint32_t>(std::min<std::uint64_t>(result.budget, kMostSchedules));
  for (const auto* const pairs : {&space.pairs(), &space.ignored_pairs()}) {
    for (std::size_t i = 0; i < std::min(pairs->size(), kPairsPutSideBySide); ++i) {
      for (auto& order : explore::schedules_of_pair(space, (*pairs)[i])) result.given.push_back(std::move(order));
    }
  }
  return result;
}

/// Racing pairs, those that read before those that only write: a wrong order of two writes may be written over.
std::vector<explore::OpPair> racing_pairs(const explore::OpSpace& space) {
  std::vector<explore::OpPair> races;
  for (const explore::OpPair& pair : space.pairs()) {
    if (pair.kind == explore::PairKind::kRace) races.push_back(pair);
  }
  std::ranges::stable_partition(
      races, [](const explore::OpPair& pair) { return pair.bytes.kind != verify::HazardKind::kWaw; });
  return races;
}

/// The other order of each racing pair before all other schedules: one of them is likely to give other bytes.
/// @param has_budget  the user said how many schedules; else those of the pairs come on top
void add_suspects(const explore::OpSpace& space, const std::vector<explore::OpPair>& races, double work,
                  bool has_budget, explore::OpExploreOptions& options) {
  const double fitting = std::clamp(kSuspectWork / work, double{kFewestSuspects}, double{kMostSuspects});
  auto count = std::min<std::size_t>(races.size(), static_cast<std::size_t>(fitting));
  if (has_budget) count = std::min<std::size_t>(count, options.budget);
  if (!has_budget) options.budget += count;
  for (std::size_t i = 0; i < count; ++i) {
    options.suspects.push_back(explore::schedules_of_pair(space, races[i]).back());
  }
}

/// The model as it is checked, and the seeds.
void set_model(const Request& request, const CoverageOptions& options, ReplayLine& line) {
  line.model = request.model;
  line.seeds = request.seeds;
  line.split = options.split;
  line.winograd = options.winograd;
  line.set = options.set;
  line.schedule = options.schedule;
  line.device = options.device;
  line.outcomes = options.outcomes;
}

void add_failure_story(const Request& request, const CoverageOptions& options, const LoadedModel& loaded,
                       const explore::OpSpace& space, const explore::OpFailure& failure, CoverageResult& covered) {
  ReplayLine line;
  set_model(request, options, line);
  const StoryOptions story{.input_seed = request.seeds.input,
                           .replay = format_replay_line(failure_line(line, space, failure))};
  covered.failures.push_back(make_failure_story(loaded, space, failure, story));
}

/// A racing pair always comes with a schedule, even where none was run or none of those that were gave other bytes.
void add_unexecuted_story(const LoadedModel& loaded, const explore::OpSpace& space,
                          const std::vector<explore::OpPair>& races, const std::string& why, CoverageResult& covered) {
  if (races.empty()) return;
  std::optional<explore::OpFailure> failure = explore::unexecuted_failure(space, races.front());
  if (!failure) return;
  failure->shown += " (" + why + ")";
  covered.failures.push_back(make_failure_story(loaded, space, *failure, {.executes = false}));
}

bool is_too_heavy(const CoverageOptions& options, const explore::OpSpace& space, double work) {
  return !space.pairs().empty() && work > kHeavyWork && !options.schedules;
}

/// Orders of whole ops. Returns the schedules that were run.
std::vector<std::vector<std::uint32_t>> cover_ops(const Request& request, const CoverageOptions& options,
                                                  const LoadedModel& loaded, const explore::OpSpace& space,
                                                  CoverageResult& covered) {
  const double work = explore::work_of_run(loaded.desc());
  const std::vector<explore::OpPair> races = racing_pairs(space);
  if (is_too_heavy(options, space, work)) {
    add_note(covered.coverage, "races are known without a run, and a run takes long: detent explore shows them");
    add_unexecuted_story(loaded, space, races, "a run takes long: detent explore executes it", covered);
    return {};
  }
  explore::OpExploreOptions with = op_options(request, options, loaded, space, work);
  add_suspects(space, races, work, options.schedules.has_value(), with);
  explore::OpExploreReport report = explore::explore_ops(space, with);
  covered.coverage.ops = coverage_of(report, with.strategy);
  covered.reads = report.reads;
  if (report.failure) {
    add_failure_story(request, options, loaded, space, *report.failure, covered);
  } else {
    const std::string why = "runs with the other order of " + counted(with.suspects.size(), "racing pair") +
                            " gave the same bytes with this input";
    add_unexecuted_story(loaded, space, races, why, covered);
  }
  if (report.verdict.outcome != verify::Outcome::kUnknown) covered.verdicts.push_back(std::move(report.verdict));
  std::vector<std::vector<std::uint32_t>> schedules;
  for (explore::ExecutedSchedule& executed : report.schedules) schedules.push_back(std::move(executed.order));
  return schedules;
}

/// Thread schedules on the model's graph and on a fork.
std::uint64_t cover_engine(const Request& request, const ScheduleOptions& schedule, const CoverageOptions& options,
                           const explore::EngineShape& shape, const LoadedModel& loaded, CoverageResult& covered) {
  if (loaded.given_workers != 0 && shape.workers != loaded.given_workers) {
    add_note(
        covered.coverage,
        fmt::format("the engine's threads were not explored: the given schedule has {}, and at most {} are looked at",
                    counted(loaded.given_workers, "worker"), kMostEngineWorkers));
    return 0;
  }
  if (!harness::has_workers_for({.workers = shape.workers, .mode = shape.mode}, loaded.desc())) {
    add_note(covered.coverage,
             fmt::format("the engine's threads were not explored: of {}, which are looked at, none is "
                         "one that some op is for",
                         counted(shape.workers, "worker")));
    return 0;
  }
  explore::EngineSample sample =
      explore::sample_engine(loaded.desc(), {.shape = shape, .seed = request.seeds.schedule + 1});
  add_note(covered.coverage, sample.note);
  if (sample.failure) {
    const ReplayLine program = sampled_program(request, schedule, options, shape);
    covered.failures.push_back(make_engine_story(program, loaded, options.execute, sample));
    covered.verdicts.push_back(std::move(*sample.failure));
  }
  if (sample.programs.empty()) return 0;
  const bool ran_model = sample.programs.size() > 1;
  const std::uint64_t together = ran_model ? sample.programs.front().statistics.sync.ops_concurrent : 0;
  covered.coverage.engine = {.search = "rotate (pct, pos, random)",
                             .mode = harness::mode_name(schedule.engine.mode),
                             .workers = shape.workers,
                             .programs = std::move(sample.programs)};
  covered.coverage.cover_goals = explore::engine_cover_goals(shape, covered.coverage.engine->programs);
  return together;
}

/// Simulated ones only: what overlaps natively is another matter each time, and equal inputs give equal bytes.
std::vector<explore::ObservedRun> executed_runs(const CheckResult& result) {
  std::vector<explore::ObservedRun> runs;
  if (result.simulated && !result.simulated->failure && result.simulated->executed_runs != 0) {
    runs.push_back({"longest simulated run", &result.simulated->worst.trace});
    runs.push_back({"typical simulated run", &result.simulated->typical.trace});
  }
  return runs;
}

}  // namespace

ReplayLine sampled_program(const Request& request, const ScheduleOptions& schedule, const CoverageOptions& options,
                           const explore::EngineShape& shape) {
  ThreadExploreRequest sampled;
  set_model(request, options, sampled.line);
  sampled.line.engine.mode = schedule.engine.mode;
  sampled.line.engine.scheduler = schedule.engine.scheduler;
  sampled.line.engine.workers = shape.workers;
  return sampled.program();
}

std::optional<explore::OpExploreReport> execute_orders(const Request& request, const CoverageOptions& options,
                                                       const LoadedModel& loaded,
                                                       const std::vector<detent_backend>& backends) {
  if (options.schedules == 0 || loaded.desc().op_count > kMaxCoveredOps) return std::nullopt;
  const explore::OpSpace space(loaded.desc());
  const double work = explore::work_of_run(loaded.desc());
  if (is_too_heavy(options, space, work)) return std::nullopt;
  explore::OpExploreOptions with = op_options(request, options, loaded, space, work);
  add_suspects(space, racing_pairs(space), work, options.schedules.has_value(), with);
  with.runner.backends = backends;
  return explore::explore_ops(space, with);
}

CoverageResult cover_schedules(const Request& request, const ScheduleOptions& schedule, const CoverageOptions& options,
                               const LoadedModel& loaded, const CheckResult& result) {
  CoverageResult covered;
  if (options.schedules == 0) {
    covered.coverage.note = "no schedules were explored: --schedules 0";
    return covered;
  }
  const explore::EngineShape shape = shape_of(schedule, options, result);
  explore::ModelEvidence evidence;
  evidence.engine_together = cover_engine(request, schedule, options, shape, loaded, covered);
  if (!options.execute) {
    add_note(covered.coverage, "no kernel was executed: orders of ops are judged without runs only");
    if (loaded.desc().op_count <= kMaxCoveredOps) {
      const explore::OpSpace space(loaded.desc());
      add_unexecuted_story(loaded, space, racing_pairs(space), "no kernel is executed in this check", covered);
    }
  } else if (loaded.desc().op_count > kMaxCoveredOps) {
    add_note(covered.coverage, fmt::format("more than {} ops: pairs of ops were not looked at", kMaxCoveredOps));
  } else {
    const explore::OpSpace space(loaded.desc());
    evidence.schedules = cover_ops(request, options, loaded, space, covered);
    evidence.runs = executed_runs(result);
    const bool is_serial = shape.mode == DETENT_MODE_SERIAL;
    evidence.workers = is_serial ? 1 : options.workers != 0 ? options.workers : std::max(result.native_workers, 2U);
    if (covered.coverage.ops) evidence.pairs = covered.coverage.ops->pairs;
    std::vector<explore::CoverGoal> model = explore::model_cover_goals(space, evidence);
    covered.coverage.cover_goals.insert(covered.coverage.cover_goals.begin(), model.begin(), model.end());
  }
  if (!covered.coverage.cover_goals.empty()) {
    covered.verdicts.push_back(explore::judge_cover_goals(covered.coverage.cover_goals));
  }
  return covered;
}

}  // namespace detent::app
