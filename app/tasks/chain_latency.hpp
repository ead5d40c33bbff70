// Latency of a chain of periodic tasks: from data that arrives to the first output that has seen it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace detent::app {

/// A task as a chain sees it.
struct ChainLink {
  std::uint64_t period_ps = 0;
  std::uint64_t response_ps = 0;  ///< at most, from the nominal release; UINT64_MAX: not known
};

/// One run: it reads its inputs at its begin or later, and its outputs are there at its end.
struct ChainRun {
  std::uint64_t begin_ps = 0, end_ps = 0;
};

/// The most that a chain takes: data that has just missed a run waits for the next nominal release, one period away at
/// most, and is out one response after it; so at every link, whatever the phases (Davare et al. 2007).
/// @return  none where a response is not known or the sum passes 2^63 ps
std::optional<std::uint64_t> latency_bound_ps(const std::vector<ChainLink>& links);

/// The longest latency seen: data that arrives just after the begin of a run of the first task, until the first output
/// of the last task that has seen it.
/// @param runs  of each link, in any order   @return  none where no data came through
std::optional<std::uint64_t> longest_latency_ps(const std::vector<std::vector<ChainRun>>& runs);

}  // namespace detent::app
