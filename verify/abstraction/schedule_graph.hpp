// Schedule abstraction: bounds on all completions of a DAG under one policy, by sets of ops that have begun.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/timing/response.hpp"

namespace detent::verify {

struct AbstractionOptions {
  ReadyOrder order{};
  std::uint64_t max_states = 200'000;  ///< looked at; more: what is left is bounded as AbstractTimes says
  std::uint32_t width = 1;             ///< states of one set of ops that has begun; more: two are merged
};

/// Safe, and not exact: an op may never end as late, or as early, as is said here.
struct AbstractTimes {
  bool applies = false;
  bool is_complete = false;
  std::string reason{};  ///< why it does not apply, or is not complete
  /// No run takes longer (fixed_ps in it) or less. Not complete: each state that was left is bounded by what its ops
  /// that run and all others need at most from then on; best_ps is 0 then.
  std::uint64_t best_ps = 0, worst_ps = kUnknownPs;
  std::vector<Response> responses{};  ///< by op; not complete: max_ps kUnknownPs and min_ps 0 of ops that had not begun
  std::uint64_t states = 0;           ///< looked at
};

/// Sufficient schedule-abstraction analysis of non-preemptive jobs with precedence (Nasri, Nelissen, Brandenburg, ECRTS
/// 2019), of the definition of execution (docs/VERIFICATION.md) that exact_times has: typed cores, delays, mutexes,
/// ranks or order of arrival, ends of one instant in any order.
///
/// A state is a set of ops that have begun, in the order in which they begin, with intervals of times: from when on 1,
/// 2, ... cores of each class, and each mutex, may be free and are certainly free; when ops end that others wait for.
/// Ops that can never wait for a core, delays among them, begin when they are ready and are no steps of their own.
/// States of one set are merged to the hull of their intervals, so that there is no order among times to keep.
/// @return  does not apply where exact_times does not
/// @throws std::invalid_argument  as exact_times does, or width 0
AbstractTimes abstract_times(const TimingProblem& problem, const AbstractionOptions& options = {});

}  // namespace detent::verify
