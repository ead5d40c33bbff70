#include "verify/explore/threads/deadline_law.hpp"

#include <algorithm>
#include <string>

#include "runtime/engine/context.h"
#include "verify/verdict/names.hpp"

namespace detent::verify::explore {

void DeadlineLaw::begin_run(const detent_context* context) {
  context_ = context;
  run_begin_ps_ = threads_.time_ps();
}

/// When the engine gave out an op that begins on `slot`, by its own record.
std::uint64_t DeadlineLaw::given_ps(OpId op, SlotId slot) const {
  const bool is_async = (context_->graph.nodes[op].flags & kNodeAsync) != 0 && context_->mode != DETENT_MODE_SERIAL;
  const bool is_answered = is_async && (context_->graph.nodes[op].flags & kNodeDispatch) != 0;
  if (is_answered) return context_->op_states[op].begin_ps;
  if (is_async && context_->mode == DETENT_MODE_CLOSED_LOOP) return threads_.time_ps();  // a call of the role's holder
  return context_->workers[slot].busy.begin_ps;
}

/// The first moment at which an op could be given out; the end of time before its predecessors have ended.
std::uint64_t DeadlineLaw::earliest_ps(OpId op) const {
  std::uint64_t earliest_ps = run_begin_ps_;
  for (const std::uint32_t before : ops_[op].predecessors) {
    if (!ops_[before].ended) return UINT64_MAX;
    earliest_ps = std::max(earliest_ps, ops_[before].end_ps);
  }
  return earliest_ps;
}

void DeadlineLaw::op_begins(OpId op, SlotId slot, bool in_run) {
  if (!has_deadline()) return;
  OpRecord& record = ops_[op];
  record.given_ps = given_ps(op, slot);
  if (record.given_ps > record.begin_ps || (in_run && record.given_ps < earliest_ps(op))) {
    threads_.execution().fail("deadline", op_name(desc_, op) + " begins and its deadline is taken from another time");
  }
}

void DeadlineLaw::op_ends(OpId op) {
  OpRecord& record = ops_[op];
  record.took_too_long = has_deadline() && record.end_ps - record.begin_ps > options_.op_deadline_ps;
}

/// Late, and by more than the two ticks that a watch may err by (runtime/engine/ticks.h).
void DeadlineLaw::let_be_late() {
  if (has_deadline()) threads_.may_take(options_.op_deadline_ps + options_.op_deadline_ps / 16 + 2);
}

bool DeadlineLaw::may_be_late(OpId op) const {
  const std::uint64_t since_ps = ops_[op].begun ? ops_[op].given_ps : earliest_ps(op);
  return since_ps < threads_.time_ps() && threads_.time_ps() - since_ps > options_.op_deadline_ps;
}

void DeadlineLaw::check_end(const detent_result& result) {
  if (!has_deadline()) return;
  if (result.error.status == DETENT_TIMEOUT && (result.error.op >= desc_.op_count || !may_be_late(result.error.op))) {
    const bool names_one = result.error.op < desc_.op_count;
    threads_.execution().fail("deadline",
                              "the run returns TIMEOUT for " +
                                  (names_one ? op_name(desc_, result.error.op) + ", which was not late" : "no op"));
  }
  for (OpId op = 0; op < desc_.op_count && result.error.status == DETENT_OK; ++op) {
    if (ops_[op].took_too_long)
      threads_.execution().fail("deadline", "the run returns OK and " + op_name(desc_, op) + " was late");
  }
}

void DeadlineLaw::hash_state(StateHash& hash) const {
  if (has_deadline()) hash.add(run_begin_ps_);
}

}  // namespace detent::verify::explore
