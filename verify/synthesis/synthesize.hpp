// Static lists with the shortest makespan: what was found, how far it can be from the best, and whether it is the best.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "verify/timing/list_times.hpp"
#include "verify/timing/timing_problem.hpp"

namespace detent::verify {

struct SynthesisOptions {
  std::uint64_t seed = 1;               ///< of the orders that are tried first
  std::uint64_t max_nodes = 4'000'000;  ///< of the exact search
  std::function<bool()> must_stop{};    ///< asked now and then; empty: never
};

struct Synthesis {
  std::vector<CoreList> lists;       ///< one per core, those of class 0 first; each op of a bounded class once
  std::uint64_t makespan_ps = 0;     ///< of the lists, every op at its worst time; without fixed_ps
  std::uint64_t lower_bound_ps = 0;  ///< no lists have a shorter one
  bool is_optimal = false;           ///< proven: they are equal
  std::uint64_t nodes = 0;           ///< of the exact search
  bool is_stopped = false;           ///< by must_stop, before anything else ended the search
};

/// Lists for cores of each class, each executed in its order and without preemption, so that the last op ends as early
/// as can be when all ops take their worst times. Since a list fixes core and order, no op ends later when ops take
/// less: the makespan is the worst case of the lists.
///
/// First orders by several keys, justified; then, while they are above the lower bound, searches for deadlines
/// between, forwards and backwards in time, with ever larger budgets.
/// @throws std::invalid_argument  as the bounds do; a time that is unknown, sums above 2^61; ops that share a mutex and
/// that no edges order: lists do not order them
/// @note   deterministic unless must_stop stops it
Synthesis synthesize(const TimingProblem& problem, const SynthesisOptions& options = {});

}  // namespace detent::verify
