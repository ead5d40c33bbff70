/* Context: everything one bound Desc needs to run, as it stands in the arena. Internal to the runtime.
 *
 * Who may touch what:
 *   const after bind      BoundGraph (but Node.indegree), lists, Worker's first line
 *   holder of the role    Schedule, Node.indegree, ReadySets, Worker::busy, the log ring of async ops
 *   one slot              its own log ring and Worker::local
 *   shared                words marked "shared": only through runtime/base/atomic.h
 */
#ifndef DETENT_RUNTIME_CONTEXT_H_
#define DETENT_RUNTIME_CONTEXT_H_

#include <detent/detent.h>

#include "runtime/base/atomic.h"
#include "runtime/base/freestanding.h"
#include "runtime/base/ids.h"
#include "runtime/engine/queue.h"

namespace detent {

enum NodeFlag : std::uint16_t {
  kNodeDispatch = 1,   ///< its back end has a dispatch function: it may answer PENDING, and has an OpState
  kNodeMutex = 2,      ///< shares a mutex with other ops
  kNodeAsync = 4,      ///< of an ASYNC class: dispatched by the holder of the role, without a worker
  kNodePinned = 8,     ///< only some of the workers of its queue may execute it: detent_op.workers
  kNodeGuarded = 16,   ///< look at its guard before it is dispatched
  kNodeFallible = 32,  ///< settle its failure when a dispatch function or detent_complete has given its code
  kNodeSized = 64      ///< settle its extents then, and first
};

/// What the scheduler reads and writes of an op: one half of a cache line.
struct Node {
  std::uint32_t indegree;     ///< predecessors still to complete; re-armed when the op completes
  std::uint32_t entry_count;  ///< all predecessors
  std::uint32_t first_successor;
  std::uint32_t successor_count;
  Rank rank;
  std::uint32_t cost_ns;  ///< is another worker worth its price? The Desc's hint, kUnknownCostNs where it says nothing;
                          ///< with active waiting as measured. Written by who executes the op, in runs that measure
  std::uint16_t queue;    ///< which ReadySet
  std::uint16_t flags;    ///< NodeFlag
  std::uint32_t backend;  ///< index of the back end that resolved it
};

/// Cost hint of ops whose Desc gives none: expensive, so that no parallelism is lost for want of a number.
constexpr std::uint32_t kUnknownCostNs = 1'000'000;

/// No op costs more than this: one second.
constexpr std::uint32_t kMostCostNs = 1'000'000'000;

/// Natively an op is handed to another worker only if it or the finisher's own next op takes at least this long: two
/// transfers of a cache line and the contention for the role cost as much.
constexpr std::uint32_t kHandOverNs = 200;

/// The later of two times.
constexpr std::uint64_t later(std::uint64_t a, std::uint64_t b) { return a > b ? a : b; }

/// Handing an op to a worker that sleeps costs a system call.
constexpr std::uint64_t kWakeNs = 30'000;

/// Active waiting: workers are woken at the begin of a run that they can shorten by this much. Whoever wakes one pays
/// a few microseconds; the worker comes after kWakeNs, and stays awake for the runs that follow soon.
constexpr std::uint64_t kRunGainNs = 15'000;

/// State word of an op that a back end may complete later.
enum OpPhase : std::uint32_t {
  kOpIdle = 0,
  kOpInFlight = 1,
  kOpAnswered = 2,   ///< detent_complete was accepted; not yet handled
  kOpAbandoned = 3,  ///< the run ended with TIMEOUT without it; its buffers are quarantined
  kOpSettling = 4,   ///< detent_complete writes what a fallible op says of its failure; it becomes kOpAnswered
};

/// One per op if any back end has a dispatch function.
struct OpState {
  std::uint32_t phase;           ///< shared: OpPhase
  std::int32_t code;             ///< written before phase becomes kOpAnswered
  std::uint32_t owner;           ///< slot that waits for it, or DETENT_NONE: goes to the ForeignQueue
  std::uint32_t previous, next;  ///< async ops in flight, oldest first; under the role
  std::uint32_t padding;
  std::uint64_t begin_ps;     ///< async ops: when dispatched, for the deadline; under the role
  std::uint64_t answered_ps;  ///< when it was answered, as code; only with a deadline
};

/// What detent_context_op_state shows of an op; see engine/op_progress.h. One writer at a time.
struct OpProgress {
  std::uint32_t word;         ///< shared: state, attempts and run
  std::uint32_t slot;         ///< shared: who has been given the op
  std::int32_t code;          ///< shared
  std::uint32_t ready_ps[2];  ///< shared: low and high half of a time, as the next two
  std::uint32_t begin_ps[2];
  std::uint32_t end_ps[2];
  std::uint32_t predecessors;  ///< shared, modes without a scheduler: those that have not ended with code 0
};

/// What a busy worker does, as the holder of the role knows it; in modes without a scheduler begin_ps is the slot's
/// own.
struct Busy {
  OpId op;                 ///< closed loop; DETENT_NONE: idle
  std::uint64_t begin_ps;  ///< when it was given out (closed loop) or begun; only with a deadline
};

/// One engine thread. Lines apart for: constants, what others write, what the slot writes and others read.
struct alignas(DETENT_CACHE_LINE) Worker {
  AccessSite site;
  detent_context *context;
  detent_log *log;           ///< null: no log
  std::uint32_t core_class;  ///< index of the ReadySet it serves
  bool started;              ///< by port->start
  bool bare;                 ///< nothing listens, every kernel is called directly: execute is the bare call

