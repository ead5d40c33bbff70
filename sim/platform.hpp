// Platform: a chip as the simulator sees it, read from TOML. Every cost has a name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace detent::sim {

/// A class of identical cores.
struct CoreClass {
  std::string name;         ///< matches detent_class.name: "cpu", "npu"
  std::uint32_t count = 0;  ///< cores = workers of that class
  std::uint64_t clock_hz = 0;
  double flops_per_cycle = 0;  ///< peak, per core
  double efficiency = 1;       ///< of the peak that kernels reach, (0, 1]
};

/// Runtime overheads in simulated time, each charged where the engine performs the step.
struct Overheads {
  std::uint64_t dispatch_ps = 0;
  std::uint64_t queue_ps = 0;
  std::uint64_t lock_ps = 0;
  std::uint64_t wake_ps = 0;
  std::uint64_t log_ps = 0;
};

/// Where a number comes from; shown in reports.
struct Provenance {
  std::string key;     ///< "cpu.clock_hz"
  std::string source;  ///< "seen", "derived", "memory" and the citation
};

struct Platform {
  std::string name;
  std::string description;
  std::vector<CoreClass> classes;  ///< [0] is "cpu"
  std::uint64_t dram_bytes_per_s = 0;
  std::uint64_t memory_bytes = 0;  ///< B50; 0 = unlimited
  Overheads overheads;
  std::vector<Provenance> provenance;
};

/// Read a platform file. Unknown keys, missing keys and impossible values throw InputError with file, line, remedy.
Platform read_platform(const std::string& path);
/// A platform that is built into the tool, or a path to a TOML file. Throws InputError naming what exists.
Platform find_platform(const std::string& name_or_path);
/// Names of the built-in platforms, sorted.
std::vector<std::string> platform_names();
/// `cores` CPUs (and one entry per "class=count"), no overheads: for bounds and list-scheduling comparisons.
Platform plain_platform(const std::vector<std::pair<std::string, std::uint32_t>>& cores);

}  // namespace detent::sim
