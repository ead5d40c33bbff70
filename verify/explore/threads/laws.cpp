// The laws of one run, from checkpoints and from what detent_run returns.
#include "verify/explore/threads/laws.hpp"

#include <algorithm>

#include "runtime/engine/context.h"
#include "verify/graph/mutexes.hpp"
#include "verify/static/buffer_race.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::explore {

EngineLaws::EngineLaws(const detent_desc& desc, const ThreadOptions& options, World& world)
    : desc_(desc), options_(options), world_(world), ops_(desc.op_count) {
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    const detent_op& row = desc.ops[op];
    for (std::uint32_t i = 0; i < row.successors.count; ++i) {
      ops_[desc.successors[row.successors.first + i]].predecessors.push_back(op);
    }
    const bool is_async = desc.classes[row.core_class].kind == DETENT_CLASS_ASYNC;
    ops_[op].answered_later = is_async && options.async_answers;
    if (is_async) ++async_count_;
  }
  for (const std::uint32_t op : options.failing_ops) ops_[op].fails = true;
  for (const Race& race : find_races(desc).races.listed) ops_[race.op_a].races = ops_[race.op_b].races = true;
}

void EngineLaws::begin_execution() {
  in_run_ = false;
  late_begins_ = 0;
  role_holder_ = kNoThread;
  role_left_ = {kNoThread, 0};
  context_ = nullptr;
}

void EngineLaws::begin_run(const detent_context* context) {
  context_ = context;
  in_run_ = true;
  late_begins_ = 0;
  run_begin_ps_ = world_.time_ps();
  for (OpState& op : ops_) op.begun = op.ended = op.took_too_long = false;
  under_way_ = 0;
  last_ended_.assign(kMaxThreads, DETENT_NONE);
}

bool EngineLaws::has_seen_end(const OpState& op) const {
  if (!world_.is_controlled()) return true;
  return world_.knowledge()->seen(world_.current())[op.end_thread] >= op.end_mark;
}

/// Before an op begins: is another one under way, or has one ended of which this thread cannot know?
void EngineLaws::note_company() {
  if (!in_run_ || !world_.is_controlled()) return;
  bool together = under_way_ != 0;
  for (ThreadId t = 0; t < world_.knowledge()->thread_count() && !together; ++t) {
    together = last_ended_[t] != DETENT_NONE && !has_seen_end(ops_[last_ended_[t]]);
  }
  ++(together ? points_.ops_together : points_.ops_apart);
}

/// When the engine gave out an op that begins on `slot`, by its own record.
std::uint64_t EngineLaws::given_ps(std::uint32_t op, std::uint32_t slot) const {
  const bool is_async = (context_->graph.nodes[op].flags & kNodeAsync) != 0 && context_->mode != DETENT_MODE_SERIAL;
  const bool is_answered = is_async && (context_->graph.nodes[op].flags & kNodeDispatch) != 0;
  if (is_answered) return context_->op_states[op].begin_ps;
  if (is_async && context_->mode == DETENT_MODE_CLOSED_LOOP) return world_.time_ps();  // a call of the role's holder
  return context_->workers[slot].busy.begin_ps;
}

