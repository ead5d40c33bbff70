// OpPart: what the executions [first, first + count) of a strategy showed; parts -> the report of one exploration.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/exploration.hpp"

namespace detent::verify::explore {

/// What one execution showed.
struct PartExecution {
  bool differs = false;  ///< another digest than the serial run
  bool misses = false;   ///< some read did not find its value
};

/// One part of an exploration. Numbers count the schedules that the strategy hands over, from 0.
struct OpPart {
  std::uint64_t first = 0;
  std::uint64_t count = 0;            ///< planned; fewer were executed when a run failed
  std::uint64_t serial_digest = 0;    ///< of the reference; 0 when the part is empty
  detent_status status = DETENT_OK;   ///< of the reference, else of the run that ended the part
  bool weighted = false;              ///< strategy "sample": log_weights has a value per execution
  std::vector<std::uint64_t> traces;  ///< fingerprint, per execution
  std::vector<std::uint8_t> differs;  ///< per execution: 1 where it differs, and 2 where it misses
  std::vector<double> log_weights;
  PairOrders orders;

  void add(std::uint64_t fingerprint, const PartExecution& execution, double log_weight) {
    traces.push_back(fingerprint);
    differs.push_back(static_cast<std::uint8_t>((execution.differs ? 1 : 0) + (execution.misses ? 2 : 0)));
    if (weighted) log_weights.push_back(log_weight);
  }
  [[nodiscard]] PartExecution execution(std::size_t i) const {
    return {(differs[i] & 1U) != 0, (differs[i] & 2U) != 0};
  }
  [[nodiscard]] bool finished() const { return status != DETENT_OK || traces.size() == count; }
};

/// Schedules that explore_ops executes at most.
std::uint64_t planned_budget(const OpSpace& space, const OpExploreOptions& options);

/// Schedules that explore_ops executes: the budget, or the number of traces where dfs has no more and their count is
/// exact. options.suspects and options.given are empty.
std::uint64_t planned_schedules(const OpSpace& space, const OpExploreOptions& options);

/// Execute `count` schedules of the strategy from number `first` on. The strategy can begin anywhere.
OpPart explore_part(const OpSpace& space, const OpExploreOptions& options, std::uint64_t first, std::uint64_t count);

/// The report that explore_ops would give: the same to the bit. Schedules that the report shows are executed again and
/// must give what the part says.
/// @param parts  in the order of their schedules, which are 0 to planned_schedules - 1, each once
/// @throws std::runtime_error  a schedule behaves in another way than its part says
OpExploreReport merge_parts(const OpSpace& space, const OpExploreOptions& options, const std::vector<OpPart>& parts);

}  // namespace detent::verify::explore
