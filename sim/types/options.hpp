// What a campaign of simulated runs is told.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <detent/backend.h>
#include <detent/detent.h>

#include "base/ids.hpp"
#include "harness/engine_spec.hpp"
#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"
#include "sim/types/chosen_run.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {

struct CostTable;

/// Runs first, first + 1, ... of a campaign.
struct RunRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
};

/// What one run came to.
struct RunOutcome {
  std::uint64_t run = 0;
  std::uint64_t makespan_ps = 0;
  std::optional<std::uint64_t> digest{};  ///< of a run whose kernels really ran
};

/// Runs that were simulated before (a campaign that goes on, shards that are merged).
struct KnownRuns {
  std::vector<std::uint64_t> makespans_ps{};  ///< of the first runs of the part
  std::vector<std::uint64_t> digests{};       ///< that they gave, any order
};

/// One op that takes longer than it should: all its times and bytes are (1 + step) times as large.
struct SlowerOp {
  OpId op = 0;
  double step = 0;
};

struct SimOptions {
  harness::EngineSpec
      engine{};  ///< without spin_limit. Workers are those on CPUs; 0: one per CPU core. Never more than cores
  std::uint64_t runs = 1;
  harness::Seeds seeds{};  ///< run r takes run_seed(seeds.schedule, r)
  Jitter jitter{};
  bool timing_only = false;  ///< no kernels
  std::uint64_t execute_runs =
      3;  ///< kernels really execute in the first this many runs; in all where an op is guarded
  std::vector<detent_backend> backends{};  ///< kernels that are not built in; only `resolve` is used. Outlive the run
  const CostTable* costs = nullptr;        ///< measured times instead of the roofline, matched by op name; may be null
  bool migrating = false;                  ///< workers move to an idle core of their class instead of staying on one
  bool keep_makespans = true;              ///< for the histogram
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< may be empty

  RunRange part{};                                  ///< of the `runs` those to simulate; count 0: all
  KnownRuns* known = nullptr;                       ///< emptied: not simulated again. May be null
  std::function<void(const RunOutcome&)> on_run{};  ///< each run once, ascending, as soon as it ended; may be empty
  std::vector<std::uint64_t> run_seeds{};  ///< of run r, instead of run_seed(seeds.schedule, r); empty, or one per run
  std::uint32_t keep_worst = 10;           ///< length of SimResult::worst_runs
  std::optional<SlowerOp> slower_op{};     ///< for sensitivity
  bool with_traces = true;                 ///< repeat the worst and the median run with a trace
  bool keep_ends = false;                  ///< SimResult::ends

  /// Runs beside the others in which op times are chosen so that they are long (sim/campaign/run_search.hpp). Only one,
  /// in which every op takes its worst time, where draws of one core are equal (correlation 1). Not with `faults`.
  std::uint64_t search_runs = 0;
  std::optional<ChosenRun> chosen{};  ///< every run of the campaign is this one; its seed counts, and not those above

  /// What goes wrong in each run. A run that ends with the status of a fault does not end the campaign: its context is
  /// reset and runs again with nothing wrong, and on_faults is told. Not with `known`.
  harness::Faults faults{};
  std::function<void(std::uint64_t run, const harness::FaultRecord&)> on_faults{};  ///< may be empty
};

}  // namespace detent::sim
