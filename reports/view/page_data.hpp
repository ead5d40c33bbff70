// Page data: ReportData -> the JSON that the drawings of report.html read. Bounded in size; what is cut is said.
#pragma once

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// Caps of one page. Beyond them the longest spans and the first ops are kept and a note says how many are not shown.
/// Shorter spans become dense blocks: how many are there, and for how much of the time.
struct PageLimits {
  std::size_t spans = 20000;   ///< over all timelines
  std::size_t ops = 6000;      ///< in the graph
  std::size_t edges = 24000;   ///< in the graph
  std::size_t tensors = 6000;  ///< in the memory map
};

/// Keys: ops, groups, edges, timelines, memory, notes. Arrays of numbers are flat; times are integer picoseconds.
Json page_data(const ReportData& data, const PageLimits& limits = {});

}  // namespace detent::reports
