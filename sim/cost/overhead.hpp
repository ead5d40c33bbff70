// What the engine's own steps cost, at most.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <detent/detent.h>

#include "sim/platform/platform.hpp"

namespace detent::sim {

/// The engine whose steps a bound counts.
struct EngineKind {
  std::optional<detent_scheduler> scheduler{};  ///< closed loop; none: any mode and scheduler
  bool may_migrate = true;                      ///< workers move away from loads
};
/// Most that the steps of the engine cost on a platform; the argument stands in sim/cost/overhead.cpp. The bounds of
/// verify/timing hold over worst times + local_ps, plus all role_ps, plus run_ps.
struct EngineOverhead {
  std::vector<std::uint64_t> local_ps;  ///< per op: paid by the worker that executes it
  std::vector<std::uint64_t> role_ps;   ///< per op: worked for it under the scheduler role, one op at a time
  std::uint64_t run_ps = 0;             ///< starting and ending a run
};
EngineOverhead engine_overhead(const detent_desc& desc, const Platform& platform, const EngineKind& engine = {});

}  // namespace detent::sim
