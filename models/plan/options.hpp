// How a memory plan is to be made: which ops order its tensors, alignment, capacity, handovers.
#pragma once

#include <cstdint>
#include <vector>

#include "base/ids.hpp"
#include "models/core/model.hpp"

namespace detent::models {

enum class PlanOrder : std::uint8_t {
  kParallel,  ///< bytes shared only where the DAG orders all users; valid for every schedule, adds no order
  kSerial     ///< lifetimes in topological order, lowest id first; smaller, but valid for that one order only
};

/// "parallel", "serial".
[[nodiscard]] const char* plan_order_name(PlanOrder order);

/// An op that only reads `from` and only writes `to`, and reads each byte of the one before it writes the other there
/// as long as `to` lies at most so far behind `from`. Bytes shared so are those of an op in place.
struct Handover {
  static constexpr std::int64_t kAnywhere = INT64_MAX;

  OpId op = kNone;
  std::uint32_t from = kNone, to = kNone;    ///< base tensors
  std::int64_t most_displacement_bytes = 0;  ///< offset of `to` less that of `from`; negative: so far before it
};

struct PlanOptions {
  PlanOrder order = PlanOrder::kParallel;
  std::uint64_t capacity_bytes = 0;         ///< of the workspace; 0 = unbounded
  std::uint32_t align_bytes = 64;           ///< power of two; of every offset
  std::uint32_t rounds = 4000;              ///< of improvement, fewer where tensors are many; 0: greedy by size alone
  std::uint32_t pairwise_tensors = 24'576;  ///< of one workspace; more are placed in windows, without handovers
  std::uint32_t window_tensors = 8192;      ///< placed together, at least 1; fewer where tensors are very many
  /// More than pairwise_tensors are placed in linear time instead, each over one that died nearby, and get no bound:
  /// for checks of a network whose plan nobody asked for.
  bool quick = false;
  std::vector<Handover>
      handovers{};  ///< that may be used where the op is the last to use `from`, the first to use `to`
};

}  // namespace detent::models
