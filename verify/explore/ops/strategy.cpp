// Strategies over traces and by chance.
#include "verify/explore/ops/strategy.hpp"

#include <numeric>
#include <stdexcept>

#include "base/ids.hpp"
#include "verify/explore/ops/space/count.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/space/ready.hpp"

namespace detent::verify::explore {
namespace {

/// An order of the open ops -> an order of all ops: each open op is preceded by those of its predecessors that have
/// not run.
class OpExtender {
 public:
  explicit OpExtender(const OpSpace& space) : space_(space), done_(space.order().op_count()) {
    for (const OpId op : space.open_ops()) positions_.push_back(space.order().position_of(op));
  }

  const std::vector<std::uint32_t>& extend(const std::vector<std::uint32_t>& events) {
    schedule_.clear();
    std::fill(done_.begin(), done_.end(), false);
    for (const std::uint32_t event : events) run_with_predecessors(positions_[event]);
    for (std::uint32_t p = 0; p < done_.size(); ++p) {
      if (!done_[p]) schedule_.push_back(space_.order().op_at(p));
    }
    return schedule_;
  }

 private:
  void run_with_predecessors(Position position) {
    batch_.assign(1, position);
    done_[position] = true;
    for (std::size_t i = 0; i < batch_.size(); ++i) {
      for (const std::uint32_t p : space_.predecessors(batch_[i])) {
        if (done_[p]) continue;
        done_[p] = true;
        batch_.push_back(p);
      }
    }
    std::sort(batch_.begin(), batch_.end());
    for (const std::uint32_t p : batch_) schedule_.push_back(space_.order().op_at(p));
  }

  const OpSpace& space_;
  std::vector<std::uint8_t> done_;
  std::vector<std::uint32_t> positions_, batch_, schedule_;
};

void require_few_open_ops(const OpSpace& space, const char* strategy) {
  if (space.complete() && space.open_ops().size() <= kMaxEvents) return;
  throw std::invalid_argument(std::string("strategy ") + strategy + ": more than " + std::to_string(kMaxEvents) +
                              " ops are open to reordering; use pairs, pct, pos or random");
}

/// Of a block of drawn schedules; block 0 has the seed itself.
Random generator_of_block(std::uint64_t seed, std::uint64_t block) {
  return Random(block == 0 ? seed : Random(seed ^ Random(block).next()).next());
}

class OpDfs : public OpStrategy {
 public:
  explicit OpDfs(const OpSpace& space) : space_(space) { require_few_open_ops(space, "dfs"); }
  [[nodiscard]] const char* name() const override { return "dfs"; }

  bool run_from(std::uint64_t first, const TakeSchedule& take) override {
    OpExtender extender(space_);
    std::vector<std::uint32_t> events;
    bool refused = false;
    with_walk(space_.graph(), [&](auto walk) {
      walk.enumerate_from(first, count_quickly, [&](const auto& leaf) {
        leaf.order(events);
        refused = !take(extender.extend(events), 0);
        return !refused;
      });
    });
    return !refused;
  }

 private:
  const OpSpace& space_;
};

class OpSampling : public OpStrategy {
 public:
  OpSampling(const OpSpace& space, const StrategyOptions& options) : space_(space), seed_(options.seed) {
    require_few_open_ops(space, "sample");
  }
  [[nodiscard]] const char* name() const override { return "sample"; }

  bool run_from(std::uint64_t first, const TakeSchedule& take) override {
    OpExtender extender(space_);
    Random random(0);
    std::vector<std::uint32_t> events;
    with_walk(space_.graph(), [&](auto walk) {
      std::uint64_t k = first - first % kDrawnBlock;
      bool more = true;
      while (more) {
        if (k % kDrawnBlock == 0) random = generator_of_block(seed_, k / kDrawnBlock);
        walk.sample(random, [&](const auto& leaf, double log_weight) {
          if (k < first) return;
          leaf.order(events);
          more = take(extender.extend(events), log_weight);
        });
        ++k;
      }
    });
    return false;
  }

 private:
  const OpSpace& space_;
  std::uint64_t seed_;
};

/// Strategies that take a ready op again and again: `Derived` has begin(random) and choose(ready, random) -> index.
template <typename Derived>
class DrawnOps : public OpStrategy {
 public:
  bool run_from(std::uint64_t first, const TakeSchedule& take) override {
    Random random(0);
    ReadyOps ready(space_);
    std::vector<std::uint32_t> schedule;
    auto& self = static_cast<Derived&>(*this);
    bool more = true;
    for (std::uint64_t k = first - first % kDrawnBlock; more; ++k) {
      if (k % kDrawnBlock == 0) random = generator_of_block(seed_, k / kDrawnBlock);
      schedule.clear();
      ready.reset();
      self.begin(random);
      while (!ready.empty()) {
        const Position position = ready.take(self.choose(ready, random));
        schedule.push_back(space_.order().op_at(position));
        self.ran(position, random);
      }
      more = k < first || take(schedule, 0);
    }
    return false;
  }

