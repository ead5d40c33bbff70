#include "verify/smt/timing/query.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace detent::verify::smt {
namespace {

/// The begin of the run, or the instant after the op's end is handled.
constexpr std::size_t kRunBegin = SIZE_MAX;

std::uint64_t tick_of(const TimingProblem& problem) {
  std::uint64_t tick = 0;
  for (const TimedOp& op : problem.ops) tick = std::gcd(tick, std::gcd(op.best_ps, op.worst_ps));
  return std::max<std::uint64_t>(tick, 1);
}

class RunEncoder {
 public:
  RunEncoder(const TimingProblem& problem, const ReadyOrder& order, const Budget& budget)
      : problem_(problem), order_(order), budget_(budget), predecessors_(problem.ops.size()) {
    query_.tick_ps = tick_of(problem);
    for (std::size_t op = 0; op < count(); ++op) {
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k) {
        predecessors_[problem.targets[k]].push_back(op);
      }
    }
  }

  TimingQuery encode() {
    zero_ = script().number(0);
    for (std::size_t op = 0; op < count(); ++op) add_op(op);
    for (std::size_t op = 0; op < count(); ++op) add_order_of_ends(op);
    for (std::size_t op = 0; op < count(); ++op) add_begin(op);
    add_makespan();
    add_instant(kRunBegin);
    for (std::size_t op = 0; op < count(); ++op) {
      query_.stopped = stopped_building(budget_, script(), "ends", static_cast<std::uint32_t>(op),
                                        static_cast<std::uint32_t>(count()));
      if (!query_.stopped.empty()) break;
      add_instant(op);
    }
    return std::move(query_);
  }

 private:
  Script& script() { return query_.script; }
  [[nodiscard]] std::size_t count() const { return problem_.ops.size(); }

  void add_op(std::size_t op) {
    const std::string number = std::to_string(op);
    query_.begin.push_back(script().integer("begin_" + number));
    query_.end.push_back(script().integer("end_" + number));
    query_.place.push_back(script().integer("place_" + number));
    since_.push_back(script().integer("since_" + number));
    const Term begin = query_.begin[op], end = query_.end[op], place = query_.place[op];
    const TimedOp& timed = problem_.ops[op];
    script().require(
        script().all_of(
            {script().at_most(script().plus(begin, script().number(timed.best_ps / query_.tick_ps)), end),
             script().at_most(end, script().plus(begin, script().number(timed.worst_ps / query_.tick_ps)))}),
        "op " + number + " takes a time in its range");
    script().require(script().all_of({script().less(zero_, place), script().at_most(place, script().number(count())),
                                      script().less(since_[op], place)}),
                     "its end has a place, after the instant at which it begins");
  }

  /// Places are different, and no end is before one of a lower place.
  void add_order_of_ends(std::size_t op) {
    for (std::size_t other = 0; other < op; ++other) {
      const Term a = query_.place[other], b = query_.place[op];
      script().require(script().any_of(
          {script().all_of({script().less(a, b), script().at_most(query_.end[other], query_.end[op])}),
           script().all_of({script().less(b, a), script().at_most(query_.end[op], query_.end[other])})}));
    }
  }

  /// With the run, or at an end, not before the ends of all predecessors.
  void add_begin(std::size_t op) {
    std::vector<Term> instants{
        script().all_of({script().equal(since_[op], zero_), script().equal(query_.begin[op], zero_)})};
    for (std::size_t other = 0; other < count(); ++other) {
      if (other == op) continue;
      instants.push_back(script().all_of(
          {script().equal(since_[op], query_.place[other]), script().equal(query_.begin[op], query_.end[other])}));
    }
    script().require(script().any_of(instants), "op " + std::to_string(op) + " begins with the run or at an end");
    std::vector<Term> arrivals;
    for (const std::size_t before : predecessors_[op]) {
      script().require(script().at_most(query_.place[before], since_[op]));
      arrivals.push_back(query_.place[before]);
    }
    if (order_.by_arrival) add_arrival(op, arrivals);
  }

  /// The instant at which the op is ready: the last of its predecessors' places.
  void add_arrival(std::size_t op, const std::vector<Term>& places) {
    const Term arrival = script().integer("arrival_" + std::to_string(op));
    arrival_.push_back(arrival);
    std::vector<Term> is_one{};
    for (const Term place : places) {
      script().require(script().at_most(place, arrival));
      is_one.push_back(script().equal(arrival, place));
    }
    if (is_one.empty()) is_one.push_back(script().equal(arrival, zero_));
    script().require(script().any_of(is_one));
  }

  void add_makespan() {
    query_.makespan = script().integer("makespan");
    std::vector<Term> is_one;
    for (const Term end : query_.end) {
      script().require(script().at_most(end, query_.makespan));
      is_one.push_back(script().equal(query_.makespan, end));
    }
    if (is_one.empty()) is_one.push_back(script().equal(query_.makespan, zero_));
    script().require(script().any_of(is_one), "the makespan is the last end");
  }

