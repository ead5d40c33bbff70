// How many traces a DependenceGraph has: exactly where memory allows, else "more than", or an estimate.
#pragma once

#include <cstdint>

#include "verify/explore/ops/space/graph.hpp"
#include "verify/explore/ops/space/trace_count.hpp"

namespace detent::verify::explore {

struct CountLimits {
  std::uint64_t max_states = std::uint64_t{1} << 20U;  ///< states kept by the recurrence, per independent group
  std::uint64_t max_leaves = 50'000'000;               ///< traces visited one by one where the recurrence gives up
};

/// Number of traces. Independent groups are counted apart and multiplied.
///
/// A group is counted by a recurrence over (events executed, events asleep): sleep sets (Godefroid 1996) alone accept
/// exactly one word of each trace, and how many words are accepted from here on depends on nothing else. N writers of
/// one variable take 2^N states instead of N! traces; threads take the product of their lengths. Where that exceeds
/// max_states, traces are enumerated one by one, up to max_leaves.
/// O(states * events^2 / 64)
TraceCount count_traces(const DependenceGraph& graph, const CountLimits& limits = {});

/// The recurrence alone; not exact, with total 0, when it needs more than max_states. At most 256 events.
TraceCount count_by_recurrence(const DependenceGraph& graph, std::uint64_t max_states);
/// Enumeration alone: every leaf visited. At most kMaxEvents events.
TraceCount count_by_enumeration(const DependenceGraph& graph, std::uint64_t max_leaves);

/// Number of traces where the recurrence needs few states (2^16 per independent group) and it fits 64 bits; else 0.
/// What TraceWalk::enumerate_from asks of a branch.
std::uint64_t count_quickly(const DependenceGraph& graph);

/// Knuth's estimate (1975) of the number of traces, group by group.
struct TraceEstimate {
  double total = 1;           ///< may be infinite: more than 1e308
  double standard_error = 0;  ///< of total
  std::uint64_t samples = 0;  ///< per group
};

TraceEstimate estimate_traces(const DependenceGraph& graph, std::uint64_t samples, std::uint64_t seed);

}  // namespace detent::verify::explore
