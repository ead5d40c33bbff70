// States of the schedule abstraction: intervals of times, and sets of them. Internal to verify/abstraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace detent::verify {

/// When an op that has begun ends.
struct EndInterval {
  std::int64_t earliest_ps = 0, latest_ps = 0;
  /// No op of its class that began after it has taken its core.
  bool has_last_core = false;
};

/// Earliest times grow and latest ones shrink as more is known. A state stands for all runs within its intervals.
struct AbstractState {
  std::int64_t now_ps = 0;   ///< no op that is left begins before
  std::int64_t ends_ps = 0;  ///< not before this have all ops ended that have begun
  /// By resource, ascending: of each class whose cores are scarce from when on 1, 2, ... of them may be free and are
  /// certainly free if nothing else begins; of each mutex.
  std::vector<std::int64_t> may_be_free_ps{}, is_free_ps{};
  std::vector<EndInterval> ends{};  ///< of the ops that others wait for, by id
};

/// Does `known` stand for all runs of `state`? Both of one set of ops.
bool covers(const AbstractState& known, const AbstractState& state);
/// Widens `known` until it does.
void merge(AbstractState& known, const AbstractState& state);

/// States of one set of ops, at most `width`.
class StateSet {
 public:
  [[nodiscard]] const std::vector<AbstractState>& states() const { return states_; }
  /// Merges with the state that has to be widened least where there are `width` others.
  void add(AbstractState state, std::size_t width);

 private:
  std::vector<AbstractState> states_;
};

}  // namespace detent::verify
