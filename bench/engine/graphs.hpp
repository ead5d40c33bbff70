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
  std::vector<std::vector<std::uint32_t>> successors;    ///< ascending
  std::vector<std::vector<std::uint32_t>> predecessors;  ///< ascending
};

TaskGraph chain_graph(std::uint32_t op_count);
TaskGraph wide_graph(std::uint32_t op_count);
/// Layers of 100 ops, each with 1 to 3 predecessors in the layer before, from a seed.
TaskGraph layered_graph(std::uint32_t op_count, std::uint64_t seed);
/// The zoo's YOLOv8n: 94 ops.
TaskGraph yolo_graph();

}  // namespace detent::bench
