#include "app/explore/ops.hpp"

#include <fmt/format.h>

#include <optional>
#include <stdexcept>

#include "app/explore/coverage.hpp"
#include "app/explore/sharded.hpp"
#include "app/model/kernel_audit.hpp"
#include "app/replay/failure_line.hpp"
#include "app/replay/replay_line.hpp"
#include "app/static/static_checks.hpp"
#include "base/counted.hpp"
#include "harness/engine_spec.hpp"
#include "harness/run.hpp"
#include "reports/json/schedule_json.hpp"
#include "sim/simulate.hpp"
#include "verify/explore/ops/explore.hpp"
#include "verify/explore/ops/report.hpp"
#include "verify/explore/ops/strategy.hpp"
#include "verify/runs/read_check.hpp"
#include "verify/verdict/vacuous.hpp"

namespace detent::app {
namespace {

namespace explore = verify::explore;

constexpr std::size_t kListedPairs = 100;
constexpr std::uint32_t kKeptSchedules = 100;  ///< in which cover goals are looked for

/// Executions of the failing and the first schedules in simulated time, and how many gave another digest.
struct SimulatedSchedules {
  std::uint64_t runs = 0;
  std::uint64_t other_digest = 0;
};

explore::OpExploreOptions explore_options(const OpExploreRequest& options, const LoadedModel& loaded) {
  explore::OpExploreOptions result;
  result.strategy = options.strategy;
  result.budget = options.budget;
  result.seed = options.request.seeds.schedule;
  result.workers = options.workers;
  result.count = {.max_states = options.max_states, .max_leaves = options.max_leaves};
  result.runner.input_seed = options.request.seeds.input;
  result.runner.backends = loaded.backends;
  result.runner.values = &loaded.values;
  result.keep = kKeptSchedules;
  return result;
}

Json traces_json(const OpExploreRequest& options, const explore::OpExploreReport& report) {
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
ReplayLine line_of(const OpExploreRequest& options) {
  ReplayLine line;
  line.model = options.request.model;
  line.seeds = options.request.seeds;
  line.split = options.split;
  line.winograd = options.winograd;
  line.set = options.set;
  line.outcomes = options.outcomes;
  line.device = options.device;
  return line;
}

/// One after another on one core each: the order is the given one, so the digest must be the native one.
SimulatedSchedules simulate_schedules(const OpExploreRequest& options, const LoadedModel& loaded,
                                      const explore::OpExploreReport& report) {
  SimulatedSchedules result;
  const detent_desc& desc = loaded.desc();
  if (harness::has_affinity(desc)) return result;  // one worker may not execute them all
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
    sim_options.engine.workers = 1;
    sim_options.seeds.input = options.request.seeds.input;
    sim_options.jitter.kind = sim::Jitter::Kind::kWorst;
    sim_options.engine.policy = "given";
    sim_options.engine.order = schedule.order;
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
  return fmt::format("{}, about {:.3g} +- {:.2g} (Knuth, {})", least, report.estimate->total,
                     report.estimate->standard_error, counted(report.estimate->samples, "sample"));
}

std::vector<verify::Verdict> verdicts_of(const OpExploreRequest& options, const LoadedModel& loaded,
                                         const explore::OpSpace& space, const explore::OpExploreReport& report) {
  std::vector<verify::Verdict> verdicts = {report.verdict};
  if (report.reads.runs != 0 && report.reads.reads != 0)
    verdicts.push_back(verify::judge_read_runs(space.desc(), report.reads));
  add_unknown_footprints(verdicts, loaded.model);
  if (has_c_functions(loaded.model)) {
    std::optional<verify::Verdict> audit;
    if (has_kernels_to_audit(loaded)) audit = kept_audit(loaded, options.request.seeds.input);
    const bool is_audited = audit && audit->outcome == verify::Outcome::kHolds;
    if (!is_audited) add_unaudited_functions(verdicts, "no audit holds: detent check");
    add_assumed_bytes(verdicts, assumed_of_functions(loaded, audit ? &*audit : nullptr));
  }
  return verdicts;
}

Lines lines_of(const OpExploreRequest& options, const explore::OpSpace& space, const explore::OpExploreReport& report,
               const std::vector<verify::Verdict>& verdicts, const std::optional<FailureAnswer>& failure) {
  Lines lines;
  lines.push_back(fmt::format("{}: {}, {}, {} of them open (order matters)", options.request.model,
                              counted(space.desc().op_count, "op"),
                              counted(report.pairs.unordered_total, "unordered pair"), report.open_pairs));
  lines.push_back(fmt::format("  traces    {} in all", count_text(report)));
  if (!options.count_only) {
    lines.push_back(fmt::format("  executed  {} ({}), {} seen, {} redundant, {} with another digest",
                                counted(report.executions, "schedule"), options.strategy, counted(report.seen, "trace"),
                                report.redundant(), report.differing));
    lines.push_back(fmt::format("  pairs     both orders of {} of {} open and {} of {}", report.pairs.conflicting_both,
                                report.pairs.conflicting_total, report.pairs.unordered_both,
                                counted(report.pairs.unordered_total, "unordered pair")));
    if (report.unseen_mass)
      lines.push_back(
          fmt::format("  unseen    traces have {:.3g} of the probability (Good-Turing estimate)", *report.unseen_mass));
    const explore::ReachableTraces& reachable = report.reachable;
    if (reachable.workers > 0 && !harness::has_affinity(space.desc()))
      lines.push_back(fmt::format("  reachable {} of {} checked, by {}, lowest id first", reachable.reachable,
                                  counted(reachable.checked, "trace"), counted(reachable.workers, "worker")));
  }
  if (failure) append(lines, failure_lines(space.desc(), *report.failure, *failure));
  for (const verify::Verdict& verdict : verdicts) {
    lines.push_back(fmt::format("  {} {}: {}", verify::property_name(verdict.property), verify::outcome_word(verdict),
                                verdict.summary));
    if (verify::is_assumed(verdict)) lines.push_back("    if " + verdict.assumes);
  }
  if (report.reads.first) lines.push_back("    " + verify::describe_missed(space.desc(), *report.reads.first));
  if (failure) append(lines, replay_lines(format_replay_line(failure->line), options.failure.file));
  return lines;
}

Json answer_json(const OpExploreRequest& options, const explore::OpSpace& space, const explore::OpExploreReport& report,
                 const std::vector<verify::Verdict>& verdicts) {
  Json answer = json_header("explore", options.request);
  answer["level"] = "ops";
  answer["strategy"] = options.count_only ? Json(nullptr) : Json(options.strategy);
  answer["verdict"] = verify::outcome_name(outcome_of(verdicts));
  answer["verdicts"] = verdicts_json(verdicts);
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

}  // namespace

std::vector<std::string> op_strategies() { return explore::strategy_names(); }

Answer explore_orders(const OpExploreRequest& options, const LoadedModel& loaded, const OnProgress& on_progress) {
  const explore::OpSpace space(loaded.desc(),
                               {.commuting_orders = options.commuting_orders, .mutex_orders = options.mutex_orders});
  explore::OpExploreOptions explore_with = explore_options(options, loaded);
  explore_with.progress = on_progress;
  if (!options.campaign.shard.empty() || !options.campaign.file.empty()) {
    if (options.campaign.merge.empty()) return explore_shard(options, space, explore_with);
  }
  const bool execute = !options.count_only;
  const bool merges = !options.campaign.merge.empty();
  if (merges && !execute) throw std::invalid_argument("--merge: --count executes nothing; leave it out");
  const explore::OpExploreReport report = merges    ? merge_shards(options, space, explore_with)
                                          : execute ? explore::explore_ops(space, explore_with)
                                                    : explore::count_op_traces(space, explore_with);

  const std::vector<verify::Verdict> verdicts = verdicts_of(options, loaded, space, report);
  Json answer = answer_json(options, space, report, verdicts);
  SimulatedSchedules simulated;
  if (execute && report.executions != 0) {
    simulated = simulate_schedules(options, loaded, report);
    answer["simulated"] = {{"runs", simulated.runs}, {"other_digest", simulated.other_digest}};
    answer["serial_digest"] = harness::format_digest(report.serial_digest);
  }
  std::vector<explore::CoverGoal> cover_goals;
  if (execute && report.executions != 0) cover_goals = op_cover_goals(space, report);
  add_cover_goals(cover_goals, answer);
  std::optional<FailureAnswer> failure;
  if (report.failure) {
    failure = answer_failure(line_of(options), loaded, space, *report.failure, options.failure);
    answer["failure"] = failure_json(space.desc(), *report.failure, *failure);
    answer["replay"] = answer["failure"]["replay"];
  }
  Lines lines = lines_of(options, space, report, verdicts, failure);
  append(lines, finding_lines(cover_goals));
  if (simulated.other_digest != 0) {
    lines.push_back(fmt::format("  VIOLATED: {} of {} gave other bytes in simulation than natively",
                                simulated.other_digest, counted(simulated.runs, "schedule")));
    return {std::move(answer), std::move(lines), verify::Outcome::kViolated};
  }
  return {std::move(answer), std::move(lines), outcome_of(verdicts)};
}

}  // namespace detent::app
