// Graph checks: successor lists -> a DAG whose entry counts are right.
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// Lists ascend strictly, which is how a duplicate is told; a list out of order counts as one (B23).
detent_error check_successor_list(const detent_desc &desc, OpId op) {
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
  for (OpId op = 0; op < desc.op_count; ++op) indegree[op] = 0;
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) ++indegree[desc.successors[next.first + i]];
  }
}

/// Ids that are ready, the lowest on top: a binary heap in the caller's memory.
class ReadyHeap {
 public:
  explicit ReadyHeap(std::uint32_t *memory) : at_(memory) {}
  [[nodiscard]] bool empty() const { return count_ == 0; }

  void push(OpId op) {
    std::uint32_t hole = count_++;
    for (; hole != 0 && at_[(hole - 1) / 2] > op; hole = (hole - 1) / 2) at_[hole] = at_[(hole - 1) / 2];
    at_[hole] = op;
  }

  std::uint32_t pop() {
    const std::uint32_t top = at_[0];
    const std::uint32_t last = at_[--count_];
    std::uint32_t hole = 0;
    for (std::uint32_t child = 1; child < count_; child = 2 * hole + 1) {
      if (child + 1 < count_ && at_[child + 1] < at_[child]) ++child;
      if (at_[child] >= last) break;
      at_[hole] = at_[child];
      hole = child;
    }
    at_[hole] = last;
    return top;
  }

 private:
  std::uint32_t *at_;
  std::uint32_t count_ = 0;
};

/// Kahn 1962, lowest id first: ids that are a topological order keep it. Fills `position`. Returns how many ops were
/// ordered; the indegree of every other op stays above 0.
std::uint32_t order_ops(const detent_desc &desc, const GraphWork &work, std::uint32_t *position) {
  ReadyHeap ready(work.order);
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (work.indegree[op] == 0) ready.push(op);
  }
  std::uint32_t count = 0;
  while (!ready.empty()) {
    const OpId op = ready.pop();
    position[op] = count++;
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) {
      const std::uint32_t to = desc.successors[next.first + i];
      if (--work.indegree[to] == 0) ready.push(to);
    }
  }
  return count;
}

/// Each op that could not be ordered has a predecessor that could not either: going back op_count times ends on a
/// cycle. Overwrites `order`.
detent_error name_cycle(const detent_desc &desc, const GraphWork &work) {
  std::uint32_t *const before = work.order;
  std::uint32_t at = DETENT_NONE;
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (work.indegree[op] == 0) continue;
    const detent_slice next = desc.ops[op].successors;
    for (std::uint32_t i = 0; i < next.count; ++i) before[desc.successors[next.first + i]] = op;
    at = op;
  }
  for (std::uint32_t i = 0; i < desc.op_count; ++i) at = before[at];
  return make_error(DETENT_CYCLE, {.op = before[at], .other_op = at});
}

detent_error check_some_op_can_start(const detent_desc &desc) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (desc.ops[op].entry_count == 0) return make_error(DETENT_OK);
  }
  return make_error(DETENT_NO_ENTRY);
}

detent_error check_entry_counts(const detent_desc &desc, std::uint32_t *indegree) {
  count_indegrees(desc, indegree);
  for (OpId op = 0; op < desc.op_count; ++op) {
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
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_error error = check_successor_list(desc, op);
    if (error.status != DETENT_OK) return error;
  }
  return make_error(DETENT_OK);
}

detent_error check_order(const detent_desc &desc, const GraphWork &work, std::uint32_t *position) {
  count_indegrees(desc, work.indegree);
  if (order_ops(desc, work, position) != desc.op_count) return name_cycle(desc, work);
  const detent_error error = check_some_op_can_start(desc);
  return error.status != DETENT_OK ? error : check_entry_counts(desc, work.indegree);
}

}  // namespace detent
