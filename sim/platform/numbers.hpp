// Every number of a platform with its key and where it comes from: for provenance, listings and documents.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "sim/platform/types.hpp"

namespace detent::sim {

/// One number in effect, or a word that stands for a modelling choice (dataflow, contention, private_ports).
struct PlatformNumber {
  std::string key;  ///< "cpu.clock_hz", "npu.rows" (keys of [core.npu] stand under their class), "memory.burst_bytes",
                    ///< "overheads.lock_ps", "load.NAME.period_ps", "cpu.kernel_efficiency.conv2d_f32"
  std::variant<std::uint64_t, double, std::string> value;
  std::string source;  ///< the platform's provenance; empty: none is given
};

/// In the order of the file format; optional keys that are not given stand there with their default.
std::vector<PlatformNumber> platform_numbers(const Platform& platform);

/// How many numbers have a provenance that begins with each word.
struct ProvenanceCount {
  std::uint32_t seen = 0;
  std::uint32_t derived = 0;
  std::uint32_t memory = 0;
};
ProvenanceCount count_provenance(const Platform& platform);

/// "os", "ws" or "is": the word of a platform file.
const char* dataflow_word(npu::Dataflow dataflow);
/// "none" or "queue".
const char* contention_word(Contention contention);

}  // namespace detent::sim
