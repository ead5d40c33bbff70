// Measured host -> platform, and a platform -> detent.platform/1.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/calibrate/calibrate.hpp"
#include "base/ids.hpp"

namespace detent::app {
namespace {

constexpr double kOwnPipeline = 0.9;  // CPUs that are faster than this side by side share none
constexpr double kLeastShare = 1e-4;  // an efficiency must be above 0

/// Flops and time of each kernel over all models.
std::vector<std::pair<std::string, double>> kernel_efficiencies(const std::vector<const TimedModel*>& models,
                                                                double peak_flops_per_s) {
  std::map<std::string, std::pair<double, double>> sums;
  for (const TimedModel* model : models) {
    const detent_desc& desc = model->loaded().desc();
    const std::vector<std::uint64_t> times_ps = model->times_ps();
    for (OpId op = 0; op < desc.op_count && desc.costs != nullptr; ++op) {
      auto& [flops, seconds] = sums[desc.kernels[desc.ops[op].kernel]];
      flops += static_cast<double>(desc.costs[op].flops);
      seconds += static_cast<double>(times_ps[op]) * 1e-12;
    }
  }
  std::vector<std::pair<std::string, double>> result;
  for (const auto& [kernel, sum] : sums) {
    if (!(sum.first > 0 && sum.second > 0)) continue;
    result.emplace_back(kernel, std::clamp(sum.first / sum.second / peak_flops_per_s, kLeastShare, 1.0));
  }
  return result;
}

std::string number(double value) {
  const std::string text = fmt::format("{:.4g}", value);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string toml_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) result += c;
  }
  return result + "\"";
}

std::string format_core(const sim::CoreClass& core) {
  std::string text = fmt::format("\n[[core]]\nclass = {}\ncount = {}\nclock_hz = {}\nflops_per_cycle = {}\n",
                                 toml_quoted(core.name), core.count, core.clock_hz, number(core.flops_per_cycle));
  text += fmt::format("efficiency = {}\nl1_bytes = {}\nl2_bytes = {}\n", number(core.efficiency), core.l1_bytes,
                      core.l2_bytes);
  if (core.cache_bytes_per_cycle > 0) text += "cache_bytes_per_cycle = " + number(core.cache_bytes_per_cycle) + "\n";
  if (core.dram_bytes_per_s > 0) text += fmt::format("dram_bytes_per_s = {}\n", core.dram_bytes_per_s);
  if (core.threads_per_core > 1) {
    text += fmt::format("threads_per_core = {}\ncorun_rate = {}\n", core.threads_per_core, number(core.corun_rate));
  }
  if (core.kernel_efficiency.empty()) return text;
  text += "\n[core.kernel_efficiency]\n";
  for (const auto& [kernel, value] : core.kernel_efficiency) text += fmt::format("{} = {}\n", kernel, number(value));
  return text;
}

/// What measured each number; keys as the platform reader knows them.
std::vector<sim::Provenance> host_provenance(const sim::CoreClass& cpu) {
  const std::string by = "derived: measured on this host by detent calibrate --host, ";
  std::vector<sim::Provenance> list{
      {"cpu.count", by + "CPUs that the process may run on"},
      {"cpu.clock_hz", by + "a chain of dependent additions, one per cycle"},
      {"cpu.flops_per_cycle", by + "independent multiply-adds of the widest vectors"},
      {"cpu.efficiency", by + "multiply-adds of conv2d_f32 over the calibration model"},
      {"cpu.l1_bytes", by + "as the system says"},
      {"cpu.l2_bytes", by + "as the system says: private second level and share of the third"},
      {"cpu.cache_bytes_per_cycle", by + "copying within the second level"},
      {"cpu.dram_bytes_per_s", by + "one thread copying beyond the caches, read plus written"}};
  if (cpu.threads_per_core > 1) {
    list.push_back({"cpu.threads_per_core", by + "two CPUs slow each other down where neither needs memory"});
    list.push_back({"cpu.corun_rate", by + "the calibration model beside itself on the other CPU"});
  }
  const std::vector<sim::Provenance> rest{
      {"memory.dram_bytes_per_s", by + "all CPUs copying beyond the caches"},
      {"overheads.dispatch_ps", by + "op of a serial chain of empty ops"},
      {"overheads.queue_ps", by + "the chain in the closed loop, less dispatch and lock, half"},
      {"overheads.lock_ps", by + "the role's word taken and released by one CPU"},
      {"overheads.lock_contended_ps", by + "the word taken by two CPUs in turn"},
      {"overheads.wake_ps", by + "two threads of the port that park and wake each other"},
      {"overheads.interrupt_ps", by + "the same with the port's lock before each notify"},
      {"overheads.log_ps", by + "the serial chain with the ring log, half of what it adds"}};
  list.insert(list.end(), rest.begin(), rest.end());
  return list;
}

}  // namespace

