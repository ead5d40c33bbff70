// Lists of static mode: the Desc's own schedule or a computed one -> entries with what each waits for and signals.
#include "runtime/engine/no_scheduler.h"

namespace detent {

namespace {

/// Price of a dependence between two workers, natively; that of waking one at the start of a run is kWakeNs.
constexpr std::uint64_t kTransferNs = 200;

bool is_answered_op(const detent_context &c, OpId op) {
  constexpr std::uint32_t kBoth = kNodeAsync | kNodeDispatch;
  return (c.graph.nodes[op].flags & kBoth) == kBoth;
}

bool serves(const detent_context &c, SlotId worker, OpId op) {
  if (c.graph.nodes[op].queue == c.async_queue) return true;
  return c.workers[worker].core_class == c.graph.nodes[op].queue && may_execute(c, worker, op);
}

// --- A schedule of our own: in topological order, best rank first, each op goes where it can start earliest. ---

/// The two latest predecessors of an op that ran on different workers; enough to know its earliest start anywhere.
struct Planner {
  detent_context &c;
  std::uint64_t *latest;       ///< [op_count] end of the latest predecessor; after the op is placed, its own end
  std::uint64_t *second;       ///< [op_count] latest end on any other worker
  std::uint32_t *latest_home;  ///< [op_count] worker of the latest; DETENT_NONE: none
  std::uint64_t free_ns[DETENT_MAX_WORKERS];
  std::uint64_t transfer_ns;
};

std::uint64_t earliest_start(const Planner &plan, OpId op, SlotId worker) {
  const bool same = plan.latest_home[op] == worker;
  const bool any = plan.latest_home[op] != DETENT_NONE;
  const std::uint64_t at_latest = plan.latest[op] + (any && !same ? plan.transfer_ns : 0);
  const std::uint64_t at_second = plan.second[op] + (plan.second[op] != 0 ? plan.transfer_ns : 0);
  return later(later(at_latest, at_second), plan.free_ns[worker]);
}

SlotId best_worker(const Planner &plan, OpId op) {
  std::uint32_t best = DETENT_NONE;
  std::uint64_t best_ns = 0;
  for (SlotId worker = 0; worker < plan.c.worker_count; ++worker) {
    if (!serves(plan.c, worker, op)) continue;
    const std::uint64_t start_ns = earliest_start(plan, op, worker);
    if (best != DETENT_NONE && start_ns >= best_ns) continue;
    best = worker;
    best_ns = start_ns;
  }
  return best;
}

void note_predecessor(Planner &plan, OpId op, SlotId worker, std::uint64_t end_ns) {
  if (plan.latest_home[op] == worker) {
    plan.latest[op] = later(plan.latest[op], end_ns);
  } else if (plan.latest_home[op] == DETENT_NONE || end_ns > plan.latest[op]) {
    plan.second[op] = plan.latest[op];
    plan.latest[op] = end_ns;
    plan.latest_home[op] = worker;
  } else {
    plan.second[op] = later(plan.second[op], end_ns);
  }
}

void plan_op(Planner &plan, OpId op) {
  detent_context &c = plan.c;
  const Node &node = c.graph.nodes[op];
  const bool async = (node.flags & kNodeAsync) != 0;
  const std::uint32_t near = plan.latest_home[op] != DETENT_NONE ? plan.latest_home[op] : 0;
  const SlotId worker = async ? SlotId(near) : best_worker(plan, op);
  const detent_slice mutexes = c.graph.desc->ops[op].mutexes;
  std::uint64_t start_ns = earliest_start(plan, op, worker);
  for (std::uint32_t i = 0; i < mutexes.count; ++i) {
    const std::uint32_t last = c.fixed.lists.last_of_mutex[c.graph.desc->mutex_refs[mutexes.first + i]];
    if (last != DETENT_NONE) start_ns = later(start_ns, plan.latest[last]);
  }
  const std::uint64_t end_ns = start_ns + node.cost_ns;
  c.fixed.lists.home[op] = worker;
  plan.latest[op] = end_ns;
  plan.free_ns[worker] = async ? start_ns : end_ns;
  for (std::uint32_t i = 0; i < mutexes.count; ++i) {
    c.fixed.lists.last_of_mutex[c.graph.desc->mutex_refs[mutexes.first + i]] = op;
  }
  for (std::uint32_t i = 0; i < node.successor_count; ++i) {
    note_predecessor(plan, c.graph.desc->successors[node.first_successor + i], worker, end_ns);
  }
}

void forget_mutexes(detent_context &c) {
  for (std::uint32_t mutex = 0; mutex < c.graph.desc->mutex_count; ++mutex)
    c.fixed.lists.last_of_mutex[mutex] = DETENT_NONE;
}

void compute_homes(detent_context &c) {
  Planner plan{c,
               c.graph.policy_work,
               c.graph.policy_work + c.graph.desc->op_count,
               c.fixed.lists.place,
               {},
               c.loop.hand_always ? 0 : kTransferNs};
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    plan.latest[op] = plan.second[op] = 0;
    plan.latest_home[op] = DETENT_NONE;
  }
  for (SlotId worker = 1; worker < c.worker_count && !c.loop.hand_always; ++worker) plan.free_ns[worker] = kWakeNs;
  forget_mutexes(c);
  for (std::uint32_t i = 0; i < c.graph.desc->op_count; ++i) plan_op(plan, c.graph.serial_order[i]);
}

void fill_from_homes(detent_context &c) {
  Lists &lists = c.fixed.lists;
  for (SlotId worker = 0; worker <= c.worker_count; ++worker) lists.first[worker] = 0;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) ++lists.first[lists.home[op] + 1];
  for (SlotId worker = 0; worker < c.worker_count; ++worker) lists.first[worker + 1] += lists.first[worker];
  std::uint32_t next[DETENT_MAX_WORKERS] = {};
  for (SlotId worker = 0; worker < c.worker_count; ++worker) next[worker] = lists.first[worker];
  for (std::uint32_t i = 0; i < c.graph.desc->op_count; ++i) {
    const OpId op = c.graph.serial_order[i];
    const std::uint32_t position = next[lists.home[op]]++;
    lists.entries[position] = {op, 0};
    lists.place[op] = position;
  }
}

