// What a campaign of simulated runs came to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/ids.hpp"
#include "harness/run.hpp"
#include "sim/types/chosen_run.hpp"
#include "sim/types/op_times.hpp"

namespace detent::sim {

struct CoreUse {
  std::string core;  ///< "cpu0", "npu0"
  SlotId slot = 0;
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

/// What a search for long runs came to.
struct SearchResult {
  std::uint64_t runs = 0;
  std::uint64_t all_worst_ps = 0;  ///< makespan of the run in which every op takes its worst time
  std::uint64_t longest_ps = 0;
  ChosenRun longest{};  ///< after a failure: the run that failed
  bool failed = false;
  std::vector<OpTime> ranges{};  ///< by op: what the search chose from
};

/// A quantile of makespans with an interval that holds it with 95 % at least, whatever the distribution: order
/// statistics, the binomial distribution of their ranks.
struct Percentile {
  std::uint64_t value_ps = 0;             ///< nearest rank
  std::uint64_t low_ps = 0, high_ps = 0;  ///< the interval; 0 where there is none
  std::uint64_t needs_runs = 0;           ///< fewest runs that have such an interval
  bool has_interval = false;
};

struct SimResult {
  std::uint64_t runs = 0;
  std::uint64_t executed_runs = 0;                      ///< runs whose kernels really ran
  std::vector<std::uint64_t> makespans_ps;              ///< by run number, if kept
  std::uint64_t min_ps = 0, median_ps = 0, p99_ps = 0;  ///< nearest rank, of the runs whose times were drawn
  Percentile median{}, p99{};
  std::uint64_t max_ps = 0;      ///< longest run seen, whether drawn or found by the search
  std::uint64_t worst_run = 0;   ///< run number of the longest of the drawn ones
  std::uint64_t worst_seed = 0;  ///< `simulate --runs 1 --seed` this repeats the worst run alone
  double mean_ps = 0;
  double standard_error_ps = 0;         ///< of the mean; 0 for one run
  std::vector<RankedRun> worst_runs;    ///< longest first, ties by run number; at most options.keep_worst
  std::vector<std::uint64_t> digests;   ///< distinct digests of the executed runs, ascending
  harness::Run worst;                   ///< the longest run seen, with trace
  harness::Run typical;                 ///< the median run, with trace
  std::vector<std::string> slot_names;  ///< core that each slot runs on; then "delays"
  std::vector<CoreUse> use;
  std::vector<OpEnd> ends;  ///< by op over all drawn runs that were simulated here; empty unless keep_ends
  std::optional<SearchResult> search{};
  /// The longest run seen was found by the search: worst is its trace, and search->longest repeats it.
  bool is_longest_found = false;
  std::optional<std::string> failure;  ///< deadlock or a failed run: what, which run, which seed
  bool at_limit = false;               ///< the failure is a limit of the simulator and says nothing of the model
};

}  // namespace detent::sim
