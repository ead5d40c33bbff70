// Structure: do the op tables of a Desc describe a DAG that can run to its end?
#pragma once

#include <cstdint>
#include <vector>

#include <detent/desc.h>

#include "verify/verdict/verdict.hpp"

namespace detent::verify {

/// Property "structure": op ids are dense; every index of an op lies inside its table, and so do the model's inputs and
/// outputs; no op is its own successor; no edge stands twice; entry_count of every op equals the number of edges into
/// it; the edges close no cycle, so that every op becomes ready. O(ops + edges), no recursion.
///
/// Shares no code with detent_check: the two are compared by tests.
/// @return  violated: up to 16 witnesses, each with the catalogue number of its fault (B20..B26, B29, B09); for a cycle
///          Witness::ops is the cycle in edge order, each op once
Verdict check_structure(const detent_desc& desc);

/// A cycle in edge order, each op once; empty when there is none. Successors outside the table are ignored.
std::vector<std::uint32_t> find_cycle(const detent_desc& desc);

}  // namespace detent::verify
