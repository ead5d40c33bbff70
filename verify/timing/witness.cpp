#include "verify/timing/witness.hpp"

#include <algorithm>
#include <numeric>

#include "verify/timing/list_rule.hpp"

namespace detent::verify {
namespace {

/// Replays of a run that raise one op each may handle so many ends together.
constexpr std::uint64_t kMostEnds = 20'000'000;

using Times = std::vector<std::uint64_t>;

Times times_of(const TimingProblem& problem, std::uint64_t TimedOp::*time) {
  Times times;
  for (const TimedOp& op : problem.ops) times.push_back(op.*time);
  return times;
}

/// Between which two ends an op runs; 0 is the begin of the run, k the k-th end.
struct Interval {
  std::size_t begin = 0, end = 0;
};

/// @param ends  in their order
std::vector<Interval> intervals(const TimingProblem& problem, const ReadyOrder& order, const std::vector<OpId>& ends) {
  const ListRule rule(problem, order);
  std::vector<Interval> found(problem.ops.size());
  std::vector<bool> has_begun(problem.ops.size(), false);
  OpSet ended = rule.no_ops();
  std::vector<OpId> running, ready = rule.first_ready();
  const auto begin = [&](std::size_t k) {
    rule.start(running, ready);
    for (const OpId op : running) {
      if (!has_begun[op]) found[op].begin = k;
      has_begun[op] = true;
    }
  };
  begin(0);
  for (std::size_t k = 1; k <= ends.size(); ++k) {
    const OpId op = ends[k - 1];
    found[op].end = k;
    add_op(ended, op);
    std::erase(running, op);
    ready = rule.ready_behind(op, ended, ready);
    begin(k);
  }
  return found;
}

/// The latest times of all ends that keep their order and the ranges of the ops, the last not after last_ps: shortest
/// paths over differences, each bound relaxed until none changes.
std::vector<std::int64_t> latest_ends(const TimingProblem& problem, const std::vector<Interval>& intervals,
                                      const std::vector<OpId>& order, std::uint64_t last_ps) {
  std::vector<std::int64_t> at(order.size() + 1, static_cast<std::int64_t>(last_ps));
  at[0] = 0;
  bool changes = true;
  const auto lower = [&](std::size_t k, std::int64_t most) {
    changes = changes || most < at[k];
    at[k] = std::min(at[k], most);
  };
  while (changes && at[0] == 0) {
    changes = false;
    for (std::size_t k = 1; k <= order.size(); ++k) {
      const OpId op = order[k - 1];
      lower(k, at[intervals[op].begin] + static_cast<std::int64_t>(problem.ops[op].worst_ps));
    }
    for (std::size_t k = order.size(); k >= 1; --k) {
      const OpId op = order[k - 1];
      lower(intervals[op].begin, at[k] - static_cast<std::int64_t>(problem.ops[op].best_ps));
      lower(k - 1, at[k]);
    }
  }
  return at;
}

Times times_in_order(const TimingProblem& problem, const ReadyOrder& order, const std::vector<OpId>& ends,
                     std::uint64_t last_ps) {
  const std::vector<Interval> where = intervals(problem, order, ends);
  const std::vector<std::int64_t> at = latest_ends(problem, where, ends, last_ps);
  Times times;
  for (const Interval& op : where) times.push_back(static_cast<std::uint64_t>(at[op.end] - at[op.begin]));
  return times;
}

bool is_within(const TimingProblem& problem, const Times& times) {
  for (std::size_t op = 0; op < times.size(); ++op) {
    if (times[op] < problem.ops[op].best_ps || times[op] > problem.ops[op].worst_ps) return false;
  }
  return true;
}

class Witnesses {
 public:
  Witnesses(const TimingProblem& problem, const ReadyOrder& order, const ExactTimes& exact)
      : problem_(problem), order_(order), exact_(exact), by_rank_(problem.ops.size()) {
    std::iota(by_rank_.begin(), by_rank_.end(), OpId{0});
    if (!order.rank.empty()) std::ranges::sort(by_rank_, {}, [&](OpId op) { return order.rank[op]; });
  }

  ExactWitness find() {
    ExactWitness made;
    made.all_worst = play(times_of(problem_, &TimedOp::worst_ps), by_rank_);
    made.all_worst_ps = made.all_worst.makespan_ps;
    made.worst = made.all_worst;
    if (made.worst.makespan_ps != exact_.worst_ps) {
      made.worst = play(times_in_order(problem_, order_, exact_.worst_order, exact_.worst_ps), exact_.worst_order);
      raise(made);
    }
    made.best = play(times_of(problem_, &TimedOp::best_ps), by_rank_);
    if (made.best.makespan_ps != exact_.best_ps) {
      made.best = play(times_in_order(problem_, order_, exact_.best_order, exact_.best_ps), exact_.best_order);
    }
    made.fault = fault_of(made.worst, exact_.worst_ps, "worst") + fault_of(made.best, exact_.best_ps, "best");
    return made;
  }

 private:
  [[nodiscard]] ListRun play(const Times& times, const std::vector<OpId>& ties) const {
    return play_list_run(problem_, order_, times, ties);
  }

  /// Raise ops to their worst times where the run stays as long; the others are anomalies.
  void raise(ExactWitness& made) const {
    std::uint64_t ends = 0;
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      const std::uint64_t worst_ps = problem_.ops[op].worst_ps;
      if (made.worst.time_ps[op] == worst_ps || (ends += problem_.ops.size()) > kMostEnds) continue;
      Times times = made.worst.time_ps;
      times[op] = worst_ps;
      ListRun raised = play(times, made.worst.order);
      if (raised.makespan_ps >= exact_.worst_ps) made.worst = std::move(raised);
    }
    for (OpId op = 0; op < problem_.ops.size(); ++op) {
      const std::uint64_t worst_ps = problem_.ops[op].worst_ps;
      if (made.worst.time_ps[op] == worst_ps) continue;
      Times times = made.worst.time_ps;
      times[op] = worst_ps;
      made.shorter.push_back({op, worst_ps, play(times, made.worst.order).makespan_ps});
    }
  }

  [[nodiscard]] std::string fault_of(const ListRun& run, std::uint64_t claimed_ps, const char* which) const {
    if (run.makespan_ps == claimed_ps && is_within(problem_, run.time_ps)) return "";
    return std::string("the zones claim a ") + which + " makespan of " + std::to_string(claimed_ps) +
           " ps, and a list scheduler with the times that should attain it ends at " + std::to_string(run.makespan_ps) +
           " ps: a fault of Detent, please report it; ";
  }

  const TimingProblem& problem_;
  const ReadyOrder& order_;
  const ExactTimes& exact_;
  std::vector<OpId> by_rank_;
};

}  // namespace

ExactWitness find_witness(const TimingProblem& problem, const ReadyOrder& order, const ExactTimes& exact) {
  return Witnesses(problem, order, exact).find();
}

}  // namespace detent::verify
