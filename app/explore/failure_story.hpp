// A failing schedule told to people: simulated with the workers it takes, beside the right order.
#pragma once

#include <string>

#include "app/explore/threads.hpp"
#include "app/model/loaded_model.hpp"
#include "reports/data/failure_story.hpp"
#include "verify/explore/coverage/engine_graph.hpp"
#include "verify/explore/ops/failure.hpp"
#include "verify/explore/threads/threads.hpp"

namespace detent::app {

struct StoryOptions {
  std::uint64_t input_seed = 0;
  std::string replay{};  ///< the line that repeats the failure
  bool executes = true;  ///< false: of a failure that no run has shown; tables are simulated without kernels
};

/// The failure of an exploration of `loaded` at op level. Both tables are simulated on bare cores, failure.workers of
/// them (one where gates do not work), every open pair ordered as in the failing or in the serial schedule; ops
/// without a time take 1 us. A table that does not obey the constraints, or whose digest is not the failure's, is left
/// out, and the note says so.
reports::FailureStory make_failure_story(const LoadedModel& loaded, const verify::explore::OpSpace& space,
                                         const verify::explore::OpFailure& failure, const StoryOptions& options);

/// A failure of the engine's own threads: what to do when, and every step.
/// @param replayed  of failure.choices
/// @param replay    the line that repeats it; empty: none does
reports::FailureStory make_thread_story(const verify::explore::ThreadFailure& failure,
                                        const verify::explore::ThreadReplay& replayed, std::uint32_t workers,
                                        const std::string& replay);

/// The failure of a sample of the engine, as `check` takes one. It has a replay line where the model itself breaks the
/// same law by the same steps; else the note says on what it was found.
/// @param program  that was sampled, of ThreadExploreRequest
/// @param execute  the model's kernels may be executed
/// @param sample   with a failure
reports::FailureStory make_engine_story(const ReplayLine& program, const LoadedModel& loaded, bool execute,
                                        const verify::explore::EngineSample& sample);

}  // namespace detent::app
