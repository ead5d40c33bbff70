#include "verify/explore/threads/op_records.hpp"

#include <algorithm>

#include "verify/static/buffer_race.hpp"

namespace detent::verify::explore {

OpRecords::OpRecords(const detent_desc& desc, const ThreadOptions& options, const VirtualThreads& threads)
    : desc_(desc), threads_(threads), ops_(desc.op_count) {
  for (OpId op = 0; op < desc.op_count; ++op) {
    const detent_op& row = desc.ops[op];
    for (std::uint32_t i = 0; i < row.successors.count; ++i) {
      ops_[desc.successors[row.successors.first + i]].predecessors.push_back(op);
    }
    ops_[op].answered_later = options.async_answers && desc.classes[row.core_class].kind == DETENT_CLASS_ASYNC;
  }
  for (const OpId op : options.failing_ops) {
    ops_[op].gives_error = true;
    ops_[op].fails = (desc.ops[op].flags & DETENT_OP_FALLIBLE) == 0;
  }
  for (const Race& race : find_races(desc).races.listed) ops_[race.op_a].races = ops_[race.op_b].races = true;
}

void OpRecords::begin_run() {
  for (OpRecord& op : ops_) op.begun = op.ended = op.took_too_long = false;
}

void OpRecords::note_end(OpId op) {
  OpRecord& record = ops_[op];
  record.ended = true;
  record.end_ps = threads_.time_ps();
  record.end_thread = threads_.turns().current();
  if (threads_.turns().is_controlled())
    record.end_mark = threads_.turns().observers().knowledge()->mark(threads_.turns().current());
}

bool OpRecords::has_seen_end(const OpRecord& op) const {
  if (!threads_.turns().is_controlled()) return true;
  return threads_.turns().observers().knowledge()->seen(threads_.turns().current())[op.end_thread] >= op.end_mark;
}

/// Will any check still ask who has seen the end of this op? Who has seen the end of a successor has seen this one's,
/// because the successor's begin was checked.
bool OpRecords::end_matters(OpId op) const {
  const OpRecord& record = ops_[op];
  if (!record.ended) return false;
  const detent_op& row = desc_.ops[op];
  if (row.mutexes.count != 0) return true;
  const std::uint32_t* const successor = desc_.successors + row.successors.first;
  const auto has_begun = [&](std::uint32_t other) { return ops_[other].begun; };
  if (!std::all_of(successor, successor + row.successors.count, has_begun)) return true;
  const ThreadId main = 0;  // asks at the end of the run
  return row.successors.count == 0 &&
         threads_.turns().observers().knowledge()->seen(main)[record.end_thread] < record.end_mark;
}

void OpRecords::hash_state(bool with_times, StateHash& hash, std::vector<Knowledge::Mark>& marks) const {
  for (OpId op = 0; op < desc_.op_count; ++op) {
    const OpRecord& record = ops_[op];
    hash.add(std::uint64_t{record.begun} | std::uint64_t{record.ended} << 1U |
             std::uint64_t{record.took_too_long} << 2U);
    if (with_times && record.begun) hash.add(record.ended ? record.end_ps : record.begin_ps);
    if (with_times && record.begun) hash.add(record.given_ps);
    if (!end_matters(op)) continue;
    hash.add(op);
    marks.push_back({record.end_thread, record.end_mark});
  }
}

}  // namespace detent::verify::explore
