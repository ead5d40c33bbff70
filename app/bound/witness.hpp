// Runs that attain exact extremes, as answers show them, and as op graphs whose ops take the times of the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "sim/platform/platform.hpp"
#include "verify/timing/witness.hpp"

namespace detent::app {

/// The longest and the shortest run of an exact analysis.
struct RunWitness {
  std::uint64_t worst_ps = 0, best_ps = 0;
  Json worst{}, best{};  ///< `witness` and `best_witness` of `detent.bound/1`
  Lines lines{};         ///< the longest run beside the one in which every op takes its worst time
  std::string graph{};   ///< a `detent.graph` of the longest run; empty: the model has none, and `no_graph` says why
  std::string no_graph{};
  std::string fault{};  ///< "", or how zones, list scheduler and simulator disagree: a fault of ours
};

/// Where a witness runs.
struct WitnessPlace {
  const sim::Platform& platform;
  std::uint32_t workers = 0;   ///< CPU workers; 0: one per CPU core
  verify::ReadyOrder order{};  ///< of the policy
};

/// Makespan of `run` in the engine on the place's chip, each op taking what it takes in the run; none: it cannot be
/// simulated, and `why` says why.
std::optional<std::uint64_t> simulate_run(const detent_desc& desc, const verify::ListRun& run,
                                          const WitnessPlace& place, std::string& why);

/// Simulates the longest run too, with the engine itself. Ties: the simulator handles ends of one instant by priority,
/// then id. Where ranks are ids, policies id and fifo do not look at priorities, so they say in which order ties end;
/// otherwise they carry the ranks, and a run that needs its ties in another order is said to be shorter in simulation.
/// @param loaded  the model that `found` is of, one combination of outcomes where its ops have guards
RunWitness run_witness(const LoadedModel& loaded, const verify::ExactWitness& found, const WitnessPlace& place);

}  // namespace detent::app
