// The exact worst case of the runs that a check simulates, with a run that attains it, or the reason why there is none.
#pragma once

#include "app/bound/bounds.hpp"
#include "app/check/check.hpp"
#include "reports/data/exact_case.hpp"

namespace detent::app {

/// @param loaded  what is simulated: one combination of outcomes where ops have guards
/// @param spec    of its bounds (CampaignBounds)
reports::ExactCase find_exact_case(const CheckOptions& options, const LoadedModel& loaded,
                                   const sim::Platform& platform, const BoundSpec& spec);

/// As many symbolic states as an exact analysis looks at in about a second of a desktop's core, 20,000 at most: the
/// more ops there are and the more of them can run at once, the longer a state takes.
std::uint64_t states_within_a_second(const verify::TimingProblem& problem);

/// A run of `problem` as a timeline has it: a lane for each core of each class, and one for a class without cores.
reports::TimelineRun timeline_of(const std::string& title, const detent_desc& desc,
                                 const verify::TimingProblem& problem, const verify::ListRun& run);

}  // namespace detent::app
