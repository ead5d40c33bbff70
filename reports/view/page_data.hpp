// Page data: ReportData -> the JSON that the drawings of report.html read. Bounded in size; what is cut is said.
#pragma once

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"

namespace detent::reports {

/// Caps of one page. Beyond them the longest spans and the first ops are kept and a note says how many are not shown.
struct PageLimits {
  std::size_t spans = 100000;   ///< over all timelines
  std::size_t ops = 20000;      ///< in the graph
  std::size_t edges = 80000;    ///< in the graph
  std::size_t tensors = 20000;  ///< in the memory map
};

/// Keys: ops, groups, edges, timelines, memory, notes. Arrays of numbers are flat; times are integer picoseconds.
Json page_data(const ReportData& data, const PageLimits& limits = {});

}  // namespace detent::reports
