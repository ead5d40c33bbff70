// Simulated runs: Desc + platform + options -> Runs and statistics. The runtime object is the native one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/faults.hpp"
#include "harness/run.hpp"
#include "runtime/desc.h"
#include "sim/cost_table.hpp"
#include "sim/platform.hpp"

namespace detent::sim {

/// Distribution of op times within [best, worst] (of a known range) or around the roofline time. Which op gets which
/// distribution: the first of `rules` that matches it, else kind, spread and shape of this struct itself.
struct Jitter {
  enum class Kind : std::uint8_t {
    kWorst,       ///< always the worst time
    kUniform,     ///< every time of the range is equally likely
    kTriangular,  ///< symmetric, its mode in the middle
    kEmpirical,   ///< the measured quantiles of a CostTable, interpolated
    kPareto,      ///< truncated; shape = tail index alpha: the smaller, the heavier the tail (sim/jitter.hpp)
    kLognormal    ///< truncated; shape = sigma of the logarithm: the larger, the heavier the tail
  } kind = Kind::kUniform;
  double spread = 0.1;  ///< roofline ops: best = time, worst = time * (1 + spread)
  double shape = 0;     ///< kPareto, kLognormal: (0, 20]

  struct Rule {
    std::string pattern;  ///< core class, kernel or op name; '*' stands for any characters
    Kind kind = Kind::kUniform;
    double spread = 0.1;
    double shape = 0;
  };
  std::vector<Rule> rules{};
  /// [0, 1]: how much the draws of one core in one run have in common (Gaussian copula). Every op keeps its own
  /// distribution; 0: draws are independent, and those of before this field existed.
  double core_correlation = 0;
};

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
  std::uint32_t op = 0;
  double step = 0;
};

struct SimOptions {
  std::uint32_t worker_count = 0;  ///< CPU workers; 0: one per CPU core of the platform. Never more than cores
  std::uint64_t runs = 1;
  std::uint64_t seed = 0;        ///< of jitter and the random policy
  std::uint64_t input_seed = 0;  ///< of the model inputs: the same value natively gives the same digest
  Jitter jitter{};
  bool timing_only = false;        ///< no kernels
  std::uint64_t execute_runs = 3;  ///< kernels really execute in the first this many runs
  std::string policy = "id";
  std::vector<std::uint32_t> order{};
  detent_mode mode = DETENT_MODE_CLOSED_LOOP;
  detent_scheduler scheduler = DETENT_SCHEDULER_ROLE;
  std::vector<detent_backend> backends{};  ///< kernels that are not built in; only `resolve` is used. Outlive the run
  const CostTable* costs = nullptr;        ///< measured times instead of the roofline, matched by op name; may be null
  bool migrating = false;                  ///< workers move to an idle core of their class instead of staying on one
  bool keep_makespans = true;              ///< for the histogram
  std::function<void(std::uint64_t done, std::uint64_t total)> progress{};  ///< may be empty

  RunRange part{};                                  ///< of the `runs` those to simulate; count 0: all
  KnownRuns* known = nullptr;                       ///< emptied: not simulated again. May be null
  std::function<void(const RunOutcome&)> on_run{};  ///< each run once, ascending, as soon as it ended; may be empty
  std::vector<std::uint64_t> run_seeds{};           ///< of run r, instead of run_seed(seed, r); empty, or one per run
  std::uint32_t keep_worst = 10;                    ///< length of SimResult::worst_runs
  std::optional<SlowerOp> slower_op{};              ///< for sensitivity
  bool with_traces = true;                          ///< repeat the worst and the median run with a trace
  bool keep_ends = false;                           ///< SimResult::ends

  /// What goes wrong in each run. A run that ends with the status of a fault does not end the campaign: its context is
  /// reset and runs again with nothing wrong, and on_faults is told. Not with `known`.
  harness::Faults faults{};
  std::function<void(std::uint64_t run, const harness::FaultRecord&)> on_faults{};  ///< may be empty
};

/// Execution time range of one op on one platform, overheads not included.
struct OpTime {
  std::uint64_t best_ps = 0;
  std::uint64_t worst_ps = 0;
};

/// What one op asks of the chip.
struct OpWork {
  OpTime time{};                  ///< alone on the chip
  std::uint64_t compute_ps = 0;   ///< part of time.best_ps that remains if memory is infinitely fast
  std::uint64_t dram_bytes = 0;   ///< moved through the shared DRAM after the front; 0: no other client delays it
  std::uint64_t front_ps = 0;     ///< NPU: command and first fill of the buffers, part of the time; no array needed
  std::uint64_t front_bytes = 0;  ///< moved meanwhile
};

