// One replay line in one world: native threads, simulated time, or the explorer.
#pragma once

#include <cstdint>
#include <string>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {

struct ReplayWorld {
  std::uint64_t runs = 1;              ///< native runs of one replay
  std::uint64_t watchdog_ms = 10'000;  ///< native: a gate held for longer opens, and the run counts as not reproduced
};

/// What one replay produced; two of them must be equal.
struct ReplayOutcome {
  std::string status{};                  ///< "OK", or what went wrong
  std::string digest{};                  ///< of the outputs; empty: none is expected, or not executed
  std::uint64_t makespan_ps = 0;         ///< simulated only
  std::uint64_t runs = 0;                ///< native: asked for
  std::uint64_t reproduced = 0;          ///< of them: with the digest of the line, or behind gates with its bytes
  bool gated = false;                    ///< constraints were enforced by gates
  std::string note{};                    ///< how it was done, where that is not obvious
  std::string law{}, listing{}, text{};  ///< threads: the law that broke, every step, and what happened
  RunEnd ended{};                        ///< faults: how the run ended; ops only where the host's timing cannot matter
  std::string broken{};                  ///< faults: what of fault_response is violated
  bool operator==(const ReplayOutcome&) const = default;
};

/// The model as the line wants it, on the platform that it names (for `on=sim`).
LoadedModel load_for(const ReplayLine& line, const sim::Platform& platform);
/// @throws std::invalid_argument  no such platform
sim::Platform platform_of(const ReplayLine& line);

/// @param line  on=explore where it has choices
/// @throws std::invalid_argument  the line cannot run there: it has no schedule to explore, or gates take more workers
ReplayOutcome replay_in_world(const ReplayLine& line, const LoadedModel& loaded, const sim::Platform& platform,
                              const ReplayWorld& world);

/// What differs between what the line expects and what happened; empty when nothing does.
std::string difference_to(const ReplayLine& line, const ReplayOutcome& outcome);

/// `detent.replay/1` of one replay, and the same for people.
Json replay_answer(const Request& request, const ReplayLine& line, const ReplayOutcome& outcome);
Lines replay_outcome_lines(const ReplayLine& line, const ReplayOutcome& outcome);

}  // namespace detent::app