// --- The Desc's own schedule. ---

const detent_static_schedule *find_schedule(const detent_context &c) {
  for (std::uint32_t i = 0; i < c.graph.desc->schedule_count; ++i) {
    if (c.graph.desc->schedules[i].worker_count == c.worker_count) return &c.graph.desc->schedules[i];
  }
  return nullptr;
}

detent_error fill_from_schedule(detent_context &c, const detent_static_schedule &schedule) {
  Lists &lists = c.fixed.lists;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) lists.place[op] = DETENT_NONE;
  std::uint32_t position = 0;
  for (SlotId worker = 0; worker < c.worker_count; ++worker) {
    lists.first[worker] = position;
    const detent_slice list = schedule.lists[worker];
    for (std::uint32_t i = 0; i < list.count; ++i, ++position) {
      const OpId op = schedule.list_ops[list.first + i];
      const bool fits =
          op < c.graph.desc->op_count && position < c.graph.desc->op_count && lists.place[op] == DETENT_NONE;
      if (!fits) return make_error(DETENT_TABLE_RANGE, {.op = op});
      if (!serves(c, worker, op)) return make_error(DETENT_UNKNOWN_KERNEL, {.op = op});
      lists.entries[position] = {op, 0};
      lists.place[op] = position;
      lists.home[op] = worker;
    }
  }
  lists.first[c.worker_count] = position;
  return make_error(position == c.graph.desc->op_count ? DETENT_OK : DETENT_TABLE_RANGE);
}

// --- One order in which the lists can be followed; deadlock shows here. It replaces serial_order. ---

bool can_retire(const detent_context &c, OpId op, std::uint32_t retired) {
  return c.graph.nodes[op].indegree == 0 && (!c.policy.strict || c.graph.nodes[op].rank == retired);
}

void retire(detent_context &c, OpId op) {
  Node &node = c.graph.nodes[op];
  node.indegree = node.entry_count;
  for (std::uint32_t i = 0; i < node.successor_count; ++i) {
    --c.graph.nodes[c.graph.desc->successors[node.first_successor + i]].indegree;
  }
}

