// Is there a schedule that ends by a deadline? A depth-first search through instants, and what has been refuted before.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "verify/synthesis/job_graph.hpp"
#include "verify/synthesis/windows.hpp"

namespace detent::verify {

/// Nodes that a search may look at, and whether it is to stop for another reason.
struct SearchBudget {
  std::uint64_t nodes = 0;
  std::function<bool()> must_stop{};  ///< asked now and then; empty: never
};

enum class Searched : std::uint8_t { kFound, kRefuted, kUndecided };

struct DeadlineAnswer {
  Searched outcome = Searched::kUndecided;
  std::optional<JobSchedule> schedule{};  ///< where found
  std::uint64_t nodes = 0;                ///< looked at
};

/// Branches over which ready jobs begin at each instant at which one can; a core may stay idle. Complete, by these
/// arguments about a schedule by the deadline in which the sum of begins is least, and among those the begins of
/// preferred jobs:
/// - a job that was left out beside an idle core begins only after an instant at which all cores of its class are busy
///   and that comes before it would have ended, else it could begin earlier (not where a job of no time needs that
///   core);
/// - of two ready jobs of one class and one work, of which one has all successors of the other, that one begins first;
/// - what has been refuted stays so: a state in which the same jobs have begun and in which every end that still
///   matters is not earlier.
/// @param windows  of the deadline: a schedule that keeps them ends by it
/// @note  recursive, up to twice as deep as there are jobs
DeadlineAnswer search_by_deadline(const JobGraph& graph, const Windows& windows, const SearchBudget& budget);

}  // namespace detent::verify
