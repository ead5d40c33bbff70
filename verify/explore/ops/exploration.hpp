// One exploration of a Desc's orders as values: what is asked for and what it showed.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/failure.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/space.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify::explore {

struct OpExploreOptions {
  std::string strategy = "dfs";
  std::uint64_t budget = 0;  ///< executions; 0: chosen from the work of one run, between 16 and 1000
  std::uint64_t seed = 0;
  std::uint32_t workers = 3;  ///< whose reachable traces are told apart; 0: not asked for
  SpaceOptions space{};
  CountLimits count{};
  std::uint64_t estimate_samples = 10'000;  ///< where the count is not exact
  RunnerOptions runner{};                   ///< observe and skipped are ignored; reads are watched
  /// Linear extensions that are executed before all others until one gives another digest.
  std::vector<std::vector<std::uint32_t>> suspects{};
  std::vector<std::vector<std::uint32_t>> given{};  ///< linear extensions, executed before those of the strategy
  std::uint32_t keep = 16;                          ///< executed schedules that the report lists
  std::function<void(std::uint64_t done, std::uint64_t budget)> progress{};  ///< may be empty
};

/// One schedule as it was executed.
struct ExecutedSchedule {
  std::vector<std::uint32_t> order;
  std::uint64_t digest = 0;
};

/// Of the traces seen (the first 1000 of them), how many `workers` workers can produce.
struct ReachableTraces {
  std::uint32_t workers = 0;
  std::uint64_t checked = 0, reachable = 0, unknown = 0;
};

struct OpExploreReport {
  Verdict verdict;  ///< property "op_schedules"
  TraceCount count;
  std::optional<TraceEstimate> estimate;  ///< where count is not exact
  std::uint64_t open_pairs = 0;           ///< pairs whose order is open and counts
  std::uint64_t racing_pairs = 0;         ///< those that are races
  std::uint64_t order_dependent_pairs = 0;
  std::uint64_t ignored_pairs = 0;  ///< by bytes, but declared commutative
  std::uint64_t executions = 0;     ///< schedules run by the strategy; the serial reference is not one of them
  std::uint64_t seen = 0;           ///< distinct traces among them
  bool finished = false;            ///< the strategy had no more schedules
  std::uint64_t differing = 0;      ///< executions whose digest was not the serial one
  double differing_share = 0;       ///< strategy "sample": estimated share of all traces whose digest differs
  PairCoverage pairs;
  std::optional<double> unseen_mass;  ///< Good and Turing; 0 when every trace was run; none for chosen schedules
  ReachableTraces reachable;
  std::uint64_t serial_digest = 0;
  ReadRuns reads;                           ///< whose bytes they found, in the executions counted above
  std::vector<ExecutedSchedule> schedules;  ///< the first options.keep
  std::optional<OpFailure> failure;

  [[nodiscard]] std::uint64_t redundant() const { return executions - seen; }
};

}  // namespace detent::verify::explore