void EngineLaws::op_begins(std::uint32_t op, std::uint32_t slot) {
  world_.flush();
  OpState& state = ops_[op];
  note_company();
  if (!state.answered_later) ++under_way_;
  if (!in_run_ && late_begins_-- == 0) fail("op_once", op_name(desc_, op) + " begins outside a run");
  if (state.begun) fail("op_once", op_name(desc_, op) + " begins twice");
  state.begun = true;
  state.begin_ps = world_.time_ps();
  if (has_deadline()) state.given_ps = given_ps(op, slot);
  if (has_deadline() && (state.given_ps > state.begin_ps || (in_run_ && state.given_ps < earliest_ps(op)))) {
    fail("deadline", op_name(desc_, op) + " begins and its deadline is taken from another time");
  }
  for (const std::uint32_t before : state.predecessors) {
    const OpState& other = ops_[before];
    if (!other.ended || other.fails) {
      fail("predecessors", op_name(desc_, op) + " begins although " + op_name(desc_, before) +
                               (other.ended ? " has failed" : " has not ended"));
    } else if (!has_seen_end(other)) {
      fail("happens_before", op_name(desc_, op) + " begins without having seen the end of " + op_name(desc_, before));
    }
  }
  for (std::uint32_t other = 0; other < desc_.op_count && desc_.ops[op].mutexes.count != 0; ++other) {
    if (other == op || !ops_[other].begun || !share_mutex(desc_, op, other)) continue;
    if (!ops_[other].ended)
      fail("mutex", op_name(desc_, op) + " begins while " + op_name(desc_, other) + " holds their mutex");
    if (ops_[other].ended && !has_seen_end(ops_[other])) {
      fail("happens_before",
           op_name(desc_, op) + " takes a mutex without having seen the end of " + op_name(desc_, other));
    }
  }
  if (!state.answered_later) execute_body(state);
}

/// Between begin and end of an op: bytes that race, and, with a deadline, the time it takes.
void EngineLaws::execute_body(const OpState& state) {
  // Late, and by more than the two ticks that a watch may err by (runtime/engine/ticks.h).
  if (has_deadline()) world_.may_take(options_.op_deadline_ps + options_.op_deadline_ps / 16 + 2);
  if (state.races || has_deadline()) {
    world_.step({.kind = StepKind::kOp, .exclusive = state.races, .object = kOpObject});
  }
}

void EngineLaws::op_ends(std::uint32_t op) {
  world_.flush();
  OpState& state = ops_[op];
  if (!state.answered_later && under_way_ != 0) --under_way_;
  state.ended = true;
  state.end_ps = world_.time_ps();
  state.took_too_long = has_deadline() && state.end_ps - state.begin_ps > options_.op_deadline_ps;
  if (in_run_) last_ended_[world_.current()] = op;
  state.end_thread = world_.current();
  if (world_.is_controlled()) state.end_mark = world_.knowledge()->mark(world_.current());
}

void EngineLaws::begin_answer(std::uint32_t op) {
  execute_body(ops_[op]);
  op_ends(op);
}

void EngineLaws::end_answer(std::uint32_t op, std::uint32_t nth, detent_status status) {
  if (nth == 0 && status != DETENT_OK) {
    fail("answers", "the answer for " + op_name(desc_, op) + " is refused: " + detent_status_name(status));
  }
  if (nth == 0) return;
  ++points_.refused_answers;
  if (status != DETENT_FOREIGN_COMPLETION)
    fail("answers", "a second answer for " + op_name(desc_, op) + " is accepted");
}

/// Other workers whose op has ended and has not been counted yet: their completions wait for the scheduler.
void EngineLaws::note_completions() {
  if (options_.engine.mode != DETENT_MODE_CLOSED_LOOP || context_ == nullptr || !in_run_) return;
  std::uint32_t waiting = 0;
  for (std::uint32_t slot = context_->first_worker; slot < context_->slot_count; ++slot) {
    const std::uint32_t op = context_->workers[slot].busy.op;
    if (slot != world_.current() && op != DETENT_NONE && ops_[op].ended) ++waiting;
  }
  if (waiting == 0) {
    ++points_.complete_empty;
  } else {
    ++(waiting + 1 >= context_->worker_count ? points_.complete_full : points_.complete_some);
  }
}

/// What the holder of the role writes is plain memory: the next one must have seen it. Sequential consistency shows it
/// to everybody, so that only a memory model asks.
void EngineLaws::check_role_seen() {
  if (world_.memory() == nullptr || !world_.is_controlled() || role_left_.thread == kNoThread) return;
  if (world_.knowledge()->seen(world_.current())[role_left_.thread] < role_left_.time) {
    fail("happens_before", "the scheduler role is taken without having seen what its last holder did");
  }
}

void EngineLaws::note_role_left() {
  if (world_.memory() == nullptr || !world_.is_controlled()) return;
  role_left_ = {world_.current(), world_.knowledge()->mark(world_.current())};
}

