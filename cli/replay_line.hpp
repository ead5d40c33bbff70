// The one line that repeats a run: printed by commands, read by detent replay.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace detent::cli {

/// Everything that decides what a run does. Format: `detent-replay/1 key=value ...`, keys in a fixed order.
struct ReplayLine {
  std::string model;
  std::string on = "native";  ///< native or sim
  std::uint32_t workers = 0;
  std::uint64_t seed = 0;
  std::string mode = "closed-loop";
  std::string policy = "id";
  std::uint32_t split = 1;
  std::uint64_t input_seed = 0;
  std::string platform;              ///< sim only
  std::string jitter;                ///< sim only
  std::string costs{};               ///< sim only: file of measured op times
  bool npu = true;                   ///< sim only: heavy ops on the NPU where the platform has one
  bool overheads = true;             ///< sim only: the runtime's costs are charged
  bool contention = true;            ///< sim only: clients of the DRAM delay each other
  bool private_ports = false;        ///< sim only: NPU operands have ports of their own
  bool migrating = false;            ///< sim only: workers move to idle cores
  std::vector<std::uint32_t> order;  ///< policy given
  std::vector<std::pair<std::uint32_t, std::uint32_t>> before;  ///< first runs before second; `before=7<3,2<9`
  std::string digest;                                           ///< expected; empty: unknown (timing only)
  std::uint64_t makespan_ps = 0;                                ///< expected in simulation; 0: unknown
};

std::string format_replay_line(const ReplayLine& line);

/// @throws std::invalid_argument  names the word that is wrong and what may stand there
ReplayLine parse_replay_line(const std::string& text);

}  // namespace detent::cli
