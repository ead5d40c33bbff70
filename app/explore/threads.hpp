// detent explore --level threads: the engine itself under every schedule of its threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "verify/explore/threads/exploration.hpp"

namespace detent::app {

/// A search through the schedules of a program, or the replay of one.
struct ThreadExploreRequest {
  ThreadExploreRequest();

  /// The program: model, workers, mode, scheduler, seeds, faults. With threads.choices a schedule to replay instead of
  /// a search; threads.early_timeouts and threads.whole_life follow from the rest, see program().
  ReplayLine line{};
  std::string strategy = "dfs";                   ///< dfs (exhaustive), states, bounded, pct, pos, random, rotate
  std::uint64_t budget = 0;                       ///< executions; 0: 1,000,000
  std::optional<std::uint32_t> early_timeouts{};  ///< deadlines that may pass early; none: 1 with a deadline, else 0
  std::uint64_t state_memory_mib = 8192;          ///< of the table of --strategy states
  std::string failure_file{};                     ///< detent-failure/1; empty: none

  /// The line whole: detent_init and detent_deinit are explored, too, where starts of workers fail.
  [[nodiscard]] ReplayLine program() const;
};

/// The search that is asked for. @throws std::invalid_argument  a strategy, mode or scheduler that is none
verify::explore::ThreadOptions search_options(const LoadedModel& loaded, const ThreadExploreRequest& wanted);

/// `program` with a schedule of its threads. @param law  that it breaks; empty: none
ReplayLine thread_line(ReplayLine program, const std::string& choices, const std::string& law,
                       const std::string& listing);

/// Explore, or replay line.threads.choices. @return  `detent.explore/1`; unknown when the search was not finished
/// @throws std::invalid_argument  a strategy, mode or scheduler that is none
Answer explore_threads(const ThreadExploreRequest& wanted, const LoadedModel& loaded);

}  // namespace detent::app
