// Lanes: a run's trace -> slices per lane that never overlap, in time order.
#include "reports/view/lanes.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace detent::reports {
namespace {

std::string lane_name(const TimelineRun& run, SlotId slot, std::size_t copy) {
  std::string name = slot < run.lanes.size() ? run.lanes[slot] : "slot " + std::to_string(slot);
  if (copy > 0) name += " (" + std::to_string(copy + 1) + ")";
  return name;
}

/// First fit: a span goes to the first lane of its slot that is free when it begins.
void place(std::vector<Lane>& lanes, const harness::Span& span) {
  for (Lane& lane : lanes) {
    if (lane.spans.empty() || lane.spans.back().end_ps <= span.begin_ps) {
      lane.spans.push_back(span);
      return;
    }
  }
  lanes.push_back({"", span.slot, {span}});
}

}  // namespace

std::vector<Lane> lanes_of(const TimelineRun& run) {
  std::map<std::uint32_t, std::vector<Lane>> by_slot;
  for (SlotId slot = 0; slot < run.lanes.size(); ++slot) by_slot[slot].push_back({"", slot, {}});
  std::vector<harness::Span> spans = run.trace.spans;
  std::stable_sort(spans.begin(), spans.end(), [](const harness::Span& a, const harness::Span& b) {
    return std::tie(a.begin_ps, a.end_ps, a.slot, a.op) < std::tie(b.begin_ps, b.end_ps, b.slot, b.op);
  });
  for (harness::Span& span : spans) {
    span.end_ps = std::max(span.end_ps, span.begin_ps);
    place(by_slot[span.slot], span);
  }
  std::vector<Lane> out;
  for (auto& [slot, lanes] : by_slot) {
    for (std::size_t copy = 0; copy < lanes.size(); ++copy) {
      lanes[copy].name = lane_name(run, slot, copy);
      out.push_back(std::move(lanes[copy]));
    }
  }
  return out;
}

}  // namespace detent::reports
