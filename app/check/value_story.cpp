#include "app/check/value_story.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "harness/run.hpp"
#include "verify/verdict/names.hpp"

namespace detent::app {
namespace {

using verify::FlowFault;
using verify::ValueViolation;

constexpr std::uint64_t kUntimedPs = 1'000'000;  ///< of ops without a time

/// Topological, lowest id first, as if there were one more edge; empty where it closes a cycle.
std::vector<std::uint32_t> order_with_edge(const detent_desc& desc, std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> waits(desc.op_count);
  for (OpId op = 0; op < desc.op_count; ++op) waits[op] = desc.ops[op].entry_count;
  ++waits[to];
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> ready;
  const auto release = [&](std::uint32_t op) {
    if (--waits[op] == 0) ready.push(op);
  };
  for (OpId op = 0; op < desc.op_count; ++op) {
    if (waits[op] == 0) ready.push(op);
  }
  std::vector<std::uint32_t> order;
  while (!ready.empty()) {
    const std::uint32_t op = ready.top();
    ready.pop();
    order.push_back(op);
    const detent_slice& next = desc.ops[op].successors;
    for (std::uint32_t k = 0; k < next.count; ++k) release(desc.successors[next.first + k]);
    if (op == from) release(to);
  }
  if (order.size() != desc.op_count) order.clear();
  return order;
}

/// An order on which the read finds its value, as far as this op in the way goes; empty: there is none.
std::vector<std::uint32_t> right_order(const detent_desc& desc, const ValueViolation& violation) {
  const auto is_op = [&](std::uint32_t op) { return op < desc.op_count; };
  const auto order = [&](std::uint32_t from, std::uint32_t to) {
    return is_op(from) && is_op(to) && from != to ? order_with_edge(desc, from, to) : std::vector<std::uint32_t>{};
  };
  if (violation.always) return {};
  if (violation.fault == FlowFault::kTooEarly || violation.fault == FlowFault::kUndecided) {
    return order(violation.writer, violation.reader);
  }
  if (violation.fault != FlowFault::kOverwritten) return {};
  std::vector<std::uint32_t> after = order(violation.reader, violation.in_the_way);
  return after.empty() ? order(violation.in_the_way, violation.writer) : after;
}

/// Who touches the bytes, and how.
std::vector<reports::StoryMark> marks_of(const detent_desc& desc, const ValueViolation& violation) {
  std::string bytes;
  if (violation.region != DETENT_NONE) {
    bytes = " [" + std::to_string(violation.offset_bytes) + ", " +
            std::to_string(violation.offset_bytes + violation.size_bytes) + ") of " +
            verify::region_name(desc, violation.region);
  }
  const bool decides = violation.fault == FlowFault::kUndecided;
  std::vector<reports::StoryMark> marks;
  if (violation.writer != DETENT_NONE) {
    marks.push_back({violation.writer, (decides ? "decides " : "writes ") + violation.value});
  }
  if (violation.in_the_way != DETENT_NONE && violation.in_the_way != violation.writer) {
    marks.push_back({violation.in_the_way, "writes" + bytes});
  }
  if (violation.reader != DETENT_NONE) {
    marks.push_back({violation.reader, (decides ? "runs where it is decided: " : "reads ") + violation.value + bytes});
  }
  return marks;
}

reports::StoryTable table_of(const detent_desc& desc, const ValueViolation& violation,
                             const std::vector<std::uint32_t>& order, std::string title) {
  harness::Trace trace;
  std::uint64_t now_ps = 0;
  for (const std::uint32_t op : order) {
    if ((desc.ops[op].flags & DETENT_OP_DELAY) != 0) continue;
    const bool is_timed =
        desc.costs != nullptr && desc.costs[op].worst_ps != UINT64_MAX && desc.costs[op].worst_ps != 0;
    const std::uint64_t end_ps = now_ps + (is_timed ? desc.costs[op].worst_ps : kUntimedPs);
    trace.spans.push_back({op, 0, now_ps, end_ps, trace.spans.size()});
    now_ps = end_ps;
  }
  reports::StoryTable table = reports::make_story_table(desc, trace, {"one core"}, marks_of(desc, violation));
  table.title = std::move(title);
  return table;
}

std::vector<std::string> constraints_of(const detent_desc& desc, const ValueViolation& violation) {
  const auto before = [&](std::uint32_t first, std::uint32_t then) {
    return verify::op_name(desc, first) + " before " + verify::op_name(desc, then);
  };
  std::vector<std::string> constraints;
  if (violation.fault == FlowFault::kTooEarly || violation.fault == FlowFault::kUndecided) {
    if (violation.reader != DETENT_NONE && violation.writer != DETENT_NONE && violation.reader != violation.writer) {
      constraints.push_back(before(violation.reader, violation.writer));
    }
  } else if (violation.fault == FlowFault::kOverwritten) {
    if (violation.writer != DETENT_NONE) constraints.push_back(before(violation.writer, violation.in_the_way));
    if (violation.reader != DETENT_NONE) constraints.push_back(before(violation.in_the_way, violation.reader));
  }
  return constraints;
}

reports::FailureStory story_of(const detent_desc& desc, const ValueViolation& violation) {
  reports::FailureStory story;
  story.level = "values";
  story.law = "value_flow";
  story.title = verify::describe_violation(desc, violation);
  story.constraints = constraints_of(desc, violation);
  if (violation.fault == FlowFault::kOverwritten) {
    const std::string reader =
        violation.reader != DETENT_NONE ? verify::op_name(desc, violation.reader) + " reads" : "the application finds";
    story.shown =
        reader + " what " + verify::op_name(desc, violation.in_the_way) + " wrote instead of " + violation.value;
  }
  story.workers = 1;
  story.tables.push_back(table_of(desc, violation, violation.schedule, "misses its value"));
  const std::vector<std::uint32_t> right = right_order(desc, violation);
  if (!right.empty()) story.tables.push_back(table_of(desc, violation, right, "finds its value"));
  story.note = "Ops one after another, each for its worst time; ops without a time take 1 \xC2\xB5s.";
  if (right.empty() && violation.always) story.note += " No order that the edges allow is right.";
  return story;
}

}  // namespace

void add_lost_values(const detent_desc& desc, const verify::ValueFlowReport& flow, CheckResult& result) {
  std::size_t stories = 0;
  for (const ValueViolation& violation : flow.listed) {
    if (result.lost_values.size() == kMostLostValues) break;
    result.lost_values.push_back({violation.value, violation.reader, violation.writer, violation.in_the_way,
                                  violation.region, violation.offset_bytes, violation.size_bytes, violation.always,
                                  verify::describe_violation(desc, violation)});
    if (violation.schedule.empty() || stories == kMostValueStories) continue;
    ++stories;
    result.failures.push_back(story_of(desc, violation));
  }
}

}  // namespace detent::app
