// Graphs that the engine's benchmark runs: edges only, ops compute nothing.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace detent::bench {

struct TaskGraph {
  std::string name;
  std::uint32_t op_count = 0;
  std::uint64_t hint_ps = 2000;  ///< what a cost hint says that each op takes: as an empty kernel does
  std::vector<std::vector<std::uint32_t>> successors;    ///< ascending
  std::vector<std::vector<std::uint32_t>> predecessors;  ///< ascending
};

TaskGraph chain_graph(std::uint32_t op_count);
TaskGraph wide_graph(std::uint32_t op_count);
/// Layers of 100 ops, each with 1 to 3 predecessors in the layer before, from a seed.
TaskGraph layered_graph(std::uint32_t op_count, std::uint64_t seed);
/// Stages of `width` ops side by side between single ops: stages * (width + 1) + 1 ops.
TaskGraph fork_join_graph(std::uint32_t stages, std::uint32_t width);
/// The zoo's YOLOv8n: 94 ops.
TaskGraph yolo_graph();

}  // namespace detent::bench
