// Steps under the scheduler role: completions in, best ready ops out. One completion at a time.
#include "runtime/base/compiler.h"
#include "runtime/engine/op_progress.h"
#include "runtime/engine/scheduler.h"
#include "runtime/engine/worker_pool.h"

namespace detent {

namespace {

std::uint64_t bit_of(const detent_context &c, SlotId slot) { return std::uint64_t{1} << (slot - c.first_worker); }

std::uint64_t now_if_measured(const detent_context &c) { return measures_ends(c) ? c.port->now_ps(c.port->self) : 0; }

/// Into the holder's ring, or that of async ops when the holder is no slot of the engine.
void log_ready(SchedulerGuard &guard, OpId op) {
  detent_context &c = guard.c;
  const std::uint32_t ring = guard.site.slot == DETENT_NONE ? c.loop.async_ring : guard.site.slot;
  if (!has_room_for_extras(c, c.logs[ring])) return;
  log_to_ring(c, guard.site, ring,
              {.event = DETENT_EVENT_READY,
               .op = op,
               .value = static_cast<std::int32_t>(c.loop.schedule.ready_count),
               .sequence = ++c.loop.schedule.sequence});
}

void push_ready(SchedulerGuard &guard, OpId op) {
  detent_context &c = guard.c;
  Node &node = c.graph.nodes[op];
  checkpoint(guard.site, DETENT_CP_QUEUE, op);
  if (c.policy.by_arrival) {
    node.rank = c.loop.schedule.next_arrival++;
    c.graph.op_of_rank[node.rank] = op;
  }
  c.loop.ready[node.queue].set(node.rank);
  ++c.loop.schedule.ready_count;
  c.loop.schedule.ready_ns += node.cost_ns;
  if (is_logged(DETENT_EVENT_READY) && c.log_count != 0) log_ready(guard, op);
  if (c.op_progress != nullptr) show_ready(c, guard.site, op, c.port->now_ps(c.port->self));
}

bool mutexes_free(const detent_context &c, OpId op) {
  const detent_slice slice = c.graph.desc->ops[op].mutexes;
  for (std::uint32_t i = 0; i < slice.count; ++i) {
    if (c.loop.mutex_held[c.graph.desc->mutex_refs[slice.first + i]] != 0) return false;
  }
  return true;
}

void set_mutexes(detent_context &c, OpId op, std::uint32_t held) {
  const detent_slice slice = c.graph.desc->ops[op].mutexes;
  for (std::uint32_t i = 0; i < slice.count; ++i) c.loop.mutex_held[c.graph.desc->mutex_refs[slice.first + i]] = held;
}

/// Now, on this slot? DETENT_NONE: as an async op.
bool can_start(const detent_context &c, SlotId slot, OpId op) {
  const bool is_free = (c.graph.nodes[op].flags & kNodeMutex) == 0 || mutexes_free(c, op);
  return is_free && (slot == DETENT_NONE || may_execute(c, slot, op));
}

/// Strict orders: only the op whose turn it is.
OpId peek_strict(const detent_context &c, std::uint32_t queue, SlotId slot) {
  const Rank rank = c.loop.schedule.next_strict;
  if (rank >= c.graph.desc->op_count || !c.loop.ready[queue].has(rank)) return DETENT_NONE;
  const OpId op = c.graph.op_of_rank[rank];
  return can_start(c, slot, op) ? op : OpId(DETENT_NONE);
}

/// The best op of a queue that may start now, or DETENT_NONE; of those that are not for `finisher`, if there is one.
OpId peek_queue(const detent_context &c, std::uint32_t queue, SlotId slot, SlotId finisher = DETENT_NONE) {
  const ReadySet &ready = c.loop.ready[queue];
  if (ready.empty()) return DETENT_NONE;
  if (c.loop.plain) return finisher == DETENT_NONE ? c.graph.op_of_rank[ready.first()] : DETENT_NONE;
  const auto is_left = [&](OpId op) { return finisher == DETENT_NONE || !may_execute(c, finisher, op); };
  if (c.policy.strict) {
    const OpId op = peek_strict(c, queue, slot);
    return op != DETENT_NONE && is_left(op) ? op : OpId(DETENT_NONE);
  }
  for (Rank rank = ready.first(); rank != DETENT_NONE; rank = ready.next(rank + 1)) {
    const OpId op = c.graph.op_of_rank[rank];
    if (can_start(c, slot, op) && is_left(op)) return op;
  }
  return DETENT_NONE;
}

/// The best op that a worker may start now, or DETENT_NONE.
OpId peek(const detent_context &c, SlotId slot) { return peek_queue(c, c.workers[slot].core_class, slot); }

/// Take a peeked op out of its queue: it starts. Returns its place in the order of starts.
std::uint64_t start_op(SchedulerGuard &guard, OpId op) {
  detent_context &c = guard.c;
  const Node &node = c.graph.nodes[op];
  checkpoint(guard.site, DETENT_CP_QUEUE, op);
  c.loop.ready[node.queue].clear(node.rank);
  --c.loop.schedule.ready_count;
  c.loop.schedule.ready_ns -= node.cost_ns;
  ++c.loop.schedule.in_flight;
  ++c.loop.schedule.next_strict;
  if ((node.flags & kNodeMutex) != 0) set_mutexes(c, op, 1);
  return ++c.loop.schedule.sequence;
}

void assign(SchedulerGuard &guard, SlotId slot, OpId op) {
  detent_context &c = guard.c;
  const std::uint64_t sequence = start_op(guard, op);
  Worker &worker = c.workers[slot];
  c.loop.schedule.idle &= ~bit_of(c, slot);
  worker.busy.op = op;
  worker.busy.begin_ps = now_if_measured(c);
  if (c.op_progress != nullptr) show_begin(c, guard.site, op, slot, worker.busy.begin_ps);
  const bool is_own = slot == guard.site.slot;
  if (is_own && guard.next != nullptr) {
    *guard.next = {op, sequence};
    return;
  }
  worker.inbox_sequence = sequence;
  store_seq_cst(guard.site, worker.inbox, op);
  if (!is_own) guard.filled |= bit_of(c, slot);
}

/// Natively: does it pay to hand `op` to `slot`, when the finisher is about to work for `next_ns`?
bool is_worth_waking(const SchedulerGuard &guard, SlotId slot, OpId op, std::uint64_t next_ns) {
  const detent_context &c = guard.c;
  if (!c.loop.may_hand || (next_ns < kHandOverNs && c.graph.nodes[op].cost_ns < kHandOverNs)) return false;
  if (load_relaxed(guard.site, c.workers[slot].parked) == 0) return true;
  return next_ns >= kWakeNs || c.loop.schedule.ready_ns >= kWakeNs;
}

/// Active waiting: an op that another worker was given and has not begun becomes the holder's own. That worker is still
/// asleep, or has lost its processor to another process; it looks into an empty inbox when it comes.
void take_back_op(SchedulerGuard &guard, SlotId slot) {
  detent_context &c = guard.c;
  for (SlotId other = c.first_worker; other < c.slot_count; ++other) {
    Worker &worker = c.workers[other];
    const OpId op = worker.busy.op;
    if (op == DETENT_NONE || other == slot || worker.core_class != c.workers[slot].core_class) continue;
    if (!may_execute(c, slot, op) || load_relaxed(guard.site, worker.inbox) != op) continue;
    if (!compare_exchange_seq_cst(guard.site, worker.inbox, op, DETENT_NONE)) continue;
    worker.busy.op = DETENT_NONE;
    c.loop.schedule.idle |= bit_of(c, other);
    c.loop.schedule.idle &= ~bit_of(c, slot);
    c.workers[slot].busy = {op, now_if_measured(c)};
    *guard.next = {op, worker.inbox_sequence};
    return;
  }
}

bool may_take_back(const SchedulerGuard &guard, SlotId slot) {
  const bool is_holder = slot == guard.site.slot && guard.next != nullptr && guard.next->op == DETENT_NONE;
  return is_holder && guard.c.loop.is_active && guard.c.op_progress == nullptr;  // those show one slot per op
}

/// The finisher takes the best op of its queue. Returns that queue, or DETENT_NONE if there was nothing for it.
OpId serve_finisher(SchedulerGuard &guard, SlotId slot, std::uint64_t *next_ns) {
  detent_context &c = guard.c;
  if (slot == DETENT_NONE || (c.loop.schedule.idle & bit_of(c, slot)) == 0) return DETENT_NONE;
  const OpId op = peek(c, slot);
  if (op == DETENT_NONE) {
    if (may_take_back(guard, slot)) take_back_op(guard, slot);
    return DETENT_NONE;
  }
  *next_ns = c.graph.nodes[op].cost_ns;
  assign(guard, slot, op);
  return c.workers[slot].core_class;
}

/// Every other free worker takes the best op that it may, lowest worker first. An op that the finisher may execute too
/// is handed over only where that pays; the finisher comes back for what is left, so nothing is lost.
bool serve_others(SchedulerGuard &guard, SlotId finisher, std::uint32_t served_queue, std::uint64_t next_ns) {
  detent_context &c = guard.c;
  bool gave = false;
  for (std::uint64_t left = c.loop.schedule.idle; left != 0 && c.loop.schedule.ready_count != 0; left &= left - 1) {
    const SlotId slot = c.first_worker + count_trailing_zeros(left);
    const std::uint32_t queue = c.workers[slot].core_class;
    OpId op = peek(c, slot);
    const bool is_choice = op != DETENT_NONE && !c.loop.hand_always && queue == served_queue;
    if (is_choice && !is_worth_waking(guard, slot, op, next_ns)) op = peek_queue(c, queue, slot, finisher);
    if (op == DETENT_NONE) continue;
    assign(guard, slot, op);
    gave = true;
  }
  return gave;
}

void fail(detent_context &c, const detent_error &error) {
  c.loop.schedule.stop = true;
  if (c.loop.schedule.error.status == DETENT_OK) c.loop.schedule.error = error;
}

/// Count a completion and make ready what waited for it. Gives nothing out.
void count_completion(SchedulerGuard &guard, OpId op, std::int32_t code) {
  detent_context &c = guard.c;
  Schedule &schedule = c.loop.schedule;
  Node &node = c.graph.nodes[op];
  --schedule.in_flight;
  if ((node.flags & kNodeMutex) != 0) set_mutexes(c, op, 0);
  node.indegree = node.entry_count;
  if (code != 0) {
    fail(c, make_error(DETENT_KERNEL_FAILED, {.op = op, .code = code}));
    return;
  }
  ++schedule.completed;
  if (schedule.stop) return;
  const std::uint32_t *successor = c.graph.desc->successors + node.first_successor;
  for (std::uint32_t left = node.successor_count; left != 0; --left, ++successor) {
    if (--c.graph.nodes[*successor].indegree == 0) push_ready(guard, *successor);
  }
}

/// It has ended, but too late.
void note_time(detent_context &c, OpId op, std::uint64_t begin_ps, std::uint64_t end_ps) {
  if (is_late(c, begin_ps, end_ps)) fail(c, make_error(DETENT_TIMEOUT, {.op = op}));
}

void link_async(detent_context &c, OpId op, std::uint64_t begin_ps) {
  Schedule &schedule = c.loop.schedule;
  OpState &state = c.op_states[op];
  state.previous = schedule.newest_async;
  state.next = DETENT_NONE;
  state.begin_ps = begin_ps;
  if (schedule.newest_async != DETENT_NONE) c.op_states[schedule.newest_async].next = op;
  if (schedule.oldest_async == DETENT_NONE) schedule.oldest_async = op;
  schedule.newest_async = op;
}

void unlink_async(detent_context &c, OpId op) {
  Schedule &schedule = c.loop.schedule;
  const OpState &state = c.op_states[op];
  if (state.previous != DETENT_NONE) c.op_states[state.previous].next = state.next;
  if (state.next != DETENT_NONE) c.op_states[state.next].previous = state.previous;
  if (schedule.oldest_async == op) schedule.oldest_async = state.next;
  if (schedule.newest_async == op) schedule.newest_async = state.previous;
}

void log_async_end(SchedulerGuard &guard, OpId op, std::int32_t code) {
  checkpoint(guard.site, DETENT_CP_OP_END, op);
  log_to_ring(guard.c, guard.site, guard.c.loop.async_ring, {.event = DETENT_EVENT_OP_END, .op = op, .value = code});
}

/// Dispatch one async op without a worker.
void start_async(SchedulerGuard &guard, OpId op) {
  detent_context &c = guard.c;
  const std::uint64_t sequence = start_op(guard, op);
  const bool may_wait = (c.graph.nodes[op].flags & kNodeDispatch) != 0;
  const std::uint64_t begin_ps = now_if_measured(c);
  if (may_wait) link_async(c, op, begin_ps);
  if (c.op_progress != nullptr) show_begin(c, guard.site, op, guard.site.slot, begin_ps);
  checkpoint(guard.site, DETENT_CP_DISPATCH, op);
  log_to_ring(c, guard.site, c.loop.async_ring,
              {.event = DETENT_EVENT_OP_BEGIN, .op = op, .value = class_of(c, op), .sequence = sequence});
  checkpoint(guard.site, DETENT_CP_OP_BEGIN, op);
  if (may_wait) mark_in_flight(guard.site, c.op_states[op], DETENT_NONE);
  std::int32_t code = 0;
  if (!dispatch(c, guard.site, op, &code)) return;
  if (may_wait) unlink_async(c, op);
  const std::uint64_t end_ps = now_if_measured(c);
  note_time(c, op, begin_ps, end_ps);
  if (c.op_progress != nullptr) show_end(c, guard.site, op, code, end_ps);
  log_async_end(guard, op, code);
  count_completion(guard, op, code);
}

/// Async ops start as soon as they are ready; one that ends at once may make the next one ready.
bool serve_async(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  if (c.async_queue == DETENT_NONE) return false;
  bool started = false;
  const auto next = [&] { return peek_queue(c, c.async_queue, DETENT_NONE); };
  for (OpId op = next(); op != DETENT_NONE && !c.loop.schedule.stop; op = next()) {
    start_async(guard, op);
    started = true;
  }
  return started;
}

/// Async ops first, then the finisher, then the other free workers. A strict order may come back to an earlier one.
void dispatch_ready(SchedulerGuard &guard, std::uint32_t finisher) {
  detent_context &c = guard.c;
  bool again = true;
  while (again && !c.loop.schedule.stop) {
    again = serve_async(guard);
    std::uint64_t next_ns = 0;
    if (c.loop.schedule.stop) return;
    const std::uint32_t served = serve_finisher(guard, finisher, &next_ns);
    again = served != DETENT_NONE || again;
    if (c.loop.schedule.idle != 0 && c.loop.schedule.ready_count != 0)
      again = serve_others(guard, finisher, served, next_ns) || again;
    again = again && c.policy.strict;
  }
}

/// An op is left in flight: whatever went wrong before, the status says so.
void leave_in_flight(detent_context &c, OpId op) {
  c.loop.schedule.stop = true;
  c.loop.schedule.error = make_error(DETENT_TIMEOUT, {.op = op});
}

/// End the run when everything has run, or when nothing that is still in flight will be waited for.
void close_run_if_over(SchedulerGuard &guard) {
  Schedule &schedule = guard.c.loop.schedule;
  if (schedule.in_flight != 0) return;
  if (guard.c.loop.is_shared && workers_with_ops(guard.c) != 0) return;  // the pool's workers come for them
  if (schedule.completed != guard.c.graph.desc->op_count && !schedule.stop) fail(guard.c, make_error(DETENT_STALLED));
  schedule.active = false;
  guard.over = true;
}

void after_completion(SchedulerGuard &guard, std::uint32_t finisher) {
  detent_context &c = guard.c;
  if (!c.loop.schedule.stop && load_relaxed(guard.site, c.cancelled) != 0) fail(c, make_error(DETENT_CANCELLED));
  if (c.config.op_deadline_ps != 0 && check_deadlines(guard)) return;
  dispatch_ready(guard, finisher);
  close_run_if_over(guard);
}

void handle_async_completion(SchedulerGuard &guard, OpId op) {
  detent_context &c = guard.c;
  OpState &state = c.op_states[op];
  const std::int32_t code = state.code;
  unlink_async(c, op);
  store_relaxed<std::uint32_t>(guard.site, state.phase, kOpIdle);
  if (c.op_progress != nullptr) show_end(c, guard.site, op, code, state.answered_ps);
  if (!c.loop.schedule.active) {
    --c.loop.schedule.in_flight;
    return;
  }
  note_time(c, op, state.begin_ps, state.answered_ps);
  log_async_end(guard, op, code);
  count_completion(guard, op, code);
  after_completion(guard, DETENT_NONE);
}

}  // namespace

void handle_completion(SchedulerGuard &guard, SlotId slot, OpId op, std::int32_t code) {
  detent_context &c = guard.c;
  Busy &busy = c.workers[slot].busy;
  if (c.loop.schedule.active) note_time(c, op, busy.begin_ps, c.workers[slot].done_ps);
  if (c.op_progress != nullptr) show_end(c, guard.site, op, code, c.workers[slot].done_ps);
  busy.op = DETENT_NONE;
  if (!c.loop.is_shared) c.loop.schedule.idle |= bit_of(c, slot);
  if (!c.loop.schedule.active) {  // the run ended without it: TIMEOUT
    --c.loop.schedule.in_flight;
    return;
  }
  count_completion(guard, op, code);
  if (!c.loop.is_shared) {
    after_completion(guard, slot);
  } else if (slot == SlotId(guard.site.slot) && stays_with(c, slot)) {
    serve_pool_worker(guard, slot);
  } else {
    after_completion(guard, DETENT_NONE);
  }
}

void serve_pool_worker(SchedulerGuard &guard, SlotId slot) {
  Schedule &schedule = guard.c.loop.schedule;
  if (!schedule.active) return;
  schedule.idle = bit_of(guard.c, slot);
  after_completion(guard, slot);
  schedule.idle = 0;
}

std::uint32_t workers_with_ops(const detent_context &c) {
  const Schedule &schedule = c.loop.schedule;
  if (!schedule.active || schedule.stop || schedule.ready_count == 0) return 0;
  std::uint32_t bits = 0;
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    const Worker &worker = c.workers[slot];
    if (worker.busy.op == DETENT_NONE && peek(c, slot) != DETENT_NONE) bits |= 1u << (slot - 1);
  }
  return bits;
}

