// Value flow: does every read find the value that it wants, in every byte and on every schedule?
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/flow/wants.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// What keeps a read from its value.
enum class FlowFault : std::uint8_t {
  kOverwritten,  ///< the op in the way may write the bytes between writer and reader
  kTooEarly,     ///< the reader may come before the writer
  kAbsent,       ///< there are runs in which the reader runs and the writer does not
  kUndecided,    ///< the reader is a guarded op that may start before its decision is taken; `value` is the decision
  kClash         ///< the writer puts another value into the same bytes; it is itself the op in the way
};

/// One (reader, value, op in the way). DETENT_NONE as reader: an output of the model, as writer: an input, as op in the
/// way: none.
struct ValueViolation {
  FlowFault fault = FlowFault::kOverwritten;
  std::uint32_t reader = DETENT_NONE;
  std::uint32_t writer = DETENT_NONE;
  std::uint32_t in_the_way = DETENT_NONE;
  std::string value{};
  std::uint32_t region = DETENT_NONE;  ///< DETENT_NONE: no bytes are concerned
  std::uint64_t offset_bytes = 0;      ///< first run of bytes, within the region
  std::uint64_t size_bytes = 0;
  bool always = false;  ///< by the edges alone: every schedule on which the ops concerned run shows it
  std::vector<std::uint32_t> schedule{};  ///< op ids without pseudo-ops, an order that shows it; empty: left out
};

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
  std::uint32_t block_columns = 0;  ///< ops per block, a multiple of 64; 0 = chosen
};

/// All violations of the law: for each read of a value, the op that writes it precedes the reader by edges, and every
/// other op that writes one of the bytes precedes that writer or succeeds the reader. Inputs are written before
/// everything, outputs are read after everything. An op reads before it writes. Ops whose guards contradict never meet.
/// Time as find_races, twice; memory O(ops * 2048 / 8) bytes whatever the number of violations.
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
