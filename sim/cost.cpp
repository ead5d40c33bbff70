// Cost: Desc + platform -> execution time range of every op, and bounds on what the engine's own steps add.
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "sim/simulate.hpp"

namespace detent::sim {
namespace {

constexpr double kPicosecondsPerSecond = 1e12;
constexpr double kMaxOpPs = 9.0e18;  // below 2^63

std::string op_text(const detent_desc& desc, std::uint32_t op) {
  const char* name = desc.ops[op].name;
  return std::string(desc.name != nullptr ? desc.name : "model") + ":ops[" + std::to_string(op) + "]" +
         (name != nullptr && *name != '\0' ? " (" + std::string(name) + ")" : "");
}

const CoreClass* find_class(const Platform& platform, const char* name) {
  for (const auto& core : platform.classes) {
    if (core.name == name) return &core;
  }
  return nullptr;
}

std::uint64_t to_picoseconds(double ps, const detent_desc& desc, std::uint32_t op) {
  if (!(ps < kMaxOpPs)) {
    throw std::invalid_argument(op_text(desc, op) + ": takes 2^63 ps or more on this platform; use a faster one");
  }
  return static_cast<std::uint64_t>(std::ceil(ps));
}

OpTime roofline(const detent_desc& desc, std::uint32_t op, const CoreClass& core, const Platform& platform,
                double spread) {
  const detent_op_cost none{};
  const detent_op_cost& cost = desc.costs != nullptr ? desc.costs[op] : none;
  const double peak = static_cast<double>(core.clock_hz) * core.flops_per_cycle * core.efficiency;
  const double bytes = static_cast<double>(cost.read_bytes) + static_cast<double>(cost.write_bytes);
  const double compute_ps = static_cast<double>(cost.flops) / peak * kPicosecondsPerSecond;
  const double memory_ps = bytes / static_cast<double>(platform.dram_bytes_per_s) * kPicosecondsPerSecond;
  const double best_ps = std::max(compute_ps, memory_ps);
  return {to_picoseconds(best_ps, desc, op), to_picoseconds(best_ps * (1 + spread), desc, op)};
}

OpTime op_time(const detent_desc& desc, std::uint32_t op, const Platform& platform, double spread) {
  const detent_class& core_class = desc.classes[desc.ops[op].core_class];
  const CoreClass* core = find_class(platform, core_class.name);
  const bool async = core_class.kind == DETENT_CLASS_ASYNC;
  if (!async && core == nullptr) {
    throw std::invalid_argument(op_text(desc, op) + ": needs core class '" + core_class.name + "', which platform '" +
                                platform.name + "' lacks; choose another platform");
  }
  if (desc.costs == nullptr || desc.costs[op].best_ps == UINT64_MAX) {
    if (async && core == nullptr) return {0, 0};
    return roofline(desc, op, *core, platform, spread);
  }
  const detent_op_cost& cost = desc.costs[op];
  if (cost.best_ps > cost.worst_ps) {
    throw std::invalid_argument(op_text(desc, op) + ": best time above worst time; order them");
  }
  return {cost.best_ps, cost.worst_ps};
}

}  // namespace

std::vector<OpTime> op_times(const detent_desc& desc, const Platform& platform, const Jitter& jitter) {
  if (!(jitter.spread >= 0 && jitter.spread <= 1000)) {
    throw std::invalid_argument("jitter: spread must be from 0 to 1000; 0.1 means up to 10 % longer");
  }
  std::vector<OpTime> times;
  times.reserve(desc.op_count);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    times.push_back(op_time(desc, op, platform, jitter.spread));
  }
  return times;
}

}  // namespace detent::sim
