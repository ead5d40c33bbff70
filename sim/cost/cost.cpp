// Cost: Desc + platform -> what every op asks of the chip when it has it for itself.
#include "sim/cost/cost.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/ids.hpp"
#include "base/units.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/cost/jitter.hpp"
#include "sim/npu/layer.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {
namespace {

constexpr double kMaxOpPs = 9.0e18;  // below 2^63

std::string op_text(const detent_desc& desc, OpId op) {
  const char* name = desc.ops[op].name;
  return std::string(desc.name != nullptr ? desc.name : "model") + ":ops[" + std::to_string(op) + "]" +
         (name != nullptr && *name != '\0' ? " (" + std::string(name) + ")" : "");
}

/// What the platform says of where a number comes from; "" where it says nothing.
std::string_view source_of(const Platform& platform, const std::string& key) {
  const auto at = std::ranges::find_if(platform.provenance, [&](const Provenance& entry) { return entry.key == key; });
  return at == platform.provenance.end() ? std::string_view() : std::string_view(at->source);
}

/// Classes of which the share of the peak that kernels reach was seen or derived, not remembered or merely written.
std::vector<bool> classes_with_sources(const Platform& platform) {
  std::vector<bool> stand;
  for (const CoreClass& core : platform.classes) {
    const std::string_view source = source_of(platform, core.name + ".efficiency");
    stand.push_back(source.starts_with("seen") || source.starts_with("derived"));
  }
  return stand;
}

const CoreClass* find_class(const Platform& platform, const char* name) {
  for (const auto& core : platform.classes) {
    if (core.name == name) return &core;
  }
  return nullptr;
}

std::uint64_t to_picoseconds(double ps, const detent_desc& desc, OpId op) {
  if (!(ps < kMaxOpPs)) {
    throw std::invalid_argument(op_text(desc, op) + ": takes 2^63 ps or more on this platform; use a faster one");
  }
  return static_cast<std::uint64_t>(std::ceil(ps));
}

double transfer_ps(std::uint64_t bytes, double bytes_per_s) {
  return bytes == 0 ? 0 : static_cast<double>(bytes) / bytes_per_s * kPicosecondsPerSecond;
}

/// Bytes of a working set that stay in the core's cache and those that do not.
struct Traffic {
  std::uint64_t cached_bytes = 0;
  std::uint64_t dram_bytes = 0;
};

Traffic traffic_of(const detent_op_cost& cost, const CoreClass& core) {
  const std::uint64_t all =
      cost.read_bytes > UINT64_MAX - cost.write_bytes ? UINT64_MAX : cost.read_bytes + cost.write_bytes;
  const std::uint64_t cached = std::min(all, core.l2_bytes);
  return {cached, all - cached};
}

double efficiency_of(const CoreClass& core, const char* kernel) {
  const auto place =
      std::lower_bound(core.kernel_efficiency.begin(), core.kernel_efficiency.end(), kernel,
                       [](const auto& entry, const char* name) { return entry.first.compare(name) < 0; });
  return place != core.kernel_efficiency.end() && place->first == kernel ? place->second : core.efficiency;
}

/// One op on one class of cores.
class OpCost {
 public:
  OpCost(const detent_desc& desc, OpId op, const CoreClass& core, const Platform& platform, double spread,
         bool class_stands)
      : desc_(desc), op_(op), core_(core), platform_(platform), spread_(spread), class_stands_(class_stands) {
    if (desc.costs != nullptr) cost_ = desc.costs[op];
  }

  [[nodiscard]] OpWork roofline() const { return roofline(1); }

  /// The last wave takes as long as a full one.
  [[nodiscard]] OpWork on_gpu(const GpuConfig& config) const {
    const std::uint64_t elements = output_elements();
    const std::uint64_t waves = elements / config.wave_elements + (elements % config.wave_elements != 0 ? 1 : 0);
    const double filled = static_cast<double>(elements) / static_cast<double>(config.wave_elements);
    OpWork work = roofline(elements == 0 ? 1 : static_cast<double>(waves) / filled);
    const double launch_ps =
        static_cast<double>(config.launch_cycles) / static_cast<double>(core_.clock_hz) * kPicosecondsPerSecond;
    work.front_ps = to_picoseconds(launch_ps, desc_, op_);
    const double best_ps = static_cast<double>(work.time.best_ps) + launch_ps;
    work.time = {to_picoseconds(best_ps, desc_, op_), to_picoseconds(best_ps * (1 + spread_), desc_, op_)};
    return work;
  }