void EngineLaws::role_let_go() {
  if (context_ == nullptr) return;
  const Schedule& schedule = context_->loop.schedule;
  ++(schedule.ready_count == 0 ? points_.ready_empty : points_.ready_some);
  const bool all_that_is_left = schedule.ready_count + schedule.in_flight + schedule.completed == desc_.op_count;
  if (schedule.ready_count != 0 && all_that_is_left) ++points_.ready_full;
  if (schedule.ready_count > desc_.op_count) fail("queue_bounds", "more ops are ready than there are");
  if (schedule.in_flight > context_->worker_count + async_count_) {
    fail("queue_bounds", std::to_string(schedule.in_flight) + " ops are in flight on " +
                             std::to_string(context_->worker_count) + " workers");
  }
}

void EngineLaws::at_checkpoint(detent_checkpoint kind, std::uint32_t slot, std::uint32_t index) {
  switch (kind) {
    case DETENT_CP_OP_BEGIN:
      op_begins(index, slot);
      return;
    case DETENT_CP_OP_END:
      if (is_answered_later(index)) return;
      op_ends(index);
      note_completions();
      return;
    case DETENT_CP_LOCK:
      if (role_holder_ != kNoThread) fail("role", "two threads hold the scheduler role");
      role_holder_ = world_.current();
      check_role_seen();
      return;
    case DETENT_CP_UNLOCK:
      role_holder_ = kNoThread;
      note_role_left();
      role_let_go();
      return;
    case DETENT_CP_ATOMIC:
    case DETENT_CP_COMPARE:
    case DETENT_CP_QUEUE:
    case DETENT_CP_DISPATCH:
    case DETENT_CP_LOG:
      return;
  }
}

void EngineLaws::check_success(const detent_result& result, std::uint64_t digest) {
  if (result.ops_run != desc_.op_count) {
    fail("op_once", "the run counts " + std::to_string(result.ops_run) + " of " + std::to_string(desc_.op_count) +
                        " ops and returns OK");
  }
  for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
    if (!ops_[op].ended) {
      fail("op_once", "the run returns OK and " + op_name(desc_, op) + " has not ended");
    } else if (!has_seen_end(ops_[op])) {
      fail("happens_before", "the run returns without having seen the end of " + op_name(desc_, op));
    }
  }
  if (digest != expected_digest_) fail("output", "the output differs from that of serial execution");
}

void EngineLaws::check_status(const detent_result& result) {
  const detent_status status = result.error.status;
  const bool may_fail = !options_.failing_ops.empty();
  const bool late = status == DETENT_TIMEOUT && options_.op_deadline_ps != 0 && options_.early_timeouts != 0;
  const bool named = status == DETENT_KERNEL_FAILED && result.error.op < desc_.op_count &&
                     ops_[result.error.op].fails && ops_[result.error.op].ended;
  const bool allowed =
      (status == DETENT_OK && !may_fail) || named || late || (status == DETENT_CANCELLED && options_.cancel);
  if (!allowed) fail("status", std::string("the run returns ") + detent_status_name(status));
}

/// The status against what is in flight when it is returned.
void EngineLaws::check_in_flight(const detent_result& result) {
  const std::string returns = std::string("the run returns ") + detent_status_name(result.error.status);
  std::uint32_t in_flight = 0;
  for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
    if (!ops_[op].begun || ops_[op].ended) continue;
    ++in_flight;
    if (result.error.status != DETENT_TIMEOUT) {
      fail("drain", returns + " while " + op_name(desc_, op) + " is under way");
    } else if (!may_be_late(op)) {
      fail("deadline", returns + " while " + op_name(desc_, op) + " is under way and not late");
    }
  }
  const std::string counts = returns + " and counts " + std::to_string(result.ops_in_flight) + " ops in flight";
  if (result.error.status != DETENT_TIMEOUT && result.ops_in_flight != 0) fail("in_flight", counts);
  if (in_flight > result.ops_in_flight) fail("in_flight", counts + " of " + std::to_string(in_flight));
  late_begins_ = result.ops_in_flight - std::min(in_flight, result.ops_in_flight);
}

