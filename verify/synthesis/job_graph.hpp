// TimingProblem -> jobs on cores: what a search for static lists needs of it, and nothing that takes no core.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

/// Times in units of JobGraph::unit_ps; below 2^61 in all sums.
using Ticks = std::int64_t;

/// From a job to one that waits for its end and then for `lag`.
struct JobArc {
  std::uint32_t job = 0;
  Ticks lag = 0;
};

/// Jobs in a topological order: arcs lead from lower to higher numbers.
struct JobGraph {
  std::uint64_t unit_ps = 1;                ///< greatest common divisor of all times
  std::vector<OpId> op;                     ///< [jobs] of the problem
  std::vector<Ticks> work;                  ///< [jobs] worst time
  std::vector<std::uint32_t> kind;          ///< [jobs] class of cores
  std::vector<std::vector<JobArc>> before;  ///< [jobs] direct predecessors
  std::vector<std::vector<JobArc>> after;   ///< [jobs] direct successors
  std::vector<Ticks> head;                  ///< [jobs] no begin before it, whatever the cores do
  std::vector<Ticks> tail;                  ///< [jobs] what follows its end at least, whatever the cores do
  std::vector<std::uint32_t> cores;         ///< [classes]; a class without jobs may have 0
  Ticks least = 0;                          ///< of the makespan: chains that take no core

  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(op.size()); }
};

/// Ops of unbounded classes (transfer delays, releases) become lags, heads and tails.
/// @throws std::invalid_argument  as the bounds do; a time is unknown, sums pass 2^61 units
JobGraph job_graph(const TimingProblem& problem);

/// The same jobs backwards in time: a schedule of one is one of the other, read from its end. Job j is job size-1-j.
JobGraph reversed(const JobGraph& graph);

/// When each job begins.
struct JobSchedule {
  std::vector<Ticks> begin;  ///< [jobs]
  Ticks makespan = 0;
};

/// @return  the end of the last job and of what follows it
Ticks makespan_of(const JobGraph& graph, const std::vector<Ticks>& begin);

/// The schedule of reversed(graph) as one of graph.
JobSchedule read_backwards(const JobGraph& graph, const JobSchedule& of_reversed);

}  // namespace detent::verify