sim::Platform host_platform(const harness::HostCosts& costs, const std::vector<const TimedModel*>& models,
                            double kernel_corun_rate) {
  sim::CoreClass cpu;
  cpu.name = "cpu";
  cpu.count = costs.cpus;
  cpu.clock_hz = costs.clock_hz;
  cpu.flops_per_cycle = costs.flops_per_cycle;
  cpu.kernel_efficiency =
      kernel_efficiencies(models, static_cast<double>(costs.clock_hz) * std::max(costs.flops_per_cycle, 1e-9));
  for (const auto& [kernel, value] : cpu.kernel_efficiency) {
    if (kernel == "conv2d_f32") cpu.efficiency = value;
  }
  cpu.l1_bytes = costs.l1_bytes;
  cpu.l2_bytes = costs.l2_bytes;
  cpu.cache_bytes_per_cycle = costs.cache_bytes_per_cycle;
  cpu.dram_bytes_per_s = costs.core_bytes_per_s;
  if (kernel_corun_rate < kOwnPipeline && costs.cpus % 2 == 0) {
    cpu.threads_per_core = 2;
    cpu.corun_rate = std::max(kernel_corun_rate, 0.01);
  }
  sim::Platform platform;
  platform.name = "host";
  platform.description = describe_host();
  platform.classes = {cpu};
  platform.dram_bytes_per_s = costs.dram_bytes_per_s;
  platform.contention = sim::Contention::kQueue;
  platform.overheads.dispatch_ps = costs.dispatch_ps;
  platform.overheads.queue_ps = costs.queue_ps;
  platform.overheads.lock_ps = costs.lock_ps;
  platform.overheads.lock_contended_ps = costs.lock_contended_ps;
  platform.overheads.wake_ps = costs.wake_ps;
  platform.overheads.interrupt_ps = costs.interrupt_ps;
  platform.overheads.log_ps = costs.log_ps;
  platform.provenance = host_provenance(cpu);
  return platform;
}

std::string format_platform(const sim::Platform& platform) {
  std::string text = fmt::format("schema = \"detent.platform/1\"\nname = {}\ndescription = {}\n",
                                 toml_quoted(platform.name), toml_quoted(platform.description));
  for (const sim::CoreClass& core : platform.classes) text += format_core(core);
  text +=
      fmt::format("\n[memory]\ndram_bytes_per_s = {}\nburst_bytes = {}\ncontention = {}\n", platform.dram_bytes_per_s,
                  platform.burst_bytes, platform.contention == sim::Contention::kQueue ? "\"queue\"" : "\"none\"");
  const sim::Overheads& o = platform.overheads;
  text += fmt::format(
      "\n[overheads]\ndispatch_ps = {}\nqueue_ps = {}\nlock_ps = {}\nlock_contended_ps = {}\nwake_ps = {}\n"
      "interrupt_ps = {}\nlog_ps = {}\n",
      o.dispatch_ps, o.queue_ps, o.lock_ps, o.lock_contended_ps, o.wake_ps, o.interrupt_ps, o.log_ps);
  text += "\n[provenance]\n";
  for (const sim::Provenance& entry : platform.provenance) {
    text += fmt::format("{} = {}\n", toml_quoted(entry.key), toml_quoted(entry.source));
  }
  return text;
}

}  // namespace detent::app
