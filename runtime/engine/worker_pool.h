/* A pool of workers that several contexts share. Internal to the runtime.
 *
 * Each worker has one state word, each member one word of the workers it has an op for. Both sides write their own and
 * then read the other's, all sequentially consistent, so that nobody sleeps over an op and nobody looks into a context
 * that has left:
 *   a worker says PARKED, then reads all ready words     | a member's ready word is written, then states are read
 *   a worker says CHOOSING, then reads all ready words   | a leaving member clears its word, then waits for the states
 */
#ifndef DETENT_RUNTIME_ENGINE_WORKER_POOL_H_
#define DETENT_RUNTIME_ENGINE_WORKER_POOL_H_

#include <detent/worker_pool.h>

#include "runtime/engine/scheduler.h"

namespace detent {

/// What a worker of a pool does; above kChoosing: it serves member (state - kChoosing - 1).
enum PoolWorkerState : std::uint32_t {
  kPoolWorkerAwake = 0,   ///< somebody has woken it: it looks at all members before it sleeps again
  kPoolWorkerParked = 1,  ///< it may sleep in port->wait
  kPoolWorkerChoosing = 2
};

struct alignas(DETENT_CACHE_LINE) PoolWorker {
  AccessSite site;
  detent_worker_pool *pool;
  std::uint32_t last_member;  ///< served last; its own
  bool started;
  alignas(DETENT_CACHE_LINE) std::uint32_t state;  ///< shared: PoolWorkerState
};

struct alignas(DETENT_CACHE_LINE) PoolMember {
  std::uint32_t ready;      ///< shared: bit per worker (slot - 1): the context has an op that it may start
  std::uint32_t priority;   ///< shared: an int32_t, written before the first `ready`
  std::uint32_t claimed;    ///< shared: 1 = a context has the place
  detent_context *context;  ///< written before the first `ready`
  OpId first_op;            ///< number of its op 0 at the port's checkpoints
};

/// A context becomes a member: config.worker_pool and its priority are set.
/// @return OK; BUSY: all places are taken
detent_status join_pool(detent_context &c);
/// It is none any more when this returns: no worker is inside. No run is on, nothing is in flight.
void leave_pool(detent_context &c);
/// The table that a member uses: its pool's port, with the member's slots and op numbers.
detent_port member_port(detent_context &c);

/// Under the role, before it is let go: say which workers this member has ops for.
/// @return the bits of `ready`
std::uint32_t publish_ready(SchedulerGuard &guard);
/// After the role was let go: wake workers for what publish_ready returned; at most `most` of them.
void wake_pool_workers(SchedulerGuard &guard, std::uint32_t ready, std::uint32_t most);
/// After an op of `c`: may the worker of this slot go on with `c`, if there is another op, as no other member comes
/// first?
bool stays_with(const detent_context &c, SlotId slot);

/// Entry of every worker of a pool; `arg` is its PoolWorker.
void pool_worker_main(void *arg);

}  // namespace detent

/// The opaque type of runtime/include/detent/worker_pool.h.
struct detent_worker_pool {
  // Constants.
  const detent_port *port;
  std::uint32_t worker_count;
  std::uint32_t member_count;
  detent::PoolWorker *workers;  ///< [worker_count]; worker i is slot i + 1
  detent::PoolMember *members;  ///< [member_count]

  // Shared words.
  alignas(DETENT_CACHE_LINE) std::uint32_t quit;
  std::uint32_t op_count;  ///< of all contexts that have joined so far
};

#endif
