// Response times: when each op of a DAG can have finished, counted from the release of the run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "verify/timing/bounds.hpp"

namespace detent::verify {

/// Completion of one op under any schedule that the bound holds for.
struct Response {
  OpId op = 0;
  std::uint64_t min_ps = 0;  ///< longest path of best times to the op, the op included: no schedule is faster
  std::uint64_t max_ps = 0;  ///< no schedule is slower; kUnknownPs when a time is unknown or it does not fit
};

struct ResponseOptions {
  /// False: the order, mode or policy may leave a ready op waiting for an idle core. Then max_ps is the sum of the
  /// times of all ops that do not succeed the op.
  bool is_work_conserving = true;
  /// Beyond so many ops the work of successors is not taken off, which is looser and linear.
  std::uint32_t exact_ops = 20'000;
};

/// Bounds on every op's completion, by op id.
///
/// Before an op has ended, none of its successors has begun and the scheduler has not worked for one. So the upper
/// bound is that of typed_bound on the others: max over paths to the op of sum C_v (1 - 1/M_type(v)), plus over types
/// the work of all ops that do not succeed it, divided by the cores of that type, plus all that the scheduler does for
/// them. Mutexes and queues of cores as in typed_bound.
/// @throws std::invalid_argument  as the bounds do
/// @note   O(ops^2 / 64 * edges / ops + ops^2) up to exact_ops ops
std::vector<Response> response_bounds(const TimingProblem& problem, const ResponseOptions& options = {});

/// When an op ended in the runs that were observed, from the begin of each run on.
struct OpEnds {
  std::uint64_t earliest_ps = 0, latest_ps = 0;
  std::uint64_t earliest_seed = 0, latest_seed = 0;  ///< of the run that shows it
};

/// Property "responses": no op ended before its earliest or after its latest completion.
/// @param names  of the ops, for witnesses   @param ends  by op; empty: nothing was observed
/// @return  violated with op, seed, end and bound for each op that left its range; unknown when nothing was observed
///          or no op has an upper bound
Verdict check_responses(const std::vector<std::string>& names, const std::vector<OpEnds>& ends,
                        const std::vector<Response>& responses);

}  // namespace detent::verify
