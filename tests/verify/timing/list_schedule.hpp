// Timing problems on the list scheduler of tests/support: what bounds are compared with.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/timing/bounds.hpp"

namespace detent::verify::testing {

/// Makespan of a work-conserving, non-preemptive schedule: completions one at a time, a free core takes the ready op of
/// lowest rank whose mutexes are free, at once.
/// @param rank      by op, all different   @param times_ps  by op
/// @param tie_rank  by op: which of several completions of one instant is handled first
std::uint64_t list_schedule(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                            const std::vector<std::uint64_t>& times_ps, const std::vector<std::uint32_t>& tie_rank);
/// Ties by rank.
std::uint64_t list_schedule(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                            const std::vector<std::uint64_t>& times_ps);

/// As list_schedule: when each op completed, by op.
std::vector<std::uint64_t> list_completions(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                                            const std::vector<std::uint64_t>& times_ps,
                                            const std::vector<std::uint32_t>& tie_rank);

/// Problem without classes: `cores` identical ones.
TimingProblem make_problem(const std::vector<std::uint64_t>& worst_ps,
                           const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, std::uint32_t cores);

/// Random problem of up to `most_ops` ops on one to three classes, some of them unbounded, with a few mutexes.
TimingProblem make_random_problem(std::uint64_t seed, std::uint32_t most_ops);

/// 0, 1, 2, ... and a seeded shuffle of it.
std::vector<std::uint32_t> identity_rank(std::size_t count);
std::vector<std::uint32_t> random_rank(std::uint64_t seed, std::size_t count);

}  // namespace detent::verify::testing
