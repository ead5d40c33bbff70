// Op times of one model: samples -> cost table, kernel model.
#include "app/calibrate/calibrate.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <thread>

#include "base/ids.hpp"
#include "sim/cost/cost_table.hpp"

namespace detent::app {
namespace {

constexpr std::size_t kQuantileCount = 33;

harness::OpTimerOptions timer_options(const LoadedModel& loaded, std::uint64_t input_seed) {
  require_executable(loaded);
  harness::OpTimerOptions options;
  options.seed = input_seed;
  options.backends = loaded.backends;
  return options;
}

sim::MeasuredTimes measured_times(const std::vector<std::uint64_t>& samples_ps) {
  const harness::TimeStatistics s = harness::summarize(samples_ps, kQuantileCount);
  return {s.min_ps, s.median_ps, s.p99_ps, s.max_ps, s.quantiles_ps};
}

void append_samples(std::vector<std::vector<std::uint64_t>>& samples, const std::vector<std::uint64_t>& times_ps) {
  for (std::size_t op = 0; op < times_ps.size(); ++op) samples[op].push_back(times_ps[op]);
}

/// Workers execute it; a transfer or a release is no time of a kernel.
bool has_kernel(const detent_desc& desc, const detent_op& op) {
  return (op.flags & DETENT_OP_DELAY) == 0 && desc.classes[op.core_class].kind == DETENT_CLASS_WORKERS;
}

/// Ops whose name no other op has, by name.
std::map<std::string, std::uint32_t> named_ops(const detent_desc& desc) {
  std::map<std::string, std::uint32_t> count;
  std::map<std::string, std::uint32_t> ops;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const char* name = desc.ops[op].name;
    if (name == nullptr || *name == '\0' || ++count[name] > 1) continue;
    if (has_kernel(desc, desc.ops[op])) ops[name] = op;
  }
  std::erase_if(ops, [&](const auto& entry) { return count[entry.first] > 1; });
  return ops;
}

}  // namespace

TimedModel::TimedModel(const std::string& name, const ModelOptions& options, std::uint64_t input_seed)
    : name_(name),
      loaded_(load(name, options)),
      timer_(loaded_.desc(), timer_options(loaded_, input_seed)),
      warm_ps_(loaded_.desc().op_count),
      cold_ps_(loaded_.desc().op_count) {}

void TimedModel::sample(harness::CacheState state) {
  if (state == harness::CacheState::kCold) {
    append_samples(cold_ps_, timer_.run(state));
    return;
  }
  timer_.run(state);
  append_samples(warm_ps_, timer_.run(state));
  makespans_ps_.push_back(timer_.makespan_ps());
}

double TimedModel::corun_with(TimedModel& other) {
  timer_.run(harness::CacheState::kWarm);
  timer_.run(harness::CacheState::kWarm);
  const std::uint64_t alone_ps = timer_.makespan_ps();
  std::thread second([&other] { other.timer_.run(harness::CacheState::kWarm); });
  timer_.run(harness::CacheState::kWarm);
  second.join();
  const std::uint64_t slower_ps = std::max(timer_.makespan_ps(), other.timer_.makespan_ps());
  return std::min(1.0, static_cast<double>(alone_ps) / static_cast<double>(std::max<std::uint64_t>(slower_ps, 1)));
}

std::vector<std::uint64_t> TimedModel::times_ps() const {
  std::vector<std::uint64_t> result;
  for (const auto& samples : warm_ps_) result.push_back(harness::trimmed_mean(samples));
  return result;
}

sim::CostTable TimedModel::table(bool use_cold, const std::string& source) const {
  const detent_desc& desc = loaded_.desc();
  sim::CostTable table;
  table.model = name_;
  table.source = source;
  table.use_cold = use_cold;
  table.measured = sim::CostTable::Measured::kHere;
  for (const auto& [name, op] : named_ops(desc)) {
    const sim::MeasuredTimes warm = measured_times(warm_ps_[op]);
    const sim::MeasuredTimes cold = cold_ps_[op].empty() ? warm : measured_times(cold_ps_[op]);
    table.ops.push_back({name, desc.kernels[desc.ops[op].kernel], warm, cold, 0});
  }
  return table;
}

std::string describe_host() {
  std::ifstream file("/proc/cpuinfo");
  std::string processor = "unknown processor";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    if (colon != std::string::npos) processor = line.substr(colon + 2);
    break;
  }
  return fmt::format("{}, {} CPUs, compiled by gcc {}", processor, ::sysconf(_SC_NPROCESSORS_ONLN), __VERSION__);
}

sim::KernelModel fit_kernels(const std::vector<const TimedModel*>& models) {
  sim::KernelModel kernels;
  for (const TimedModel* model : models) {
    const detent_desc& desc = model->loaded().desc();
    const std::vector<std::uint64_t> times_ps = model->times_ps();
    for (OpId op = 0; op < desc.op_count; ++op) {
      if (!has_kernel(desc, desc.ops[op])) continue;
      kernels.add(sim::op_features(desc, op), static_cast<double>(times_ps[op]));
    }
  }
  kernels.fit();
  return kernels;
}

sim::CostTable predict_table(const sim::KernelModel& model, const LoadedModel& loaded) {
  const detent_desc& desc = loaded.desc();
  sim::CostTable table;
  table.model = loaded.model.name;
  table.source = "predicted";
  for (const auto& [name, op] : named_ops(desc)) {
    const auto ps = static_cast<std::uint64_t>(model.predict_ps(sim::op_features(desc, op)));
    const sim::MeasuredTimes times{ps, ps, ps, ps, {}};
    table.ops.push_back({name, desc.kernels[desc.ops[op].kernel], times, times, 0});
  }
  return table;
}

}  // namespace detent::app
