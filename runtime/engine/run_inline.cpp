// Running inline: while one op is in flight and nobody else could use the role, its worker keeps it and goes from op to
// op without queues, inboxes or atomics. Same choices as schedule.cpp, state in registers.
#include "runtime/engine/scheduler.h"

namespace detent {

namespace {

/// What schedule.cpp keeps in Schedule, for as long as it lasts.
struct Run {
  std::uint32_t completed;
  std::uint32_t ready_count;
  std::uint64_t ready_ns;
};

void write_back(detent_context &c, const Run &run) {
  c.loop.schedule.completed = run.completed;
  c.loop.schedule.ready_count = run.ready_count;
  c.loop.schedule.ready_ns = run.ready_ns;
}

inline void push(ReadySet &ready, const Node &node, Run &run) {
  ready.set(node.rank);
  ++run.ready_count;
  run.ready_ns += node.cost_ns;
}

/// Lower the successors of `node`. Returns the best op that became ready, DETENT_NONE if none did; the others are
/// pushed.
inline OpId lower_successors(const detent_context &c, const Node &node, ReadySet &ready, Run &run) {
  OpId best = DETENT_NONE;
  const std::uint32_t *successor = c.graph.desc->successors + node.first_successor;
  const std::uint32_t *const end = successor + node.successor_count;
  for (; successor != end; ++successor) {
    Node &next = c.graph.nodes[*successor];
    if (--next.indegree != 0) continue;
    if (best == DETENT_NONE) {
      best = *successor;
    } else if (next.rank < c.graph.nodes[best].rank) {
      push(ready, c.graph.nodes[best], run);
      best = *successor;
    } else {
      push(ready, next, run);
    }
  }
  return best;
}

/// The best of `candidate` and the ready ops, taken out of the set.
inline OpId take_best(const detent_context &c, OpId candidate, ReadySet &ready, Run &run) {
  if (run.ready_count == 0) return candidate;
  const Rank rank = ready.first();
  if (candidate != DETENT_NONE) {
    const Node &node = c.graph.nodes[candidate];
    if (node.rank < rank) return candidate;
    push(ready, node, run);
  }
  const OpId op = c.graph.op_of_rank[rank];
  ready.clear(rank);
  --run.ready_count;
  run.ready_ns -= c.graph.nodes[op].cost_ns;
  return op;
}

/// From op to op until the run is over, fails, is cancelled, or there is something to hand over.
void run_inline_plain(SchedulerGuard &guard, Worker &me, OpId op) {
  detent_context &c = guard.c;
  ReadySet ready = c.loop.ready[0];  // the words are shared; the pointers to them stay in registers
  Run run{c.loop.schedule.completed, c.loop.schedule.ready_count, c.loop.schedule.ready_ns};
  while (true) {
    const detent_entity &entity = c.graph.entities[op];
    const std::int32_t code = entity.run(&entity.args);
    if (code != 0 || load_relaxed(me.site, c.cancelled) != 0) [[unlikely]] {
      write_back(c, run);
      me.busy.op = op;
      handle_completion(guard, me.site.slot, op, code);
      return;
    }
    Node &node = c.graph.nodes[op];
    node.indegree = node.entry_count;
    ++run.completed;
    const OpId candidate = lower_successors(c, node, ready, run);
    const bool leftover = run.ready_count != 0 && (candidate != DETENT_NONE || run.ready_count > 1);
    if (leftover && c.loop.may_hand) {
      if (candidate != DETENT_NONE) push(ready, c.graph.nodes[candidate], run);
      write_back(c, run);
      dispatch_after_inline(guard, me.site.slot);
      return;
    }
    op = take_best(c, candidate, ready, run);
    if (op == DETENT_NONE) break;
  }
  write_back(c, run);
  dispatch_after_inline(guard, me.site.slot);
}

}  // namespace

void run_inline(SchedulerGuard &guard, Worker &me) {
  detent_context &c = guard.c;
  const bool direct = me.bare && c.loop.plain;
  NextOp &next = *guard.next;
  while (next.op != DETENT_NONE && c.loop.schedule.in_flight == 1 && !guard.over) {
    const OpId op = next.op;
    next.op = DETENT_NONE;
    if (direct) {
      run_inline_plain(guard, me, op);
      continue;
    }
    std::int32_t code = 0;
    execute(c, me, op, next.sequence, &code);
    handle_completion(guard, me.site.slot, op, code);
  }
}

}  // namespace detent