  alignas(DETENT_CACHE_LINE) std::uint32_t inbox;   ///< shared: an op (or what the mode says) to work on, DETENT_NONE
  std::uint64_t inbox_sequence;                     ///< written before inbox
  alignas(DETENT_CACHE_LINE) std::uint32_t parked;  ///< shared: 1 while the slot may sleep in port->wait
  std::int32_t done_code;                           ///< kernel code of its op, written before it enters CompleteQueue
  std::uint64_t done_ps;                            ///< when that op ended, as done_code; only with a deadline
  std::uint32_t ops_run;                            ///< modes without a scheduler: ops that succeeded in this run
  std::uint32_t progress;                           ///< shared, static lists: ops of its list completed
  std::uint32_t begun;                   ///< shared, static lists with a strict order: ops of its list started
  std::uint32_t current;                 ///< shared, modes without a scheduler and with a deadline: its op
  std::uint32_t begun_at;                ///< shared, as current: when it began (engine/ticks.h), kNoTick = none
  detent_error fault;                    ///< what it saw go wrong, written before c.fixed.failure
  alignas(DETENT_CACHE_LINE) Busy busy;  ///< under the role
};

/// What the holder of the role keeps. Plain memory: the role orders all accesses.
struct alignas(DETENT_CACHE_LINE) Schedule {
  std::uint64_t idle;       ///< bit per worker (slot - first_worker): can be given an op
  std::uint32_t in_flight;  ///< ops given out and not yet completed
  std::uint32_t completed;
  std::uint32_t ready_count;
  std::uint32_t next_strict;   ///< strict policies: rank that starts next
  std::uint32_t next_arrival;  ///< policies by arrival: rank of the op that becomes ready next
  std::uint64_t ready_ns;      ///< sum of cost hints of ready ops
  std::uint64_t sequence;
  bool active;  ///< a run is on
  bool stop;    ///< no new dispatch
  detent_error error;
  std::uint32_t oldest_async, newest_async;  ///< list through OpState
};

/// Layered mode; see engine/layered.cpp.
struct Layers {
  std::uint32_t *order;          ///< [op_count] ops by (layer, queue, rank)
  std::uint32_t *first;          ///< [layer_count * queue_count + 1] into order
  std::uint32_t *layer_of;       ///< [op_count] (work)
  std::uint32_t *last_of_mutex;  ///< [mutex_count] (work) layers in use so far
  std::uint32_t layer_count;
  std::uint32_t current;                                                     ///< layer; written before inbox
  alignas(DETENT_CACHE_LINE) std::uint32_t claimed[DETENT_MAX_CLASSES + 1];  ///< shared: next position per queue
};

/// What an op of a list waits for: `count` ops of worker `slot`'s list completed (kWaitBegun: started), or, when slot
/// is kWaitAnswer, the answer of the back end to op `count`.
struct Wait {
  SlotId slot;
  std::uint32_t count;
};
constexpr std::uint32_t kWaitAnswer = UINT32_MAX;
constexpr std::uint32_t kWaitBegun = 1u << 31;

enum ListFlag : std::uint32_t {
  kListSignals = 1,       ///< some other worker waits for its end
  kListSignalsBegun = 2,  ///< some other worker waits for its start
  kListWaits = 4,         ///< it waits for other workers
  kListAnswered = 8       ///< async: the worker dispatches it and goes on
};

struct ListEntry {
  OpId op;
  std::uint32_t flags;  ///< ListFlag
};

/// Static lists; see engine/static_lists.cpp. Positions count through all lists, one worker's after the other's.
struct Lists {
  ListEntry *entries;                           ///< [op_count]
  std::uint32_t first[DETENT_MAX_WORKERS + 1];  ///< [worker_count + 1] positions
  Wait *waits;
  std::uint32_t *first_wait;     ///< [op_count + 1] by position
  std::uint32_t *place;          ///< [op_count] (work) position of each op
  std::uint32_t *home;           ///< [op_count] (work) worker of each op
  std::uint32_t *last_of_mutex;  ///< [mutex_count] (work)
};

/// What bind makes of a Desc and a policy. Const after bind, but for Node::indegree; between runs detent_bind_regions
/// changes region_bases and buffers.
struct BoundGraph {
  const detent_desc *desc;
  Node *nodes;
  detent_entity *entities;
  detent_buffer *buffers;  ///< [tensor_ref_count]
  std::uint32_t *op_of_rank;
  std::uint32_t *rank;                    ///< [op_count] work of the policy
  std::uint64_t *policy_work;             ///< [2 * op_count]
  std::uint32_t *serial_order;            ///< [op_count] topological, best rank first
  void **region_bases;                    ///< [region_count] where the runs find them; changed by detent_bind_regions
  void **first_bases;                     ///< [region_count] where detent_init has placed them
  void **wanted_bases;                    ///< [region_count] work of detent_bind_regions
  std::uintptr_t arena_begin, arena_end;  ///< the whole memory that detent_init was given
};

/// Active waiting: which runs measure how long their ops take, and which run on one worker. See bind/costs.cpp.
struct Measuring {
  bool on;                    ///< the run that is on, or the next one, measures
  bool wanted;                ///< what the last run took does not fit the costs, or is long enough to read clocks in
  bool done_before;           ///< costs are measured, not hinted
  bool hands;                 ///< by the costs a hand-over may pay: may_hand, but for runs on one worker
  std::uint16_t gap, left;    ///< runs between two that measure, and how many of them are still to come
  std::uint16_t alone_times;  ///< as long as several workers were tried, one worker runs so many times
  std::uint32_t tried_runs;   ///< of this try
  std::uint32_t clock_ns;     ///< one reading of the clock
  std::uint64_t total_ns;     ///< sum of the costs
  std::uint64_t last_ns;      ///< time of the last run; 0: none, or one of short ops
  std::uint64_t long_ps;      ///< runs whose ops are worth two readings of the clock take at least so long
  std::uint64_t tried_ns;     ///< time of the runs of this try, each as far as it counts
  std::uint64_t alone_ns;     ///< still to run on one worker
};

/// The scheduler of the closed loop; see engine/closed_loop.cpp and engine/schedule.cpp.
struct ClosedLoop {
  // Constants.
  bool plain;  ///< one queue, no mutexes, no affinity, neither strict nor by arrival: the shortest path through the
               ///< scheduler
  bool may_run_inline;       ///< no back end can complete later and no port listens: the role may be kept while alone
  bool may_hand;             ///< there is somebody to hand an op to, and an op for which that may pay
  bool is_shared;            ///< the workers are those of a pool: they come for ops, none is idle in between
  bool hand_always;          ///< dispatch the best ready op to every free worker at once, whatever a hand-over costs
  bool is_active;            ///< slots wait actively (detent_port.active_spin_limit)
  std::uint32_t async_ring;  ///< log of ops that the holder of the role dispatches: slot 0 with a scheduler thread
  ReadySet *entry_ready;     ///< [queue_count] the ops without predecessors
  std::uint32_t entry_count;
  std::uint64_t entry_ns;
  ReadySet *ready;            ///< [queue_count] under the role
  std::uint32_t *mutex_held;  ///< [mutex_count] under the role: 1 = held
  std::uint32_t spin_limit;   ///< pauses before a slot parks that waits for an op
  std::uint32_t wake_count;   ///< workers that are woken at the begin of a run; bind/costs.cpp, as what follows
  Measuring measuring;        ///< of slot 0 between runs; `on` and `clock_ns` are read by all slots within one

