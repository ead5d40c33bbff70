// Cores: Desc + platform + options -> workers, each on a simulated core of its own.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/platform/platform.hpp"
#include "sim/types/options.hpp"

namespace detent::sim {

/// A core of the platform.
struct CoreId {
  std::uint32_t core_class = DETENT_NONE;  ///< index into Platform::classes; DETENT_NONE: a core that runs no ops
  std::uint32_t index = 0;                 ///< within the class
};

/// Which worker runs on which core. Worker w of a class is on core w modulo their number; an NPU core has as many
/// workers as its queue takes commands, and the chip decides which NPU of the class a command goes to
/// (sim/chip/chip.hpp).
struct CoreMap {
  std::uint32_t worker_count = 0;             ///< as in detent_config; 0: serial on slot 0
  std::vector<std::uint32_t> worker_classes;  ///< Desc class per worker; empty for serial
  std::vector<std::string> slot_names;        ///< per engine slot: "cpu0", "npu0", "scheduler"; then "delays", the
                                              ///< lane of asynchronous ops, if there are any
  std::uint32_t slot_count = 0;               ///< names that are slots
  std::vector<CoreId> slot_cores;             ///< [slot_count], where the slot's worker is at home
};

/// CPU workers as asked for; 0: one per core.
/// @throws std::invalid_argument  more workers than the platform has CPU cores
std::uint32_t cpu_workers(const Platform& platform, std::uint32_t asked);

/// CPU workers as asked for (0: all cores), and every core of each other class that an op needs.
/// @throws std::invalid_argument  more workers than cores or than DETENT_MAX_WORKERS
CoreMap map_cores(const detent_desc& desc, const Platform& platform, const SimOptions& options);

}  // namespace detent::sim
