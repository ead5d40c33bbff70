// Ranks: the policy's permutation, and what each mode derives from it.
#include "runtime/bind/bind.h"
#include "runtime/engine/engine.h"

namespace detent {

namespace {

/// rank[] is a permutation: fills op_of_rank, DETENT_NONE marks places not yet taken.
bool invert(const detent_context &c, std::uint32_t *op_of_rank) {
  const std::uint32_t count = c.graph.desc->op_count;
  for (std::uint32_t i = 0; i < count; ++i) op_of_rank[i] = DETENT_NONE;
  for (OpId op = 0; op < count; ++op) {
    const Rank rank = c.graph.rank[op];
    if (rank >= count || op_of_rank[rank] != DETENT_NONE) return false;
    op_of_rank[rank] = op;
  }
  return true;
}

/// By arrival, the ops that are ready from the beginning have the first places.
bool fits_arrival(const detent_context &c) {
  if (!c.policy.by_arrival) return true;
  if (c.policy.strict) return false;
  std::uint32_t entries = 0;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) entries += c.graph.nodes[op].entry_count == 0 ? 1 : 0;
  for (Rank rank = 0; rank < entries; ++rank) {
    if (c.graph.nodes[c.graph.op_of_rank[rank]].entry_count != 0) return false;
  }
  return true;
}

void fill_entry_sets(detent_context &c) {
  for (std::uint32_t queue = 0; queue < c.queue_count; ++queue) c.loop.entry_ready[queue].clear_all();
  c.loop.entry_count = 0;
  c.loop.entry_ns = 0;
  bool constrained = false;
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    const Node &node = c.graph.nodes[op];
    constrained = constrained || (node.flags & (kNodeMutex | kNodePinned)) != 0;
    if (node.entry_count != 0) continue;
    c.loop.entry_ready[node.queue].set(node.rank);
    ++c.loop.entry_count;
    c.loop.entry_ns += node.cost_ns;
  }
  c.loop.plain = c.queue_count == 1 && !constrained && !c.policy.strict && !c.policy.by_arrival;
}

/// Op ids in topological order, best rank first (Kahn with the ready set as the queue). Returns how many.
std::uint32_t order_by_rank(detent_context &c, std::uint32_t *order) {
  ReadySet &ready = c.loop.ready[0];
  ready.clear_all();
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) {
    c.graph.nodes[op].indegree = c.graph.nodes[op].entry_count;
    if (c.graph.nodes[op].entry_count == 0) ready.set(c.graph.nodes[op].rank);
  }
  std::uint32_t count = 0;
  while (!ready.empty()) {
    const Rank rank = ready.first();
    if (c.policy.strict && rank != count) break;
    ready.clear(rank);
    const OpId op = c.graph.op_of_rank[rank];
    Node &node = c.graph.nodes[op];
    order[count++] = op;
    node.indegree = node.entry_count;
    for (std::uint32_t i = 0; i < node.successor_count; ++i) {
      Node &next = c.graph.nodes[c.graph.desc->successors[node.first_successor + i]];
      if (--next.indegree == 0) ready.set(next.rank);
    }
  }
  return count;
}

detent_error lay_out_mode(detent_context &c) {
  if (c.graph.serial_order == nullptr) return make_error(DETENT_OK);
  const std::uint32_t ordered = order_by_rank(c, c.graph.serial_order);
  if (ordered != c.graph.desc->op_count) return make_error(DETENT_STALLED, {.op = c.graph.op_of_rank[ordered]});
  if (c.mode == DETENT_MODE_LAYERED) lay_out_layers(c);
  if (c.mode == DETENT_MODE_STATIC) return lay_out_lists(c);
  return make_error(DETENT_OK);
}

}  // namespace

detent_error take_ranks(detent_context &c) {
  const detent_status status = c.policy.rank(c.policy.self, c.graph.desc, c.graph.rank, c.graph.policy_work);
  if (status != DETENT_OK) return make_error(status);
  if (!invert(c, c.graph.op_of_rank) || !fits_arrival(c)) return make_error(DETENT_INVALID_ARGUMENT);
  for (OpId op = 0; op < c.graph.desc->op_count; ++op) c.graph.nodes[op].rank = c.graph.rank[op];
  fill_entry_sets(c);
  return lay_out_mode(c);
}

}  // namespace detent