  alignas(DETENT_CACHE_LINE) std::uint32_t role;      ///< shared: 0 free, 1 held, 2 held and slot 0 waits for it
  alignas(DETENT_CACHE_LINE) std::uint32_t finished;  ///< shared: 1 = the run is over, slot 0 may return
  Schedule schedule;                                  ///< under the role
  std::uint32_t published;                            ///< of a pool's member: its ready word; under the role
  CompleteQueue complete;
  ForeignQueue foreign;
};

/// Modes without a scheduler: layered and static lists; see engine/no_scheduler.h.
struct FixedModes {
  Layers layers;
  Lists lists;
  std::uint32_t failure;  ///< shared: 0, or 1 + the slot whose fault ends the run; written at most once in a run
  std::uint32_t working;  ///< shared: started slots that have not come back
  std::uint32_t left_op;  ///< of slot 0: an op that the run no longer waits for, or DETENT_NONE
};

}  // namespace detent

/// The opaque type of runtime/include/detent/detent.h: what all modes share, then what each kind of mode adds.
struct detent_context {
  // Constants.
  detent_config config;
  const detent_port *port;
  detent_policy policy;
  detent_mode mode;  ///< SERIAL when there are no workers
  std::uint32_t slot_count;
  std::uint32_t first_worker;  ///< slot of worker 0: 1 with a scheduler thread, else 0
  std::uint32_t worker_count;  ///< workers, at least 1: the serial mode's caller counts as one
  std::uint32_t queue_count;   ///< ReadySets: one per class of workers, then one for async ops if there are any
  std::uint32_t async_queue;   ///< its index, or DETENT_NONE
  detent::BoundGraph graph;
  detent::Worker *workers;     ///< [slot_count]
  detent::OpState *op_states;  ///< null if no back end has a dispatch function
  detent_log *logs;  ///< [worker_count + 2]: those of the slots and of async ops, then that of rejected completions
  std::uint32_t log_count;
  std::uint32_t rejected_ring;

