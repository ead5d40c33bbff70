// Strategies: OpSpace + seed -> linear extensions of the whole DAG, one a schedule.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "verify/explore/ops/space/space.hpp"

namespace detent::verify::explore {

/// Takes a schedule (op ids in order) and what it stands for; false ends the strategy.
using TakeSchedule = std::function<bool(const std::vector<std::uint32_t>& schedule, double log_weight)>;

/// A source of schedules. Every schedule is a linear extension of the DAG; the same space and options give the same
/// schedules in the same order.
class OpStrategy {
 public:
  virtual ~OpStrategy() = default;
  [[nodiscard]] virtual const char* name() const = 0;
  /// Hand schedules to `take` until it refuses or there are no more. True: there are no more.
  bool run(const TakeSchedule& take) { return run_from(0, take); }
  /// The same from schedule number `first` on (from 0): the schedules that run would hand over after `first` others.
  virtual bool run_from(std::uint64_t first, const TakeSchedule& take) = 0;
};

/// Drawn schedules come in blocks of this many; each block has a generator of its own, so that any of them can be drawn
/// without those before.
inline constexpr std::uint64_t kDrawnBlock = 1000;

/// True when schedules of this strategy can be asked for from any number on without choosing those before: all but
/// pairs and triples, in which each schedule depends on the ones before.
bool can_begin_anywhere(const std::string& strategy);

struct StrategyOptions {
  std::uint64_t seed = 0;
  std::uint32_t pct_depth = 3;         ///< PCT: ordering constraints that a bug may need, at least 1
  std::uint64_t max_triples = 20'000;  ///< triples: ordered triples to run, at most
};

/// "dfs": one schedule per trace, each once; needs at most kMaxEvents open ops (throws std::invalid_argument).
std::unique_ptr<OpStrategy> make_dfs(const OpSpace& space);
/// "sample": leaves of the same tree at random, with the log of their weights. Never ends; as dfs otherwise.
std::unique_ptr<OpStrategy> make_sampling(const OpSpace& space, const StrategyOptions& options);
/// "random": any op that is ready, each with the same chance. Never ends.
std::unique_ptr<OpStrategy> make_random_walk(const OpSpace& space, const StrategyOptions& options);
/// "pos", partial order sampling (Yuan, Yang, Gu 2018): the ready op of the highest random priority; ops in conflict
/// with the one that ran draw anew. Never ends.
std::unique_ptr<OpStrategy> make_pos(const OpSpace& space, const StrategyOptions& options);
/// "pct", probabilistic concurrency testing (Burckhardt et al. 2010) on chains of the DAG instead of threads (Ozkan et
/// al. 2018): random priorities per chain, and at pct_depth - 1 random steps the best chain falls below all others.
/// Never ends.
std::unique_ptr<OpStrategy> make_pct(const OpSpace& space, const StrategyOptions& options);
/// "pairs": a 2-hitting family: the id order, then greedily few schedules until each unordered pair of ops has run in
/// both orders. At most kMaxDenseOps ops (throws std::invalid_argument).
std::unique_ptr<OpStrategy> make_pairs(const OpSpace& space);
/// "triples": the same for the orders of all triples of ops in which at least two pairs are open; a 3-hitting family
/// of these triples.
std::unique_ptr<OpStrategy> make_triples(const OpSpace& space, const StrategyOptions& options);

/// By name. @throws std::invalid_argument  an unknown name
std::unique_ptr<OpStrategy> make_strategy(const std::string& name, const OpSpace& space,
                                          const StrategyOptions& options);
/// Every name, in the order in which they are listed to users.
const std::vector<std::string>& strategy_names();

}  // namespace detent::verify::explore
