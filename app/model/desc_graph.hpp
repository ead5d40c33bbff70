// Desc -> op graph with values: what each read wants becomes a name in the file.
#pragma once

#include <detent/desc.h>

#include "base/value_tables.hpp"
#include "models/core/model.hpp"

namespace detent::app {

/// Any Desc as an op graph, that of a hand-written runtime table, too: ops with classes, times, priorities, mutexes and
/// commute groups, edges, and the byte ranges that each op touches, with the values that verify/flow/wants says it
/// reads. models::format_graph writes it; value_flow and buffer_races find the same in it. Reads and writes of ops of
/// one commute group, whose order is declared not to matter, name no value.
/// @param tables  of bare ranges, and guards; null: none
/// @throws std::invalid_argument  tables that check_structure or check_memory_plan refuse
models::Model to_graph(const detent_desc& desc, const ValueTables* tables);

/// The same into a graph that has the ops of `desc`, perhaps without the pseudo-ops at its end: regions, ranges, inputs
/// and outputs are made anew, all else is kept.
void put_ranges(const detent_desc& desc, const ValueTables* tables, models::Model& graph);

}  // namespace detent::app
