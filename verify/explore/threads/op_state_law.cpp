#include "verify/explore/threads/op_state_law.hpp"

#include <algorithm>

#include "verify/verdict/names.hpp"

namespace detent::verify::explore {

namespace {

bool is_final(detent_op_state state) { return state >= DETENT_OP_DONE; }
bool was_given_out(const detent_op_record& record) { return record.begin_ps != UINT64_MAX; }

std::string text_of(const detent_op_record& record) {
  static const char* const names[] = {"waiting", "ready", "running", "done", "failed", "cancelled"};
  return std::string(names[record.state]) + " in run " + std::to_string(record.run);
}

}  // namespace

void OpStateLaw::fail(OpId op, const std::string& text) {
  threads_.execution().fail("op_states", op_name(desc_, op) + " " + text);
}

void OpStateLaw::begin_execution() {
  if (!is_on_) return;
  runs_.assign(1, {.end_ps = 0, .ops = std::vector<Fact>(desc_.op_count)});
  for (detent_op_record& reading : readings_) {
    reading = {.state = DETENT_OP_WAITING,
               .attempts = 0,
               .worker = DETENT_NONE,
               .run = 0,
               .code = 0,
               .ready_ps = UINT64_MAX,
               .begin_ps = UINT64_MAX,
               .end_ps = UINT64_MAX};
  }
}

void OpStateLaw::begin_run() {
  if (!is_on_) return;
  runs_.push_back({.begin_ps = threads_.time_ps(), .ops = std::vector<Fact>(desc_.op_count)});
}

void OpStateLaw::op_begins(OpId op, SlotId slot) {
  if (is_on_) runs_.back().ops[op] = {.begun = true, .slot = slot};
}

void OpStateLaw::op_ends(OpId op) {
  if (is_on_) runs_.back().ops[op].ended = true;
}

void OpStateLaw::check_order(OpId op, const detent_op_record& before, const detent_op_record& record) {
  if (record.run < before.run || (record.run == before.run && record.state < before.state)) {
    fail(op, "is " + text_of(record) + " after it was " + text_of(before));
  }
  if (record.run != before.run) return;
  const bool goes_on = is_final(before.state) && record.state != before.state;
  const bool changes =
      (was_given_out(before) && (record.worker != before.worker || record.begin_ps != before.begin_ps)) ||
      (before.ready_ps != UINT64_MAX && record.ready_ps != before.ready_ps) ||
      (is_final(before.state) && record.end_ps != before.end_ps);
  if (goes_on || changes) fail(op, "is " + text_of(record) + ", and what was final has changed");
}

void OpStateLaw::check_facts(OpId op, const detent_op_record& record, const Run& run) {
  const Fact& fact = run.ops[op];
  const bool ends = record.state == DETENT_OP_DONE || record.state == DETENT_OP_FAILED;
  if (ends && (!fact.ended || (record.state == DETENT_OP_FAILED) != ops_[op].fails))
    fail(op, "is " + text_of(record) + " and has not ended so");
  if ((record.code != 0) != (record.state == DETENT_OP_FAILED)) fail(op, "is " + text_of(record) + " with a code");
  if (was_given_out(record) && fact.begun && record.worker != fact.slot)
    fail(op, "is " + text_of(record) + " on another worker than slot " + std::to_string(record.worker));
  if (was_given_out(record) != (record.attempts != 0) && record.run == 1)
    fail(op, "is " + text_of(record) + " after " + std::to_string(record.attempts) + " attempts");
  const bool is_reached = record.ready_ps != UINT64_MAX;
  for (const std::uint32_t before : ops_[op].predecessors) {
    if (is_reached && !(run.ops[before].ended && !ops_[before].fails))
      fail(op, "is " + text_of(record) + " before " + op_name(desc_, before) + " has ended well");
  }
}

/// An op is given out in its run, but may end after it, and make others ready.
void OpStateLaw::check_times(OpId op, const detent_op_record& record, const Run& run) {
  const bool is_ready = record.ready_ps != UINT64_MAX;
  const std::uint64_t latest_ps = &run == &runs_.back() ? threads_.time_ps() : (&run + 1)->begin_ps;
  bool fits = !is_ready || (record.ready_ps >= run.begin_ps && record.ready_ps <= latest_ps);
  fits = fits && (!was_given_out(record) || (record.begin_ps >= record.ready_ps && record.begin_ps <= run.end_ps));
  fits = fits &&
         (!is_final(record.state) ||
          (record.end_ps >= (was_given_out(record) ? record.begin_ps : run.begin_ps) && record.end_ps <= latest_ps));
  if (!fits) fail(op, "is " + text_of(record) + " with times of another run, or in another order");
}

void OpStateLaw::check_knowledge(OpId op, const detent_op_record& record) {
  if (record.state == DETENT_OP_DONE && !ops_.has_seen_end(ops_[op]))
    fail(op, "is done for a thread that has not seen its end");
  for (const std::uint32_t before : ops_[op].predecessors) {
    if (record.ready_ps != UINT64_MAX && !ops_.has_seen_end(ops_[before]))
      fail(op, "is " + text_of(record) + " for a thread that has not seen the end of " + op_name(desc_, before));
  }
}

void OpStateLaw::check(OpId op, const detent_op_record& record) {
  if (record.run >= runs_.size()) return fail(op, "is " + text_of(record) + ", which has not begun");
  check_order(op, readings_[op], record);
  readings_[op] = record;
  if (record.run == 0) return;
  check_facts(op, record, runs_[record.run]);
  check_times(op, record, runs_[record.run]);
  if (record.run + 1 == runs_.size()) check_knowledge(op, record);
}

void OpStateLaw::check_end(const detent_context& context, const detent_result& result) {
  if (!is_on_) return;
  runs_.back().end_ps = threads_.time_ps();
  const detent_status status = result.error.status;
  std::uint32_t done = 0, running = 0;
  for (OpId op = 0; op < desc_.op_count; ++op) {
    detent_op_record record{};
    if (detent_context_op_state(&context, op, &record) != DETENT_OK) return fail(op, "has no state");
    done += record.state == DETENT_OP_DONE ? 1 : 0;
    running += record.state == DETENT_OP_RUNNING ? 1 : 0;
    const bool has_failed = status == DETENT_KERNEL_FAILED && result.error.op == op;
    const bool is_cancelled = status == DETENT_CANCELLED && !runs_.back().ops[op].begun;
    const bool fits = record.run + 1 == runs_.size() && (status != DETENT_OK || record.state == DETENT_OP_DONE) &&
                      (!has_failed || record.state == DETENT_OP_FAILED) &&
                      is_cancelled == (record.state == DETENT_OP_CANCELLED && status == DETENT_CANCELLED);
    if (!fits) fail(op, "is " + text_of(record) + " when the run returns " + detent_status_name(status));
  }
  if (running > result.ops_in_flight) fail(0, "or another op is running and no op is in flight");
  if (status == DETENT_OK && done != result.ops_run) fail(0, "or another op is done and not counted");
}

}  // namespace detent::verify::explore
