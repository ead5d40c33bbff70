// BTF plan: a run -> the tasks that execute its uses, so that no task ever runs on two cores at once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/machine_trace.hpp"
#include "reports/data/report_data.hpp"

namespace detent::reports {

/// A letter or digit of ASCII, '_', '.' or '-'; any other byte becomes '_'. At most 80 bytes.
std::string btf_name(std::string_view text);

struct BtfTask {
  std::string name;
  std::string stimulus;    ///< empty: activated by the inference request
  std::uint32_t uses = 0;  ///< of BtfPlan::uses
};

/// A use of a core or NPU with its task and its place among the parts of its op.
struct BtfUse {
  harness::Use use;
  std::uint32_t task = 0;
  std::uint32_t next = DETENT_NONE;          ///< next use of the same core
  std::uint32_t next_of_task = DETENT_NONE;  ///< next use of the same task
  bool is_first = true, is_last = true;      ///< part of its op
};

struct BtfPlan {
  harness::MachineTrace machine;
  std::vector<BtfTask> tasks;
  std::vector<BtfUse> uses;    ///< by (begin, end, resource)
  std::uint64_t left_out = 0;  ///< uses beyond the event limit
};

/// Ops run on the task of their slot. Runtime steps go to the worker whose op follows or went before on that core, a
/// task of the core's own where that worker is elsewhere at the time.
/// @param max_events  limit on the records that the uses need
BtfPlan plan_btf(const detent_desc* desc, const TimelineRun& run, std::size_t max_events);

}  // namespace detent::reports
