#include "verify/verdict/property.hpp"

#include <array>
#include <cstddef>

namespace detent::verify {
namespace {

constexpr std::array<PropertyText, 19> kTexts = {{
    {Property::kStructure, "structure", "Structure of the network",
     "The tables of the network describe one runnable graph."},
    {Property::kMemoryPlan, "memory_plan", "Memory plan",
     "Every tensor lies inside its region, and on no schedule do two that live at once share a byte."},
    {Property::kMemoryPlanSmt, "memory_plan_smt", "Memory plan by Z3",
     "Every tensor lies inside its region and no two that live at once share a byte, by a proof of Z3."},
    {Property::kBufferRaces, "buffer_races", "Buffer races",
     "No two unordered ops touch the same bytes when one of them writes."},
    {Property::kBufferRacesSmt, "buffer_races_smt", "Buffer races by Z3",
     "No two unordered ops touch the same bytes when one of them writes, by a proof of Z3."},
    {Property::kValueFlow, "value_flow", "Value flow",
     "Every read finds the value that it wants, in every byte and on every schedule."},
    {Property::kCheckersAgree, "checkers_agree", "Checkers agree", "The static checks and Z3 give the same answers."},
    {Property::kAccessAudit, "access_audit", "Bytes that kernels touch",
     "Kernels touch the bytes that their ops declare, and no others."},
    {Property::kTextAnalysis, "text_analysis", "Bytes by text analysis",
     "The operators of the artifact touch the bytes that the analysis of their text gives."},
    {Property::kDeterminism, "determinism", "Same output on any schedule",
     "The output is the same bits on every schedule."},
    {Property::kTraceRules, "trace_rules", "Rules of every trace",
     "Every op runs once, after its predecessors, and nothing overlaps on one core."},
    {Property::kFaultResponse, "fault_response", "Response to faults",
     "The run ends as its faults require, and the context is usable after them."},
    {Property::kSimulation, "simulation", "Simulated runs", "Every simulated run ends without a failure."},
    {Property::kBound, "bound", "Simulated time within the bound",
     "No simulated run takes longer than the analytic bound."},
    {Property::kResponses, "responses", "Every op's end within its response",
     "No op ends before its earliest or after its latest completion in a simulated run."},
    {Property::kOpSchedules, "op_schedules", "Every order of conflicting ops",
     "Every order of conflicting ops gives the same bytes."},
    {Property::kEngineSchedules, "engine_schedules", "Schedules of the engine's threads",
     "The engine keeps its laws on every schedule of its threads."},
    {Property::kThreads, "threads", "Schedules of the engine's threads on this model",
     "The engine keeps its laws on every schedule of its threads that was explored."},
    {Property::kCoverGoals, "cover_goals", "What must have happened",
     "Every cover goal that the evidence rests on has happened at least once."},
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