 private:
  /// @param slower  by how much the arithmetic takes longer than at the class's rate
  [[nodiscard]] OpWork roofline(double slower) const {
    const double peak = static_cast<double>(core_.clock_hz) * core_.flops_per_cycle *
                        efficiency_of(core_, desc_.kernels[desc_.ops[op_].kernel]);
    const Traffic traffic = traffic_of(cost_, core_);
    const double compute_ps = static_cast<double>(cost_.flops) / peak * kPicosecondsPerSecond * slower;
    const double cache_rate = core_.cache_bytes_per_cycle * static_cast<double>(core_.clock_hz);
    const double cache_ps = cache_rate > 0 ? transfer_ps(traffic.cached_bytes, cache_rate) : 0;
    const double near_ps = std::max(compute_ps, cache_ps);
    const double best_ps = std::max(near_ps, cache_ps + transfer_ps(traffic.dram_bytes, core_rate()));
    OpWork work = finish(best_ps, near_ps, traffic.dram_bytes);
    const bool has_work = cost_.flops != 0 || traffic.cached_bytes + traffic.dram_bytes != 0;
    work.source = !has_work ? TimeSource::kNone : rate_stands() ? TimeSource::kRoofline : TimeSource::kGuessedRate;
    return work;
  }

  /// Of all outputs; 0 where the Desc has no tensors.
  [[nodiscard]] std::uint64_t output_elements() const {
    const detent_slice outputs = desc_.ops[op_].outputs;
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < outputs.count; ++i) {
      const detent_tensor& tensor = desc_.tensors[desc_.tensor_refs[outputs.first + i]];
      std::uint64_t elements = tensor.rank == 0 ? 0 : 1;
      for (std::uint32_t d = 0; d < tensor.rank; ++d) elements *= static_cast<std::uint64_t>(tensor.dims[d]);
      sum += elements;
    }
    return sum;
  }

 public:
  [[nodiscard]] OpWork measured(const MeasuredOp& measured, bool use_cold) const {
    const MeasuredTimes& times = use_cold ? measured.cold : measured.warm;
    OpWork work;
    work.time = {times.min_ps, times.max_ps};
    work.source = TimeSource::kMeasured;
    const std::uint64_t bytes = measured.dram_bytes != 0 ? measured.dram_bytes : traffic_of(cost_, core_).dram_bytes;
    share_dram(work, bytes);
    const double busy_ps = transfer_ps(bytes, static_cast<double>(platform_.dram_bytes_per_s));
    work.compute_ps = times.min_ps - static_cast<std::uint64_t>(std::min(busy_ps, static_cast<double>(times.min_ps)));
    return work;
  }

  [[nodiscard]] OpWork on_npu(const npu::LayerCost& layer) const {
    const npu::NpuConfig& config = *core_.npu;
    const auto clock = static_cast<double>(core_.clock_hz);
    const double rate = port_rate(config);
    const std::uint64_t buffers = config.input_buffer_bytes / 2 + config.weight_buffer_bytes / 2;
    const std::uint64_t fill = std::min(layer.dram_read_bytes, buffers);
    const double front_ps =
        static_cast<double>(config.command_cycles) / clock * kPicosecondsPerSecond + transfer_ps(fill, rate);
    const std::uint64_t rest = layer.dram_read_bytes - fill + layer.dram_write_bytes;
    const double compute_ps =
        static_cast<double>(layer.compute_cycles) / clock / core_.efficiency * kPicosecondsPerSecond;
    OpWork work = finish(front_ps + std::max(compute_ps, transfer_ps(rest, rate)), compute_ps, rest);
    work.source = TimeSource::kArray;
    work.front_ps = to_picoseconds(front_ps, desc_, op_);
    if (shares_dram(config)) work.front_bytes = fill;
    if (!shares_dram(config)) work.dram_bytes = 0;
    return work;
  }

 private:
  [[nodiscard]] bool shares_dram(const npu::NpuConfig& config) const {
    return platform_.contention == Contention::kQueue && !config.private_ports;
  }

  /// Private ports are the array's own, one per operand, and see no DRAM behind them.
  [[nodiscard]] double port_rate(const npu::NpuConfig& config) const {
    const double port = static_cast<double>(config.port_bytes_per_cycle) * static_cast<double>(core_.clock_hz);
    return config.private_ports ? 3 * port : std::min(port, core_rate());
  }

