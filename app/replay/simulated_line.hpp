// A simulated run -> the line that repeats it.
#pragma once

#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "app/simulate/simulation.hpp"

namespace detent::app {

/// The line that repeats the worst run alone.
ReplayLine worst_replay_line(const Request& request, const SimulationOptions& options, const ScheduleOptions& schedule,
                             const ModelOptions& model, const LoadedModel& loaded, const sim::SimResult& result);

}  // namespace detent::app
