#include "sim/simulate.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/instance.hpp"
#include "runtime/detent.h"
#include "sim/campaign.hpp"
#include "sim/cores.hpp"
#include "sim/jitter.hpp"
#include "sim/statistics.hpp"
#include "sim/timing_desc.hpp"

namespace detent::sim {
namespace {

constexpr std::uint64_t kMaxRuns = 100'000'000;  // 8 bytes each

/// Why the Desc cannot be executed at all, if so. Everything else here relies on it.
std::optional<std::string> find_fault(const detent_desc& desc, const Platform& platform, bool timing_only) {
  const std::size_t work_bytes = detent_check_bytes(&desc);
  const std::unique_ptr<std::uint8_t[]> work(new std::uint8_t[work_bytes]);
  detent_error error{};
  if (detent_check(&desc, work.get(), work_bytes, &error) != DETENT_OK) return harness::describe_error(desc, error);
  if (!timing_only || platform.memory_bytes == 0) return std::nullopt;  // else detent_init sums up the regions
  std::uint64_t left = platform.memory_bytes;
  for (std::uint32_t i = 0; i < desc.region_count; ++i) {
    if (desc.regions[i].size_bytes > left) {
      error = {DETENT_MEMORY_LIMIT, DETENT_NONE, DETENT_NONE, DETENT_NONE, DETENT_NONE, i, 0};
      return harness::describe_error(desc, error);
    }
    left -= desc.regions[i].size_bytes;
  }
  return std::nullopt;
}

void finish_statistics(SimResult& result, const SimOptions& options) {
  if (!result.makespans_ps.empty()) {
    const Summary summary = summarize(result.makespans_ps);
    result.min_ps = summary.min_ps;
    result.median_ps = summary.median_ps;
    result.p99_ps = summary.p99_ps;
    result.max_ps = summary.max_ps;
    result.worst_run = summary.worst_run;
    result.worst_seed = run_seed(options.seed, summary.worst_run);
  }
  result.runs = result.makespans_ps.size();
  result.executed_runs = options.timing_only ? 0 : std::min(result.runs, options.execute_runs);
  if (!options.keep_makespans) result.makespans_ps = {};
}

}  // namespace

SimResult simulate(const detent_desc& desc, const Platform& platform, const SimOptions& options) {
  if (options.runs == 0 || options.runs > kMaxRuns) {
    throw std::invalid_argument("runs: " + std::to_string(options.runs) + "; give 1 to " + std::to_string(kMaxRuns));
  }
  static std::mutex one_session;  // SystemC has one simulation per process
  const std::lock_guard lock(one_session);
  const auto result = std::make_shared<SimResult>();
  if (const auto fault = find_fault(desc, platform, options.timing_only)) {
    result->failure = "cannot be bound: " + *fault;
    return *result;
  }
  std::optional<TimingDesc> timing;
  if (options.timing_only) timing.emplace(desc);
  CampaignPlan plan{timing ? timing->desc() : desc,
                    platform,
                    options,
                    map_cores(desc, platform, options),
                    op_work(desc, platform, options.jitter, options.costs),
                    {}};
  for (const OpWork& work : plan.work) plan.times.push_back(work.time);
  std::unique_ptr<Job> campaign = make_campaign(plan, result);
  const Session session = World::instance().run(campaign);
  SimResult done = std::move(*result);
  if (!session.finished && !done.failure) {
    done.failure = session.deadlocks.front() + "; the simulated threads could not be ended";
  }
  done.slot_names = plan.cores.slot_names;
  finish_statistics(done, options);
  return done;
}

}  // namespace detent::sim
