// State by the definition: who waits, who is ready, who runs until when.
#include "tests/support/list_schedule.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace detent::support {
namespace {

class Scheduler {
 public:
  explicit Scheduler(const ListProblem& problem)
      : ops_(problem.ops),
        free_cores_(problem.cores),
        missing_(problem.ops.size(), 0),
        ready_(problem.cores.size()),
        by_arrival_(problem.by_arrival),
        now_ps_(problem.begin_ps) {
    schedule_.begin_ps.resize(ops_.size());
    schedule_.end_ps.resize(ops_.size());
    for (const ListOp& op : ops_) {
      for (const std::uint32_t next : op.successors) ++missing_[next];
    }
    for (std::uint32_t op = 0; op < ops_.size(); ++op) {
      if (missing_[op] == 0) make_ready(op);
    }
  }

  ListSchedule run() {
    start_all();
    while (!running_.empty()) {
      complete_one();
      start_all();
    }
    schedule_.makespan_ps = now_ps_;
    return std::move(schedule_);
  }

 private:
  using Ready = std::set<std::pair<std::uint64_t, std::uint32_t>>;  ///< by rank

  void make_ready(std::uint32_t op) {
    ready_[ops_[op].core_class].emplace(by_arrival_ ? arrivals_++ : ops_[op].rank, op);
  }

  [[nodiscard]] bool may_begin(std::uint32_t op) const {
    return std::none_of(ops_[op].mutexes.begin(), ops_[op].mutexes.end(),
                        [&](std::uint32_t mutex) { return held_.contains(mutex); });
  }

  /// The first of a class that may begin; its end: none.
  [[nodiscard]] Ready::iterator best_of(std::size_t core_class) const {
    const Ready& ready = ready_[core_class];
    if (free_cores_[core_class] == 0) return ready.end();
    return std::find_if(ready.begin(), ready.end(), [&](const auto& entry) { return may_begin(entry.second); });
  }

  bool start_one() {
    std::size_t best_class = ready_.size();
    Ready::iterator best;
    for (std::size_t core_class = 0; core_class < ready_.size(); ++core_class) {
      const auto candidate = best_of(core_class);
      if (candidate == ready_[core_class].end()) continue;
      if (best_class == ready_.size() || *candidate < *best) best_class = core_class, best = candidate;
    }
    if (best_class == ready_.size()) return false;
    const std::uint32_t op = best->second;
    ready_[best_class].erase(best);
    if (free_cores_[best_class] != kUnbounded) --free_cores_[best_class];
    held_.insert(ops_[op].mutexes.begin(), ops_[op].mutexes.end());
    schedule_.begin_ps[op] = now_ps_;
    running_.emplace(now_ps_ + ops_[op].duration_ps, ops_[op].tie_rank, op);
    return true;
  }

  void start_all() {
    while (start_one()) {
    }
  }

  void complete_one() {
    const auto [time_ps, tie_rank, op] = *running_.begin();
    running_.erase(running_.begin());
    schedule_.end_ps[op] = now_ps_ = time_ps;
    std::uint32_t& cores = free_cores_[ops_[op].core_class];
    if (cores != kUnbounded) ++cores;
    for (const std::uint32_t mutex : ops_[op].mutexes) held_.erase(mutex);
    for (const std::uint32_t next : ops_[op].successors) {
      if (--missing_[next] == 0) make_ready(next);
    }
  }

  const std::vector<ListOp>& ops_;
  std::vector<std::uint32_t> free_cores_, missing_;
  std::vector<Ready> ready_;  ///< by class
  std::set<std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>> running_;
  std::set<std::uint32_t> held_;  ///< mutexes
  const bool by_arrival_;
  std::uint64_t arrivals_ = 0;
  std::uint64_t now_ps_;
  ListSchedule schedule_;
};

}  // namespace

ListSchedule list_schedule(const ListProblem& problem) { return Scheduler(problem).run(); }

}  // namespace detent::support
