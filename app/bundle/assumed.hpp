// Every value that a check takes for granted, with its number, unit and source.
#pragma once

#include <vector>

#include "app/bundle/bundle_file.hpp"
#include "app/check/check.hpp"

namespace detent::app {

/// The platform's numbers in effect, the range of each op's time, how runs draw from it, and each bound that counts.
/// @param report  detent.check/1
std::vector<AssumedValue> assumed_values(const CheckOptions& options, const LoadedModel& loaded,
                                         const sim::Platform& platform, const Json& report);

/// The verdicts of a detent.check/1 answer, with the condition that the answer states for answers about time.
std::vector<BundledVerdict> bundled_verdicts(const Json& report);
/// Its list of assumptions.
std::vector<BundledAssumption> bundled_assumptions(const Json& report);

}  // namespace detent::app
