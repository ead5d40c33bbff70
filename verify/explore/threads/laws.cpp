// The laws of one run, from checkpoints and from what detent_run returns.
#include "verify/explore/threads/laws.hpp"

#include <algorithm>

#include "base/counted.hpp"
#include "harness/faults/spoil.hpp"
#include "runtime/engine/context.h"
#include "verify/graph/mutexes.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify::explore {

namespace {

std::int32_t run_failing_kernel(const detent_kernel_args* args) {
  harness::spoil_outputs(*args);
  return 77;
}

}  // namespace

EngineLaws::EngineLaws(const detent_desc& desc, const ThreadOptions& options, VirtualThreads& threads)
    : desc_(desc),
      options_(options),
      threads_(threads),
      ops_(desc, options, threads),
      deadline_(desc, options, ops_, threads),
      role_(threads),
      op_states_(desc, options, ops_, threads) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (desc.classes[desc.ops[op].core_class].kind == DETENT_CLASS_ASYNC) ++async_count_;
  }
}

void EngineLaws::begin_execution() {
  in_run_ = false;
  late_begins_ = 0;
  role_.begin_execution();
  op_states_.begin_execution();
  context_ = nullptr;
}

void EngineLaws::begin_run(const detent_context* context) {
  context_ = context;
  in_run_ = true;
  late_begins_ = 0;
  deadline_.begin_run(context);
  ops_.begin_run();
  op_states_.begin_run();
  under_way_ = 0;
  last_ended_.assign(kMaxThreads, DETENT_NONE);
}

/// Before an op begins: is another one under way, or has one ended of which this thread cannot know?
void EngineLaws::note_company() {
  if (!in_run_ || !threads_.turns().is_controlled()) return;
  bool together = under_way_ != 0;
  for (ThreadId t = 0; t < threads_.turns().observers().knowledge()->thread_count() && !together; ++t) {
    together = last_ended_[t] != DETENT_NONE && !ops_.has_seen_end(ops_[last_ended_[t]]);
  }
  ++(together ? points_.ops_concurrent : points_.ops_ordered);
}

void EngineLaws::check_predecessors(OpId op) {
  for (const std::uint32_t before : ops_[op].predecessors) {
    const OpRecord& other = ops_[before];
    if (!other.ended || other.fails) {
      fail("predecessors", op_name(desc_, op) + " begins although " + op_name(desc_, before) +
                               (other.ended ? " has failed" : " has not ended"));
    } else if (!ops_.has_seen_end(other)) {
      fail("happens_before", op_name(desc_, op) + " begins without having seen the end of " + op_name(desc_, before));
    }
  }
}

void EngineLaws::check_mutexes(OpId op) {
  for (std::uint32_t other = 0; other < desc_.op_count && desc_.ops[op].mutexes.count != 0; ++other) {
    if (other == op || !ops_[other].begun || !share_mutex(desc_, op, other)) continue;
    if (!ops_[other].ended)
      fail("mutex", op_name(desc_, op) + " begins while " + op_name(desc_, other) + " holds their mutex");
    if (ops_[other].ended && !ops_.has_seen_end(ops_[other])) {
      fail("happens_before",
           op_name(desc_, op) + " takes a mutex without having seen the end of " + op_name(desc_, other));
    }
  }
}

void EngineLaws::check_affinity(OpId op, SlotId slot) {
  const std::uint32_t workers = desc_.ops[op].workers;
  if (workers == 0 || context_ == nullptr || context_->mode == DETENT_MODE_SERIAL) return;
  const std::uint32_t worker = slot - context_->first_worker;
  if (worker < 32 && (workers >> worker & 1U) != 0) return;
  fail("affinity", op_name(desc_, op) + " begins on worker " + std::to_string(worker) + ", which it is not for");
}

void EngineLaws::op_begins(OpId op, SlotId slot) {
  threads_.flush();
  OpRecord& record = ops_[op];
  note_company();
  if (!record.answered_later) ++under_way_;
  if (!in_run_ && late_begins_-- == 0) fail("op_once", op_name(desc_, op) + " begins outside a run");
  if (record.begun) fail("op_once", op_name(desc_, op) + " begins twice");
  record.begun = true;
  record.begin_ps = threads_.time_ps();
  deadline_.op_begins(op, slot, in_run_);
  op_states_.op_begins(op, slot);
  check_predecessors(op);
  check_mutexes(op);
  check_affinity(op, slot);
  if (!record.answered_later) execute_body(record);
}

