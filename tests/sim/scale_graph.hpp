// Large random graphs for the simulator: as many edges as ops, all that an op can have.
#pragma once

#include <cstdint>

#include "tests/sim/graph.hpp"

namespace detent::sim::test {

struct ScaleGraphOptions {
  std::uint32_t ops = 1000;
  std::uint32_t max_time_ps = 1000;
  std::uint32_t reach = 400;          ///< predecessors are at most so many ops back: about the width of the graph
  std::uint32_t npu_percent = 0;      ///< of class npu
  std::uint32_t dsp_percent = 0;      ///< of class dsp
  std::uint32_t delay_percent = 0;    ///< transfers between ops
  std::uint32_t release_percent = 0;  ///< delays without predecessors: what follows is released then
  std::uint32_t mutex_percent = 0;    ///< ops with one or two of the mutexes of their class
  std::uint32_t mutexes = 8;          ///< per class
};

/// Each op has up to three predecessors. Linear in the number of ops. Priorities are from -50 to 50.
Graph scale_graph(std::uint64_t seed, const ScaleGraphOptions& options);

}  // namespace detent::sim::test
