// detent explore --level threads: the engine itself under every schedule of its threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"

namespace detent::app {

/// Words of the command line as they are.
struct EngineExplore {
  std::string strategy = "dfs";  ///< dfs (exhaustive), states, bounded, pct, pos, random, rotate
  std::string mode = "closed-loop", scheduler = "role";
  std::string memory = "c11";  ///< what loads may see: c11 or sc
  std::string choices;         ///< a schedule to replay instead of a search
  std::uint32_t workers = 2;
  std::uint64_t budget = 0;  ///< executions; 0: 1,000,000
  std::uint64_t input_seed = 0;
  std::uint32_t spurious_wakeups = 0;
  bool cancel = false;
  std::uint64_t op_deadline_ps = 0;               ///< 0: none
  std::optional<std::uint32_t> early_timeouts{};  ///< deadlines that may pass early; none: 1 with a deadline, else 0
  std::uint32_t runs = 1, spin_limit = 0;
  std::uint64_t state_memory_mib = 8192;     ///< of the table of --strategy states
  std::vector<std::uint32_t> failing_ops{};  ///< ops whose kernel returns an error
  std::uint32_t failing_starts = 0;  ///< worker starts that fail; then detent_init and detent_deinit are explored, too
  std::uint32_t duplicate_answers = 0;  ///< answers of each ASYNC op that come a second time
  std::uint32_t split = 1;              ///< of the model, for the replay line
  std::string failure_file;             ///< detent-failure/1; empty: none

  [[nodiscard]] std::uint32_t timeouts() const { return early_timeouts.value_or(op_deadline_ps != 0 ? 1 : 0); }
};

/// A schedule of the engine's threads. @param law  that it breaks; empty: none
ReplayLine thread_line(const Request& request, std::uint32_t split, const EngineExplore& words,
                       const std::string& choices, const std::string& law, const std::string& listing);

/// Explore, or replay words.choices. @return  `detent.explore/1`; unknown when the search was not finished
/// @throws std::invalid_argument  words that are none
Answer explore_engine(const Request& request, const LoadedModel& loaded, const EngineExplore& words);

}  // namespace detent::app