/// Between begin and end of an op: bytes that race, and, with a deadline, the time it takes.
void EngineLaws::execute_body(const OpRecord& op) {
  deadline_.let_be_late();
  if (op.races || deadline_.has_deadline()) {
    threads_.step({.kind = StepKind::kOp, .exclusive = op.races, .object = kOpObject});
  }
}

void EngineLaws::op_ends(OpId op) {
  threads_.flush();
  if (!ops_[op].answered_later && under_way_ != 0) --under_way_;
  if (in_run_) last_ended_[threads_.turns().current()] = op;
  ops_.note_end(op);
  deadline_.op_ends(op);
  op_states_.op_ends(op);
}

void EngineLaws::begin_answer(OpId op) {
  execute_body(ops_[op]);
  op_ends(op);
}

void EngineLaws::end_answer(OpId op, std::uint32_t nth, detent_status status) {
  if (nth == 0 && status != DETENT_OK) {
    fail("answers", "the answer for " + op_name(desc_, op) + " is refused: " + detent_status_name(status));
  }
  if (nth == 0) return;
  ++points_.refused_answers;
  if (status != DETENT_FOREIGN_COMPLETION)
    fail("answers", "a second answer for " + op_name(desc_, op) + " is accepted");
}

void EngineLaws::check_op_state(OpId op, detent_status status, const detent_op_record& record) {
  threads_.flush();
  if (status != DETENT_OK) fail("op_states", op_name(desc_, op) + " has no state: " + detent_status_name(status));
  op_states_.check(op, record);
}

/// Other workers whose op has ended and has not been counted yet: their completions wait for the scheduler.
void EngineLaws::note_completions() {
  if (options_.engine.mode != DETENT_MODE_CLOSED_LOOP || context_ == nullptr || !in_run_) return;
  std::uint32_t waiting = 0;
  for (SlotId slot = context_->first_worker; slot < context_->slot_count; ++slot) {
    const OpId op = context_->workers[slot].busy.op;
    if (slot != threads_.turns().current() && op != DETENT_NONE && ops_[op].ended) ++waiting;
  }
  if (waiting == 0) {
    ++points_.complete_empty;
  } else {
    ++(waiting + 1 >= context_->worker_count ? points_.complete_full : points_.complete_some);
  }
}

void EngineLaws::role_let_go() {
  if (context_ == nullptr) return;
  const Schedule& schedule = context_->loop.schedule;
  ++(schedule.ready_count == 0 ? points_.ready_empty : points_.ready_some);
  const bool all_that_is_left = schedule.ready_count + schedule.in_flight + schedule.completed == desc_.op_count;
  if (schedule.ready_count != 0 && all_that_is_left) ++points_.ready_full;
  if (schedule.ready_count > desc_.op_count) fail("queue_bounds", "more ops are ready than there are");
  if (schedule.ready_count == 0 && schedule.ready_ns != 0) {
    fail("queue_bounds", "no op is ready, and ready ops cost " + std::to_string(schedule.ready_ns) + " ns");
  }
  if (schedule.in_flight > context_->worker_count + async_count_) {
    fail("queue_bounds",
         counted(schedule.in_flight, "op") + " in flight on " + counted(context_->worker_count, "worker"));
  }
}