detent_error follow_symbolically(detent_context &c) {
  std::uint32_t at[DETENT_MAX_WORKERS] = {};
  for (SlotId worker = 0; worker < c.worker_count; ++worker) at[worker] = c.fixed.lists.first[worker];
  std::uint32_t retired = 0;
  bool moved = true;
  while (moved) {
    moved = false;
    for (SlotId worker = 0; worker < c.worker_count; ++worker) {
      for (; at[worker] < c.fixed.lists.first[worker + 1]; ++at[worker]) {
        const OpId op = c.fixed.lists.entries[at[worker]].op;
        if (!can_retire(c, op, retired)) break;
        retire(c, op);
        c.graph.serial_order[retired++] = op;
        moved = true;
      }
    }
  }
  if (retired == c.graph.desc->op_count) return make_error(DETENT_OK);
  rearm(c);
  for (SlotId worker = 0; worker < c.worker_count; ++worker) {
    if (at[worker] < c.fixed.lists.first[worker + 1])
      return make_error(DETENT_STALLED, {.op = c.fixed.lists.entries[at[worker]].op});
  }
  return make_error(DETENT_STALLED);
}

// --- Waits and signals. ---

/// Which waits an op needs, told to `visit(op, before, begun)` for every op `before` that it waits for.
template <typename Visit>
void visit_waits(detent_context &c, const Visit &visit) {
  const Lists &lists = c.fixed.lists;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    const Node &node = c.graph.nodes[op];
    for (std::uint32_t i = 0; i < node.successor_count; ++i) {
      const std::uint32_t next = c.graph.desc->successors[node.first_successor + i];
      if (lists.home[op] != lists.home[next] || is_answered_op(c, op)) visit(next, op, false);
    }
  }
  forget_mutexes(c);
  for (std::uint32_t i = 0; i < c.graph.desc->op_count; ++i) {
    const OpId op = c.graph.serial_order[i];
    const detent_slice mutexes = c.graph.desc->ops[op].mutexes;
    for (std::uint32_t k = 0; k < mutexes.count; ++k) {
      std::uint32_t &last = lists.last_of_mutex[c.graph.desc->mutex_refs[mutexes.first + k]];
      const bool is_other = last != DETENT_NONE && last != op;  // an op may name a mutex twice
      if (is_other && (lists.home[last] != lists.home[op] || is_answered_op(c, last))) visit(op, last, false);
      last = op;
    }
  }
  for (Rank rank = 1; c.policy.strict && rank < c.graph.desc->op_count; ++rank) {
    const OpId before = c.graph.op_of_rank[rank - 1];
    const OpId op = c.graph.op_of_rank[rank];
    if (lists.home[before] != lists.home[op]) visit(op, before, true);
  }
}

void count_waits(detent_context &c) {
  Lists &lists = c.fixed.lists;
  for (std::uint32_t i = 0; i <= c.graph.desc->op_count; ++i) lists.first_wait[i] = 0;
  visit_waits(c, [&](OpId op, std::uint32_t, bool) { ++lists.first_wait[lists.place[op] + 1]; });
  for (std::uint32_t i = 0; i < c.graph.desc->op_count; ++i) lists.first_wait[i + 1] += lists.first_wait[i];
}

Wait wait_on(const detent_context &c, OpId before, bool begun) {
  if (!begun && is_answered_op(c, before)) return {kWaitAnswer, before};
  const SlotId worker = c.fixed.lists.home[before];
  const std::uint32_t count = c.fixed.lists.place[before] - c.fixed.lists.first[worker] + 1;
  return {worker, begun ? count | kWaitBegun : count};
}

void fill_waits(detent_context &c) {
  Lists &lists = c.fixed.lists;
  visit_waits(c, [&](OpId op, OpId before, bool begun) {
    const std::uint32_t position = lists.place[op];
    lists.waits[lists.first_wait[position]++] = wait_on(c, before, begun);
    lists.entries[position].flags |= kListWaits;
    if (!begun && is_answered_op(c, before)) return;
    lists.entries[lists.place[before]].flags |= begun ? kListSignalsBegun : kListSignals;
  });
  for (std::uint32_t i = c.graph.desc->op_count; i > 0; --i) lists.first_wait[i] = lists.first_wait[i - 1];
  lists.first_wait[0] = 0;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    if (is_answered_op(c, op)) lists.entries[lists.place[op]].flags |= kListAnswered;
  }
}

}  // namespace

detent_error lay_out_lists(detent_context &c) {
  const detent_static_schedule *const schedule = find_schedule(c);
  if (schedule == nullptr) {
    compute_homes(c);
    fill_from_homes(c);
  } else {
    const detent_error error = fill_from_schedule(c, *schedule);
    if (error.status != DETENT_OK) return error;
  }
  const detent_error error = follow_symbolically(c);
  if (error.status != DETENT_OK) return error;
  count_waits(c);
  fill_waits(c);
  return error;
}

}  // namespace detent
