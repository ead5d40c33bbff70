// Policies that look at the graph: critical path first, and an order given by the caller.
#include <detent/policy.h>

#include "runtime/base/sort.h"

namespace {

bool in_table(detent_slice slice, uint32_t count) { return slice.first <= count && slice.count <= count - slice.first; }

/// How many edges enter each op. The graph is not trusted: policies can be called before any check.
detent_status count_indegrees(const detent_desc *desc, uint32_t *indegree) {
  for (uint32_t op = 0; op < desc->op_count; ++op) indegree[op] = 0;
  for (uint32_t op = 0; op < desc->op_count; ++op) {
    const detent_slice next = desc->ops[op].successors;
    if (!in_table(next, desc->successor_count)) return DETENT_TABLE_RANGE;
    for (uint32_t i = 0; i < next.count; ++i) {
      const uint32_t to = desc->successors[next.first + i];
      if (to >= desc->op_count) return DETENT_SUCCESSOR_RANGE;
      ++indegree[to];
    }
  }
  return DETENT_OK;
}

/// Kahn's order; `order` doubles as the queue. Uses up `indegree`.
detent_status topological_order(const detent_desc *desc, uint32_t *indegree, uint32_t *order) {
  uint32_t tail = 0;
  for (uint32_t op = 0; op < desc->op_count; ++op) {
    if (indegree[op] == 0) order[tail++] = op;
  }
  for (uint32_t head = 0; head < tail; ++head) {
    const detent_slice next = desc->ops[order[head]].successors;
    for (uint32_t i = 0; i < next.count; ++i) {
      const uint32_t to = desc->successors[next.first + i];
      if (--indegree[to] == 0) order[tail++] = to;
    }
  }
  return tail == desc->op_count ? DETENT_OK : DETENT_CYCLE;
}

uint64_t cost_of(const detent_desc *desc, uint32_t op) {
  if (desc->costs == nullptr) return 1;
  const detent_op_cost &cost = desc->costs[op];
  if (cost.worst_ps != UINT64_MAX) return cost.worst_ps;
  return cost.flops != 0 ? cost.flops : 1;
}

uint64_t add_saturating(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

/// bottom[op] = cost of the most expensive path that starts with op.
void bottom_levels(const detent_desc *desc, const uint32_t *order, uint64_t *bottom) {
  for (uint32_t i = desc->op_count; i-- > 0;) {
    const uint32_t op = order[i];
    const detent_slice next = desc->ops[op].successors;
    uint64_t longest = 0;
    for (uint32_t k = 0; k < next.count; ++k) {
      const uint64_t after = bottom[desc->successors[next.first + k]];
      if (after > longest) longest = after;
    }
    bottom[op] = add_saturating(longest, cost_of(desc, op));
  }
}

detent_status rank_by_critical_path(void *, const detent_desc *desc, uint32_t *rank, uint64_t *work) {
  const uint32_t count = desc->op_count;
  uint64_t *const bottom = work;
  uint32_t *const order = reinterpret_cast<uint32_t *>(work + count);
  uint32_t *const indegree = order + count;
  detent_status status = count_indegrees(desc, indegree);
  if (status == DETENT_OK) status = topological_order(desc, indegree, order);
  if (status != DETENT_OK) return status;
  bottom_levels(desc, order, bottom);
  for (uint32_t op = 0; op < count; ++op) order[op] = op;
  detent::radix_sort_ids(order, indegree, count, [bottom](uint32_t op) { return UINT64_MAX - bottom[op]; });
  for (uint32_t position = 0; position < count; ++position) rank[order[position]] = position;
  return DETENT_OK;
}

/// Kahn's order is that in which ops become ready one after another.
detent_status rank_by_arrival(void *, const detent_desc *desc, uint32_t *rank, uint64_t *work) {
  uint32_t *const order = reinterpret_cast<uint32_t *>(work);
  uint32_t *const indegree = order + desc->op_count;
  detent_status status = count_indegrees(desc, indegree);
  if (status == DETENT_OK) status = topological_order(desc, indegree, order);
  if (status != DETENT_OK) return status;
  for (uint32_t position = 0; position < desc->op_count; ++position) rank[order[position]] = position;
  return DETENT_OK;
}

bool respects_edges(const detent_desc *desc, const uint32_t *rank) {
  for (uint32_t op = 0; op < desc->op_count; ++op) {
    const detent_slice next = desc->ops[op].successors;
    if (!in_table(next, desc->successor_count)) return false;
    for (uint32_t i = 0; i < next.count; ++i) {
      const uint32_t to = desc->successors[next.first + i];
      if (to >= desc->op_count || rank[to] <= rank[op]) return false;
    }
  }
  return true;
}

detent_status rank_as_given(void *self, const detent_desc *desc, uint32_t *rank, uint64_t *) {
  const auto *given = static_cast<const detent_given_order *>(self);
  if (given == nullptr || given->ops == nullptr || given->count != desc->op_count) return DETENT_INVALID_ARGUMENT;
  for (uint32_t op = 0; op < desc->op_count; ++op) rank[op] = DETENT_NONE;
  for (uint32_t position = 0; position < given->count; ++position) {
    const uint32_t op = given->ops[position];
    if (op >= desc->op_count || rank[op] != DETENT_NONE) return DETENT_INVALID_ARGUMENT;
    rank[op] = position;
  }
  return respects_edges(desc, rank) ? DETENT_OK : DETENT_INVALID_ARGUMENT;
}

}  // namespace

extern "C" detent_policy detent_policy_fifo(void) { return {nullptr, "fifo", rank_by_arrival, false, false, true}; }

extern "C" detent_policy detent_policy_critical_path(void) {
  return {nullptr, "critical-path", rank_by_critical_path, false, false, false};
}

extern "C" detent_policy detent_policy_given(const detent_given_order *order) {
  return {const_cast<detent_given_order *>(order), "given", rank_as_given, false, true, false};
}
