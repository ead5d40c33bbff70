// Several networks on one simulated chip, each released again and again: networks + platform -> responses.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <detent/desc.h>

#include "harness/run.hpp"
#include "sim/platform/platform.hpp"
#include "sim/types/options.hpp"

namespace detent::sim {

/// A network, how often it is wanted and how urgently.
struct PeriodicNetwork {
  const detent_desc* desc = nullptr;       ///< outlives the call
  std::vector<detent_backend> backends{};  ///< kernels that are not built in; only `resolve` is used
  const CostTable* costs = nullptr;        ///< as SimOptions::costs
  std::int32_t priority = 0;               ///< among the networks; lower first
  std::uint64_t period_ps =
      0;  ///< run k is wanted at offset_ps + k * period_ps; 0: as soon as the one before has ended
  std::uint64_t offset_ps = 0;
  std::uint64_t release_jitter_ps = 0;  ///< and released by at most so much later, drawn by the seed
  /// By combination of outcomes of its branches: which ops run? Each run has one of them, drawn by the seed; its other
  /// ops take no time. Empty: all ops take their times. Only where no kernel executes.
  std::vector<std::vector<bool>> outcomes{};
};

struct TogetherOptions {
  harness::EngineSpec engine{};  ///< closed loop with the scheduler role. Workers on CPUs; 0: one per CPU core
  std::uint64_t runs = 1;        ///< of each network
  std::uint64_t until_ps = 0;    ///< 0: all of them; else those that are wanted before
  harness::Seeds seeds{};        ///< run k of network i takes run_seed(seeds.schedule + i, k)
  Jitter jitter{};
  bool timing_only = false;
  std::uint64_t execute_runs = 3;  ///< kernels really execute in the first this many runs of each network; in all of
                                   ///< one where an op is guarded
  bool keep_runs = false;          ///< NetworkResponses::traces
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< runs of all networks; may be empty
};

/// What the runs of one network came to. A response counts from when the run was wanted, not from its begin.
struct NetworkResponses {
  std::vector<std::uint64_t> responses_ps{};  ///< in the order of the releases
  std::vector<std::uint64_t> begins_ps{};     ///< likewise: when each was called, released and the one before it ended
  std::uint64_t overruns = 0;                 ///< runs that ended after the next was wanted
  std::vector<std::uint64_t> digests{};       ///< distinct, ascending, of runs whose kernels executed
  std::vector<harness::Run> traces{};         ///< of every run; their begin_ps and end_ps are of one clock
};

struct TogetherResult {
  std::vector<NetworkResponses> networks{};
  std::uint64_t end_ps = 0;               ///< when the last run ended
  std::vector<std::string> slot_names{};  ///< cores of the workers, from slot 1
  std::optional<std::string> failure{};   ///< what ended the simulation before its end
  std::size_t failed_network = 0;         ///< whose failure it is
};

/// All networks run on the workers of one pool (detent/worker_pool.h), the runtime's own.
/// Callers pay for their steps under the scheduler role, but on no core; choosing a network costs nothing. Ends early
/// where an interrupt asks for it: each network then has the runs that it has.
/// @throws std::invalid_argument  options that cannot be
TogetherResult simulate_together(const std::vector<PeriodicNetwork>& networks, const Platform& platform,
                                 const TogetherOptions& options);

}  // namespace detent::sim
