#include "app/bound/campaign_bounds.hpp"

#include <utility>

#include "app/bound/guarded_bounds.hpp"
#include "app/bound/list_bound.hpp"
#include "app/deadline/period_use.hpp"
#include "app/explore/combinations.hpp"
#include "app/replay/simulated_line.hpp"
#include "app/simulate/jitter_text.hpp"
#include "harness/engine_spec.hpp"

namespace detent::app {

CampaignBounds campaign_bounds(const std::string& name, const ModelOptions& model, const ScheduleOptions& schedule,
                               const SimulationOptions& simulation, const LoadedModel& loaded,
                               const sim::Platform& platform) {
  CampaignBounds made;
  const bool is_closed_loop = schedule.engine.mode == DETENT_MODE_CLOSED_LOOP;
  const BoundSpec spec{
      .jitter = parse_jitter(simulation.jitter),
      .workers = schedule.engine.workers,
      .costs = loaded.costs.get(),
      .engine = {is_closed_loop ? std::optional(schedule.engine.scheduler) : std::nullopt, simulation.migrating},
      .is_work_conserving = is_closed_loop && schedule.engine.policy != "given"};
  made.is_work_conserving = spec.is_work_conserving && !harness::has_affinity(loaded.desc());
  const auto bounds_of = [&](const LoadedModel& one) {
    const PlatformProblems problems = timing_problems(one.desc(), platform, spec);
    ModelBounds bounds{platform_bounds(problems, platform, spec), {}, platform_responses(problems, platform, spec)};
    if (one.given_workers != 0) {
      ListBound lists = list_bound(carried_lists(one.desc(), one.given_workers), problems, platform);
      bounds.bounds.push_back(std::move(lists.bound));
      if (!lists.responses.empty()) bounds.responses = std::move(lists.responses);
    }
    bounds.seconds.resize(bounds.bounds.size());
    return bounds;
  };
  made.spec = spec;
  const LoadedModel& whole = loaded.of_all_outcomes();
  if (!whole.model.decisions.empty()) {
    ModelOptions any_outcome = model;
    any_outcome.outcomes.clear();
    made.combinations = combinations_of(name, any_outcome);
    made.found = bounds_of_combinations(name, any_outcome, whole, made.combinations, bounds_of);
    made.guarded_bounds = describe_guarded_bounds(made.combinations);
  } else {
    made.found = bounds_of(loaded);
    if (loaded.model.demands.period_ps) {
      made.uses =
          network_uses(loaded.model.demands, loaded.desc(), timing_problems(loaded.desc(), platform, spec).bare);
    }
  }
  made.responses = made.found.responses;
  for (const verify::Bound& bound : made.found.bounds) {
    auto& list = bound.bound_ps == verify::kUnknownPs ? made.refused_bounds : made.bounds;
    list.push_back(bound);
  }
  return made;
}

CountedBound count_campaign_bound(const std::string& name, const ModelOptions& model, const CampaignBounds& bounds,
                                  const LoadedModel& loaded, const sim::Platform& platform,
                                  const reports::TimeGrounds& times) {
  return count_lowest_bound({.name = name,
                             .model = model,
                             .whole = loaded.of_all_outcomes(),
                             .combinations = bounds.combinations,
                             .platform = platform,
                             .spec_of = [&](const LoadedModel&) { return bounds.spec; },
                             .found = bounds.found,
                             .times = times});
}

std::optional<LongestSeen> longest_seen(const Request& request, const ModelOptions& model, const LoadedModel& loaded,
                                        const ScheduleOptions& schedule, const SimulationOptions& simulation,
                                        const sim::SimResult& result) {
  if (result.runs == 0) return std::nullopt;
  const bool has_line = schedule.engine.policy != "given";
  return LongestSeen{
      result.max_ps,
      has_line ? format_replay_line(worst_replay_line(request, simulation, schedule, model, loaded, result)) : ""};
}

}  // namespace detent::app
