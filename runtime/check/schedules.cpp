// Static schedule checks: every op stands in exactly one list, and the lists can be followed to their ends.
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// Fills work.next and counts each list's edges into work.indegree. Lists together are a permutation of the ops.
detent_error check_lists_hold_each_op_once(const detent_desc &desc, const detent_static_schedule &schedule,
                                           const GraphWork &work) {
  for (OpId op = 0; op < desc.op_count; ++op) work.order[op] = 0;  // 1: seen
  std::uint32_t seen = 0;
  for (SlotId worker = 0; worker < schedule.worker_count; ++worker) {
    const detent_slice list = schedule.lists[worker];
    if (!slice_in_table(list, desc.op_count)) return make_error(DETENT_TABLE_RANGE);
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const OpId op = schedule.list_ops[list.first + i];
      if (op >= desc.op_count || work.order[op] != 0) return make_error(DETENT_TABLE_RANGE, {.op = op});
      work.order[op] = 1;
      ++seen;
      const bool last = i + 1 == list.count;
      work.next[op] = last ? DETENT_NONE : schedule.list_ops[list.first + i + 1];
      if (i != 0) ++work.indegree[op];
    }
  }
  return make_error(seen == desc.op_count ? DETENT_OK : DETENT_TABLE_RANGE);
}

/// Kahn over DAG edges and list edges together; an op left over waits for itself.
detent_error check_lists_do_not_deadlock(const detent_desc &desc, const GraphWork &work) {
  std::uint32_t tail = 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (work.indegree[op] == 0) work.order[tail++] = op;
  }
  for (std::uint32_t head = 0; head < tail; ++head) {
    const OpId op = work.order[head];
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) {
      const std::uint32_t to = desc.successors[next.first + i];
      if (--work.indegree[to] == 0) work.order[tail++] = to;
    }
    const std::uint32_t listed = work.next[op];
    if (listed != DETENT_NONE && --work.indegree[listed] == 0) work.order[tail++] = listed;
  }
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (work.indegree[op] != 0) return make_error(DETENT_CYCLE, {.op = op, .other_op = work.next[op]});
  }
  return make_error(DETENT_OK);
}

detent_error check_schedule(const detent_desc &desc, const detent_static_schedule &schedule, const GraphWork &work) {
  if (schedule.worker_count == 0 || schedule.worker_count > DETENT_MAX_WORKERS) return make_error(DETENT_TABLE_RANGE);
  if (schedule.lists == nullptr || schedule.list_ops == nullptr) return make_error(DETENT_INVALID_ARGUMENT);
  for (OpId op = 0; op < desc.op_count; ++op) work.indegree[op] = desc.ops[op].entry_count;
  const detent_error error = check_lists_hold_each_op_once(desc, schedule, work);
  return error.status != DETENT_OK ? error : check_lists_do_not_deadlock(desc, work);
}

}  // namespace

detent_error check_schedules(const detent_desc &desc, const GraphWork &work) {
  for (std::uint32_t i = 0; i < desc.schedule_count; ++i) {
    const detent_error error = check_schedule(desc, desc.schedules[i], work);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

}  // namespace detent
