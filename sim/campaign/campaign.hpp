// Campaign: many runs of one bound context in one SystemC session.
#pragma once

#include <memory>

#include "sim/chip/cores.hpp"
#include "sim/kernel/sim_kernel.hpp"
#include "sim/platform/platform.hpp"
#include "sim/types/op_times.hpp"
#include "sim/types/options.hpp"
#include "sim/types/result.hpp"

namespace detent::sim {

/// Everything a campaign needs, decided before the session begins. Outlives it.
struct CampaignPlan {
  const detent_desc& desc;
  const Platform& platform;
  const SimOptions& options;
  CoreMap cores;
  std::vector<OpWork> work;          ///< of every op
  std::vector<OpTime> times;         ///< of the same
  std::uint64_t executing_runs = 0;  ///< the first so many execute their kernels
};

/// The runs to do, and the seed of each. Options that were checked.
RunRange part_of(const SimOptions& options);
std::uint64_t seed_of_run(const SimOptions& options, std::uint64_t run);

/// Run the campaign as slot 0 of a session and leave its outcome in `result`.
///
/// The first plan.executing_runs runs execute the kernels. The worst and the median run are then repeated with a
/// trace, from their run numbers alone, and must repeat their makespans. The first run that fails ends the campaign.
/// Runs that options.known holds are taken as they are: a simulator that has changed shows when they are repeated.
std::unique_ptr<Job> make_campaign(const CampaignPlan& plan, std::shared_ptr<SimResult> result);

}  // namespace detent::sim
