// Times of the static lists that were given, on a platform: exact where the platform does nothing beside the ops.
#pragma once

#include <optional>
#include <vector>

#include "app/bound/bounds.hpp"
#include "app/bound/exact_bound.hpp"
#include "verify/timing/list_times.hpp"

namespace detent::app {

/// The lists that a Desc carries for a number of workers, with the class of the ops of each.
std::vector<verify::CoreList> carried_lists(const detent_desc& desc, std::uint32_t workers);

struct ListBound {
  /// Exact on cores whose runtime costs nothing; elsewhere an upper bound with all that the engine and other clients
  /// may add; unknown, with the reason, where lists do not decide what happens.
  verify::Bound bound{};
  std::optional<std::uint64_t> best_ps{};     ///< where exact
  std::vector<verify::Response> responses{};  ///< empty: those of the other bounds hold
};
ListBound list_bound(const std::vector<verify::CoreList>& lists, const PlatformProblems& problems,
                     const sim::Platform& platform);

}  // namespace detent::app
