// What the answers of a check leave open, read off the answers themselves.
#pragma once

#include <vector>

#include "app/answer/answer.hpp"
#include "app/bundle/bundle_file.hpp"

namespace detent::app {

/// Verdicts that do not hold, schedules and runs that were sampled and not exhausted, guessed numbers, bounds that do
/// not apply, and options that leave something out of the model. Empty where nothing of the kind is in the answer.
/// @param report   detent.check/1
/// @param bundle   its verdicts, options and assumed values
std::vector<ResidualRisk> residual_risks(const Json& report, const BundleFile& bundle);

}  // namespace detent::app
