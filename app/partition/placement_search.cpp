#include "app/partition/placement_search.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace detent::app {
namespace {

class Search {
 public:
  Search(const PlacementProblem& problem, const OnProgress& on_progress)
      : problem_(problem), on_progress_(on_progress), most_(problem.max_trials) {}

  FoundPlacement run(const std::vector<Placement>& starts) {
    most_ += starts.size();
    for (const Placement& start : starts) value(start);
    FoundPlacement found;
    for (const Placement& start : starts) {
      Placement placement = start;
      const bool is_done = descend(placement);
      const std::uint64_t objective_ps = *value(placement);
      if (!found.placement.empty() && objective_ps >= found.objective_ps) continue;
      found.placement = std::move(placement);
      found.objective_ps = objective_ps;
      found.is_local_optimum = is_done;
    }
    found.trials = seen_.size();
    for (std::uint32_t op = 0; op < problem_.choices.size(); ++op) found.if_moved_ps.push_back(moved(found, op));
    return found;
  }

 private:
  /// None: it was not tried, and no more may be.
  std::optional<std::uint64_t> value(const Placement& placement) {
    const auto found = seen_.find(placement);
    if (found != seen_.end()) return found->second;
    if (seen_.size() >= most_) return std::nullopt;
    const std::uint64_t objective_ps = problem_.objective_ps(placement);
    seen_.emplace(placement, objective_ps);
    if (on_progress_) on_progress_(seen_.size(), most_);
    return objective_ps;
  }

  /// Until no move is shorter. @return  false: no more trials
  bool descend(Placement& placement) {
    std::uint64_t shortest = *value(placement);
    bool is_done = true;
    const auto try_move = [&](const std::vector<std::uint32_t>& ops, std::uint32_t device) {
      Placement moved = placement;
      for (const std::uint32_t op : ops) moved[op] = device;
      const std::optional<std::uint64_t> objective_ps = value(moved);
      if (!objective_ps) is_done = false;
      if (!objective_ps || *objective_ps >= shortest) return false;
      shortest = *objective_ps;
      placement = std::move(moved);
      return true;
    };
    while (pass(placement, try_move)) {
    }
    return is_done;
  }

  /// Each move once. @return  one was taken
  template <typename TryMove>
  bool pass(const Placement& placement, const TryMove& try_move) {
    bool is_shorter = false;
    for (std::uint32_t op = 0; op < placement.size(); ++op) {
      for (const std::uint32_t device : problem_.choices[op].devices) {
        if (device == placement[op]) continue;
        is_shorter = try_move({op}, device) || is_shorter;
        if (device != placement[op]) is_shorter = try_move(joined(placement, op, device), device) || is_shorter;
        for (const std::uint32_t other : problem_.neighbours[op]) {
          if (device == placement[op]) break;
          if (other > op && may_be(other, device)) is_shorter = try_move({op, other}, device) || is_shorter;
        }
      }
    }
    return is_shorter;
  }

  [[nodiscard]] bool may_be(std::uint32_t op, std::uint32_t device) const {
    return std::ranges::binary_search(problem_.choices[op].devices, device);
  }

  /// The op and all that can be reached from it over ops that are on its device and may be on the other.
  [[nodiscard]] std::vector<std::uint32_t> joined(const Placement& placement, std::uint32_t op,
                                                  std::uint32_t device) const {
    std::vector<std::uint32_t> ops{op};
    std::vector<bool> is_in(placement.size());
    is_in[op] = true;
    for (std::size_t at = 0; at < ops.size(); ++at) {
      for (const std::uint32_t next : problem_.neighbours[ops[at]]) {
        if (is_in[next] || placement[next] != placement[op] || !may_be(next, device)) continue;
        is_in[next] = true;
        ops.push_back(next);
      }
    }
    return ops;
  }

  [[nodiscard]] std::vector<std::optional<std::uint64_t>> moved(const FoundPlacement& found, std::uint32_t op) const {
    std::vector<std::optional<std::uint64_t>> values;
    for (const std::uint32_t device : problem_.choices[op].devices) {
      Placement placement = found.placement;
      placement[op] = device;
      const auto at = seen_.find(placement);
      values.push_back(at == seen_.end() ? std::nullopt : std::optional(at->second));
    }
    return values;
  }

  const PlacementProblem& problem_;
  const OnProgress& on_progress_;
  std::uint64_t most_;
  std::map<Placement, std::uint64_t> seen_{};
};

}  // namespace

FoundPlacement search_placement(const PlacementProblem& problem, const std::vector<Placement>& starts,
                                const OnProgress& on_progress) {
  return Search(problem, on_progress).run(starts);
}

}  // namespace detent::app
