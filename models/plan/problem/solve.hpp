// A problem -> a placement within a capacity, or the lowest that is found, and whether that answer is proven.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/plan/problem/problem.hpp"

namespace detent::models::packing {

/// A part of more buffers is placed greedily and not searched.
inline constexpr std::size_t kMaxSearchedBuffers = 2'048;

struct SolveOptions {
  std::uint64_t capacity_bytes = 0;  ///< 0: as low as the search gets
  std::uint64_t max_nodes = 0;       ///< of the search; 0: default_max_nodes
  /// Called now and then; may be empty.
  std::function<void(std::uint64_t nodes, std::uint64_t max_nodes)> progress{};
};

struct Solution {
  bool is_placed = false;  ///< within the capacity
  bool is_proven = false;  ///< with a capacity: placed, or no placement is within it; without: none is lower
  std::vector<std::uint64_t> offsets_bytes{};  ///< of buffers; the lowest placement found, also where it is not within
  std::uint64_t height_bytes = 0;              ///< largest offset + size
  std::uint64_t lower_bound_bytes = 0;
  std::uint64_t nodes = 0, max_nodes = 0;
};

/// As many nodes as take about a minute on one core of a PC: 8e9 over buffers and the sections that they live in.
std::uint64_t default_max_nodes(const std::vector<Buffer>& buffers);

/// Place the buffers greedily, then by exact search, part by part where parts share no moment: for a capacity until
/// each part is within it, else first at the lower bound and then between what failed and what was found. A search is
/// repeated with another order of the buffers and another limit (Luby) until it ends by itself or the nodes are used
/// up. Equal problems, capacities and max_nodes give equal placements, at any speed of the machine.
/// @param problem  as parse_memory_problem leaves it: at least one buffer
/// @note  Ctrl-C (base/interrupt.hpp) ends it as if the nodes were used up
/// @see   Luby, Sinclair, Zuckerman 1993: limits of restarts
Solution solve_memory_problem(const MemoryProblem& problem, const SolveOptions& options);

}  // namespace detent::models::packing