void EngineLaws::at_checkpoint(detent_checkpoint kind, SlotId slot, std::uint32_t index) {
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
      role_.take();
      return;
    case DETENT_CP_UNLOCK:
      role_.let_go();
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

void EngineLaws::give_error(bool is_reference, detent_entity& entity) const {
  const OpRecord& op = ops_[entity.args.op];
  if (op.gives_error && !(is_reference && op.fails)) entity.run = run_failing_kernel;
}

void EngineLaws::check_success(const detent_result& result, std::uint64_t digest) {
  if (result.ops_run != desc_.op_count) {
    fail("op_once", "the run counts " + std::to_string(result.ops_run) + " of " + counted(desc_.op_count, "op") +
                        " and returns OK");
  }
  for (OpId op = 0; op < desc_.op_count; ++op) {
    if (!ops_[op].ended) {
      fail("op_once", "the run returns OK and " + op_name(desc_, op) + " has not ended");
    } else if (!ops_.has_seen_end(ops_[op])) {
      fail("happens_before", "the run returns without having seen the end of " + op_name(desc_, op));
    }
  }
  if (digest != expected_digest_) fail("output", "the output differs from that of serial execution");
}

void EngineLaws::check_status(const detent_result& result) {
  const detent_status status = result.error.status;
  // A guarded op may not be executed.
  const bool must_fail = std::ranges::any_of(options_.failing_ops, [&](std::uint32_t op) {
    return ops_[OpId(op)].fails && (desc_.ops[op].flags & DETENT_OP_GUARDED) == 0;
  });
  const bool late = status == DETENT_TIMEOUT && options_.op_deadline_ps != 0 && options_.early_timeouts != 0;
  const bool named = status == DETENT_KERNEL_FAILED && result.error.op < desc_.op_count &&
                     ops_[result.error.op].fails && ops_[result.error.op].ended;
  const bool allowed =
      (status == DETENT_OK && !must_fail) || named || late || (status == DETENT_CANCELLED && options_.cancel);
  if (!allowed) fail("status", std::string("the run returns ") + detent_status_name(status));
}

/// The status against what is in flight when it is returned.
void EngineLaws::check_in_flight(const detent_result& result) {
  const std::string returns = std::string("the run returns ") + detent_status_name(result.error.status);
  std::uint32_t in_flight = 0;
  for (OpId op = 0; op < desc_.op_count; ++op) {
    if (!ops_[op].begun || ops_[op].ended) continue;
    ++in_flight;
    if (result.error.status != DETENT_TIMEOUT) {
      fail("drain", returns + " while " + op_name(desc_, op) + " is under way");
    } else if (!deadline_.may_be_late(op)) {
      fail("deadline", returns + " while " + op_name(desc_, op) + " is under way and not late");
    }
  }
  const std::string counts = returns + " and counts " + counted(result.ops_in_flight, "op") + " in flight";
  if (result.error.status != DETENT_TIMEOUT && result.ops_in_flight != 0) fail("in_flight", counts);
  if (in_flight > result.ops_in_flight) fail("in_flight", counts + " of " + std::to_string(in_flight));
  late_begins_ = result.ops_in_flight - std::min(in_flight, result.ops_in_flight);
}

/// An answer that came too late is none: what waits for it has not begun.
void EngineLaws::check_behind_late(const detent_result& result) {
  if (result.error.status != DETENT_TIMEOUT || result.error.op >= desc_.op_count) return;
  const detent_slice behind = desc_.ops[result.error.op].successors;
  for (std::uint32_t i = behind.first; i < behind.first + behind.count; ++i) {
    const OpId op = desc_.successors[i];
    if (!ops_[op].begun) continue;
    fail("deadline", "the run returns TIMEOUT of " + op_name(desc_, result.error.op) + " and " + op_name(desc_, op) +
                         " behind it has begun");
  }
}

void EngineLaws::end_run(const detent_result& result, std::uint64_t digest) {
  // Ops end before this or after it: schedules that differ only in that are told apart.
  if (deadline_.has_deadline() && threads_.turns().is_controlled()) {
    threads_.step({.kind = StepKind::kOp, .exclusive = true, .access = 1, .object = kOpObject});
  }
  threads_.flush();
  in_run_ = false;
  check_status(result);
  check_in_flight(result);
  check_behind_late(result);
  deadline_.check_end(result);
  op_states_.check_end(*context_, result);
  if (result.error.status == DETENT_OK) check_success(result, digest);
}

void EngineLaws::hash_state(StateHash& hash) const {
  marks_.clear();
  ops_.hash_state(deadline_.has_deadline(), hash, marks_);
  hash.add(std::uint64_t{in_run_} | std::uint64_t{late_begins_} << 1U | std::uint64_t{role_.holder()} << 32U);
  deadline_.hash_state(hash);
  role_.add_marks(marks_);
  threads_.turns().observers().knowledge()->hash_knowledge(marks_, hash);
}

}  // namespace detent::verify::explore
