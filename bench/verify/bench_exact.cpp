// Time of exact worst cases: bench_exact [op_count]. Prints one line per DAG.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "tests/verify/random_graph.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/timing/exact.hpp"

namespace {

using namespace detent::verify;
using detent::verify::testing::Random;

/// Worst times from 100 to 1000 ns, added as the shape asks for ops.
class Shape {
 public:
  explicit Shape(std::uint64_t seed) : random_{seed} {}

  std::uint32_t add_op() {
    worst_ps_.push_back(100'000 + random_.below(900'000));
    return size() - 1;
  }
  void add_edge(std::uint32_t from, std::uint32_t to) {
    for (const auto& edge : edges_) {
      if (edge == std::pair(from, to)) return;
    }
    edges_.emplace_back(from, to);
  }
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(worst_ps_.size()); }
  std::uint32_t below(std::uint32_t limit) { return random_.below(limit); }

  /// Every op takes from `least` percent of its worst time to all of it.
  [[nodiscard]] TimingProblem problem(std::uint32_t cores, std::uint32_t least) const {
    TimingProblem made = detent::verify::testing::make_problem(worst_ps_, edges_, cores);
    for (TimedOp& op : made.ops) op.best_ps = op.worst_ps * least / 100;
    return made;
  }

 private:
  Random random_;
  std::vector<std::uint64_t> worst_ps_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
};

/// Forks of up to `branches` chains of up to three ops, each fork closed by a join.
Shape inference_like(std::uint32_t ops, std::uint32_t branches, std::uint64_t seed) {
  Shape shape(seed);
  std::uint32_t last = shape.add_op();
  while (shape.size() < ops) {
    std::vector<std::uint32_t> ends;
    for (std::uint32_t branch = shape.below(branches); branch < branches; ++branch) {
      std::uint32_t at = last;
      for (std::uint32_t length = shape.below(3); length < 3; ++length) {
        const std::uint32_t op = shape.add_op();
        shape.add_edge(at, op);
        at = op;
      }
      ends.push_back(at);
    }
    last = shape.add_op();
    for (const std::uint32_t end : ends) shape.add_edge(end, last);
  }
  return shape;
}

/// Layers of up to `width` ops, each with up to three predecessors in the layer before.
Shape layered(std::uint32_t ops, std::uint32_t width, std::uint64_t seed) {
  Shape shape(seed);
  std::vector<std::uint32_t> before;
  while (shape.size() < ops) {
    std::vector<std::uint32_t> layer;
    for (std::uint32_t i = shape.below(width); i < width; ++i) {
      layer.push_back(shape.add_op());
      for (std::uint32_t k = shape.below(3); k < 3 && !before.empty(); ++k) {
        shape.add_edge(before[shape.below(static_cast<std::uint32_t>(before.size()))], layer.back());
      }
    }
    before = layer;
  }
  return shape;
}

void measure(const char* name, const TimingProblem& problem, std::uint32_t least) {
  const auto begin = std::chrono::steady_clock::now();
  const ExactTimes exact = exact_times(problem);
  const double ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  std::printf("%-16s %5zu ops %2u cores  best %3u %% of worst  %10.3f ms %9llu zones%s\n", name, problem.ops.size(),
              problem.cores[0], least, ms, static_cast<unsigned long long>(exact.zones),
              exact.is_complete ? "" : "  limit reached");
}

}  // namespace

int main(int argc, char** argv) {
  const auto ops = static_cast<std::uint32_t>(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 200);
  for (const std::uint32_t least : {90U, 50U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      for (const std::uint32_t cores : {2U, 4U, 8U}) {
        measure("inference-like", inference_like(ops, 4, seed).problem(cores, least), least);
      }
      measure("layered", layered(ops, 8, seed).problem(4, least), least);
    }
  }
  return 0;
}
