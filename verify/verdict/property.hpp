// Property: the questions that verdicts answer, each with its name, its title and the sentence that *holds* claims.
#pragma once

#include <cstdint>
#include <span>

namespace detent::verify {

enum class Property : std::uint8_t {
  kStructure,
  kMemoryPlan,
  kMemoryPlanSmt,
  kBufferRaces,
  kBufferRacesSmt,
  kValueFlow,
  kValueFlowSmt,
  kCheckersAgree,
  kAccessAudit,
  kCoverageRuns,
  kTextAnalysis,
  kDeterminism,
  kTraceRules,
  kFaultResponse,
  kSimulation,
  kBound,
  kResponses,
  kDeadline,
  kOpSchedules,
  kEngineSchedules,
  kThreads,
  kCoverGoals
};

struct PropertyText {
  Property property;
  const char* name;   ///< in JSON and on screens: "memory_plan"
  const char* title;  ///< for people: "Memory plan"
  const char* claim;  ///< one sentence: what is so when the verdict is *holds*
  const char* help;   ///< a sentence or two: what it means when it is not so, and what to do
};

/// Every property, in the order of the enumeration.
std::span<const PropertyText> all_properties();
const PropertyText& text_of(Property property);
inline const char* property_name(Property property) { return text_of(property).name; }

}  // namespace detent::verify