void dispatch_after_inline(SchedulerGuard &guard, SlotId slot) {
  detent_context &c = guard.c;
  c.workers[slot].busy.op = DETENT_NONE;
  c.loop.schedule.idle |= bit_of(c, slot);
  --c.loop.schedule.in_flight;
  after_completion(guard, slot);
}

void drain(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  SlotId slot = 0;
  OpId op = 0;
  bool again = true;
  while (again) {
    again = false;
    while (c.loop.complete.take(guard.site, &slot)) {
      const Worker &worker = c.workers[slot];
      checkpoint(guard.site, DETENT_CP_QUEUE, worker.busy.op);
      handle_completion(guard, slot, worker.busy.op, worker.done_code);
      again = true;
    }
    while (c.op_states != nullptr && c.loop.foreign.take(guard.site, &op)) {
      checkpoint(guard.site, DETENT_CP_QUEUE, op);
      handle_async_completion(guard, op);
      again = true;
    }
  }
}

void open_run(SchedulerGuard &guard, SlotId slot) {
  detent_context &c = guard.c;
  Schedule &schedule = c.loop.schedule;
  for (std::uint32_t queue = 0; queue < c.queue_count; ++queue)
    c.loop.ready[queue].copy_from(c.loop.entry_ready[queue]);
  schedule.ready_count = c.loop.entry_count;
  schedule.ready_ns = c.loop.entry_ns;
  schedule.completed = 0;
  schedule.next_strict = 0;
  schedule.next_arrival = c.loop.entry_count;
  schedule.sequence = 0;
  schedule.stop = false;
  schedule.error = make_error(DETENT_OK);
  schedule.active = true;
  after_completion(guard, slot);
}

