// Value flow beside runs: in those that a check has made, did each read find its value?
#pragma once

#include "app/check/result.hpp"
#include "app/model/loaded_model.hpp"
#include "verify/runs/read_check.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Say in the verdict value_flow of the static laws what runs have shown: the explored schedules, and the simulated and
/// native runs whose traces `result` has. Violated where one read missed its value, whatever was proved; then the
/// witness names the reader and whose bytes it found. Nothing is said where no read names its value, or none was run.
/// @param explored  of the schedules of whole ops
void add_executed_reads(const LoadedModel& loaded, const CheckResult& result, const verify::ReadRuns& explored,
                        verify::Verdict& value_flow);

}  // namespace detent::app
