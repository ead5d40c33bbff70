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

/// Most that the steps of an engine cost whose workers are a pool of several networks; the argument stands in
/// sim/cost/pool_overhead.cpp. Over worst times + local_ps every instant of a run belongs to an op that executes, waits
/// for a worker that works or for a mutex, or to run_ps of one of the runs of all networks in its window, or to
/// window_ps.
struct PoolOverhead {
  std::vector<std::uint64_t> local_ps;  ///< per op: paid by the worker that executes it
  std::uint64_t run_ps = 0;     ///< steps for a run of this network, one at a time; UINT64_MAX: more than 64 bits hold
  std::uint64_t window_ps = 0;  ///< once: what steps for runs before leave, and the end
};
/// @param desc     of one network, over the classes of all
/// @param workers  [desc.class_count] of the pool
PoolOverhead pool_overhead(const detent_desc& desc, const Platform& platform,
                           const std::vector<std::uint32_t>& workers);

}  // namespace detent::sim
