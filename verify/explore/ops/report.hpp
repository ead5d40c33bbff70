// What explorations of orders share, whether they execute or merge: sums -> the figures, failure and verdict of a
// report.
#pragma once

#include <string>
#include <vector>

#include <detent/detent.h>

#include "verify/explore/ops/coverage.hpp"
#include "verify/explore/ops/exploration.hpp"

namespace detent::verify::explore {

/// The report as far as it is known before anything is executed: pairs, counts, and what is sampled of them.
OpExploreReport count_op_traces(const OpSpace& space, const OpExploreOptions& options);

/// Share of weights that go to executions with another digest; relative to the greatest so far, so that none overflows.
/// The order of the weights decides the last bits.
class WeightedShare {
 public:
  void add(double log_weight, bool differs);
  [[nodiscard]] double share() const { return weight_ > 0 ? differing_ / weight_ : 0; }

 private:
  double weight_ = 0, differing_ = 0, peak_ = -1;
};

/// How the executions ended.
struct RunFacts {
  detent_error error{};  ///< of binding
  detent_status status = DETENT_OK;
  bool unexplained = false;  ///< other bytes in the trace of the serial run
};

/// Count an execution, whose status is OK, among those in which reads were followed.
void note_reads(const OpExecution& execution, const std::vector<std::uint32_t>& schedule, ReadRuns& reads);
/// True while a new trace is to be looked at by check_reachable.
bool wants_reachable(const OpSpace& space, const ReachableTraces& reachable);
/// Count a new trace among those that the workers can or cannot produce, as long as few enough were looked at.
void check_reachable(const OpSpace& space, const std::vector<std::uint32_t>& schedule, ReachableTraces& reachable);
/// Executions, traces, pairs, unseen mass, from the coverage. report.count is known.
void close_report(const std::string& strategy, const OpCoverage& coverage, OpExploreReport& report);
/// The smallest failure: from `failing`, else from the first pair that conflicts by bytes; none where there is none.
void add_failure(const OpSpace& space, const OpExploreOptions& options, std::vector<std::uint32_t> failing,
                 OpExploreReport& report);
Verdict judge_schedules(const OpSpace& space, const OpExploreReport& report, const RunFacts& facts);

}  // namespace detent::verify::explore
