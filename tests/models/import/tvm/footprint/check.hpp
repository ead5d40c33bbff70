// Compares a footprint with what an execution touched.
#pragma once

#include <string>
#include <vector>

#include "models/import/tvm/footprint/footprint.hpp"
#include "tests/models/import/tvm/footprint/access_interpreter.hpp"

namespace detent::models::tvm {

/// By parameter, pool uses included at their offsets.
inline std::vector<AccessSets> with_pool_uses(const FunctionFootprint& footprint) {
  std::vector<AccessSets> result = footprint.params;
  for (const PoolUse& use : footprint.pool_uses) {
    AccessSets& sets = result[use.param];
    sets.reads.unite(use.access.reads.shifted(static_cast<std::int64_t>(use.offset_bytes)));
    sets.writes.unite(use.access.writes.shifted(static_cast<std::int64_t>(use.offset_bytes)));
    sets.reads_exact = sets.reads_exact && use.access.reads_exact;
    sets.writes_exact = sets.writes_exact && use.access.writes_exact;
    sets.reads_unbounded = sets.reads_unbounded || use.access.reads_unbounded;
    sets.writes_unbounded = sets.writes_unbounded || use.access.writes_unbounded;
  }
  return result;
}

/// Exact sets must be equal, others must cover; reads of what the call has written itself may be left out. "" when they
/// do.
inline std::string first_difference(const std::vector<AccessSets>& claimed, const std::vector<TouchedParam>& truth) {
  const auto fits = [](const ByteSet& mine, bool exact, bool unbounded, const ByteSet& touched) {
    return unbounded || (exact ? mine == touched : touched.difference(mine).empty());
  };
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const AccessSets& sets = claimed[i];
    const std::string param = "parameter " + std::to_string(i);
    if (!fits(sets.reads, false, sets.reads_unbounded, truth[i].early_reads)) return param + ": reads";
    const bool claims_more = sets.reads_exact && !sets.reads.difference(truth[i].reads).empty();
    if (claims_more) return param + ": reads that do not happen";
    if (!fits(sets.writes, sets.writes_exact, sets.writes_unbounded, truth[i].writes)) return param + ": writes";
  }
  return "";
}

}  // namespace detent::models::tvm
