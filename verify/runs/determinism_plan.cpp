// DeterminismOptions -> the native runs to make.
#include <algorithm>

#include "harness/engine_spec.hpp"
#include "verify/graph/order.hpp"
#include "verify/graph/schedule.hpp"
#include "verify/runs/determinism.hpp"

namespace detent::verify {
namespace {

using harness::NativeOptions;

constexpr detent_mode kParallelModes[] = {DETENT_MODE_CLOSED_LOOP, DETENT_MODE_LAYERED, DETENT_MODE_STATIC};

NativeOptions make_run(const DeterminismOptions& options, std::uint32_t worker_count) {
  NativeOptions run;
  run.engine.workers = worker_count;
  run.seeds.input = options.seeds.input;
  run.backends = options.backends;
  run.extend = options.extend;
  run.trace = false;
  return run;
}

/// Worker counts above 0: those with which the policy has a say.
std::vector<std::uint32_t> parallel_counts(const DeterminismOptions& options) {
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t count : options.worker_counts) {
    if (count > 0) counts.push_back(count);
  }
  return counts;
}

/// Threads of a scheduler of its own are wanted only where threads are wanted at all.
std::vector<NativeOptions> vary_modes(const DeterminismOptions& options) {
  std::vector<NativeOptions> runs;
  for (const detent_mode mode : kParallelModes) {
    for (const std::uint32_t count : parallel_counts(options)) {
      runs.push_back(make_run(options, count));
      runs.back().engine.mode = mode;
      if (mode != DETENT_MODE_CLOSED_LOOP || count < 2) continue;
      runs.push_back(runs.back());
      runs.back().engine.scheduler = DETENT_SCHEDULER_THREAD;
    }
  }
  // Widest first, so that a small budget still meets real parallelism.
  std::stable_sort(runs.begin(), runs.end(),
                   [](const NativeOptions& x, const NativeOptions& y) { return x.engine.workers > y.engine.workers; });
  return runs;
}

std::vector<NativeOptions> vary_policies(const DeterminismOptions& options) {
  std::vector<NativeOptions> runs;
  for (const char* const policy : {"priority", "critical-path"}) {
    for (const std::uint32_t count : parallel_counts(options)) {
      runs.push_back(make_run(options, count));
      runs.back().engine.policy = policy;
    }
  }
  return runs;
}

std::vector<NativeOptions> vary_seeds(const DeterminismOptions& options) {
  std::vector<NativeOptions> runs;
  const std::vector<std::uint32_t> counts = parallel_counts(options);
  for (std::uint32_t i = 0; i < options.random_seeds && !counts.empty(); ++i) {
    runs.push_back(make_run(options, counts[i % counts.size()]));
    runs.back().engine.policy = "random";
    runs.back().seeds.schedule = options.seeds.schedule + i;
  }
  return runs;
}

std::vector<NativeOptions> vary_orders(const detent_desc& desc, const DeterminismOptions& options) {
  std::vector<NativeOptions> runs;
  const std::vector<std::uint32_t> counts = parallel_counts(options);
  const Order order(desc);
  const std::uint64_t wanted = std::min<std::uint64_t>(options.permuted_orders, options.max_runs);
  for (std::uint64_t i = 0; i < wanted && !counts.empty(); ++i) {
    runs.push_back(make_run(options, counts[i % counts.size()]));
    runs.back().engine.policy = "given";
    runs.back().seeds.schedule = options.seeds.schedule + i;
    runs.back().engine.order = make_random_schedule(order, options.seeds.schedule + i);
  }
  return runs;
}

}  // namespace

std::vector<NativeOptions> plan_determinism_runs(const detent_desc& desc, const DeterminismOptions& options) {
  std::vector<NativeOptions> kinds[] = {vary_modes(options), vary_orders(desc, options), vary_seeds(options),
                                        vary_policies(options)};
  for (std::vector<NativeOptions>& kind : kinds) {
    std::erase_if(kind, [&](const NativeOptions& run) { return !harness::has_workers_for(run.engine, desc); });
  }
  const std::uint64_t by_ops = std::max<std::uint64_t>(1, options.max_ops / std::max(desc.op_count, 1U));
  const std::uint64_t budget = std::min(options.max_runs, by_ops);
  std::vector<NativeOptions> runs;
  bool any_left = true;
  for (std::size_t i = 0; any_left && runs.size() < budget; ++i) {
    any_left = false;
    for (const std::vector<NativeOptions>& kind : kinds) {
      if (i >= kind.size() || runs.size() >= budget) continue;
      runs.push_back(kind[i]);
      any_left = true;
    }
  }
  return runs;
}

}  // namespace detent::verify
