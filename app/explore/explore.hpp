// detent explore: the schedules that matter, at the level of ops or of the engine's own threads.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/answer/given_option.hpp"
#include "app/answer/verdicts.hpp"
#include "app/explore/ops_request.hpp"
#include "app/explore/threads.hpp"
#include "app/model/loaded_model.hpp"

namespace detent::app {

struct ExploreRequest {
  Request request{};
  ModelOptions model{};
  std::string level = "ops";     ///< ops or threads
  std::string strategy = "dfs";  ///< of explore_strategies()
  std::uint64_t budget = 0;      ///< executions at most; 0: as OpExploreRequest and ThreadExploreRequest say
  std::uint32_t workers = 3;
  FailureOptions failure{};
  OpExploreRequest ops{};                      ///< what only --level ops takes
  ThreadExploreRequest threads{};              ///< what only --level threads takes
  std::vector<std::string> failing_devices{};  ///< likewise: classes of cores whose ops all fail
  std::vector<GivenOption> given{};            ///< all options of the command: those of the other level are refused
};

/// Names of the ways to choose schedules, of both levels.
std::vector<std::string> explore_strategies();

/// The model, whose structure holds. @throws InputError, std::invalid_argument  as load and require_structure
LoadedModel load_explored(const ExploreRequest& wanted);

/// What --level threads is asked; ops of failing devices are failing ops.
/// @throws std::invalid_argument  an option of the other level; a device that the model does not have
ThreadExploreRequest thread_request(const ExploreRequest& wanted, const LoadedModel& loaded);

/// explore_orders or explore_threads, as the level says.
/// @throws InputError, std::invalid_argument  as these; an option of the other level; a model that cannot be executed
Answer explore_model(const ExploreRequest& wanted, const LoadedModel& loaded, const OnProgress& on_progress);

/// The model loaded and explored; one with guards under each combination of outcomes, as explore_combinations.
/// @throws InputError, std::invalid_argument  as load_explored, combinations_of and explore_model; shards of several
/// combinations
Answer explore_every_outcome(const ExploreRequest& wanted, const OnProgress& on_progress);

}  // namespace detent::app