  // Of the thread inside detent_run.
  std::uint32_t run;           ///< number of the run
  bool failed;                 ///< must be reset
  std::uint64_t run_begin_ps;  ///< as detent_result.begin_ps, with a deadline; written before the slots are started

  // Constant, and here so that words above keep the numbers that choice strings of explorations hold.
  detent::OpProgress *op_progress;  ///< [op_count]; null without config.op_states

  // Shared words.
  alignas(DETENT_CACHE_LINE) std::uint32_t cancelled;
  std::uint32_t quit;
  alignas(DETENT_CACHE_LINE) std::uint32_t busy;  ///< 1: detent_run, reset or deinit is inside
  std::uint32_t abandoned;                        ///< ops that slot 0 gave up waiting for
  std::uint32_t foreign_inside;                   ///< foreign threads inside the scheduler

  detent::ClosedLoop loop;
  detent::FixedModes fixed;

  // Of a pool's member, constant.
  detent_port member_port;    ///< what `port` points to
  std::uint32_t pool_member;  ///< its place in the pool
};

namespace detent {

inline bool names_worker(const detent_op &op, std::uint32_t worker) {
  return worker < 32 && (op.workers >> worker & 1u) != 0;
}

/// Affinity: is the op for this slot, which serves its queue?
inline bool may_execute(const detent_context &c, SlotId slot, OpId op) {
  return (c.graph.nodes[op].flags & kNodePinned) == 0 || names_worker(c.graph.desc->ops[op], slot - c.first_worker);
}

/// Where accesses of a slot come from. The words of a pool and of its members are numbered from the pool.
inline AccessSite site_of(const detent_context &c, std::uint32_t slot) {
  if (c.config.worker_pool != nullptr) return {c.port, c.config.worker_pool, slot};
  return {c.port, &c, slot};
}

}  // namespace detent

#endif