struct CoreUse {
  std::string core;  ///< "cpu0", "npu0"
  std::uint32_t slot = 0;
  std::uint64_t busy_ps = 0;  ///< in the worst run
};

/// When an op ended in the runs of a campaign, from the begin of each run on.
struct OpEnd {
  std::uint64_t earliest_ps = UINT64_MAX, latest_ps = 0;
  std::uint64_t earliest_seed = 0, latest_seed = 0;  ///< each repeats its run alone
};

/// A run of a campaign and the seed that repeats it alone.
struct RankedRun {
  std::uint64_t run = 0;
  std::uint64_t seed = 0;
  std::uint64_t makespan_ps = 0;
};

struct SimResult {
  std::uint64_t runs = 0;
  std::uint64_t executed_runs = 0;                                  ///< runs whose kernels really ran
  std::vector<std::uint64_t> makespans_ps;                          ///< by run number, if kept
  std::uint64_t min_ps = 0, median_ps = 0, p99_ps = 0, max_ps = 0;  ///< nearest rank
  std::uint64_t worst_run = 0;                                      ///< run number of the maximum
  std::uint64_t worst_seed = 0;  ///< `simulate --runs 1 --seed` this repeats the worst run alone
  double mean_ps = 0;
  double standard_error_ps = 0;         ///< of the mean; 0 for one run
  std::vector<RankedRun> worst_runs;    ///< longest first, ties by run number; at most options.keep_worst
  std::vector<std::uint64_t> digests;   ///< distinct digests of the executed runs, ascending
  harness::Run worst;                   ///< with trace
  harness::Run typical;                 ///< the median run, with trace
  std::vector<std::string> slot_names;  ///< core that each slot runs on; then "delays"
  std::vector<CoreUse> use;
  std::vector<OpEnd> ends;             ///< by op over all runs that were simulated here; empty unless keep_ends
  std::optional<std::string> failure;  ///< deadlock or a failed run: what, which run, which seed
};

/// Simulate. Throws std::invalid_argument on options that cannot be (more workers than cores, faults of ops that the
/// Desc does not have).
SimResult simulate(const detent_desc& desc, const Platform& platform, const SimOptions& options);

/// Work of every op. Times are, in this order: the Desc's own (they include their memory time, so no other client
/// delays such an op); measured ones of `costs` for CPU ops, if not null; the NPU's mapping of the layer; else the
/// roofline max(flops / peak, bytes / bandwidth), of which `spread` of the jitter makes a range. sim/cost.cpp.
std::vector<OpWork> op_work(const detent_desc& desc, const Platform& platform, const Jitter& jitter,
                            const CostTable* costs = nullptr);
/// Their times only.
std::vector<OpTime> op_times(const detent_desc& desc, const Platform& platform, const Jitter& jitter,
                             const CostTable* costs = nullptr);
/// Upper bounds on what the others on the chip add: other clients of the DRAM, the other hardware thread of a core.
/// The bounds of verify/timing hold over worst times + per_op_ps, plus per_run_ps. Loads are apart: loads_ps.
struct Interference {
  std::vector<std::uint64_t> per_op_ps;
  std::uint64_t per_run_ps = 0;
  std::optional<std::string> unknown{};  ///< why there is no bound; the numbers are 0 then
};
/// DRAM by op: each request of it waits for one of every other client. sim/interference.cpp.
Interference interference_by_op(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work);
/// DRAM by the run: all waiting is at most the time that the DRAM needs for all bytes of the model.
Interference interference_by_total(const detent_desc& desc, const Platform& platform, const std::vector<OpWork>& work);
/// Upper bound on the time that all loads together take within a makespan that is bound_ps without them; the sum is
/// the bound with them. UINT64_MAX: they may take everything, no bound.
std::uint64_t loads_ps(const Platform& platform, std::uint64_t bound_ps);

/// The engine whose steps a bound counts.
struct EngineKind {
  std::optional<detent_scheduler> scheduler{};  ///< closed loop; none: any mode and scheduler
  bool may_migrate = true;                      ///< workers move away from loads
};
/// Most that the steps of the engine cost on a platform; the argument stands in sim/overhead.cpp. The bounds of
/// verify/timing hold over worst times + local_ps, plus all role_ps, plus run_ps.
struct EngineOverhead {
  std::vector<std::uint64_t> local_ps;  ///< per op: paid by the worker that executes it
  std::vector<std::uint64_t> role_ps;   ///< per op: worked for it under the scheduler role, one op at a time
  std::uint64_t run_ps = 0;             ///< starting and ending a run
};
EngineOverhead engine_overhead(const detent_desc& desc, const Platform& platform, const EngineKind& engine = {});

}  // namespace detent::sim
