// What a platform consists of: cores, memory, overheads, loads and where each number comes from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/npu/layer.hpp"

namespace detent::sim {

/// A GPU: a driver hands it commands, as to an NPU; each is a kernel that computes its output in waves.
struct GpuConfig {
  std::uint64_t wave_elements = 1;      ///< output elements in flight on all units; an op takes whole waves
  std::uint64_t launch_cycles = 0;      ///< from a command taken to its first wave; overlaps the kernel before it
  std::uint32_t loads_outstanding = 1;  ///< requests in flight to the DRAM
};

/// A class of identical cores.
struct CoreClass {
  std::string name;         ///< matches detent_class.name: "cpu", "npu", "gpu"
  std::uint32_t count = 0;  ///< cores = workers of that class
  std::uint64_t clock_hz = 0;
  double flops_per_cycle = 0;  ///< peak, per core
  double efficiency = 1;       ///< of the peak that kernels reach, (0, 1]

  /// Efficiency of single kernels by name ("conv2d_f32"), instead of `efficiency`. Sorted by name.
  std::vector<std::pair<std::string, double>> kernel_efficiency{};
  std::uint64_t l1_bytes = 0;           ///< per core; 0: none
  std::uint64_t l2_bytes = 0;           ///< per core, its share of a shared one; 0: every byte comes from DRAM
  double cache_bytes_per_cycle = 0;     ///< from l2 to the core; 0: as fast as needed
  std::uint64_t dram_bytes_per_s = 0;   ///< what one core reaches alone; 0: all that the DRAM serves
  std::uint32_t threads_per_core = 1;   ///< cores i and i + 1 (i even, when 2) share one pipeline
  double corun_rate = 1;                ///< (0, 1]: speed of each while both of such a pair compute
  std::optional<npu::NpuConfig> npu{};  ///< a systolic array instead of a rate: layers are mapped onto it
  std::uint32_t queue_depth = 1;        ///< commands an accelerator accepts at once; the next one's start overlaps
  std::optional<GpuConfig> gpu{};       ///< kernels run in waves, at the class's rate; never with `npu`

  /// Does a driver hand it commands, whose ends it tells by interrupts?
  [[nodiscard]] bool is_accelerator() const { return npu.has_value() || gpu.has_value(); }
  /// Requests to the DRAM that one core has in flight.
  [[nodiscard]] std::uint32_t streams() const { return npu ? npu->dma_outstanding : gpu ? gpu->loads_outstanding : 1; }
};

/// DRAM and interconnect as one server of requests (bursts) that cores and NPU DMA share.
enum class Contention : std::uint8_t {
  kNone,  ///< each client sees the whole bandwidth
  kQueue  ///< closed queue: a client thinks between requests and waits while others are served (sim/cost/dram.hpp)
};

/// Runtime overheads in simulated time, each charged where the engine performs the step.
struct Overheads {
  std::uint64_t dispatch_ps = 0;
  std::uint64_t queue_ps = 0;
  std::uint64_t lock_ps = 0;  ///< the scheduler role, last held by the same core
  std::uint64_t wake_ps = 0;
  std::uint64_t log_ps = 0;
  std::uint64_t lock_contended_ps = 0;  ///< last held by another core; never below lock_ps
  std::uint64_t interrupt_ps = 0;       ///< from an NPU's completion to its driver's next step
  std::uint64_t migrate_ps = 0;         ///< a worker goes on on another core than before (migrating workers only)
};

/// Work of higher priority than every worker, which takes a core from it: a periodic task, or interrupts.
struct Load {
  std::string name;
  std::string core_class;  ///< of a worker class that is no NPU
  std::uint32_t core = 0;
  std::uint64_t period_ps = 0;    ///< > duration_ps + jitter_ps
  std::uint64_t duration_ps = 0;  ///< > 0
  std::uint64_t offset_ps = 0;    ///< first release after a run's begin, below period_ps
  std::uint64_t jitter_ps = 0;    ///< each release is late by a seeded number up to this
};

/// Where a number comes from; shown in reports.
struct Provenance {
  std::string key;     ///< "cpu.clock_hz"
  std::string source;  ///< "seen", "derived", "memory" and the citation
};

struct Platform {
  std::string name;
  std::string description;
  std::vector<CoreClass> classes;      ///< [0] is "cpu"
  std::uint64_t dram_bytes_per_s = 0;  ///< that the DRAM serves when saturated
  std::uint64_t memory_bytes = 0;      ///< B50; 0 = unlimited
  std::uint32_t burst_bytes = 64;      ///< one request
  Contention contention = Contention::kNone;
  Overheads overheads;
  std::vector<Load> loads;
  std::vector<Provenance> provenance;
};

}  // namespace detent::sim
