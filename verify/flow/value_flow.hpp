// Value flow: does every read find the value that it wants, in every byte and on every schedule?
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/flow/violation.hpp"
#include "verify/flow/wants.hpp"
#include "verify/graph/order.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

struct ValueFlowReport {
  std::vector<ValueViolation> listed;  ///< by (reader, value, in_the_way), outputs last; the first when there are many
  bool is_whole = true;                ///< all are listed
  std::uint64_t count = 0;             ///< entries in all; exact where no read wants one of several values
  std::uint64_t always = 0;            ///< of them, those that every schedule shows
  std::uint64_t reads = 0;             ///< pairs of a reader and what it wants, outputs included
  std::uint64_t outputs = 0;           ///< of them
  std::uint64_t unnamed = 0;           ///< reads of bare ranges that name no value: nothing is asked of them
  std::uint64_t guarded_ops = 0;
};

struct ValueFlowOptions {
  std::uint64_t max_listed = 10'000;
  std::uint32_t block_columns = 0;               ///< ops per block, a multiple of 64; 0 = chosen
  std::uint32_t max_closed_ops = kMaxClosedOps;  ///< above it the serial order is asked first
  /// Of a want and an op that writes its bytes, each decided by paths above max_closed_ops; none: most_decided_pairs.
  std::optional<std::uint64_t> max_decided_pairs{};
  bool are_conflicts_ordered = false;  ///< paths order all conflicting pairs (RaceReport::are_all_ordered)
};

/// All violations of the law: for each read of a value, the op that writes it precedes the reader by edges, and every
/// other op that writes one of the bytes precedes that writer or succeeds the reader. Inputs are written before
/// everything, outputs are read after everything. An op reads before it writes. Ops whose guards contradict never meet.
/// Time as find_races, twice; memory O(ops * 2048 / 8) bytes whatever the number of violations. Above max_closed_ops
/// about O(ops log ops + edges) where paths order all conflicting pairs and each read finds its value in the serial
/// order: then it does on every schedule. Else, where each read wants one value, the ops that write its bytes are asked
/// for paths, max_decided_pairs of them at most.
/// @throws std::invalid_argument  a cycle, or tables that check_structure or check_memory_plan refuse
ValueFlowReport find_value_violations(const detent_desc& desc, const ValueTables* tables,
                                      const ValueFlowOptions& options = {});

/// Property "value_flow" from a report: witnesses name ops, value and bytes; the first few carry a schedule.
Verdict judge_value_flow(const detent_desc& desc, const ValueFlowReport& report);

/// find_value_violations and judge_value_flow; unknown, with the reason, when the Desc is refused.
Verdict check_value_flow(const detent_desc& desc, const ValueTables* tables);

/// One line: who reads what, and what is in the way.
std::string describe_violation(const detent_desc& desc, const ValueViolation& violation);

}  // namespace detent::verify
