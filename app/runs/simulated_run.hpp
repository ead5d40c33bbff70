// detent simulate: a campaign of simulated runs.
#pragma once

#include <string>

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

/// The platform that the options name, without what they switch off.
/// @throws std::invalid_argument  as choose_platform
sim::Platform simulated_platform(const SimulationOptions& options);

/// @param part  of the campaign, which says what is simulated; may be null, and is not used with faults
/// @return  `detent.simulate/1`; violated where a run fails, outputs differ, or faults are not answered as they must be
/// @throws std::invalid_argument  options that cannot be
Answer simulate(const SimulateRequest& options, const LoadedModel& loaded, const sim::Platform& platform,
                CampaignPart* part, const OnProgress& on_progress);

}  // namespace detent::app
