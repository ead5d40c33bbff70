// Faults of many runs on one context -> those that one of the runs met, as faults of that run alone.
#pragma once

#include <detent/desc.h>

#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"

namespace detent::harness {

/// What repeats run `record` on a context of its own: calls are counted from 1 in that run, and what is about calls of
/// other runs is left out. A failure of the op's fifth call is one of the only call of its run.
Faults faults_of_one_run(Faults faults, const detent_desc& desc, const FaultRecord& record);

}  // namespace detent::harness