bool check_deadlines(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  const std::uint64_t now_ps = c.port->now_ps(c.port->self);
  std::uint32_t late = 0;
  std::uint32_t left_op = DETENT_NONE;
  const auto note = [&](OpId op) {
    ++late;
    left_op = op;
    fail(c, make_error(DETENT_TIMEOUT, {.op = op}));
  };
  for (SlotId slot = c.first_worker; slot < c.slot_count; ++slot) {
    const Busy &busy = c.workers[slot].busy;
    if (busy.op != DETENT_NONE && is_late(c, busy.begin_ps, now_ps)) note(busy.op);
  }
  for (OpId op = c.loop.schedule.oldest_async; op != DETENT_NONE; op = c.op_states[op].next) {
    if (!is_late(c, c.op_states[op].begin_ps, now_ps)) break;
    note(op);
  }
  // What stands in `next` has not begun and is executed by this very thread: nothing to give up on.
  const bool has_next = guard.next != nullptr && guard.next->op != DETENT_NONE;
  if (late == 0 || late != c.loop.schedule.in_flight || has_next) return false;
  leave_in_flight(c, left_op);
  c.loop.schedule.active = false;
  guard.over = true;
  return true;
}

void abandon_own_op(SchedulerGuard &guard, OpId op) {
  detent_context &c = guard.c;
  c.workers[guard.site.slot].busy.op = DETENT_NONE;
  c.loop.schedule.idle |= bit_of(c, guard.site.slot);
  --c.loop.schedule.in_flight;
  leave_in_flight(c, op);
  after_completion(guard, DETENT_NONE);
}

void empty_own_inbox(SchedulerGuard &guard) {
  detent_context &c = guard.c;
  Worker &worker = c.workers[guard.site.slot];
  const OpId op = load_acquire(guard.site, worker.inbox);
  if (op == DETENT_NONE) return;
  store_relaxed(guard.site, worker.inbox, DETENT_NONE);
  if (c.op_progress != nullptr) show_taken_back(c, guard.site, op, c.port->now_ps(c.port->self));
  worker.busy.op = DETENT_NONE;
  c.loop.schedule.idle |= bit_of(c, guard.site.slot);
  --c.loop.schedule.in_flight;
}

void rearm(detent_context &c) {
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) c.graph.nodes[op].indegree = c.graph.nodes[op].entry_count;
  for (std::uint32_t mutex = 0; mutex < c.graph.desc->mutex_count; ++mutex) c.loop.mutex_held[mutex] = 0;
}

}  // namespace detent
