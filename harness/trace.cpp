// Trace: pairs the begin and end records of each op over all rings.
#include "harness/trace.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

#include "base/ids.hpp"

namespace detent::harness {
namespace {

/// The two records of one op; they may stand in different rings (asynchronous ops end where the scheduler sees it).
struct OpRecords {
  const detent_log_record* begin = nullptr;
  const detent_log_record* end = nullptr;
};

std::uint64_t since(std::uint64_t time_ps, const detent_result& result) {
  return time_ps > result.begin_ps ? time_ps - result.begin_ps : 0;
}

Event make_event(const detent_log_record& record, const detent_result& result) {
  return {since(record.time_ps, result), record.slot, static_cast<detent_event>(record.event), record.op, record.value};
}

Span make_span(OpId op, const OpRecords& records, const detent_result& result) {
  const std::uint64_t end_ps = records.end == nullptr ? result.end_ps : records.end->time_ps;
  return {op, records.begin->slot, since(records.begin->time_ps, result),
          since(std::max(end_ps, records.begin->time_ps), result), records.begin->sequence};
}

void sort_trace(Trace& trace) {
  std::sort(trace.spans.begin(), trace.spans.end(), [](const Span& a, const Span& b) {
    return std::tie(a.begin_ps, a.slot, a.op) < std::tie(b.begin_ps, b.slot, b.op);
  });
  std::stable_sort(trace.events.begin(), trace.events.end(), [](const Event& a, const Event& b) {
    return std::tie(a.time_ps, a.slot) < std::tie(b.time_ps, b.slot);
  });
}

}  // namespace

std::uint32_t trace_records_per_worker(std::uint32_t op_count) {
  constexpr std::uint32_t kOtherRecords = 1024;  // run, park and clock records; only more than these can drop any
  return 2 * op_count + kOtherRecords;
}

Trace collect_trace(const detent_context& context, std::uint32_t op_count, const detent_result& result,
                    bool with_events) {
  Trace trace;
  std::vector<OpRecords> ops(op_count);
  // Rings beyond the slots, if the engine keeps any, follow them; the first null ends the list.
  for (std::uint32_t ring = 0; detent_context_log(&context, ring) != nullptr; ++ring) {
    const detent_log& log = *detent_context_log(&context, ring);
    trace.dropped += log.dropped;
    for (std::uint32_t i = 0; i < detent_log_size(&log); ++i) {
      const detent_log_record& record = *detent_log_at(&log, i);
      const bool is_op = record.event == DETENT_EVENT_OP_BEGIN || record.event == DETENT_EVENT_OP_END;
      if (is_op && record.op < op_count) {
        (record.event == DETENT_EVENT_OP_BEGIN ? ops[record.op].begin : ops[record.op].end) = &record;
      } else if (with_events) {
        trace.events.push_back(make_event(record, result));
      }
    }
  }
  for (OpId op = 0; op < op_count; ++op) {
    if (ops[op].begin != nullptr) trace.spans.push_back(make_span(op, ops[op], result));
  }
  sort_trace(trace);
  return trace;
}

}  // namespace detent::harness
