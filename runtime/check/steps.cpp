// Plan step checks (B30): targets, conditions, bounds, and that every way through the plan ends.
#include "runtime/base/ids.h"
#include "runtime/check/internal.h"

namespace detent {
namespace {

/// Where a step can go on. The plan's end is target step_count.
struct Targets {
  std::uint32_t first;
  std::uint32_t second;  ///< DETENT_NONE: only one
};

Targets targets_of(const detent_step &step, std::uint32_t index) {
  const std::uint32_t kind = raw_value(step.kind);
  if (kind == DETENT_STEP_EXEC) return {index + 1, DETENT_NONE};
  if (kind == DETENT_STEP_GOTO) return {step.then_step, DETENT_NONE};
  return {step.then_step, step.else_step};
}

bool is_condition(const detent_desc &desc, TensorId tensor) {
  if (tensor >= desc.tensor_count) return false;
  return desc.tensors[tensor].dtype == DETENT_BOOL && desc.tensors[tensor].block_bytes == 1 &&
         desc.tensors[tensor].block_count == 1;
}

/// A step by itself. A step that is its own target is a body that enters itself.
bool is_well_formed(const detent_desc &desc, std::uint32_t index) {
  const detent_step &step = desc.steps[index];
  const std::uint32_t kind = raw_value(step.kind);
  if (kind > DETENT_STEP_GOTO) return false;
  if (kind == DETENT_STEP_EXEC) return slice_in_table(step.ops, desc.op_count);
  const Targets targets = targets_of(step, index);
  if (targets.first > desc.step_count || targets.first == index) return false;
  if (kind == DETENT_STEP_GOTO) return true;
  if (targets.second > desc.step_count || targets.second == index) return false;
  return is_condition(desc, step.condition) && (kind != DETENT_STEP_WHILE || step.max_iterations > 0);
}

detent_error check_op_in_one_step(const detent_desc &desc, const StepsWork &work) {
  for (OpId op = 0; op < desc.op_count; ++op) work.op_step[op] = DETENT_NONE;
  for (std::uint32_t index = 0; index < desc.step_count; ++index) {
    if (raw_value(desc.steps[index].kind) != DETENT_STEP_EXEC) continue;
    const detent_slice ops = desc.steps[index].ops;
    for (OpId op = ops.first; op < ops.first + ops.count; ++op) {
      if (work.op_step[op] != DETENT_NONE) return make_error(DETENT_PLAN_STEP, {.op = op});
      work.op_step[op] = index;
    }
  }
  return make_error(DETENT_OK);
}

template <typename Visit>
void for_each_target(const detent_desc &desc, std::uint32_t index, const Visit &visit) {
  const Targets targets = targets_of(desc.steps[index], index);
  visit(targets.first);
  if (targets.second != DETENT_NONE) visit(targets.second);
}

bool is_while(const detent_desc &desc, std::uint32_t index) {
  return index < desc.step_count && raw_value(desc.steps[index].kind) == DETENT_STEP_WHILE;
}

/// Only a WHILE bounds its iterations: without them the steps must form a DAG, or a body enters itself unbounded.
bool every_loop_has_a_bound(const detent_desc &desc, const StepsWork &work) {
  const std::uint32_t end = desc.step_count;
  for (std::uint32_t i = 0; i <= end; ++i) work.indegree[i] = 0;
  for (std::uint32_t i = 0; i < end; ++i) {
    if (!is_while(desc, i)) for_each_target(desc, i, [&](std::uint32_t to) { ++work.indegree[to]; });
  }
  std::uint32_t tail = 0;
  for (std::uint32_t i = 0; i <= end; ++i) {
    if (work.indegree[i] == 0) work.queue[tail++] = i;
  }
  for (std::uint32_t head = 0; head < tail; ++head) {
    const std::uint32_t step = work.queue[head];
    if (step == end || is_while(desc, step)) continue;
    for_each_target(desc, step, [&](std::uint32_t to) {
      if (--work.indegree[to] == 0) work.queue[tail++] = to;
    });
  }
  return tail == end + 1;
}

/// sources[first[t], first[t + 1]) = the steps that can go on with step t.
void reverse_targets(const detent_desc &desc, const StepsWork &work) {
  const std::uint32_t end = desc.step_count;
  for (std::uint32_t i = 0; i <= end + 1; ++i) work.first[i] = 0;
  for (std::uint32_t i = 0; i < end; ++i) for_each_target(desc, i, [&](std::uint32_t to) { ++work.first[to]; });
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i <= end + 1; ++i) {
    sum += work.first[i];
    work.first[i] = sum;
  }
  for (std::uint32_t i = end; i-- > 0;) {
    for_each_target(desc, i, [&](std::uint32_t to) { work.sources[--work.first[to]] = i; });
  }
}

/// Can the end be reached from every step? Goes back from the end; indegree serves as the mark.
/// Returns a step that cannot, or DETENT_NONE.
std::uint32_t find_step_without_exit(const detent_desc &desc, const StepsWork &work) {
  const std::uint32_t end = desc.step_count;
  reverse_targets(desc, work);
  for (std::uint32_t i = 0; i <= end; ++i) work.indegree[i] = 0;
  std::uint32_t tail = 0;
  work.queue[tail++] = end;
  work.indegree[end] = 1;
  for (std::uint32_t head = 0; head < tail; ++head) {
    const std::uint32_t at = work.queue[head];
    for (std::uint32_t i = work.first[at]; i < work.first[at + 1]; ++i) {
      const std::uint32_t from = work.sources[i];
      if (work.indegree[from] != 0) continue;
      work.indegree[from] = 1;
      work.queue[tail++] = from;
    }
  }
  for (std::uint32_t i = 0; i < end; ++i) {
    if (work.indegree[i] == 0) return i;
  }
  return DETENT_NONE;
}

}  // namespace

StepsWork take_steps_work(Arena &arena, const detent_desc &desc) {
  const std::size_t steps = desc.step_count;
  StepsWork work{};
  if (steps == 0) return work;
  work.op_step = arena.take_array<std::uint32_t>(desc.op_count);
  work.indegree = arena.take_array<std::uint32_t>(steps + 1);
  work.queue = arena.take_array<std::uint32_t>(steps + 1);
  work.first = arena.take_array<std::uint32_t>(steps + 2);
  work.sources = arena.take_array<std::uint32_t>(2 * steps);
  return work;
}

detent_error check_steps(const detent_desc &desc, const StepsWork &work) {
  if (desc.step_count == 0) return make_error(DETENT_OK);
  for (std::uint32_t index = 0; index < desc.step_count; ++index) {
    if (!is_well_formed(desc, index)) return make_error(DETENT_PLAN_STEP, {.code = static_cast<std::int32_t>(index)});
  }
  const detent_error error = check_op_in_one_step(desc, work);
  if (error.status != DETENT_OK) return error;
  if (!every_loop_has_a_bound(desc, work)) return make_error(DETENT_PLAN_STEP);
  const std::uint32_t lost = find_step_without_exit(desc, work);
  if (lost == DETENT_NONE) return make_error(DETENT_OK);
  return make_error(DETENT_PLAN_STEP, {.code = static_cast<std::int32_t>(lost)});
}

}  // namespace detent
