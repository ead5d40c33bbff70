#include "verify/verdict/property.hpp"

#include <array>
#include <cstddef>

namespace detent::verify {
namespace {

constexpr std::array<PropertyText, 22> kTexts = {{
    {Property::kStructure, "structure", "Structure of the network",
     "The tables of the network describe one runnable graph.",
     "An index, an edge or a count of the tables is wrong, or the edges close a cycle: the runtime refuses the "
     "network. Repair the model or the tool that wrote it."},
    {Property::kMemoryPlan, "memory_plan", "Memory plan",
     "Every tensor lies inside its region, and on no schedule do two that live at once share a byte.",
     "Two tensors that may live at once share bytes, or one lies where it may not. Give one of them another place "
     "(detent verify MODEL --fix places -o FILE) or plan the memory anew."},
    {Property::kMemoryPlanSmt, "memory_plan_smt", "Memory plan by Z3",
     "Every tensor lies inside its region and no two that live at once share a byte, by a proof of Z3.",
     "Z3 has an example in which the memory plan breaks a law. See memory_plan for tensors and bytes."},
    {Property::kBufferRaces, "buffer_races", "Buffer races",
     "No two unordered ops touch the same bytes when one of them writes.",
     "No edge orders two ops that touch a common byte, so the result depends on who is first. Add an edge (detent "
     "verify MODEL --fix edges -o FILE) or move one of the buffers."},
    {Property::kBufferRacesSmt, "buffer_races_smt", "Buffer races by Z3",
     "No two unordered ops touch the same bytes when one of them writes, by a proof of Z3.",
     "Z3 has a schedule on which two ops touch a byte in either order. See buffer_races for ops and bytes."},
    {Property::kValueFlow, "value_flow", "Value flow",
     "Every read finds the value that it wants, in every byte and on every schedule.",
     "An op reads bytes in which another value stands by then: the buffer was given away too early, or too late. Where "
     "some schedules are right, edges mend it; else move a value (detent verify MODEL --fix places -o FILE)."},
    {Property::kValueFlowSmt, "value_flow_smt", "Value flow by Z3",
     "Every read finds the value that it wants, in every byte and on every schedule, by a proof of Z3.",
     "Z3 has a schedule on which a read misses its value. See value_flow for ops, values and bytes."},
    {Property::kCheckersAgree, "checkers_agree", "Checkers agree", "The static checks and Z3 give the same answers.",
     "Two independent checks of one law differ. That is a fault of Detent; please report it with the model."},
    {Property::kAccessAudit, "access_audit", "Bytes that kernels touch",
     "Kernels touch the bytes that their ops declare, and no others.",
     "A kernel reads or writes bytes that its op does not declare, so what was proved of declared bytes is not known "
     "of real ones. Correct the declaration or the kernel."},
    {Property::kCoverageRuns, "coverage_runs", "Runs that count coverage",
     "The kernels, compiled with coverage counters and without optimisation, give the bytes and verdicts of the check.",
     "The kernels crashed or failed where they count, or give other bytes than those of the check: their result "
     "depends "
     "on how they are compiled, as after a read of a variable that nothing wrote. Look at the op that the witness "
     "names."},
    {Property::kTextAnalysis, "text_analysis", "Bytes by text analysis",
     "The operators of the artifact touch the bytes that the analysis of their text gives.",
     "An operator touched bytes that the analysis of its text does not give. That is a fault of the importer; please "
     "report it with the artifact."},
    {Property::kDeterminism, "determinism", "Same output on any schedule",
     "The output is the same bits on every schedule.",
     "Two schedules give different outputs. Order the ops that conflict, or declare that their order does not matter."},
    {Property::kTraceRules, "trace_rules", "Rules of every trace",
     "Every op runs once, after its predecessors, and nothing overlaps on one core.",
     "A recorded run breaks a rule of execution: an op too early, twice or never. Repeat it with the replay line."},
    {Property::kFaultResponse, "fault_response", "Response to faults",
     "The run ends as its faults require, and the context is usable after them.",
     "After a failing, late or cancelled op the run did not end as it must. Repeat it with the replay line."},
    {Property::kSimulation, "simulation", "Simulated runs", "Every simulated run ends without a failure.",
     "A simulated run failed. Repeat it with the replay line."},
    {Property::kBound, "bound", "Simulated time within the bound",
     "No simulated run takes longer than the analytic bound.",
     "A simulated run was longer than a bound that no run may exceed: an assumption of the bound does not hold, or one "
     "of the two is wrong."},
    {Property::kResponses, "responses", "Every op's end within its response",
     "No op ends before its earliest or after its latest completion in a simulated run.",
     "An op ended outside the response times that were computed for it: an assumption does not hold, or one of the two "
     "is wrong."},
    {Property::kDeadline, "deadline", "Every run ends by the deadline",
     "No run ends later than the deadline after its release, if no op exceeds its worst time.",
     "A run takes longer than the deadline, or no bound is low enough to exclude one. Repeat the run with its replay "
     "line; detent bound --method exact tells more."},
    {Property::kOpSchedules, "op_schedules", "Every order of conflicting ops",
     "Every order of conflicting ops gives the same bytes.",
     "Two orders of conflicting ops give different bytes. The failure names the ops; add the edge that is missing."},
    {Property::kEngineSchedules, "engine_schedules", "Schedules of the engine's threads",
     "The engine keeps its laws on every schedule of its threads.",
     "The engine broke one of its laws on a schedule of its threads. Repeat it with the replay line and please report "
     "it."},
    {Property::kThreads, "threads", "Schedules of the engine's threads on this model",
     "The engine keeps its laws on every schedule of its threads that was explored.",
     "The engine broke one of its laws on a schedule of its threads. Repeat it with the replay line and please report "
     "it."},
    {Property::kCoverGoals, "cover_goals", "What must have happened",
     "Every cover goal that the evidence rests on has happened at least once.",
     "Something without which the evidence says little has never happened. Allow more runs or a larger budget."},
}};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    if (kTexts[i].property != static_cast<Property>(i)) return false;
  }
  return true;
}
static_assert(in_order(), "text_of indexes the table");

}  // namespace

std::span<const PropertyText> all_properties() { return kTexts; }

const PropertyText& text_of(Property property) { return kTexts.at(static_cast<std::size_t>(property)); }

}  // namespace detent::verify