 protected:
  DrawnOps(const OpSpace& space, std::uint64_t seed) : space_(space), seed_(seed) {}
  const OpSpace& space_;
  std::uint64_t seed_;
};

class OpRandomWalk : public DrawnOps<OpRandomWalk> {
 public:
  OpRandomWalk(const OpSpace& space, const StrategyOptions& options) : DrawnOps(space, options.seed) {}
  [[nodiscard]] const char* name() const override { return "random"; }
  void begin(Random&) {}
  std::size_t choose(const ReadyOps& ready, Random& random) { return random.below(ready.positions().size()); }
  void ran(std::uint32_t, Random&) {}
};

class OpPos : public DrawnOps<OpPos> {
 public:
  OpPos(const OpSpace& space, const StrategyOptions& options)
      : DrawnOps(space, options.seed), priority_(space.order().op_count()), conflicts_(space.order().op_count()) {
    for (const OpPair& pair : space.pairs()) {
      const std::uint32_t a = space.order().position_of(pair.op_a);
      const std::uint32_t b = space.order().position_of(pair.op_b);
      conflicts_[a].push_back(b);
      conflicts_[b].push_back(a);
    }
  }
  [[nodiscard]] const char* name() const override { return "pos"; }
  void begin(Random& random) {
    for (std::uint64_t& priority : priority_) priority = random.next();
  }
  std::size_t choose(const ReadyOps& ready, Random&) {
    return ready.best([&](std::uint32_t p) { return priority_[p]; });
  }
  void ran(Position position, Random& random) {
    for (const std::uint32_t other : conflicts_[position]) priority_[other] = random.next();
  }

 private:
  std::vector<std::uint64_t> priority_;
  std::vector<std::vector<std::uint32_t>> conflicts_;
};

class OpPct : public DrawnOps<OpPct> {
 public:
  OpPct(const OpSpace& space, const StrategyOptions& options)
      : DrawnOps(space, options.seed), chain_of_(space.order().op_count()), depth_(options.pct_depth) {
    make_chains();
  }
  [[nodiscard]] const char* name() const override { return "pct"; }

  void begin(Random& random) {
    std::iota(priority_.begin(), priority_.end(), std::uint64_t{depth_});
    for (std::size_t left = priority_.size(); left > 1; --left)
      std::swap(priority_[left - 1], priority_[random.below(left)]);
    falls_.clear();
    for (std::uint32_t i = 1; i < depth_; ++i) falls_.push_back(random.below(chain_of_.size()));
    std::sort(falls_.begin(), falls_.end());
    step_ = 0;
    fallen_ = 0;
  }
  std::size_t choose(const ReadyOps& ready, Random&) {
    const auto priority = [&](std::uint32_t p) { return priority_[chain_of_[p]]; };
    std::size_t best = ready.best(priority);
    while (fallen_ < falls_.size() && falls_[fallen_] <= step_) {
      ++fallen_;
      priority_[chain_of_[ready.positions()[best]]] = depth_ - fallen_;
      best = ready.best(priority);
    }
    return best;
  }
  void ran(std::uint32_t, Random&) { ++step_; }

 private:
  /// Greedy: an op continues the chain of its first predecessor that nobody has continued.
  void make_chains() {
    std::vector<bool> continued(chain_of_.size(), false);
    std::uint32_t chains = 0;
    for (std::uint32_t p = 0; p < chain_of_.size(); ++p) {
      chain_of_[p] = DETENT_NONE;
      for (const std::uint32_t q : space_.predecessors(p)) {
        if (continued[q] || chain_of_[p] != DETENT_NONE) continue;
        continued[q] = true;
        chain_of_[p] = chain_of_[q];
      }
      if (chain_of_[p] == DETENT_NONE) chain_of_[p] = chains++;
    }
    priority_.resize(chains);
  }

  std::vector<std::uint32_t> chain_of_;
  std::vector<std::uint64_t> priority_;  // by chain
  std::uint32_t depth_;
  std::vector<std::uint64_t> falls_;
  std::uint64_t step_ = 0;
  std::size_t fallen_ = 0;
};

}  // namespace

std::unique_ptr<OpStrategy> make_dfs(const OpSpace& space) { return std::make_unique<OpDfs>(space); }
std::unique_ptr<OpStrategy> make_sampling(const OpSpace& space, const StrategyOptions& options) {
  return std::make_unique<OpSampling>(space, options);
}
std::unique_ptr<OpStrategy> make_random_walk(const OpSpace& space, const StrategyOptions& options) {
  return std::make_unique<OpRandomWalk>(space, options);
}
std::unique_ptr<OpStrategy> make_pos(const OpSpace& space, const StrategyOptions& options) {
  return std::make_unique<OpPos>(space, options);
}
std::unique_ptr<OpStrategy> make_pct(const OpSpace& space, const StrategyOptions& options) {
  if (options.pct_depth == 0) throw std::invalid_argument("strategy pct: the depth must be at least 1");
  return std::make_unique<OpPct>(space, options);
}

std::unique_ptr<OpStrategy> make_strategy(const std::string& name, const OpSpace& space,
                                          const StrategyOptions& options) {
  if (name == "dfs") return make_dfs(space);
  if (name == "sample") return make_sampling(space, options);
  if (name == "random") return make_random_walk(space, options);
  if (name == "pos") return make_pos(space, options);
  if (name == "pct") return make_pct(space, options);
  if (name == "pairs") return make_pairs(space);
  if (name == "triples") return make_triples(space, options);
  throw std::invalid_argument("strategy " + name + ": choose dfs, sample, pairs, triples, pct, pos or random");
}

bool can_begin_anywhere(const std::string& strategy) { return strategy != "pairs" && strategy != "triples"; }

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> kNames{"dfs", "sample", "pairs", "triples", "pct", "pos", "random"};
  return kNames;
}

}  // namespace detent::verify::explore
