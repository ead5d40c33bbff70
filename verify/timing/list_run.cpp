#include "verify/timing/list_run.hpp"

#include <functional>
#include <iterator>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

namespace detent::verify {
namespace {

class Player {
 public:
  Player(const TimingProblem& problem, const ReadyOrder& order, const std::vector<std::uint64_t>& times_ps,
         const std::vector<OpId>& ties)
      : problem_(problem),
        by_arrival_(order.by_arrival),
        waits_for_(problem.ops.size(), 0),
        holders_of_(problem.ops.size()),
        is_held_(problem.exclusive.size(), false),
        free_cores_(problem.cores.size()),
        tie_(problem.ops.size(), 0) {
    const std::size_t ops = problem.ops.size();
    run_ = {times_ps, std::vector<std::uint64_t>(ops, 0), std::vector<std::uint64_t>(ops, 0),
            std::vector<std::uint32_t>(ops, 0)};
    for (const std::uint32_t target : problem.targets) ++waits_for_[target];
    for (std::uint32_t i = 0; i < ties.size(); ++i) tie_[ties[i]] = i;
    for (std::uint32_t op = 0; op < ops; ++op) rank_.push_back(order.rank.empty() ? op : order.rank[op]);
    for (std::uint32_t mutex = 0; mutex < problem.exclusive.size(); ++mutex) {
      for (const std::uint32_t op : problem.exclusive[mutex]) holders_of_[op].push_back(mutex);
    }
    for (std::size_t c = 0; c < problem.cores.size(); ++c) {
      // A class without a limit has a core for each of its ops.
      const std::size_t cores = problem.cores[c] == 0 ? ops : problem.cores[c];
      for (std::uint32_t core = 0; core < cores && core < ops; ++core) free_cores_[c].insert(core);
    }
    for (std::uint32_t op = 0; op < ops; ++op) {
      if (waits_for_[op] == 0) make_ready(op);
    }
  }

  ListRun play() {
    begin_ready();
    while (!ends_.empty()) {
      const auto [now, tie, op] = ends_.top();
      ends_.pop();
      now_ = now;
      finish(op);
      begin_ready();
    }
    run_.makespan_ps = now_;
    return std::move(run_);
  }

 private:
  void make_ready(std::uint32_t op) {
    ready_.insert({by_arrival_ ? run_.order.size() : std::size_t{0}, rank_[op], op});
  }

  bool try_to_begin(std::uint32_t op) {
    std::set<std::uint32_t>& cores = free_cores_[problem_.ops[op].core_class];
    if (cores.empty()) return false;
    for (const std::uint32_t mutex : holders_of_[op]) {
      if (is_held_[mutex]) return false;
    }
    for (const std::uint32_t mutex : holders_of_[op]) is_held_[mutex] = true;
    run_.core[op] = *cores.begin();
    cores.erase(cores.begin());
    run_.begin_ps[op] = now_;
    run_.end_ps[op] = now_ + run_.time_ps[op];
    ends_.push({run_.end_ps[op], tie_[op], op});
    return true;
  }

  void begin_ready() {
    for (auto each = ready_.begin(); each != ready_.end();) {
      each = try_to_begin(std::get<2>(*each)) ? ready_.erase(each) : std::next(each);
    }
  }

  void finish(std::uint32_t op) {
    run_.order.emplace_back(op);
    free_cores_[problem_.ops[op].core_class].insert(run_.core[op]);
    for (const std::uint32_t mutex : holders_of_[op]) is_held_[mutex] = false;
    for (std::uint32_t k = problem_.first[op]; k < problem_.first[op + 1]; ++k) {
      const std::uint32_t next = problem_.targets[k];
      if (--waits_for_[next] == 0) make_ready(next);
    }
  }

  using End = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;  // when, tie, op

  const TimingProblem& problem_;
  bool by_arrival_;
  std::vector<std::uint32_t> rank_;
  std::vector<std::uint32_t> waits_for_;
  std::vector<std::vector<std::uint32_t>> holders_of_;  // by op: mutexes
  std::vector<bool> is_held_;                           // by mutex
  std::vector<std::set<std::uint32_t>> free_cores_;     // by class
  std::vector<std::uint32_t> tie_;
  std::set<std::tuple<std::size_t, std::uint32_t, std::uint32_t>> ready_{};  // by ends before, then by rank
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_{};
  std::uint64_t now_ = 0;
  ListRun run_{};
};

}  // namespace

ListRun play_list_run(const TimingProblem& problem, const ReadyOrder& order, const std::vector<std::uint64_t>& times_ps,
                      const std::vector<OpId>& ties) {
  return Player(problem, order, times_ps, ties).play();
}

}  // namespace detent::verify
