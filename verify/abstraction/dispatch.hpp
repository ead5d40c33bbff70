// One step of the schedule abstraction: which ops can begin next in a state, when, and the state behind it. Internal to
// verify/abstraction.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/abstraction/competition.hpp"
#include "verify/abstraction/state.hpp"

namespace detent::verify {

/// What follows from the set of ops that have begun alone.
struct BegunOps {
  std::vector<OpId> candidates{};  ///< all predecessors have begun: may be ready, or become it without another begin
  /// In a topological order; ops behind them have not begun, or never wait and are awaited themselves.
  std::vector<OpId> awaited{};
};

/// When an op begins.
struct BeginInterval {
  std::int64_t earliest_ps = 0, latest_ps = 0;  ///< the latest is lower: it is not the next op
};

/// A state, spread out by op and resource.
class Dispatch {
 public:
  Dispatch(const TimingProblem& problem, const Competition& competition);

  /// No op has begun.
  [[nodiscard]] AbstractState start() const;
  /// For begin; `begun` must outlive it.
  void take_up(const AbstractState& state, const BegunOps& begun);
  /// For begin_of, too.
  void look_at(const AbstractState& state, const BegunOps& begun);
  /// The op begins next, of all that do not begin at once when they are ready.
  [[nodiscard]] BeginInterval begin_of(OpId op) const;
  /// Turns the state that was taken up into the one behind that.
  /// @param at_once  ops that never wait and whose predecessors have all begun now, in an order that the DAG allows
  void begin(OpId op, const BeginInterval& at, const std::vector<OpId>& at_once);
  void begin_at_once(const std::vector<OpId>& ops);
  /// @param awaited  of the set of ops that have begun now
  [[nodiscard]] AbstractState made(const std::vector<OpId>& awaited) const;
  [[nodiscard]] const EndInterval& ends(OpId op) const { return ends_[op]; }
  [[nodiscard]] std::int64_t now_ps() const { return state_.now_ps; }

 private:
  static constexpr std::int64_t kNever = -1;

  [[nodiscard]] EndInterval ready(OpId op) const;
  [[nodiscard]] std::int64_t core_certain_ps(OpId op) const;
  [[nodiscard]] std::int64_t mutexes_certain_ps(OpId op, OpId but_those_of) const;
  [[nodiscard]] std::int64_t latest_before(OpId first, OpId op) const;
  [[nodiscard]] std::int64_t latest_by_arrival(OpId op) const;
  [[nodiscard]] bool is_scarce(OpId op) const { return competition_.is_scarce(problem_.ops[op].core_class); }
  void end_by(OpId op, std::int64_t latest_ps);
  void take(std::size_t first, std::size_t count, const EndInterval& end);
  void record(OpId op, std::int64_t earliest_begin_ps, std::int64_t latest_begin_ps);

  const TimingProblem& problem_;
  const Competition& competition_;
  std::vector<std::size_t> first_core_, cores_;  // by class: places among resources
  std::size_t first_mutex_ = 0, resources_ = 0;
  AbstractState state_;
  const BegunOps* begun_ = nullptr;
  std::vector<EndInterval> ends_, ready_;  // by op; of those that are awaited, and of candidates
  std::vector<bool> has_ended_;            // by op, while end_by works
  std::int64_t first_begin_ps_ = 0;        // not later does the next op begin
};

}  // namespace detent::verify
