// Bounds of exactly what a campaign simulates: its mode, policy, lists, workers, jitter and platform.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/bound/bounds.hpp"
#include "app/bound/counted_bound.hpp"
#include "app/deadline/deadline.hpp"
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
  std::vector<reports::ClassUse> uses{};      ///< of runs once per period; empty: none is demanded, or decisions choose
  ModelBounds found{};                        ///< known and refused ones as they were computed
  BoundSpec spec{};                           ///< of each of them; its costs are those of the model
  Combinations combinations{};                ///< of outcomes; of a model without guards: empty
};

/// Of all outcomes where ops have guards, whichever are simulated.
CampaignBounds campaign_bounds(const std::string& name, const ModelOptions& model, const ScheduleOptions& schedule,
                               const SimulationOptions& simulation, const LoadedModel& loaded,
                               const sim::Platform& platform);

/// What the lowest of those bounds counts, and which times move it.
/// @param bounds  campaign_bounds of the same
CountedBound count_campaign_bound(const std::string& name, const ModelOptions& model, const CampaignBounds& bounds,
                                  const LoadedModel& loaded, const sim::Platform& platform,
                                  const reports::TimeGrounds& times);

/// The longest run of a campaign in which none failed; none where nothing was simulated.
std::optional<LongestSeen> longest_seen(const Request& request, const ModelOptions& model, const LoadedModel& loaded,
                                        const ScheduleOptions& schedule, const SimulationOptions& simulation,
                                        const sim::SimResult& result);

}  // namespace detent::app
