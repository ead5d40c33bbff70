// List scheduling by the definition of execution.
#include "tests/verify/timing/list_schedule.hpp"

#include <algorithm>
#include <numeric>

#include "tests/verify/desc_builder.hpp"

namespace detent::verify::testing {
namespace {

class Scheduler {
 public:
  Scheduler(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
            const std::vector<std::uint64_t>& times_ps, const std::vector<std::uint32_t>& tie_rank)
      : problem_(problem), rank_(rank), times_(times_ps), tie_rank_(tie_rank), busy_(problem.cores.size(), 0) {
    waiting_.assign(problem.ops.size(), 0);
    ends_ps_.assign(problem.ops.size(), 0);
    for (const std::uint32_t target : problem.targets) ++waiting_[target];
    for (std::uint32_t op = 0; op < problem.ops.size(); ++op) {
      if (waiting_[op] == 0) ready_.push_back(op);
    }
  }

  std::uint64_t run() {
    std::uint64_t now = problem_.fixed_ps;
    for (;;) {
      while (start_one(now)) {
      }
      if (running_.empty()) return now;
      const auto next = std::min_element(running_.begin(), running_.end(), [&](const Running& x, const Running& y) {
        return x.end_ps != y.end_ps ? x.end_ps < y.end_ps : tie_rank_[x.op] < tie_rank_[y.op];
      });
      now = next->end_ps;
      ends_ps_[next->op] = now;
      complete(next->op);
    }
  }

  [[nodiscard]] const std::vector<std::uint64_t>& ends_ps() const { return ends_ps_; }

 private:
  struct Running {
    std::uint32_t op;
    std::uint64_t end_ps;
  };

  [[nodiscard]] bool is_blocked(std::uint32_t op) const {
    for (const auto& holders : problem_.exclusive) {
      if (std::find(holders.begin(), holders.end(), op) == holders.end()) continue;
      for (const Running& other : running_) {
        if (std::find(holders.begin(), holders.end(), other.op) != holders.end()) return true;
      }
    }
    return false;
  }

  bool start_one(std::uint64_t now) {
    std::sort(ready_.begin(), ready_.end(), [&](std::uint32_t x, std::uint32_t y) { return rank_[x] < rank_[y]; });
    for (auto it = ready_.begin(); it != ready_.end(); ++it) {
      const std::uint32_t core_class = problem_.ops[*it].core_class;
      const std::uint32_t cores = problem_.cores[core_class];
      if ((cores != 0 && busy_[core_class] == cores) || is_blocked(*it)) continue;
      ++busy_[core_class];
      running_.push_back({*it, now + times_[*it]});
      ready_.erase(it);
      return true;
    }
    return false;
  }

  void complete(std::uint32_t op) {
    running_.erase(std::find_if(running_.begin(), running_.end(), [&](const Running& r) { return r.op == op; }));
    --busy_[problem_.ops[op].core_class];
    for (std::uint32_t k = problem_.first[op]; k < problem_.first[op + 1]; ++k) {
      if (--waiting_[problem_.targets[k]] == 0) ready_.push_back(problem_.targets[k]);
    }
  }

  const TimingProblem& problem_;
  const std::vector<std::uint32_t>& rank_;
  const std::vector<std::uint64_t>& times_;
  const std::vector<std::uint32_t>& tie_rank_;
  std::vector<std::uint32_t> busy_, waiting_, ready_;
  std::vector<std::uint64_t> ends_ps_;
  std::vector<Running> running_;
};

}  // namespace

std::uint64_t list_schedule(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                            const std::vector<std::uint64_t>& times_ps, const std::vector<std::uint32_t>& tie_rank) {
  return Scheduler(problem, rank, times_ps, tie_rank).run();
}

std::uint64_t list_schedule(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                            const std::vector<std::uint64_t>& times_ps) {
  return list_schedule(problem, rank, times_ps, rank);
}

std::vector<std::uint64_t> list_completions(const TimingProblem& problem, const std::vector<std::uint32_t>& rank,
                                            const std::vector<std::uint64_t>& times_ps,
                                            const std::vector<std::uint32_t>& tie_rank) {
  Scheduler scheduler(problem, rank, times_ps, tie_rank);
  static_cast<void>(scheduler.run());
  return scheduler.ends_ps();
}

TimingProblem make_problem(const std::vector<std::uint64_t>& worst_ps,
                           const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges, std::uint32_t cores) {
  TimingProblem problem;
  problem.cores = {cores};
  problem.first.push_back(0);
  for (std::uint32_t op = 0; op < worst_ps.size(); ++op) {
    problem.ops.push_back({worst_ps[op], worst_ps[op], 0});
    for (const auto& [from, to] : edges) {
      if (from == op) problem.targets.push_back(to);
    }
    problem.first.push_back(static_cast<std::uint32_t>(problem.targets.size()));
  }
  return problem;
}

TimingProblem make_random_problem(std::uint64_t seed, std::uint32_t most_ops) {
  Random random{seed};
  const std::uint32_t count = 1 + random.below(most_ops);
  std::vector<std::uint64_t> worst(count);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  const std::uint32_t percent = 5 + random.below(50);
  for (std::uint32_t a = 0; a < count; ++a) {
    worst[a] = random.below(20);
    for (std::uint32_t b = a + 1; b < count; ++b) {
      if (random.below(100) < percent) edges.emplace_back(a, b);
    }
  }
  TimingProblem problem = make_problem(worst, edges, 1);
  problem.fixed_ps = random.below(3);
  problem.cores.clear();
  for (std::uint32_t classes = 1 + random.below(3); classes > 0; --classes)
    problem.cores.push_back(1 + random.below(4));
  if (problem.cores.size() > 1 && random.below(2) == 0) problem.cores.back() = 0;
  for (TimedOp& op : problem.ops) {
    op.best_ps = random.below(static_cast<std::uint32_t>(op.worst_ps) + 1);
    op.core_class = random.below(static_cast<std::uint32_t>(problem.cores.size()));
  }
  problem.exclusive.resize(random.below(3));
  for (auto& holders : problem.exclusive) {
    for (std::uint32_t op = 0; op < count; ++op) {
      if (random.below(4) == 0) holders.push_back(op);
    }
  }
  return problem;
}

std::vector<std::uint32_t> identity_rank(std::size_t count) {
  std::vector<std::uint32_t> rank(count);
  std::iota(rank.begin(), rank.end(), 0U);
  return rank;
}

std::vector<std::uint32_t> random_rank(std::uint64_t seed, std::size_t count) {
  std::vector<std::uint32_t> rank = identity_rank(count);
  Random random{seed};
  for (std::size_t i = count; i-- > 1;) std::swap(rank[i], rank[random.below(static_cast<std::uint32_t>(i + 1))]);
  return rank;
}

}  // namespace detent::verify::testing
