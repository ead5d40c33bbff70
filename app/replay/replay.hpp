// detent replay: a run repeated from its line, from the JSON answer that carries it, or from a failure file; twice.
#pragma once

#include <string>
#include <vector>

#include "app/answer/verdicts.hpp"
#include "app/replay/replay_worlds.hpp"

namespace detent::app {

struct ReplayRequest {
  Request request{};
  std::string source{};  ///< as read_replay_source
  std::string on{};      ///< world; empty: as recorded
  std::string model{};   ///< instead of the one that the source names
  ReplayWorld world{};
  bool force = false;  ///< go on although a failure file belongs to another model
};

struct Replayed {
  Answer answer{};                      ///< `detent.replay/1`; violated: it is not what was recorded
  std::vector<std::string> warnings{};  ///< of a failure file of another engine or model
};

/// Run what the source says twice, and compare both with it and with each other.
/// @throws InputError, std::invalid_argument  as read_replay_source, line_for, load_for, compare_identity and
///         replay_in_world
Replayed replay(const ReplayRequest& wanted);

}  // namespace detent::app
