// Desc -> the claim that some schedule lets two ops touch one byte at once, one of them writing, as a Script.
//
// A schedule is a start and an end per op, start < end, and end_a <= start_b for every edge. `now` is any instant; an
// op is active then when it has started and not ended. The claim names an instant, a byte of a region, a first op that
// is active and writes it and a second, other op that is active and touches it. Ops that share a mutex are not active
// at one instant: each mutex has one holder. (Exclusion at that instant is enough: every other op can be moved out of
// the way, before or after it, without breaking an edge.) Ops touch bytes where they run: each decision that guards
// name has one outcome. Nothing here is shared with verify/order or verify/buffer_race.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"
#include "base/value_tables.hpp"
#include "verify/smt/solver/budget.hpp"
#include "verify/smt/solver/script.hpp"

namespace detent::verify::smt {

/// What one op does to one region: reads (inputs, weights) or writes (outputs, scratch) the bytes of `tensors`.
struct AccessGroup {
  OpId op = 0;
  RegionId region = 0;
  bool writes = false;
  std::vector<std::uint32_t> tensors;
};

struct RaceQuery {
  Script script;
  std::vector<AccessGroup> groups;  ///< by op, region, reads before writes
  std::vector<Term> first;          ///< per group: it is the claim's first access; only of writes
  std::vector<Term> second;         ///< per group: it is the claim's second access
  std::vector<Term> start;          ///< per op
  Term byte{};                      ///< within the region
  Term claim{};                     ///< a boolean; not asserted, so that the schedules alone can be asked for
  std::string stopped{};            ///< the limit that ended the building, and where; empty: the formula is whole
};

/// O(ops + edges + accesses) terms, O(ops) variables.
/// @param tables  guards; null: none
/// @throws std::invalid_argument  an index lies outside its table, or an op touches a tensor that describes no bytes
RaceQuery encode_races(const detent_desc& desc, const ValueTables* tables, const Budget& budget = Budget::unlimited());

}  // namespace detent::verify::smt