/// The first moment at which an op could be given out; the end of time before its predecessors have ended.
std::uint64_t EngineLaws::earliest_ps(std::uint32_t op) const {
  std::uint64_t earliest_ps = run_begin_ps_;
  for (const std::uint32_t before : ops_[op].predecessors) {
    if (!ops_[before].ended) return UINT64_MAX;
    earliest_ps = std::max(earliest_ps, ops_[before].end_ps);
  }
  return earliest_ps;
}

/// Can this op have been in flight for longer than its deadline? One that has not begun may wait in a mailbox.
bool EngineLaws::may_be_late(std::uint32_t op) const {
  const std::uint64_t since_ps = ops_[op].begun ? ops_[op].given_ps : earliest_ps(op);
  return since_ps < world_.time_ps() && world_.time_ps() - since_ps > options_.op_deadline_ps;
}

/// TIMEOUT names an op that was late, and OK says that none was.
void EngineLaws::check_deadlines(const detent_result& result) {
  if (!has_deadline()) return;
  if (result.error.status == DETENT_TIMEOUT && (result.error.op >= desc_.op_count || !may_be_late(result.error.op))) {
    const bool names_one = result.error.op < desc_.op_count;
    fail("deadline", "the run returns TIMEOUT for " +
                         (names_one ? op_name(desc_, result.error.op) + ", which was not late" : "no op"));
  }
  for (std::uint32_t op = 0; op < desc_.op_count && result.error.status == DETENT_OK; ++op) {
    if (ops_[op].took_too_long) fail("deadline", "the run returns OK and " + op_name(desc_, op) + " was late");
  }
}

void EngineLaws::end_run(const detent_result& result, std::uint64_t digest) {
  // Ops end before this or after it: schedules that differ only in that are told apart.
  if (has_deadline() && world_.is_controlled()) {
    world_.step({.kind = StepKind::kOp, .exclusive = true, .access = 1, .object = kOpObject});
  }
  world_.flush();
  in_run_ = false;
  check_status(result);
  check_in_flight(result);
  check_deadlines(result);
  if (result.error.status == DETENT_OK) check_success(result, digest);
}

/// Will any check still ask who has seen the end of this op? Who has seen the end of a successor has seen this one's,
/// because the successor's begin was checked.
bool EngineLaws::end_matters(std::uint32_t op) const {
  const OpState& state = ops_[op];
  if (!state.ended) return false;
  const detent_op& row = desc_.ops[op];
  if (row.mutexes.count != 0) return true;
  const std::uint32_t* const successor = desc_.successors + row.successors.first;
  const auto has_begun = [&](std::uint32_t other) { return ops_[other].begun; };
  if (!std::all_of(successor, successor + row.successors.count, has_begun)) return true;
  const ThreadId main = 0;  // asks at the end of the run
  return row.successors.count == 0 && world_.knowledge()->seen(main)[state.end_thread] < state.end_mark;
}

void EngineLaws::hash_state(StateHash& hash) const {
  marks_.clear();
  for (std::uint32_t op = 0; op < desc_.op_count; ++op) {
    const OpState& state = ops_[op];
    hash.add(std::uint64_t{state.begun} | std::uint64_t{state.ended} << 1U | std::uint64_t{state.took_too_long} << 2U);
    if (has_deadline() && state.begun) hash.add(state.ended ? state.end_ps : state.begin_ps);
    if (has_deadline() && state.begun) hash.add(state.given_ps);
    if (!end_matters(op)) continue;
    hash.add(op);
    marks_.push_back({state.end_thread, state.end_mark});
  }
  hash.add(std::uint64_t{in_run_} | std::uint64_t{late_begins_} << 1U | std::uint64_t{role_holder_} << 32U);
  if (has_deadline()) hash.add(run_begin_ps_);
  if (role_left_.thread != kNoThread) marks_.push_back(role_left_);
  world_.knowledge()->hash_knowledge(marks_, hash);
}

}  // namespace detent::verify::explore
