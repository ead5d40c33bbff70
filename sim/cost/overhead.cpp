// Overhead: what the engine's charged steps add to a schedule -> terms of the bounds.
//
// Claim. Let every op v take C'(v) = C(v) + local(v) on its core. Then the makespan of the closed loop with charged
// steps, scheduler as role or as thread, any policy that is not strict, is at most a bound of verify/timing over C',
// plus the sum of role(v) over all ops, plus the overhead of the run. The completion of one op is bounded likewise with
// the ops that do not succeed it: the engine does nothing for an op before its last predecessor has ended.
//
// Argument. A worker is *occupied* by v from the moment v is given to it until v's completion is settled. At each
// instant of a run either
//  (1) the scheduler role is held, or
//  (2) it is not. Then every idle worker was served at the last settle, so an op that is ready but not given waits
//      because all workers of its class are occupied, or for a mutex; and an occupied worker is in its local part:
//      being woken, paying the dispatch, executing, or entering the CompleteQueue (whose entries are drained within the
//      hold that is on, or by the worker itself, or by the scheduler thread once it has been woken).
// Local part of v: W (worker woken) + D (dispatch, two log records) + M (migrates) + C(v) + I (interrupt of an NPU) + Q
// (put) + W (scheduler thread woken).
// Work under the role on behalf of v: Q (made ready, unless it is an entry) + Q (given) + Q (taken from the
// CompleteQueue) + L (role taken: each taking is followed by at least one completion of its own). An async op is
// dispatched under the role: D more.
// Cut the run along the critical chain of the theorem's argument. Instants of kind (1) last at most as long as all work
// under the role; instants of kind (2) obey the theorem with the local parts as times.
// The run adds L when it begins and, where slot 0 is a worker that sleeps when another settles the last op, W at its
// end.
//
// Modes without a scheduler have no role and at most two wake-ups per op; for them the sum over all ops is a bound.
#include "sim/cost/overhead.hpp"

#include <algorithm>

#include "base/ids.hpp"

namespace detent::sim {
namespace {

bool is_accelerator(const Platform& platform, const std::string& class_name) {
  return std::any_of(platform.classes.begin(), platform.classes.end(),
                     [&](const CoreClass& core) { return core.name == class_name && core.is_accelerator(); });
}

/// Cost of each step that the engine charges, for one kind of engine.
class Steps {
 public:
  Steps(const Platform& platform, const EngineKind& engine) : o_(platform.overheads) {
    has_thread_ = engine.scheduler != DETENT_SCHEDULER_ROLE;
    has_role_ = engine.scheduler != DETENT_SCHEDULER_THREAD;
    // Without loads every worker finds its own core idle.
    if (engine.may_migrate && !platform.loads.empty()) migrate_ps_ = o_.migrate_ps;
  }

  [[nodiscard]] std::uint64_t local_ps(bool accelerator) const {
    return o_.wake_ps + dispatch_ps() + migrate_ps_ + (accelerator ? o_.interrupt_ps : 0) + o_.queue_ps + told_ps();
  }
  [[nodiscard]] std::uint64_t role_ps(bool entry) const { return (entry ? 2 : 3) * o_.queue_ps + lock_ps(); }
  [[nodiscard]] std::uint64_t async_local_ps() const { return told_ps(); }
  [[nodiscard]] std::uint64_t async_role_ps(bool entry) const { return role_ps(entry) + dispatch_ps(); }
  [[nodiscard]] std::uint64_t run_ps() const { return lock_ps() + (has_role_ ? o_.wake_ps : 0); }

 private:
  [[nodiscard]] std::uint64_t dispatch_ps() const { return o_.dispatch_ps + 2 * o_.log_ps; }
  /// Nobody knows who held the role last.
  [[nodiscard]] std::uint64_t lock_ps() const { return std::max(o_.lock_ps, o_.lock_contended_ps); }
  /// The thread that waits for the completion is woken.
  [[nodiscard]] std::uint64_t told_ps() const { return has_thread_ ? o_.wake_ps : 0; }

  const Overheads& o_;
  bool has_thread_ = false;
  bool has_role_ = false;
  std::uint64_t migrate_ps_ = 0;
};

std::vector<bool> entries_of(const detent_desc& desc) {
  std::vector<bool> entry(desc.op_count, true);
  for (std::uint32_t i = 0; i < desc.successor_count; ++i) entry[desc.successors[i]] = false;
  return entry;
}

}  // namespace

EngineOverhead engine_overhead(const detent_desc& desc, const Platform& platform, const EngineKind& engine) {
  const Steps steps(platform, engine);
  const std::vector<bool> entry = entries_of(desc);
  EngineOverhead result;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_class& core_class = desc.classes[desc.ops[op].core_class];
    const bool async = core_class.kind == DETENT_CLASS_ASYNC;
    result.local_ps.push_back(async ? steps.async_local_ps()
                                    : steps.local_ps(is_accelerator(platform, core_class.name)));
    result.role_ps.push_back(async ? steps.async_role_ps(entry[op]) : steps.role_ps(entry[op]));
  }
  result.run_ps = steps.run_ps();
  return result;
}

}  // namespace detent::sim
