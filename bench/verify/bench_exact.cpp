// Processor time of exact worst cases, and of the schedule abstraction and how far it is above them: bench_exact
// [op_count [random_op_count [max_states [width [max_zones [layer_seeds]]]]]]. Prints one line per DAG. With
// layer_seeds only exact worst cases of layers of up to 4, 6, ..., 12 ops on 4 cores, of so many seeds each.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>
#include <vector>

#include "tests/verify/random_graph.hpp"
#include "tests/verify/timing/list_schedule.hpp"
#include "verify/abstraction/schedule_graph.hpp"
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

/// Every pair is an edge with a chance of `percent` (Erdos-Renyi).
Shape random_shape(std::uint32_t ops, std::uint32_t percent, std::uint64_t seed) {
  Shape shape(seed);
  for (std::uint32_t op = 0; op < ops; ++op) {
    shape.add_op();
    for (std::uint32_t from = 0; from < op; ++from) {
      if (shape.below(100) < percent) shape.add_edge(from, op);
    }
  }
  return shape;
}

std::uint64_t least_analytic_ps(const TimingProblem& problem) {
  std::uint64_t least_ps = kUnknownPs;
  for (Bound (*const upper)(const TimingProblem&) : upper_bounds()) {
    least_ps = std::min(least_ps, upper(problem).bound_ps);
  }
  return least_ps;
}

struct Limits {
  std::uint64_t max_states = 200'000;
  std::uint32_t width = 1;
  std::uint64_t max_zones = 2'000'000;
};

template <typename Analysis>
auto timed(Analysis analysis, double& ms) {
  const std::clock_t begin = std::clock();
  auto found = analysis();
  ms = static_cast<double>(std::clock() - begin) * 1000 / CLOCKS_PER_SEC;
  return found;
}

/// The analytic bound and the schedule abstraction in parts of the exact worst case, or of its place: the abstraction.
void measure(const char* name, const TimingProblem& problem, std::uint32_t least, const Limits& limits) {
  double exact_ms = 0, sag_ms = 0;
  const AbstractTimes sag =
      timed([&] { return abstract_times(problem, {.max_states = limits.max_states, .width = limits.width}); }, sag_ms);
  const ExactTimes exact = timed([&] { return exact_times(problem, {.max_zones = limits.max_zones}); }, exact_ms);
  const auto part = [&](std::uint64_t ps) {
    return static_cast<double>(ps) / static_cast<double>(exact.is_complete ? exact.worst_ps : sag.worst_ps);
  };
  std::printf("%-14s %4zu ops %2u cores %3u %% exact %10.3f ms %8llu zones%s  sag %10.3f ms %8llu states%s", name,
              problem.ops.size(), problem.cores[0], least, exact_ms, static_cast<unsigned long long>(exact.zones),
              exact.is_complete ? "" : ", limit", sag_ms, static_cast<unsigned long long>(sag.states),
              sag.is_complete ? "" : ", limit");
  std::printf(exact.is_complete ? "  sag/exact %.4f  analytic/exact %.4f\n" : "  sag/sag %.0f  analytic/sag %.4f\n",
              part(sag.worst_ps), part(least_analytic_ps(problem)));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int i, std::uint64_t otherwise) {
    return argc > i ? std::strtoull(argv[i], nullptr, 10) : std::uint64_t{otherwise};
  };
  const auto ops = static_cast<std::uint32_t>(number(1, 200)), random_ops = static_cast<std::uint32_t>(number(2, 50));
  const Limits limits{number(3, 200'000), static_cast<std::uint32_t>(number(4, 1)), number(5, 2'000'000)};
  const std::uint64_t layer_seeds = number(6, 0);
  for (std::uint32_t width = 4; width <= 12 && layer_seeds != 0; width += 2) {
    for (std::uint64_t seed = 1; seed <= layer_seeds; ++seed) {
      const std::string name = "layers of " + std::to_string(width);
      measure(name.c_str(), layered(ops, width, seed).problem(4, 50), 50,
              {.max_states = 1, .max_zones = limits.max_zones});
    }
  }
  if (layer_seeds != 0) return 0;
  for (const std::uint32_t least : {90U, 50U}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      for (const std::uint32_t cores : {2U, 4U, 8U}) {
        measure("inference-like", inference_like(ops, 4, seed).problem(cores, least), least, limits);
      }
      measure("layered", layered(ops, 8, seed).problem(4, least), least, limits);
      for (const std::uint32_t percent : {5U, 10U, 20U}) {
        const std::string name = "random " + std::to_string(percent) + " %";
        measure(name.c_str(), random_shape(random_ops, percent, seed).problem(8, least), least, limits);
      }
    }
  }
  return 0;
}
