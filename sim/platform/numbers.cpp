#include "sim/platform/numbers.hpp"

namespace detent::sim {
namespace {

/// Collects numbers under a prefix and finds their sources.
class NumberList {
 public:
  explicit NumberList(const Platform& platform) : platform_(platform) {}

  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }
  void add(const char* key, std::uint64_t value) { put(key, value); }
  void add(const char* key, double value) { put(key, value); }
  void add(const char* key, const char* word) { put(key, std::string(word)); }
  std::vector<PlatformNumber> take() { return std::move(numbers_); }

 private:
  void put(const char* key, std::variant<std::uint64_t, double, std::string> value) {
    std::string full = prefix_ + key;
    std::string source;
    for (const Provenance& entry : platform_.provenance) {
      if (entry.key == full) source = entry.source;
    }
    numbers_.push_back({std::move(full), std::move(value), std::move(source)});
  }

  const Platform& platform_;
  std::string prefix_;
  std::vector<PlatformNumber> numbers_;
};

void list_npu(NumberList& list, const CoreClass& core) {
  const npu::NpuConfig& config = *core.npu;
  list.add("queue_depth", std::uint64_t{core.queue_depth});
  list.add("rows", std::uint64_t{config.array.rows});
  list.add("cols", std::uint64_t{config.array.cols});
  list.add("dataflow", dataflow_word(config.dataflow));
  list.add("input_buffer_bytes", config.input_buffer_bytes);
  list.add("weight_buffer_bytes", config.weight_buffer_bytes);
  list.add("output_buffer_bytes", config.output_buffer_bytes);
  list.add("word_bytes", std::uint64_t{config.word_bytes});
  list.add("vector_lanes", std::uint64_t{config.vector_lanes});
  list.add("port_bytes_per_cycle", config.port_bytes_per_cycle);
  list.add("dma_outstanding", std::uint64_t{config.dma_outstanding});
  list.add("private_ports", config.private_ports ? "true" : "false");
  list.add("command_cycles", config.command_cycles);
}

void list_gpu(NumberList& list, const CoreClass& core) {
  list.add("queue_depth", std::uint64_t{core.queue_depth});
  list.add("wave_elements", core.gpu->wave_elements);
  list.add("launch_cycles", core.gpu->launch_cycles);
  list.add("loads_outstanding", std::uint64_t{core.gpu->loads_outstanding});
}

void list_class(NumberList& list, const CoreClass& core) {
  list.set_prefix(core.name + ".");
  list.add("count", std::uint64_t{core.count});
  list.add("clock_hz", core.clock_hz);
  list.add("flops_per_cycle", core.flops_per_cycle);
  list.add("efficiency", core.efficiency);
  for (const auto& [kernel, value] : core.kernel_efficiency) list.add(("kernel_efficiency." + kernel).c_str(), value);
  list.add("l1_bytes", core.l1_bytes);
  list.add("l2_bytes", core.l2_bytes);
  list.add("cache_bytes_per_cycle", core.cache_bytes_per_cycle);
  list.add("dram_bytes_per_s", core.dram_bytes_per_s);
  list.add("threads_per_core", std::uint64_t{core.threads_per_core});
  list.add("corun_rate", core.corun_rate);
  if (core.npu) list_npu(list, core);
  if (core.gpu) list_gpu(list, core);
}

void list_memory(NumberList& list, const Platform& platform) {
  list.set_prefix("memory.");
  list.add("dram_bytes_per_s", platform.dram_bytes_per_s);
  list.add("bytes", platform.memory_bytes);
  list.add("burst_bytes", std::uint64_t{platform.burst_bytes});
  list.add("contention", contention_word(platform.contention));
}

void list_overheads(NumberList& list, const Overheads& overheads) {
  list.set_prefix("overheads.");
  list.add("dispatch_ps", overheads.dispatch_ps);
  list.add("queue_ps", overheads.queue_ps);
  list.add("lock_ps", overheads.lock_ps);
  list.add("lock_contended_ps", overheads.lock_contended_ps);
  list.add("wake_ps", overheads.wake_ps);
  list.add("log_ps", overheads.log_ps);
  list.add("interrupt_ps", overheads.interrupt_ps);
  list.add("migrate_ps", overheads.migrate_ps);
}

void list_load(NumberList& list, const Load& load) {
  list.set_prefix("load." + load.name + ".");
  list.add("core", std::uint64_t{load.core});
  list.add("period_ps", load.period_ps);
  list.add("duration_ps", load.duration_ps);
  list.add("offset_ps", load.offset_ps);
  list.add("jitter_ps", load.jitter_ps);
}

}  // namespace

const char* dataflow_word(npu::Dataflow dataflow) {
  switch (dataflow) {
    case npu::Dataflow::kOutputStationary:
      return "os";
    case npu::Dataflow::kWeightStationary:
      return "ws";
    case npu::Dataflow::kInputStationary:
      return "is";
  }
  return "";
}

const char* contention_word(Contention contention) {
  switch (contention) {
    case Contention::kNone:
      return "none";
    case Contention::kQueue:
      return "queue";
  }
  return "";
}

std::vector<PlatformNumber> platform_numbers(const Platform& platform) {
  NumberList list(platform);
  for (const CoreClass& core : platform.classes) list_class(list, core);
  list_memory(list, platform);
  list_overheads(list, platform.overheads);
  for (const Load& load : platform.loads) list_load(list, load);
  return list.take();
}

ProvenanceCount count_provenance(const Platform& platform) {
  ProvenanceCount count;
  for (const Provenance& entry : platform.provenance) {
    count.seen += entry.source.starts_with("seen") ? 1U : 0U;
    count.derived += entry.source.starts_with("derived") ? 1U : 0U;
    count.memory += entry.source.starts_with("memory") ? 1U : 0U;
  }
  return count;
}

}  // namespace detent::sim
