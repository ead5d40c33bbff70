#include "bench/engine_graphs.hpp"

#include <algorithm>

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

/// Builds the network's shape op by op; a value is the list of ops that write it (concatenations are views).
class YoloBuilder {
 public:
  Ids op(const Ids& inputs) {
    predecessors_.push_back(inputs);
    return {static_cast<std::uint32_t>(predecessors_.size() - 1)};
  }
  static Ids concat(const std::vector<Ids>& parts) {
    Ids all;
    for (const Ids& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }
  Ids c2f(const Ids& input, int bottlenecks) {
    std::vector<Ids> parts{op(input)};
    for (int i = 0; i < bottlenecks; ++i) parts.push_back(op(op(parts.back())));
    return op(concat(parts));
  }
  Ids sppf(const Ids& input) {
    std::vector<Ids> parts{op(input)};
    for (int i = 0; i < 3; ++i) parts.push_back(op(parts.back()));
    return op(concat(parts));
  }
  /// One scale of the head: two branches of three convolutions, then the decoding of boxes and classes.
  Ids detect(const Ids& input) {
    const Ids box = op(op(op(op(input))));
    const Ids classes = op(op(op(op(input))));
    const Ids corners = op(op(box));
    const Ids left = op(corners);
    const Ids right = op(corners);
    return op(concat({op(concat({left, right})), classes}));
  }
  TaskGraph take() { return from_predecessors("yolov8n-94", std::move(predecessors_)); }

 private:
  std::vector<Ids> predecessors_;
};

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

TaskGraph yolo_graph() {
  YoloBuilder net;
  const Ids p2 = net.c2f(net.op(net.op({})), 1);
  const Ids p3 = net.c2f(net.op(p2), 2);
  const Ids p4 = net.c2f(net.op(p3), 2);
  const Ids p5 = net.sppf(net.c2f(net.op(p4), 1));
  const Ids n4 = net.c2f(YoloBuilder::concat({net.op(p5), p4}), 1);
  const Ids n3 = net.c2f(YoloBuilder::concat({net.op(n4), p3}), 1);
  const Ids o4 = net.c2f(YoloBuilder::concat({net.op(n3), n4}), 1);
  const Ids o5 = net.c2f(YoloBuilder::concat({net.op(o4), p5}), 1);
  const Ids all = YoloBuilder::concat({net.detect(n3), net.detect(o4), net.detect(o5)});
  net.op(net.op(all));
  return net.take();
}

}  // namespace detent::bench
