#include "sim/simulate.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include <detent/detent.h>

#include "harness/instance.hpp"
#include "sim/campaign/campaign.hpp"
#include "sim/campaign/statistics.hpp"
#include "sim/chip/cores.hpp"
#include "sim/cost/cost.hpp"
#include "sim/cost/jitter.hpp"
#include "sim/engine/desc_fault.hpp"
#include "sim/engine/timing_desc.hpp"

namespace detent::sim {
namespace {

constexpr std::uint64_t kMaxRuns = 100'000'000;  // 8 bytes each

/// How many of the part's first `runs` runs have executed their kernels.
/// @param executing  all runs of the campaign that do
std::uint64_t executed_runs(std::uint64_t runs, const SimOptions& options, std::uint64_t executing) {
  const std::uint64_t first = part_of(options).first;
  return executing <= first ? 0 : std::min(runs, executing - first);
}

/// At least 1 ps or byte more; what is zero stays so.
std::uint64_t scaled_up(std::uint64_t value, double step) {
  if (value == 0) return 0;
  return value +
         std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(static_cast<double>(value) * step)));
}

void slow_down(OpWork& work, double step) {
  for (std::uint64_t* value : {&work.time.best_ps, &work.time.worst_ps, &work.compute_ps, &work.dram_bytes,
                               &work.front_ps, &work.front_bytes}) {
    *value = scaled_up(*value, step);
  }
}

void check_runs(const SimOptions& options) {
  if (options.runs == 0 || options.runs > kMaxRuns) {
    throw std::invalid_argument("runs: " + std::to_string(options.runs) + "; give 1 to " + std::to_string(kMaxRuns));
  }
  const RunRange part = part_of(options);
  if (part.first >= options.runs || part.count > options.runs - part.first) {
    throw std::invalid_argument("part: runs " + std::to_string(part.first) + " to " +
                                std::to_string(part.first + part.count) + " of " + std::to_string(options.runs) +
                                "; a part lies within the campaign");
  }
  if (!options.run_seeds.empty() && options.run_seeds.size() != options.runs) {
    throw std::invalid_argument("run_seeds: give one per run, or none");
  }
  if (options.known != nullptr && options.known->makespans_ps.size() > part.count) {
    throw std::invalid_argument("known runs: more than the part has");
  }
  if (options.search_runs > kMaxRuns) {
    throw std::invalid_argument("search: " + std::to_string(options.search_runs) + "; give 0 to " +
                                std::to_string(kMaxRuns));
  }
  if (options.search_runs != 0 && !options.faults.empty()) {
    throw std::invalid_argument("search: is of runs in which nothing goes wrong; leave out the faults, or the search");
  }
  if (options.known != nullptr && !options.faults.empty()) {
    throw std::invalid_argument("faults: runs that are known from a file did not say what happened; simulate all");
  }
}

void finish_statistics(SimResult& result, const SimOptions& options, std::uint64_t executing_runs) {
  if (!result.makespans_ps.empty()) {
    const Summary summary = summarize(result.makespans_ps);
    result.min_ps = summary.min_ps;
    result.median_ps = summary.median_ps;
    result.p99_ps = summary.p99_ps;
    result.median = percentile(result.makespans_ps, 50);
    result.p99 = percentile(result.makespans_ps, 99);
    result.max_ps = result.is_longest_found ? result.search->longest_ps : summary.max_ps;
    const std::uint64_t first = part_of(options).first;
    result.worst_run = first + summary.worst_run;
    result.worst_seed = result.is_longest_found ? result.search->longest.seed
                        : options.chosen        ? options.chosen->seed
                                                : seed_of_run(options, result.worst_run);
    const Moments spread = moments(result.makespans_ps);
    result.mean_ps = spread.mean_ps;
    result.standard_error_ps = spread.standard_error_ps;
    for (const std::uint64_t place : largest(result.makespans_ps, options.keep_worst)) {
      result.worst_runs.push_back({first + place, seed_of_run(options, first + place), result.makespans_ps[place]});
    }
  }
  result.runs = result.makespans_ps.size();
  result.executed_runs = executed_runs(result.runs, options, executing_runs);
  if (!options.keep_makespans) result.makespans_ps = {};
}

}  // namespace

std::vector<OpTime> ranges_of_ops(const detent_desc& desc, const Platform& platform, const SimOptions& options) {
  const JitterSampler sampler(desc, op_times(desc, platform, options.jitter, options.costs), options.jitter,
                              options.costs);
  std::vector<OpTime> ranges;
  for (OpId op = 0; op < desc.op_count; ++op) ranges.push_back(sampler.range(op));
  return ranges;
}

SimResult simulate(const detent_desc& desc, const Platform& platform, const SimOptions& options) {
  if (options.engine.spin_limit) throw std::invalid_argument("spin: a pause takes no time here; leave it out");
  check_runs(options);
  const std::lock_guard lock(SimKernel::one_session());
  const auto result = std::make_shared<SimResult>();
  // Where kernels execute, detent_init sums up the regions.
  std::uint64_t memory_left = platform.memory_bytes;
  if (const auto fault = find_fault(desc, options.timing_only && memory_left != 0 ? &memory_left : nullptr)) {
    result->failure = "cannot be bound: " + *fault;
    return *result;
  }
  harness::check_faults(options.faults, desc, true);
  std::optional<TimingDesc> timing;
  if (options.timing_only) timing.emplace(desc);
  CampaignPlan plan{timing ? timing->desc() : desc,
                    platform,
                    options,
                    map_cores(desc, platform, options),
                    op_work(desc, platform, options.jitter, options.costs),
                    {},
                    executing_runs(desc, options.timing_only, options.execute_runs)};
  if (options.slower_op) slow_down(plan.work.at(options.slower_op->op), options.slower_op->step);
  for (const OpWork& work : plan.work) plan.times.push_back(work.time);
  std::unique_ptr<Job> campaign = make_campaign(plan, result);
  const Session session = SimKernel::instance().run(campaign);
  SimResult done = std::move(*result);
  if (!session.finished && !done.failure) {
    done.failure = session.deadlocks.front() + "; the simulated threads could not be ended";
  }
  done.slot_names = plan.cores.slot_names;
  finish_statistics(done, options, plan.executing_runs);
  return done;
}

}  // namespace detent::sim
