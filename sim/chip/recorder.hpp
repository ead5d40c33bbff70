// ChipRecorder: what the chip does in one run -> MachineTrace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "harness/machine_trace.hpp"
#include "sim/chip/cores.hpp"
#include "sim/platform/platform.hpp"

namespace detent::sim {

/// Fills a MachineTrace while a run goes on. Cores are numbered as in Chip: class after class, core after core.
class ChipRecorder {
 public:
  /// @param cores  in Chip's order
  ChipRecorder(const Platform& platform, const std::vector<CoreId>& cores);

  void begin(std::uint64_t now_ps) { begin_ps_ = now_ps; }
  /// The core was used from begin_ps to end_ps (absolute times) for an op, or for the runtime's own steps.
  void use_core(std::uint32_t core, harness::UseKind kind, OpId op, std::uint64_t begin_ps, std::uint64_t end_ps);
  /// A DMA channel of an NPU core moved data for `op`.
  void use_dma(std::uint32_t core, std::uint32_t channel, OpId op, std::uint64_t begin_ps, std::uint64_t end_ps);
  void take_core(std::uint32_t core, std::uint32_t load, std::uint64_t begin_ps, std::uint64_t end_ps);
  /// The core executed for `elapsed_ps`: so much of it was computing, so much of the rest was caused by others.
  void account(std::uint32_t core, std::uint64_t elapsed_ps, double compute_ps, double contention_ps, double bytes);
  /// DRAM traffic of the core from now on.
  void set_bandwidth(std::uint32_t core, std::uint64_t now_ps, double bytes_per_ps);
  /// The queue of an NPU core holds so many commands from now on.
  void set_queue(std::uint32_t core, std::uint64_t now_ps, std::uint64_t entries);
  /// The run ended at end_ps; what happened later is cut. Returns the trace; the recorder is empty afterwards.
  harness::MachineTrace finish(std::uint64_t end_ps);

 private:
  struct CoreState {
    std::uint32_t resource = 0;
    std::uint32_t first_dma = 0;
    std::uint32_t bandwidth_counter = 0;
    std::uint32_t queue_counter = 0;
    std::uint64_t executing_ps = 0;
    double compute_ps = 0;
    double contention_ps = 0;
    double bytes = 0;
    std::uint64_t bytes_per_s = 0;
  };
  void tidy_uses(std::uint64_t makespan_ps);
  void tidy_samples();
  void sum_up(std::uint64_t makespan_ps);
  std::uint32_t add_resource(const std::string& name, harness::ResourceKind kind);
  std::uint32_t add_counter(const std::string& name, const std::string& unit);
  void sample(std::uint32_t counter, std::uint64_t now_ps, std::uint64_t value);

  harness::MachineTrace trace_;
  std::vector<CoreState> cores_;
  const bool counts_dram_;  // else each op has the DRAM to itself, and nobody knows what it moved
  std::uint32_t dram_counter_ = 0;
  std::uint64_t begin_ps_ = 0;
};

}  // namespace detent::sim
