// Response times: when each op of a DAG can have finished, counted from the release of the run.
#pragma once

#include <cstdint>
#include <vector>

#include "verify/timing/bounds.hpp"

namespace detent::verify {

/// Completion of one op under any work-conserving schedule.
struct Response {
  std::uint32_t op = 0;
  std::uint64_t min_ps = 0;  ///< longest path of best times to the op, the op included: no schedule is faster
  std::uint64_t max_ps = 0;  ///< no schedule is slower; kUnknownPs when a time is unknown or it does not fit
};

/// Bounds on every op's completion, by op id.
///
/// The upper bound is Han et al. 2019, theorem 3.1, on the part of the DAG that can run before the op has finished:
/// max over paths to the op of sum C_v (1 - 1/M_type(v)), plus over types the work of all ops that do not succeed the
/// op, divided by the cores of that type. Mutexes are treated as in typed_bound. Beyond `exact_ops` ops the work of
/// successors is not taken off, which is looser and linear.
/// @throws std::invalid_argument  as the bounds do
/// @note   O(ops^2 / 64 * edges / ops + ops^2) up to exact_ops ops
std::vector<Response> response_bounds(const TimingProblem& problem, std::uint32_t exact_ops = 20'000);

}  // namespace detent::verify
