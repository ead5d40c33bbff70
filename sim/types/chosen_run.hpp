// A run whose op times are chosen instead of drawn.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"

namespace detent::sim {

/// What decides a run besides model, platform and engine. Without times: they are drawn by `seed`.
struct ChosenRun {
  std::vector<std::uint64_t> times_ps{};  ///< by op, alone on the chip; empty: drawn
  /// Ops whose ends come first among those of one instant, in this order; behind them the others by priority, then id.
  std::vector<OpId> ties{};
  std::uint64_t seed = 0;  ///< of loads, of policy random, and of times that are drawn
  bool operator==(const ChosenRun&) const = default;
};

/// When the ops of one run began and ended, from its begin on.
struct SeenTimes {
  static constexpr std::uint64_t kNever = UINT64_MAX;
  std::vector<std::uint64_t> begin_ps{}, end_ps{};  ///< by op; kNever: the run did not execute it
};

}  // namespace detent::sim
