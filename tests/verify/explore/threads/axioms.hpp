// The memory model a second time, as axioms: all execution graphs of a small program, each accepted or not. Shares
// nothing with threads_memory.cpp but the program.
//
//   coherence   no cycle of happens-before and the communication order (reads-from, modification order, from-read)
//   atomicity   an update reads the store just before its own
//   seq_cst     program order, reads-from and the communication order between seq_cst accesses have no cycle together
#pragma once

#include <set>
#include <string>

#include "tests/verify/explore/threads/script.hpp"

namespace detent::verify::explore::testing {

/// Outcomes as Script::explore names them. Loads, stores, claims, swaps and additions of words 0 to 7 only.
std::set<std::string> outcomes_by_axioms(const std::vector<std::vector<Action>>& scripts);

}  // namespace detent::verify::explore::testing
