// A failing schedule on threads, its constraints held by gates.
#pragma once

#include <cstdint>

#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "verify/explore/ops/failure.hpp"

namespace detent::app {

/// Run `ops` natively with the constraints as gates, `runs` times; where that leaves other pairs among them open,
/// these get gates, too, as long as there are workers for them.
/// @throws std::invalid_argument  as explore::replay_with_gates
verify::explore::GateReplay run_behind_gates(const verify::explore::OpSpace& space, const LoadedModel& loaded,
                                             const ReplayLine& line, std::uint64_t runs, std::uint64_t watchdog_ms);

}  // namespace detent::app
