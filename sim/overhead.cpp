// Overhead: what the engine's charged steps add to a schedule -> inflated op times for the bounds.
//
// Claim. Let every op v run with C'(v) = C(v) + overhead(v) and every run cost the per-run overhead on top. Then
// Graham's bound (one class) and the typed bound (Han et al. 2019, theorem 3.1) over C' hold for the makespan of the
// closed loop with charged steps, scheduler as role or as thread, any policy that is not strict, no mutexes.
//
// Argument. A worker is *occupied* by v from the moment v is given to it until v's completion is settled. At each
// instant of a run either
//  (1) the scheduler role is held, or
//  (2) it is not. Then every idle worker was served at the last settle, so an op that is ready but not given waits
//      because all M cores of its class are occupied; and an occupied worker is in its local part: being woken,
//      paying the dispatch, executing, or entering the CompleteQueue (whose entries are drained within the hold that
//      is on, or by the worker itself, or by the scheduler thread once it has been woken).
// Local part of v: W (worker woken) + D (dispatch, two log records) + M (migrates) + C(v) + I (interrupt of an NPU) + Q
// (put) + W (scheduler thread woken).
// Work under the role on behalf of v: Q (made ready) + Q (given) + Q (taken from the CompleteQueue) + L (role taken:
// each taking is followed by at least one completion of its own). An async op adds its dispatch and the entry of its
// answer, which may hold up the next interrupt: r(async) = 4 Q + L + D.
// Cut the run along the critical chain of Graham's argument. Instants of kind (1) last at most R = the sum of role
// work over all ops, plus what opens the run. Instants of kind (2) obey the theorem with the local parts as times. So
//      makespan <= R + bound(local).
// The bounds contain vol(s)/M(s) once per class s. Adding M(s) * r(v) to each op v of class s therefore adds R, and
// never lowers the path term: makespan <= bound(C'). Async ops need no core and stand in no volume: their role work
// is spread over the ops that do.
#include <algorithm>

#include "sim/simulate.hpp"

namespace detent::sim {
namespace {

std::uint64_t cores_of(const Platform& platform, const char* class_name) {
  for (const auto& core : platform.classes) {
    if (core.name == class_name) return core.count;
  }
  return 1;
}

bool is_npu(const Platform& platform, const std::string& class_name) {
  return std::any_of(platform.classes.begin(), platform.classes.end(),
                     [&](const CoreClass& core) { return core.name == class_name && core.npu; });
}

std::uint64_t dispatch_ps(const Overheads& o) { return o.dispatch_ps + 2 * o.log_ps; }
std::uint64_t lock_ps(const Overheads& o) { return std::max(o.lock_ps, o.lock_contended_ps); }
std::uint64_t role_ps(const Overheads& o) { return 3 * o.queue_ps + lock_ps(o); }
std::uint64_t async_role_ps(const Overheads& o) { return 4 * o.queue_ps + lock_ps(o) + dispatch_ps(o); }

bool is_async(const detent_desc& desc, std::uint32_t op) {
  return desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
}

/// Role work of all async ops, spread over the ops that have a core (or, if none has, on each async op).
struct AsyncShare {
  std::uint64_t on_core_ps = 0;
  std::uint64_t on_async_ps = 0;
};

AsyncShare async_share(const detent_desc& desc, const Overheads& overheads) {
  bool any = false;
  for (std::uint32_t i = 0; i < desc.class_count; ++i) any = any || desc.classes[i].kind == DETENT_CLASS_ASYNC;
  if (!any) return {};
  std::uint64_t async = 0;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) async += is_async(desc, op) ? 1 : 0;
  const std::uint64_t on_core = desc.op_count - async;
  const std::uint64_t all_ps = async * async_role_ps(overheads);
  if (on_core == 0) return {0, all_ps};
  return {(all_ps + on_core - 1) / on_core, 0};
}

std::uint64_t overhead_ps(const detent_desc& desc, const Platform& platform, std::uint32_t op,
                          const AsyncShare& share) {
  const Overheads& o = platform.overheads;
  if (is_async(desc, op)) return async_role_ps(o) + o.wake_ps + share.on_async_ps;
  const std::uint64_t cores = cores_of(platform, desc.classes[desc.ops[op].core_class].name);
  const std::uint64_t local_ps = 2 * o.wake_ps + dispatch_ps(o) + o.queue_ps + o.migrate_ps +
                                 (is_npu(platform, desc.classes[desc.ops[op].core_class].name) ? o.interrupt_ps : 0);
  return local_ps + cores * (role_ps(o) + share.on_core_ps);
}

}  // namespace

std::vector<std::uint64_t> overheads_per_op_ps(const detent_desc& desc, const Platform& platform) {
  const AsyncShare share = async_share(desc, platform.overheads);
  std::vector<std::uint64_t> result;
  result.reserve(desc.op_count);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) result.push_back(overhead_ps(desc, platform, op, share));
  return result;
}

std::uint64_t overhead_per_op_ps(const detent_desc& desc, const Platform& platform, std::uint32_t op) {
  return overhead_ps(desc, platform, op, async_share(desc, platform.overheads));
}

std::uint64_t overhead_per_run_ps(const Platform& platform, std::uint32_t /*workers*/) {
  const Overheads& o = platform.overheads;
  return 2 * lock_ps(o) + 2 * o.wake_ps;
}

}  // namespace detent::sim
