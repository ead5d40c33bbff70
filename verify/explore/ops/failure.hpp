// OpFailure: a schedule whose bytes differ from the serial run's, made as small as it gets.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "verify/explore/ops/runner.hpp"
#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {

struct OpFailure {
  OpPair pair;                          ///< the two ops and their bytes
  std::vector<Constraint> constraints;  ///< what makes it fail; the rest of the schedule is the lowest id first
  std::vector<std::uint32_t> schedule;  ///< all ops, under the constraints
  std::vector<std::uint32_t> ops;       ///< the ops that it takes, closed under predecessors, ascending
  std::uint32_t workers = 0;            ///< fewest native workers that gates need; 0: gates cannot show it (see below)
  std::uint64_t digest = 0;             ///< of the failing schedule
  std::uint64_t serial_digest = 0;
  std::string shown;             ///< what differs: "op 4 (reader) reads other bytes"
  std::uint64_t executions = 0;  ///< spent on finding and minimising it
};

/// Minimise. `schedule` reverses open pairs of the serial order; a step is accepted only if the same pair still runs
/// the other way round and some op still reads, or the run still leaves, other bytes than serially. First a single
/// pair, then fewer constraints by halves, then only the predecessors of the pair, then the fewest workers: one more
/// than ops held. A mutex that both ops of a constraint share keeps a gate from working: workers is then 0.
/// @param runner_options  observe and skipped are ignored
/// @return  nothing when no byte differs: the race is there, but this data and these kernels do not show it
std::optional<OpFailure> minimise_failure(const OpSpace& space, const std::vector<std::uint32_t>& schedule,
                                          const RunnerOptions& runner_options);

/// A schedule that turns `pair`, which nothing was executed for: without digests, and `shown` says so.
/// @return  nothing when the turned pair closes a cycle with the edges
std::optional<OpFailure> unexecuted_failure(const OpSpace& space, const OpPair& pair);

/// The two schedules that show one open pair, adjacent, in both orders, the serial order first.
std::vector<std::vector<std::uint32_t>> schedules_of_pair(const OpSpace& space, const OpPair& pair);

struct GateReplayOptions {
  std::uint32_t workers = 2;
  std::uint64_t runs = 1;
  std::uint64_t watchdog_ms = 10'000;
  /// observe is ignored; ops in `skipped` compute nothing, so that races among them disturb nothing
  RunnerOptions runner{};
};

struct GateReplay {
  std::uint64_t runs = 0;
  std::uint64_t reproduced = 0;        ///< runs whose ops of the constraints saw the bytes of the serial replay
  std::uint64_t expired = 0;           ///< runs in which the watchdog opened a gate; after three the replay ends
  std::vector<std::uint64_t> digests;  ///< distinct, ascending
  detent_error error{};                ///< of binding or the first run that failed
};

/// Run natively, closed loop, each constraint enforced by a gate at op begin.
/// @throws std::invalid_argument  the gates hold as many ops as there are workers, two ops of a constraint share a
///         mutex, or the constraints close a cycle
GateReplay replay_with_gates(const OpSpace& space, const std::vector<Constraint>& constraints,
                             const GateReplayOptions& options);

/// Workers that gates for `constraints` need: one more than ops held. 0: a mutex keeps them from working.
std::uint32_t workers_for_gates(const detent_desc& desc, const std::vector<Constraint>& constraints);

}  // namespace detent::verify::explore
