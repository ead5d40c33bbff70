// Bounds of exactly what a campaign simulates: its mode, policy, lists, workers, jitter and platform.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bound/bounds.hpp"
#include "app/bound/deadline.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/simulate/simulation.hpp"

namespace detent::app {

struct CampaignBounds {
  std::vector<verify::Bound> bounds;          ///< known ones
  std::vector<verify::Bound> refused_bounds;  ///< whose assumptions do not hold here; they say which
  std::vector<verify::Response> responses;    ///< by op
  bool is_work_conserving = true;             ///< the schedules that are simulated
  std::string guarded_bounds{};               ///< of which outcomes bounds and responses are; empty: no op has guards
};

/// Of all outcomes where ops have guards, whichever are simulated.
CampaignBounds campaign_bounds(const std::string& name, const ModelOptions& model, const ScheduleOptions& schedule,
                               const SimulationOptions& simulation, const LoadedModel& loaded,
                               const sim::Platform& platform);

/// The longest run of a campaign in which none failed; none where nothing was simulated.
std::optional<LongestSeen> longest_seen(const Request& request, const ModelOptions& model,
                                        const ScheduleOptions& schedule, const SimulationOptions& simulation,
                                        const sim::SimResult& result);

}  // namespace detent::app
