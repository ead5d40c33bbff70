// Graph checks: successor lists -> a DAG whose entry counts are right.
#include "runtime/check_internal.h"

namespace detent {
namespace {

/// Lists ascend strictly, which is how a duplicate is told; a list out of order counts as one (B23).
detent_error check_successor_list(const detent_desc &desc, std::uint32_t op) {
  const detent_slice next = desc.ops[op].successors;
  for (std::uint32_t i = 0; i < next.count; ++i) {
    const std::uint32_t to = desc.successors[next.first + i];
    const Place place{.op = op, .other_op = to};
    if (to >= desc.op_count) return make_error(DETENT_SUCCESSOR_RANGE, place);
    if (to == op) return make_error(DETENT_SELF_EDGE, place);
    if (i != 0 && to <= desc.successors[next.first + i - 1]) return make_error(DETENT_DUPLICATE_EDGE, place);
  }
  return make_error(DETENT_OK);
}

void count_indegrees(const detent_desc &desc, std::uint32_t *indegree) {
  for (std::uint32_t op = 0; op < desc.op_count; ++op) indegree[op] = 0;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) ++indegree[desc.successors[next.first + i]];
  }
}

/// Kahn 1962. Returns how many ops were ordered; the indegree of every other op stays above 0.
std::uint32_t order_ops(const detent_desc &desc, const GraphWork &work) {
  std::uint32_t tail = 0;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if (work.indegree[op] == 0) work.order[tail++] = op;
  }
  for (std::uint32_t head = 0; head < tail; ++head) {
    const detent_slice next = desc.ops[work.order[head]].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) {
      const std::uint32_t to = desc.successors[next.first + i];
      if (--work.indegree[to] == 0) work.order[tail++] = to;
    }
  }
  return tail;
}

/// Each op that could not be ordered has a predecessor that could not either: going back op_count times ends on a
/// cycle. Overwrites `order`.
detent_error name_cycle(const detent_desc &desc, const GraphWork &work) {
  std::uint32_t *const before = work.order;
  std::uint32_t at = DETENT_NONE;
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if (work.indegree[op] == 0) continue;
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) before[desc.successors[next.first + i]] = op;
    at = op;
  }
  for (std::uint32_t i = 0; i < desc.op_count; ++i) at = before[at];
  return make_error(DETENT_CYCLE, {.op = before[at], .other_op = at});
}

detent_error check_some_op_can_start(const detent_desc &desc) {
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if (desc.ops[op].entry_count == 0) return make_error(DETENT_OK);
  }
  return make_error(DETENT_NO_ENTRY);
}

detent_error check_entry_counts(const detent_desc &desc, std::uint32_t *indegree) {
  count_indegrees(desc, indegree);
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    if (desc.ops[op].entry_count != indegree[op]) return make_error(DETENT_INDEGREE, {.op = op});
  }
  return make_error(DETENT_OK);
}

}  // namespace

GraphWork take_graph_work(Arena &arena, const detent_desc &desc) {
  GraphWork work{};
  work.indegree = arena.take_array<std::uint32_t>(desc.op_count);
  work.order = arena.take_array<std::uint32_t>(desc.op_count);
  work.next = arena.take_array<std::uint32_t>(desc.schedule_count == 0 ? 0 : desc.op_count);
  return work;
}

detent_error check_edges(const detent_desc &desc) {
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_error error = check_successor_list(desc, op);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

detent_error check_order(const detent_desc &desc, const GraphWork &work) {
  count_indegrees(desc, work.indegree);
  if (order_ops(desc, work) != desc.op_count) return name_cycle(desc, work);
  const detent_error error = check_some_op_can_start(desc);
  return error.status != DETENT_OK ? error : check_entry_counts(desc, work.indegree);
}

}  // namespace detent
