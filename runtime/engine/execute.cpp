// One op on one slot: dispatch, log, checkpoints, and waiting for back ends that answer later.
#include "runtime/engine/engine.h"
#include "runtime/engine/guard.h"

namespace detent {

void mark_in_flight(const AccessSite &site, OpState &state, std::uint32_t owner) {
  state.owner = owner;
  store_seq_cst<std::uint32_t>(site, state.phase, kOpInFlight);
}

bool dispatch(detent_context &c, const AccessSite &site, OpId op, std::int32_t *code) {
  const detent_entity &entity = c.graph.entities[op];
  const detent_backend &backend = c.config.backends[c.graph.nodes[op].backend];
  if (backend.dispatch == nullptr) {
    *code = entity.run(&entity.args);
    return true;
  }
  const bool is_executed = (c.graph.nodes[op].flags & kNodeGuarded) == 0 ||
                           guard_holds(*c.graph.desc, c.graph.desc->ops[op], entity.args, code);
  const auto answer = is_executed ? backend.dispatch(backend.self, &c, &entity, site.slot, code) : DETENT_DISPATCH_DONE;
  if (answer == DETENT_DISPATCH_PENDING) return false;
  // The answer of a collected op is shown before it is accepted: none may be half-way.
  const bool may_be_shown = c.op_progress != nullptr && is_collected_op(c, op);
  if (may_be_shown) c.port->lock(c.port->self);
  // A back end that says DONE and has called detent_complete as well: the accepted completion counts.
  const bool is_ours = compare_exchange_seq_cst<std::uint32_t>(site, c.op_states[op].phase, kOpInFlight, kOpIdle);
  const std::uint16_t flags = is_ours && is_executed ? c.graph.nodes[op].flags : std::uint16_t{0};
  if ((flags & kNodeSized) != 0) settle_extents(entity.args, code);
  if ((flags & kNodeFallible) != 0) settle_failure(entity.args, code);
  if (may_be_shown) c.port->unlock(c.port->self);
  return is_ours;
}

namespace {

/// Slot 0 stops waiting. False: the answer came at the last moment.
bool abandon(detent_context &c, const AccessSite &site, OpState &state) {
  fetch_add_seq_cst(site, c.abandoned, 1u);
  if (compare_exchange_seq_cst<std::uint32_t>(site, state.phase, kOpInFlight, kOpAbandoned)) return true;
  fetch_add_seq_cst(site, c.abandoned, UINT32_MAX);
  return false;
}

}  // namespace

bool await_answer(detent_context &c, Worker &me, OpId op, std::int32_t *code) {
  const detent_port &port = *c.port;
  OpState &state = c.op_states[op];
  const bool watches = me.site.slot == 0 && c.config.op_deadline_ps != 0;
  const std::uint64_t now_ps = watches ? port.now_ps(port.self) : 0;
  // The first instant at which it is late.
  const bool is_bounded = watches && now_ps < UINT64_MAX - c.config.op_deadline_ps;
  const std::uint64_t deadline_ps = is_bounded ? now_ps + c.config.op_deadline_ps + 1 : UINT64_MAX;
  std::uint32_t spins = 0;
  while (load_seq_cst(me.site, state.phase) != kOpAnswered) {
    if (spins < port.spin_limit) {
      ++spins;
      port.pause(port.self);
      continue;
    }
    if (is_bounded && port.now_ps(port.self) >= deadline_ps && abandon(c, me.site, state)) return false;
    port.wait(port.self, me.site.slot, deadline_ps);
  }
  *code = state.code;
  store_relaxed<std::uint32_t>(me.site, state.phase, kOpIdle);
  return true;
}

Executed execute_in_full(detent_context &c, Worker &me, OpId op, std::uint64_t sequence, std::int32_t *code) {
  checkpoint(me.site, DETENT_CP_DISPATCH, op);
  log_event(c, me, {.event = DETENT_EVENT_OP_BEGIN, .op = op, .value = class_of(c, op), .sequence = sequence});
  checkpoint(me.site, DETENT_CP_OP_BEGIN, op);
  if ((c.graph.nodes[op].flags & kNodeDispatch) != 0) mark_in_flight(me.site, c.op_states[op], me.site.slot);
  if (!dispatch(c, me.site, op, code) && !await_answer(c, me, op, code)) return Executed::kAbandoned;
  checkpoint(me.site, DETENT_CP_OP_END, op);
  log_event(c, me, {.event = DETENT_EVENT_OP_END, .op = op, .value = *code});
  return Executed::kDone;
}

namespace {

/// The op is in flight on this slot: nobody else looks at its cost. Half of the way up, as a slot that was interrupted
/// measures too much; else at once.
void note_cost(detent_context &c, OpId op, std::uint64_t ns) {
  std::uint32_t &cost_ns = c.graph.nodes[op].cost_ns;
  const std::uint64_t own_ns = ns > c.loop.measuring.clock_ns ? ns - c.loop.measuring.clock_ns : 0;
  const std::uint64_t next_ns =
      c.loop.measuring.done_before && own_ns > cost_ns ? cost_ns + (own_ns - cost_ns) / 2 : own_ns;
  cost_ns = static_cast<std::uint32_t>(next_ns < kMostCostNs ? next_ns : kMostCostNs) + 1;
}

}  // namespace

Executed execute_measured(detent_context &c, Worker &me, OpId op, std::uint64_t sequence, std::int32_t *code) {
  const detent_port &port = *c.port;
  const std::uint64_t begin_ps = port.now_ps(port.self);
  if (execute(c, me, op, sequence, code) == Executed::kAbandoned) return Executed::kAbandoned;
  const std::uint64_t end_ps = port.now_ps(port.self);
  note_cost(c, op, end_ps > begin_ps ? (end_ps - begin_ps) / 1000 : 0);  // F08
  return Executed::kDone;
}

}  // namespace detent