  [[nodiscard]] double core_rate() const {
    return static_cast<double>(core_.dram_bytes_per_s != 0 ? core_.dram_bytes_per_s : platform_.dram_bytes_per_s);
  }

  /// Is the share of the peak that this kernel reaches more than a guess? Where it has one of its own, it was measured,
  /// unless the platform says that it is remembered.
  [[nodiscard]] bool rate_stands() const {
    const std::string kernel = desc_.kernels[desc_.ops[op_].kernel];
    const bool has_own = std::ranges::any_of(core_.kernel_efficiency, [&](const auto& e) { return e.first == kernel; });
    if (!has_own) return class_stands_;
    return !source_of(platform_, core_.name + ".kernel_efficiency." + kernel).starts_with("memory");
  }

  void share_dram(OpWork& work, std::uint64_t bytes) const {
    if (platform_.contention == Contention::kQueue) work.dram_bytes = bytes;
  }

  [[nodiscard]] OpWork finish(double best_ps, double compute_ps, std::uint64_t dram_bytes) const {
    OpWork work;
    work.time = {to_picoseconds(best_ps, desc_, op_), to_picoseconds(best_ps * (1 + spread_), desc_, op_)};
    work.compute_ps = std::min(work.time.best_ps, to_picoseconds(compute_ps, desc_, op_));
    share_dram(work, dram_bytes);
    return work;
  }

  const detent_desc& desc_;
  std::uint32_t op_;
  const CoreClass& core_;
  const Platform& platform_;
  double spread_;
  bool class_stands_;  ///< of classes_with_sources
  detent_op_cost cost_{};
};

OpWork given(const detent_desc& desc, OpId op) {
  const detent_op_cost& cost = desc.costs[op];
  if (cost.best_ps > cost.worst_ps) {
    throw std::invalid_argument(op_text(desc, op) + ": the best time must not exceed the worst time; swap them");
  }
  OpWork work;
  work.time = {cost.best_ps, cost.worst_ps};
  // No op takes no time: 0 is what a graph without times has.
  const bool is_delay = (desc.ops[op].flags & DETENT_OP_DELAY) != 0;
  work.source = cost.worst_ps == 0 && !is_delay ? TimeSource::kNone : TimeSource::kGiven;
  work.compute_ps = cost.best_ps;
  return work;
}

OpWork work_of(const detent_desc& desc, OpId op, const Platform& platform, double spread, const CostTable* costs,
               const std::vector<bool>& stand) {
  const detent_class& core_class = desc.classes[desc.ops[op].core_class];
  const CoreClass* core = find_class(platform, core_class.name);
  const bool async = core_class.kind == DETENT_CLASS_ASYNC;
  if (!async && core == nullptr) {
    throw std::invalid_argument(op_text(desc, op) + ": needs core class '" + core_class.name + "', which platform '" +
                                platform.name + "' lacks; choose another platform");
  }
  if (desc.costs != nullptr && desc.costs[op].best_ps != UINT64_MAX) return given(desc, op);
  if (async && core == nullptr) return {};
  const auto number = static_cast<std::size_t>(core - platform.classes.data());
  const OpCost cost(desc, op, *core, platform, spread, stand[number]);
  if (costs != nullptr && core == &platform.classes[0]) {
    if (const MeasuredOp* measured = find_measured(*costs, desc, op)) return cost.measured(*measured, costs->use_cold);
  }
  if (core->npu) {
    if (const auto layer = npu::layer_cost(desc, op, *core->npu)) return cost.on_npu(*layer);
  }
  return core->gpu ? cost.on_gpu(*core->gpu) : cost.roofline();
}

}  // namespace

std::vector<OpWork> op_work(const detent_desc& desc, const Platform& platform, const Jitter& jitter,
                            const CostTable* costs) {
  std::vector<OpWork> work;
  work.reserve(desc.op_count);
  const std::vector<bool> stand = classes_with_sources(platform);
  for (OpId op = 0; op < desc.op_count; ++op) {
    work.push_back(work_of(desc, op, platform, jitter_spread(jitter, desc, op), costs, stand));
  }
  return work;
}

std::vector<OpTime> op_times(const detent_desc& desc, const Platform& platform, const Jitter& jitter,
                             const CostTable* costs) {
  const std::vector<OpWork> work = op_work(desc, platform, jitter, costs);
  std::vector<OpTime> times;
  times.reserve(work.size());
  for (const OpWork& entry : work) times.push_back(entry.time);
  return times;
}

}  // namespace detent::sim
