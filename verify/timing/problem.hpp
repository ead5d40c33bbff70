// Desc + op times + overheads + cores -> TimingProblem. Values only: where they come from is the caller's business.
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "verify/timing/bounds.hpp"

namespace detent::verify {

/// Times and cores to put on a Desc.
struct TimingInputs {
  std::vector<std::uint64_t> best_ps{};      ///< [op_count] without overheads; empty: the Desc's costs
  std::vector<std::uint64_t> worst_ps{};     ///< [op_count] without overheads; empty: the Desc's costs
  std::vector<std::uint64_t> overhead_ps{};  ///< [op_count] most that an op's own worker adds to it; empty: none
  std::vector<std::uint64_t> role_ps{};      ///< [op_count] most that the scheduler works for an op; empty: nothing
  std::uint64_t fixed_ps = 0;                ///< most that starting and ending a run cost
  /// [class_count] workers of each class; classes of kind ASYNC count as unbounded whatever stands here. Where every
  /// worker serves every class, give all workers to class 0 and set one_pool.
  std::vector<std::uint32_t> cores{};
  std::vector<std::uint32_t> queue_depth{};  ///< [class_count] ops that a core of the class accepts at once; empty: one
  bool one_pool = false;                     ///< all worker classes are one pool of cores[0] identical cores
};

/// Delays keep their class and get no overhead added twice: overhead_ps is added to each op as given. A time of
/// UINT64_MAX stays unknown; the sum of a time and its overhead saturates to unknown.
/// @throws std::invalid_argument  wrong lengths, a worker class with ops but no cores, a broken Desc
TimingProblem make_timing_problem(const detent_desc& desc, const TimingInputs& inputs);

}  // namespace detent::verify