  [[nodiscard]] Term instant(std::size_t at) const { return at == kRunBegin ? zero_ : query_.place[at]; }

  Term has_ended(std::size_t op, std::size_t at) {
    if (at == kRunBegin) return script().any_of({});
    return op == at ? script().all_of({}) : script().less(query_.place[op], query_.place[at]);
  }

  Term runs(std::size_t op, std::size_t at) {
    return script().all_of({script().at_most(since_[op], instant(at)), script().negate(has_ended(op, at))});
  }

  /// Is `a` looked at before `b` where both are ready?
  Term is_before(std::size_t a, std::size_t b) {
    const bool is_lower = order_.rank.empty() ? a < b : order_.rank[a] < order_.rank[b];
    const Term by_rank = is_lower ? script().all_of({}) : script().any_of({});
    if (!order_.by_arrival) return by_rank;
    return script().any_of({script().less(arrival_[a], arrival_[b]),
                            script().all_of({script().equal(arrival_[a], arrival_[b]), by_rank})});
  }

  /// Are at least `least` of these true? Shared terms: O(terms * least).
  Term at_least(const std::vector<Term>& terms, std::size_t least) {
    std::vector<Term> of_first(least + 1, script().any_of({}));  // [n]: n of those so far
    of_first[0] = script().all_of({});
    for (const Term term : terms) {
      for (std::size_t n = least; n >= 1; --n) {
        of_first[n] = script().any_of({of_first[n], script().all_of({of_first[n - 1], term})});
      }
    }
    return of_first[least];
  }

  void add_instant(std::size_t at) {
    std::vector<Term> running;
    for (std::size_t op = 0; op < count(); ++op) running.push_back(runs(op, at));
    std::vector<Term> is_full;
    for (std::size_t c = 0; c < problem_.cores.size(); ++c) is_full.push_back(add_class(c, running));
    add_mutexes(running);
    for (std::size_t op = 0; op < count(); ++op) {
      if (op != at) add_waiting(op, at, running, is_full[problem_.ops[op].core_class]);
    }
  }

  /// @return  no core of the class is left
  Term add_class(std::size_t core_class, const std::vector<Term>& running) {
    std::vector<Term> members;
    for (std::size_t op = 0; op < count(); ++op) {
      if (problem_.ops[op].core_class == core_class) members.push_back(running[op]);
    }
    const std::size_t cores = problem_.cores[core_class];
    if (cores == 0 || cores > members.size()) return script().any_of({});
    if (members.size() > cores) script().require(script().negate(at_least(members, cores + 1)));
    return at_least(members, cores);
  }

  void add_mutexes(const std::vector<Term>& running) {
    for (const auto& holders : problem_.exclusive) {
      for (const std::uint32_t a : holders) {
        for (const std::uint32_t b : holders) {
          if (a < b) script().require(script().negate(script().all_of({running[a], running[b]})));
        }
      }
    }
  }

  /// Whoever waits at an instant is blocked there.
  void add_waiting(std::size_t op, std::size_t at, const std::vector<Term>& running, Term is_full) {
    std::vector<Term> waits{script().less(instant(at), since_[op])};
    for (const std::size_t before : predecessors_[op]) waits.push_back(has_ended(before, at));
    std::vector<Term> no_core{is_full};
    for (std::size_t other = 0; other < count(); ++other) {
      if (other == op || other == at || problem_.ops[other].core_class != problem_.ops[op].core_class) continue;
      const Term begins = script().equal(since_[other], instant(at));
      no_core.push_back(script().negate(script().all_of({begins, is_before(op, other)})));
    }
    std::vector<Term> blocked{script().all_of(no_core)};
    for (const auto& holders : problem_.exclusive) {
      if (std::ranges::find(holders, op) == holders.end()) continue;
      for (const std::uint32_t other : holders) {
        if (other == op || other == at) continue;
        const Term holds_before = script().any_of({script().less(since_[other], instant(at)), is_before(other, op)});
        blocked.push_back(script().all_of({running[other], holds_before}));
      }
    }
    script().require(script().implies(script().all_of(waits), script().any_of(blocked)));
  }

  const TimingProblem& problem_;
  const ReadyOrder& order_;
  const Budget& budget_;
  TimingQuery query_{};
  std::vector<std::vector<std::size_t>> predecessors_;  // by op
  Term zero_{};
  std::vector<Term> since_{};    // by op: the instant at which it begins
  std::vector<Term> arrival_{};  // by op, by arrival: the instant at which it is ready
};

}  // namespace

TimingQuery encode_runs(const TimingProblem& problem, const ReadyOrder& order, const Budget& budget) {
  return RunEncoder(problem, order, budget).encode();
}

}  // namespace detent::verify::smt
