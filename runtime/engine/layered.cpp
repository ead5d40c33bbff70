// Layered mode (bulk synchronous): layers laid out ahead of time, claimed op by op, with a barrier after each.
//
// Ops that share a mutex stand in different layers. Under a strict order layers never go back in rank, and a layer
// holds ops of one queue only, so that claiming in order is starting in order.
#include "runtime/engine/no_scheduler.h"

namespace detent {

namespace {

const std::uint32_t *layer_bounds(const detent_context &c, std::uint32_t layer) {
  return c.fixed.layers.first + std::size_t{layer} * c.queue_count;
}

/// The first layer in which an op may stand, given what stands before it in topological order.
std::uint32_t layer_for(detent_context &c, OpId op, OpId previous_op) {
  std::uint32_t layer = c.fixed.layers.layer_of[op];
  const detent_slice mutexes = c.graph.desc->ops[op].mutexes;
  for (std::uint32_t i = 0; i < mutexes.count; ++i) {
    std::uint32_t &used = c.fixed.layers.last_of_mutex[c.graph.desc->mutex_refs[mutexes.first + i]];
    if (used > layer) layer = used;
  }
  if (c.policy.strict && previous_op != DETENT_NONE) {
    const bool same_queue = c.graph.nodes[op].queue == c.graph.nodes[previous_op].queue;
    const std::uint32_t least = c.fixed.layers.layer_of[previous_op] + (same_queue ? 0 : 1);
    if (least > layer) layer = least;
  }
  for (std::uint32_t i = 0; i < mutexes.count; ++i) {
    c.fixed.layers.last_of_mutex[c.graph.desc->mutex_refs[mutexes.first + i]] = layer + 1;
  }
  return layer;
}

void assign_layers(detent_context &c) {
  Layers &layers = c.fixed.layers;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) layers.layer_of[op] = 0;
  for (std::uint32_t mutex = 0; mutex < c.graph.desc->mutex_count; ++mutex) layers.last_of_mutex[mutex] = 0;
  layers.layer_count = 0;
  std::uint32_t previous_op = DETENT_NONE;
  for (std::uint32_t i = 0; i < c.graph.desc->op_count; ++i) {
    const OpId op = c.graph.serial_order[i];
    const std::uint32_t layer = layer_for(c, op, previous_op);
    layers.layer_of[op] = layer;
    if (layer >= layers.layer_count) layers.layer_count = layer + 1;
    const Node &node = c.graph.nodes[op];
    for (std::uint32_t k = 0; k < node.successor_count; ++k) {
      std::uint32_t &next = layers.layer_of[c.graph.desc->successors[node.first_successor + k]];
      if (next <= layer) next = layer + 1;
    }
    previous_op = op;
  }
}

/// Dispatch the async ops of a layer; their answers are collected at the barrier.
void start_async_ops(detent_context &c, Worker &me, const std::uint32_t *bounds) {
  if (c.async_queue == DETENT_NONE) return;
  for (std::uint32_t i = bounds[c.async_queue]; i < bounds[c.async_queue + 1] && may_go_on(c, me); ++i) {
    const OpId op = c.fixed.layers.order[i];
    if ((c.graph.nodes[op].flags & kNodeDispatch) != 0) {
      start_answered_op(c, me, op);
    } else {
      run_op(c, me, op, 0);
    }
  }
}

void collect_async_ops(detent_context &c, Worker &me, const std::uint32_t *bounds) {
  if (c.async_queue == DETENT_NONE || c.op_states == nullptr) return;
  for (std::uint32_t i = bounds[c.async_queue]; i < bounds[c.async_queue + 1]; ++i) {
    const OpId op = c.fixed.layers.order[i];
    if ((c.graph.nodes[op].flags & kNodeDispatch) != 0) collect_answer(c, me, op);
  }
}

/// Send for as many other slots per queue as it has ops, less the one that slot 0 takes.
void send_for_help(detent_context &c, const std::uint32_t *bounds) {
  std::uint32_t asked[DETENT_MAX_CLASSES + 1] = {};
  asked[c.workers[0].core_class] = 1;
  for (SlotId slot = 1; slot < c.slot_count; ++slot) {
    const std::uint32_t queue = c.workers[slot].core_class;
    if (asked[queue] >= bounds[queue + 1] - bounds[queue]) continue;
    ++asked[queue];
    start_worker(c, slot);
  }
}

void claim_ops(detent_context &c, Worker &me) {
  const std::uint32_t queue = me.core_class;
  const std::uint32_t end = layer_bounds(c, c.fixed.layers.current)[queue + 1];
  while (may_go_on(c, me)) {
    const std::uint32_t position = fetch_add_seq_cst(me.site, c.fixed.layers.claimed[queue], 1u);
    if (position >= end || !run_op(c, me, c.fixed.layers.order[position], 0)) return;
  }
}

void run_layer(detent_context &c, Worker &me, std::uint32_t layer) {
  const std::uint32_t *const bounds = layer_bounds(c, layer);
  c.fixed.layers.current = layer;
  for (std::uint32_t queue = 0; queue < c.queue_count; ++queue) {
    store_relaxed(me.site, c.fixed.layers.claimed[queue], bounds[queue]);
  }
  start_async_ops(c, me, bounds);
  send_for_help(c, bounds);
  claim_ops(c, me);
  wait_for_workers(c, me);
  collect_async_ops(c, me, bounds);
}

}  // namespace

void lay_out_layers(detent_context &c) {
  assign_layers(c);
  Layers &layers = c.fixed.layers;
  const std::size_t cells = std::size_t{layers.layer_count} * c.queue_count;
  for (std::size_t i = 0; i <= cells; ++i) layers.first[i] = 0;
  const auto cell_of = [&](OpId op) {
    return std::size_t{layers.layer_of[op]} * c.queue_count + c.graph.nodes[op].queue;
  };
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) ++layers.first[cell_of(op) + 1];
  for (std::size_t i = 0; i < cells; ++i) layers.first[i + 1] += layers.first[i];
  for (Rank rank = 0; rank < c.graph.desc->op_count; ++rank) {
    const OpId op = c.graph.op_of_rank[rank];
    layers.order[layers.first[cell_of(op)]++] = op;
  }
  for (std::size_t i = cells; i > 0; --i) layers.first[i] = layers.first[i - 1];  // undo the filling
  layers.first[0] = 0;
}

void work_layer(detent_context &c, Worker &me) {
  claim_ops(c, me);
  finish_worker(c, me);
}

Outcome run_layered(detent_context &c) {
  Worker &me = c.workers[0];
  open_unscheduled_run(c);
  for (std::uint32_t layer = 0; layer < c.fixed.layers.layer_count && may_go_on(c, me); ++layer)
    run_layer(c, me, layer);
  return close_unscheduled_run(c);
}

}  // namespace detent
