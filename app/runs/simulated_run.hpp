// detent simulate: a campaign of simulated runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/answer/given_option.hpp"
#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/replay/fault_options.hpp"
#include "app/simulate/campaign.hpp"
#include "app/simulate/simulation.hpp"

namespace detent::app {

struct SimulateRequest {
  Request request{};
  ModelOptions model{};
  ScheduleOptions schedule{};
  SimulationOptions simulation{};
  CampaignOptions campaign{};
  FaultOptions faults{};
  std::string trace_directory{};  ///< trace files of the worst and the typical run; empty: none
};

/// What is simulated, on what, and which part of its campaign.
struct SimulationStart {
  sim::Platform platform{};
  LoadedModel loaded;
  std::unique_ptr<CampaignPart> part{};  ///< null with faults
};

/// Let the request's split be a number (app/simulate/auto_split.hpp), before start_simulation.
void settle_split(SimulateRequest& wanted);

/// Load the model for the platform, and open the files of the campaign. The part refers to `wanted`.
/// @param given  all options of the command, which identify the campaign
/// @throws InputError, std::invalid_argument  as simulated_platform, load and CampaignPart
SimulationStart start_simulation(const SimulateRequest& wanted, const std::vector<GivenOption>& given);

/// @param part  of the campaign, which says what is simulated; may be null, and is not used with faults
/// @return  `detent.simulate/1`; violated where a run fails, outputs differ, or faults are not answered as they must be
/// @throws std::invalid_argument  options that cannot be
Answer simulate(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform,
                CampaignPart* part, const OnProgress& on_progress);

}  // namespace detent::app
