// [[core]] tables: classes of cores, plain, with a systolic array, or GPUs.
#include <algorithm>
#include <string>

#include <detent/limits.h>

#include "sim/platform/sections.hpp"

namespace detent::sim {
namespace {

constexpr std::int64_t kMaxClockHz = 1'000'000'000'000;
constexpr std::int64_t kMaxCoreBytesPerSecond = 1'000'000'000'000'000;
constexpr std::int64_t kMaxBufferBytes = std::int64_t{1} << 40U;
constexpr double kMaxFlopsPerCycle = 1e9;
constexpr double kMaxCacheBytesPerCycle = 1e6;
constexpr std::int64_t kMaxLanes = 1 << 20;
constexpr std::int64_t kMaxOutstanding = 1024;
constexpr std::int64_t kMaxQueueDepth = 64;
constexpr std::int64_t kMaxCommandCycles = 1'000'000'000;
constexpr std::int64_t kMaxWave = std::int64_t{1} << 32U;
constexpr std::size_t kMaxKernelName = 64;

npu::Dataflow read_dataflow(const TomlReader& reader) {
  const std::string word = reader.text("dataflow");
  if (word == "os") return npu::Dataflow::kOutputStationary;
  if (word == "ws") return npu::Dataflow::kWeightStationary;
  if (word == "is") return npu::Dataflow::kInputStationary;
  reader.fail_at("dataflow", "'" + reader.full("dataflow") + "' is '" + word + "'; write os, ws or is");
}

std::uint64_t read_buffer(const TomlReader& reader, std::string_view key, std::uint64_t missing, std::uint32_t word) {
  if (!reader.has(key)) return missing;
  const std::uint64_t bytes = reader.integer(key, 1, kMaxBufferBytes);
  if (bytes < 2 * std::uint64_t{word}) {
    reader.fail_at(key, "'" + reader.full(key) + "' must hold a word in each half; give at least 2 * word_bytes");
  }
  return bytes;
}

npu::NpuConfig read_npu(const TomlReader& reader) {
  reader.allow_only({"rows", "cols", "dataflow", "input_buffer_bytes", "weight_buffer_bytes", "output_buffer_bytes",
                     "word_bytes", "vector_lanes", "port_bytes_per_cycle", "dma_outstanding", "private_ports",
                     "command_cycles"});
  npu::NpuConfig config;
  config.array.rows = static_cast<std::uint32_t>(reader.integer("rows", 1, npu::kMaxArrayEdge));
  config.array.cols = static_cast<std::uint32_t>(reader.integer("cols", 1, npu::kMaxArrayEdge));
  if (reader.has("dataflow")) config.dataflow = read_dataflow(reader);
  config.word_bytes = static_cast<std::uint32_t>(reader.integer_or("word_bytes", config.word_bytes, 1, 8));
  config.input_buffer_bytes = read_buffer(reader, "input_buffer_bytes", config.input_buffer_bytes, config.word_bytes);
  config.weight_buffer_bytes =
      read_buffer(reader, "weight_buffer_bytes", config.weight_buffer_bytes, config.word_bytes);
  config.output_buffer_bytes =
      read_buffer(reader, "output_buffer_bytes", config.output_buffer_bytes, config.word_bytes);
  config.vector_lanes =
      static_cast<std::uint32_t>(reader.integer_or("vector_lanes", config.vector_lanes, 1, kMaxLanes));
  config.port_bytes_per_cycle = reader.integer_or("port_bytes_per_cycle", config.port_bytes_per_cycle, 1, kMaxLanes);
  config.dma_outstanding =
      static_cast<std::uint32_t>(reader.integer_or("dma_outstanding", config.dma_outstanding, 1, kMaxOutstanding));
  config.private_ports = reader.boolean_or("private_ports", config.private_ports);
  config.command_cycles = reader.integer_or("command_cycles", config.command_cycles, 0, kMaxCommandCycles);
  return config;
}

GpuConfig read_gpu(const TomlReader& reader) {
  reader.allow_only({"wave_elements", "launch_cycles", "loads_outstanding"});
  GpuConfig config;
  config.wave_elements = reader.integer("wave_elements", 1, kMaxWave);
  config.launch_cycles = reader.integer_or("launch_cycles", config.launch_cycles, 0, kMaxCommandCycles);
  config.loads_outstanding =
      static_cast<std::uint32_t>(reader.integer_or("loads_outstanding", config.loads_outstanding, 1, kMaxOutstanding));
  return config;
}

bool is_identifier(std::string_view name) {
  return !name.empty() && name.size() <= kMaxKernelName && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

/// Sorted, because the parser keeps tables by key.
std::vector<std::pair<std::string, double>> read_kernel_efficiency(const TomlReader& reader) {
  std::vector<std::pair<std::string, double>> result;
  for (const auto& [key, node] : reader.raw()) {
    const std::string name(key.str());
    if (!is_identifier(name)) {
      reader.fail(&node, "'" + name + "' is not a kernel; `detent list kernels` prints their names");
    }
    result.emplace_back(name, reader.number(name, 1.0));
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Arithmetic rate: its own keys, or that of the array.
void read_rate(const TomlReader& reader, CoreClass& core) {
  if (core.npu) {
    const double cells = static_cast<double>(core.npu->array.rows) * static_cast<double>(core.npu->array.cols);
    core.flops_per_cycle = reader.number_or("flops_per_cycle", 2.0 * cells, kMaxFlopsPerCycle);
  } else {
    core.flops_per_cycle = reader.number("flops_per_cycle", kMaxFlopsPerCycle);
  }
  core.efficiency = reader.number_or("efficiency", core.efficiency, 1.0);
  if (reader.has("kernel_efficiency")) {
    core.kernel_efficiency = read_kernel_efficiency(reader.table("kernel_efficiency"));
  }
}

void read_memory_path(const TomlReader& reader, CoreClass& core) {
  core.l1_bytes = reader.integer_or("l1_bytes", 0, 0, kMaxBufferBytes);
  core.l2_bytes = reader.integer_or("l2_bytes", 0, 0, kMaxBufferBytes);
  core.cache_bytes_per_cycle = reader.number_or("cache_bytes_per_cycle", 0, kMaxCacheBytesPerCycle);
  core.dram_bytes_per_s = reader.integer_or("dram_bytes_per_s", 0, 1, kMaxCoreBytesPerSecond);
}

void read_threads(const TomlReader& reader, CoreClass& core) {
  core.threads_per_core = static_cast<std::uint32_t>(reader.integer_or("threads_per_core", 1, 1, 2));
  core.corun_rate = reader.number_or("corun_rate", 1.0, 1.0);
  if (core.threads_per_core == 1 && reader.has("corun_rate")) {
    reader.fail_at("corun_rate", "'core.corun_rate' needs two threads per core; set threads_per_core = 2 or drop it");
  }
  if (core.count % core.threads_per_core != 0) {
    reader.fail_at("threads_per_core", "'core.count' must be even with two threads per core; give an even count");
  }
}

/// Keys that only one of the kinds of cores has.
void check_kind(const TomlReader& reader, const CoreClass& core) {
  if (core.npu && core.gpu) reader.fail_at("gpu", "a core must not be both NPU and GPU; drop [core.npu] or [core.gpu]");
  if (!core.is_accelerator()) {
    if (reader.has("queue_depth")) {
      reader.fail_at("queue_depth",
                     "'core.queue_depth' is only for NPUs and GPUs; add [core.npu] or [core.gpu], or drop it");
    }
    return;
  }
  const std::string kind = core.npu ? "NPU" : "GPU";
  const std::string key = core.npu ? "npu" : "gpu";
  if (core.threads_per_core != 1) {
    reader.fail_at("threads_per_core",
                   "an accelerator must have one thread per core; set it to 1 or drop [core." + key + "]");
  }
  if (core.name == "cpu") {
    reader.fail_at(
        key, "class 'cpu' runs the engine and must not be an accelerator; give the " + kind + " a class of its own");
  }
}

CoreClass read_class(const TomlReader& reader) {
  reader.allow_only({"class", "count", "clock_hz", "flops_per_cycle", "efficiency", "kernel_efficiency", "l1_bytes",
                     "l2_bytes", "cache_bytes_per_cycle", "dram_bytes_per_s", "threads_per_core", "corun_rate",
                     "queue_depth", "npu", "gpu"});
  CoreClass core;
  core.name = reader.word("class");
  if (core.name == "delay") reader.fail_at("class", "class 'delay' is reserved for transfers; rename it");
  core.count = static_cast<std::uint32_t>(reader.integer("count", 1, DETENT_MAX_WORKERS));
  core.clock_hz = reader.integer("clock_hz", 1, kMaxClockHz);
  if (reader.has("npu")) core.npu = read_npu(reader.table("npu"));
  if (reader.has("gpu")) core.gpu = read_gpu(reader.table("gpu"));
  read_rate(reader, core);
  read_memory_path(reader, core);
  read_threads(reader, core);
  core.queue_depth = static_cast<std::uint32_t>(reader.integer_or("queue_depth", 1, 1, kMaxQueueDepth));
  check_kind(reader, core);
  return core;
}

}  // namespace

std::vector<CoreClass> read_classes(const TomlReader& top) {
  std::vector<CoreClass> classes;
  std::uint32_t cores = 0;
  top.for_each_table("core", [&](const TomlReader& reader) {
    CoreClass next = read_class(reader);
    for (const auto& other : classes) {
      if (other.name == next.name) {
        reader.fail_at("class", "duplicate class '" + next.name + "'; merge them");
      }
    }
    cores += next.count;
    if (cores > DETENT_MAX_WORKERS) {
      reader.fail_at("count", "more than " + std::to_string(DETENT_MAX_WORKERS) + " cores; lower 'count'");
    }
    classes.push_back(std::move(next));
  });
  if (classes.empty() || classes[0].name != "cpu") top.fail_at("core", "the first core class must be 'cpu'; reorder");
  return classes;
}

void check_core_bandwidths(const TomlReader& top, const Platform& platform) {
  std::size_t index = 0;
  top.for_each_table("core", [&](const TomlReader& reader) {
    if (platform.classes[index++].dram_bytes_per_s > platform.dram_bytes_per_s) {
      reader.fail_at("dram_bytes_per_s",
                     "one core reaches more than 'memory.dram_bytes_per_s', which all share; lower it");
    }
  });
}

}  // namespace detent::sim
