#include "bench/engine/graphs.hpp"

#include <algorithm>

#include "models/zoo/zoo.hpp"

namespace detent::bench {

namespace {

using Ids = std::vector<std::uint32_t>;

std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

TaskGraph from_predecessors(std::string name, std::vector<Ids> predecessors) {
  TaskGraph graph;
  graph.name = std::move(name);
  graph.op_count = static_cast<std::uint32_t>(predecessors.size());
  graph.successors.resize(graph.op_count);
  for (std::uint32_t op = 0; op < graph.op_count; ++op) {
    Ids& list = predecessors[op];
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    for (std::uint32_t before : list) graph.successors[before].push_back(op);
  }
  graph.predecessors = std::move(predecessors);
  return graph;
}

}  // namespace

TaskGraph chain_graph(std::uint32_t op_count) {
  std::vector<Ids> predecessors(op_count);
  for (std::uint32_t op = 1; op < op_count; ++op) predecessors[op] = {op - 1};
  return from_predecessors("chain", std::move(predecessors));
}

TaskGraph wide_graph(std::uint32_t op_count) { return from_predecessors("wide", std::vector<Ids>(op_count)); }

TaskGraph layered_graph(std::uint32_t op_count, std::uint64_t seed) {
  constexpr std::uint32_t kWidth = 100;
  std::vector<Ids> predecessors(op_count);
  for (std::uint32_t op = kWidth; op < op_count; ++op) {
    const std::uint32_t before = (op / kWidth - 1) * kWidth;
    const std::uint64_t count = 1 + next_random(seed) % 3;
    for (std::uint64_t i = 0; i < count; ++i) {
      predecessors[op].push_back(before + static_cast<std::uint32_t>(next_random(seed) % kWidth));
    }
  }
  return from_predecessors("layered", std::move(predecessors));
}

TaskGraph fork_join_graph(std::uint32_t stages, std::uint32_t width) {
  std::vector<Ids> predecessors(1);
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    const auto fork = static_cast<std::uint32_t>(predecessors.size() - 1);
    Ids sides;
    for (std::uint32_t i = 0; i < width; ++i) {
      sides.push_back(fork + 1 + i);
      predecessors.push_back({fork});
    }
    predecessors.push_back(sides);
  }
  return from_predecessors("fork-join", std::move(predecessors));
}

TaskGraph yolo_graph() {
  const models::Model model = models::build_zoo_model("yolov8n");
  std::vector<Ids> predecessors(model.ops.size());
  for (const models::Edge& edge : model.edges) predecessors[edge.to].push_back(edge.from);
  return from_predecessors("yolov8n", std::move(predecessors));
}

}  // namespace detent::bench
