#include "app/simulate/auto_split.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "app/settings/op_settings.hpp"
#include "models/builder/split.hpp"
#include "models/core/core_class.hpp"
#include "models/prepare/load.hpp"
#include "sim/simulate.hpp"

namespace detent::app {
namespace {

constexpr std::uint32_t kBands[] = {1, 2, 3, 4, 6, 8};
constexpr std::uint32_t kBandsPerWorker = 4;
constexpr double kWorkspaceWeight = 0.05;
constexpr double kWorthwhile = 0.98;  // of the cost of fewer bands

std::uint64_t workspace_bytes(const models::Model& model) {
  std::uint64_t bytes = 0;
  for (const models::Region& region : model.regions) {
    if (region.kind == DETENT_REGION_WORKSPACE) bytes += region.size_bytes;
  }
  return bytes;
}

/// A settings file may name ops, whose names a split changes.
bool names_ops(const std::string& set) {
  if (set.empty()) return false;
  const OpSettings settings = read_op_settings(set);
  return !settings.ops.empty() || !settings.fallbacks.empty() || !settings.memories.empty();
}

class SplitTrials {
 public:
  SplitTrials(const std::string& name, const sim::Platform& platform, std::uint32_t workers,
              const ModelOptions& options)
      : platform_(platform), workers_(workers), options_(options), model_(models::load_model(name)) {}

  [[nodiscard]] bool has_choice() const {
    if (!model_.schedules.empty() || !model_.decisions.empty() || models::has_plan(model_)) return false;
    models::Model split = model_;
    return models::split_rows(split, {.bands = 2}) != 0;
  }

  [[nodiscard]] SplitTrial trial(std::uint32_t bands) const {
    ModelOptions options = options_;
    options.split = bands;
    models::Model model = model_;
    models::PlanOptions quick;  // the plan that counts is made when the choice is
    quick.rounds = 0;
    prepare_chosen(options, quick, model);
    for (models::Op& op : model.ops) {  // natively every worker executes every class
      if (op.core_class == models::kDelayClass || has_class(op.core_class)) continue;
      op.core_class = "cpu";
      op.times_by_class.clear();
    }
    const models::LoweredModel lowered = models::lower(model, {.weights = false});
    sim::SimOptions run;
    run.engine.workers = workers_;
    run.jitter.kind = sim::Jitter::Kind::kWorst;
    run.timing_only = true;
    run.with_traces = false;
    run.backends = {any_kernel_backend()};
    return {bands, sim::simulate(lowered.desc(), platform_, run).max_ps, workspace_bytes(model)};
  }

 private:
  [[nodiscard]] bool has_class(const std::string& name) const {
    return std::ranges::find(platform_.classes, name, &sim::CoreClass::name) != platform_.classes.end();
  }

  const sim::Platform& platform_;
  const std::uint32_t workers_;
  const ModelOptions& options_;
  const models::Model model_;
};

/// Time, with the workspace's part in it. @param whole  the trial of one band
double cost(const SplitTrial& trial, const SplitTrial& whole) {
  const double workspace = static_cast<double>(trial.workspace_bytes) /
                           static_cast<double>(std::max<std::uint64_t>(whole.workspace_bytes, 1));
  return static_cast<double>(trial.time_ps) * (1 + kWorkspaceWeight * (workspace - 1));
}

}  // namespace

sim::Platform typical_host(std::uint32_t cores) {
  sim::Platform platform = sim::plain_platform({{"cpu", std::max(cores, 1U)}});
  platform.name = "typical host";
  sim::CoreClass& cpu = platform.classes.front();
  cpu.clock_hz = 2'500'000'000;
  cpu.flops_per_cycle = 32;
  cpu.efficiency = 0.6;
  cpu.l2_bytes = std::uint64_t{1} << 20U;
  cpu.cache_bytes_per_cycle = 16;
  cpu.dram_bytes_per_s = 10'000'000'000;
  platform.dram_bytes_per_s = 20'000'000'000;
  platform.contention = sim::Contention::kQueue;
  platform.overheads = {.dispatch_ps = 100'000,
                        .queue_ps = 50'000,
                        .lock_ps = 50'000,
                        .wake_ps = 2'000'000,
                        .log_ps = 0,
                        .lock_contended_ps = 200'000};
  return platform;
}

std::size_t cheapest_split(const std::vector<SplitTrial>& trials) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < trials.size(); ++i) {
    if (cost(trials[i], trials[0]) < kWorthwhile * cost(trials[best], trials[0])) best = i;
  }
  return best;
}

void settle_split(const std::string& model, const sim::Platform& platform, std::uint32_t workers,
                  ModelOptions& options) {
  if (options.split != kAutoSplit) return;
  options.split = 1;
  const std::uint32_t most = workers != 0 ? workers : platform.classes.front().count;
  if (most < 2 || !options.schedule.empty() || !options.device.module.empty() || names_ops(options.set)) return;
  const SplitTrials chooser(model, platform, workers, options);
  if (!chooser.has_choice()) return;
  std::vector<SplitTrial> trials;
  for (const std::uint32_t bands : kBands) {
    if (bands <= kBandsPerWorker * most) trials.push_back(chooser.trial(bands));
  }
  const SplitTrial& whole = trials.front();
  const SplitTrial& best = trials[cheapest_split(trials)];
  options.split = best.bands;
  const auto share = [](std::uint64_t of, std::uint64_t in) {
    return static_cast<double>(of) / static_cast<double>(std::max<std::uint64_t>(in, 1));
  };
  if (best.bands == 1) return;
  options.split_note = fmt::format(
      "--split auto: {}, foreseen to take {:.2f} of the time on {} with {:.2f} of the workspace", best.bands,
      share(best.time_ps, whole.time_ps), platform.name, share(best.workspace_bytes, whole.workspace_bytes));
}

}  // namespace detent::app
