// Lanes: a run's trace -> slices per lane that never overlap, in time order.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "reports/data/report_data.hpp"

namespace detent::reports {

/// One row of a drawing: slices in time order, none overlapping another.
struct Lane {
  std::string name;
  SlotId slot = 0;
  std::vector<harness::Span> spans;
};

/// Lanes of a run by slot. A slot whose spans overlap (an asynchronous class) takes further lanes, "npu0 (2)".
/// Named slots without spans keep an empty lane; spans that end before they begin become instants.
std::vector<Lane> lanes_of(const TimelineRun& run);

}  // namespace detent::reports
