// CostTable: measured times of a model's ops (`detent calibrate`), as simulation uses them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <detent/desc.h>

#include "base/ids.hpp"

namespace detent::sim {

/// Execution times of one op in one state of the caches, ps. min <= median <= p99 <= max.
struct MeasuredTimes {
  std::uint64_t min_ps = 0, median_ps = 0, p99_ps = 0, max_ps = 0;
  std::vector<std::uint64_t> quantiles_ps{};  ///< ascending, evenly spaced ranks, first min, last max; at most 65
};

struct MeasuredOp {
  std::string name;              ///< of the op; unique in a table
  std::string kernel;            ///< must agree with the Desc's
  MeasuredTimes warm;            ///< run after run
  MeasuredTimes cold;            ///< after the caches were flushed
  std::uint64_t dram_bytes = 0;  ///< that one execution moves; 0: as the Desc and the cache sizes say
};

struct CostTable {
  std::string model;   ///< MODEL it was measured on
  std::string source;  ///< host, compiler, date-free description
  bool use_cold = false;
  /// Where: on the host that calibrates, on the chip that the answers are about, by its vendor; or not said.
  enum class Measured : std::uint8_t { kUnsaid, kHere, kOnTarget, kByVendor } measured = Measured::kUnsaid;
  std::vector<MeasuredOp> ops;  ///< by name
};

/// Entry of `desc`'s op, null when the table has none of that name and kernel. O(log n).
const MeasuredOp* find_measured(const CostTable& table, const detent_desc& desc, OpId op);

/// detent.costs/1 (TOML). Throws std::invalid_argument with file, line and remedy.
CostTable read_costs(const std::string& path);
/// The same from text; `file` is named in errors.
CostTable parse_costs(std::string_view text, const std::string& file);
/// The text of such a file; the same table gives the same bytes.
std::string format_costs(const CostTable& table);

}  // namespace detent::sim
