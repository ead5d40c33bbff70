// When jobs can begin if a schedule is to end by a deadline; and proofs that there is no such schedule.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "verify/synthesis/job_graph.hpp"

namespace detent::verify {

/// Every schedule that ends by the deadline begins job j within [earliest[j], latest[j]].
struct Windows {
  std::vector<Ticks> earliest, latest;
};

/// Raise heads and tails: the jobs that follow one share the cores of their class, so their work takes a time that no
/// path shows (Fernandez and Bussell 1973, per job).
void count_work_around_jobs(JobGraph& graph);

/// Is there an interval in which more work of a class must be done than its cores can do, wherever jobs stand within
/// their windows (energetic reasoning: Fernandez and Bussell 1973, Baptiste et al. 1999)?
/// @param since  only intervals that begin there or later
bool is_overloaded(const JobGraph& graph, const Windows& windows, Ticks since);

/// The windows of a deadline, narrowed as far as arcs, overloads and trying out both ends of each window show.
/// @param rounds     of trying out
/// @param must_stop  asked while windows are tried out; they are still windows of the deadline then
/// @return  none: no schedule ends by the deadline
std::optional<Windows> windows_of(const JobGraph& graph, Ticks deadline, std::uint32_t rounds,
                                  const std::function<bool()>& must_stop);

}  // namespace detent::verify
