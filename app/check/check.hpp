// The main job: prove, run, simulate, bound, explore.
#pragma once

#include <cstdint>
#include <optional>

#include "app/answer/answer.hpp"
#include "app/check/result.hpp"
#include "app/coverage/tools.hpp"
#include "app/model/loaded_model.hpp"
#include "app/model/schedule_options.hpp"
#include "app/simulate/simulation.hpp"

namespace detent::app {

struct CheckOptions {
  Request request{};
  ModelOptions model{};
  ScheduleOptions schedule{};
  SimulationOptions simulation{};
  bool audit = true;                         ///< before kernels of imported C are executed
  std::optional<std::uint64_t> schedules{};  ///< as CoverageOptions
  /// Symbolic states of the exact worst case; where it needs more, it is not told. None: states_within_a_second; 0: it
  /// is not looked for
  std::optional<std::uint64_t> max_states{};
  std::optional<CoverageTools> coverage{};  ///< measure with these which of the model's own C is executed
  bool scales_runs = false;                 ///< of very many ops fewer runs than simulation.runs: scaled_runs
  OnStep on_step{};                         ///< told of the steps that take long
};

/// Simulated runs of so many ops: `most`, but no more than execute 4,000,000 ops in all, and 20 all the same.
std::uint64_t scaled_runs(std::uint64_t most, std::uint32_t op_count);

/// Everything that can be told of `loaded` on `platform`. Kernels are executed natively and in simulation unless
/// options.simulation.timing_only is set, the model is too large, or the audit of its kernels is violated.
/// @param on_progress  of the simulated runs
///
/// With options.coverage everything that is executed natively is executed once more before, by kernels that count, in a
/// process of its own. A fault there is a violated verdict, and this process then executes no kernel.
/// @throws std::invalid_argument  options that mean nothing; a native run that the runtime refuses; as measure_code
CheckResult check(const CheckOptions& options, const LoadedModel& loaded, const sim::Platform& platform,
                  const OnProgress& on_progress);

}  // namespace detent::app
