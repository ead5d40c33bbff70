// Edge repair: edges with which no two ops race, and every read that an edge can help finds its value.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/graph/extended_desc.hpp"
#include "verify/repair/least_edges.hpp"

namespace detent::verify {

/// Length of the longest path.
struct CriticalPath {
  std::uint64_t length = 0;
  bool is_time = false;  ///< picoseconds, each op at its worst time; else ops, because times are unknown or 0
};

struct EdgeRepair {
  std::vector<OpEdge> edges;     ///< by from, to
  std::uint64_t pair_count = 0;  ///< that had to be ordered: races, orders that the result depends on, values too late
  bool is_least = false;         ///< proved: no smaller set that ascends the program order orders all these pairs
  bool mends = false;            ///< found out anew with the edges: no race and no value violation is left
  std::uint64_t left_violations = 0;  ///< of values, with the edges
  bool is_beyond_edges = false;       ///< proved: some read is wrong on every schedule, and edges only leave some out
  CriticalPath before, after;
};

/// Order every racing pair as the program does: by ids, where edges ascend. Pairs of a reader and the op that writes
/// its value are ordered so that it finds the value, where the edges allow it.
/// Time: find_races and find_value_violations twice at least, and find_least_edges.
/// @throws std::invalid_argument  a cycle, or tables that check_structure or check_memory_plan refuse
EdgeRepair find_edge_repair(const detent_desc& desc, const ValueTables* values, const LeastEdgesOptions& options = {});

/// Sum of the worst times on the path on which it is greatest; where a time is unknown or all are 0, its ops.
CriticalPath critical_path(const detent_desc& desc);

}  // namespace detent::verify
