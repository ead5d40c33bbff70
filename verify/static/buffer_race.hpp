// Buffer races: every two ops that no path orders, that touch a common byte, and of which one writes it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "verify/graph/order.hpp"
#include "verify/static/race.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// A sorted head of a list and the length of the whole.
struct RaceList {
  std::vector<Race> listed;  ///< by (op_a, op_b, kind, region); the first of them when there are too many
  std::uint64_t count = 0;   ///< entries in all; exact
  std::uint64_t pairs = 0;   ///< pairs of ops in all; exact
};

struct RaceReport {
  RaceList races;            ///< unordered and conflicting, with no mutex in common: the bytes can be corrupted
  RaceList order_dependent;  ///< unordered and conflicting, never at once thanks to a mutex, but in no commute group
                             ///< together: the result depends on the schedule
  /// Pairs of real ops that no path orders; none: not counted, as there are more ops than RaceOptions::max_counted_ops.
  std::optional<std::uint64_t> unordered_pairs{};
  /// Pairs that touch a common byte which one writes, ordered or not; none: more than kMaxConflictsPerOp an op, all
  /// ordered, and not counted either.
  std::optional<std::uint64_t> conflicting_pairs{};
  std::uint64_t exclusive_pairs = 0;  ///< further ones, whose guards contradict: they never both run
  bool are_all_ordered = false;       ///< paths order all conflicting pairs; false also where that was not found out
};

/// Above so many ops verify and check decide conflicting pairs alone and do not count the unordered ones.
inline constexpr std::uint32_t kMaxCountedOps = std::uint32_t{1} << 17;
/// Where unordered pairs are not counted and paths order all conflicting ones, so many of these are counted, on
/// average.
inline constexpr std::uint32_t kMaxConflictsPerOp = 16;

struct RaceOptions {
  std::uint64_t max_listed = 10'000;            ///< per list
  std::uint32_t block_columns = 0;              ///< ops per block, a multiple of 64: memory against time; 0 = chosen
  std::uint32_t max_counted_ops = DETENT_NONE;  ///< of a graph whose unordered pairs are counted
  std::uint32_t max_conflicts_per_op = kMaxConflictsPerOp;  ///< that are counted above max_counted_ops
  /// Of a graph above max_counted_ops that paths do not order; none: most_decided_pairs.
  std::optional<std::uint64_t> max_decided_pairs{};
  const ValueTables* values = nullptr;  ///< ops whose guards contradict never both run; null: all ops run
};

/// All races of a Desc, exactly: nothing more, nothing less, for the accesses that the Desc declares.
///
/// Scratch counts as written. Reads of bytes that no op writes conflict with nothing. Control-flow steps are not
/// taken into account: ops of different steps count as unordered unless an edge orders them.
/// Time O(ops^2 / 64 * (edges + accesses) / ops), memory O(ops * 2048 / 8) bytes whatever the number of conflicts:
/// pairs are counted as bits, and only listed races are looked at one by one. Above max_counted_ops the same races in
/// about O(ops log ops + edges) where paths order all conflicting pairs, and with the pairs besides where these are
/// max_decided_pairs at most; else as above.
/// @throws std::invalid_argument  a cycle, or tables that check_structure or check_memory_plan refuse
RaceReport find_races(const detent_desc& desc, const RaceOptions& options = {});

/// Property "buffer_races" from a report: witnesses name ops, tensors and bytes; the first few carry a schedule in
/// which op_b runs immediately before op_a.
Verdict judge_races(const detent_desc& desc, const RaceReport& report);

/// "976 unordered and 947 conflicting pairs of ops"; where they are not counted, that they are not, and why.
std::string describe_counts(const RaceReport& report);

/// find_races and judge_races; unknown, with the reason, when the Desc is refused.
Verdict check_buffer_races(const detent_desc& desc);

/// One line: "op 3 (b) writes and op 1 (a) reads bytes [0, 64) of ws (tensor 2 (x) / tensor 1 (y)) in either order".
std::string describe_race(const detent_desc& desc, const Race& race);

}  // namespace detent::verify
