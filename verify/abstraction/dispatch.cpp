// Why each bound is safe stands in docs/VERIFICATION.md, bound, "Schedule abstraction".
#include "verify/abstraction/dispatch.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace detent::verify {

Dispatch::Dispatch(const TimingProblem& problem, const Competition& competition)
    : problem_(problem),
      competition_(competition),
      ends_(problem.ops.size()),
      ready_(problem.ops.size()),
      has_ended_(problem.ops.size(), false) {
  for (std::uint32_t c = 0; c < problem.cores.size(); ++c) {
    first_core_.push_back(resources_);
    cores_.push_back(competition.is_scarce(c) ? problem.cores[c] : 0);
    resources_ += cores_.back();
  }
  first_mutex_ = resources_;
  resources_ += problem.exclusive.size();
}

AbstractState Dispatch::start() const {
  AbstractState state;
  state.may_be_free_ps.assign(resources_, 0);
  state.is_free_ps.assign(resources_, 0);
  return state;
}

void Dispatch::take_up(const AbstractState& state, const BegunOps& begun) {
  state_ = state;
  begun_ = &begun;
  for (std::size_t i = 0; i < begun.awaited.size(); ++i) ends_[begun.awaited[i]] = state.ends[i];
}

void Dispatch::look_at(const AbstractState& state, const BegunOps& begun) {
  take_up(state, begun);
  first_begin_ps_ = std::numeric_limits<std::int64_t>::max();
  for (const OpId op : begun.candidates) {
    ready_[op] = ready(op);
    first_begin_ps_ =
        std::min(first_begin_ps_, std::max({ready_[op].latest_ps, core_certain_ps(op), mutexes_certain_ps(op, op)}));
  }
}

/// When the last predecessor ends.
EndInterval Dispatch::ready(OpId op) const {
  EndInterval found;
  for (const OpId p : competition_.before(op)) {
    found.earliest_ps = std::max(found.earliest_ps, ends_[p].earliest_ps);
    found.latest_ps = std::max(found.latest_ps, ends_[p].latest_ps);
  }
  return found;
}

/// From when on a core of its class is certainly free.
std::int64_t Dispatch::core_certain_ps(OpId op) const {
  return is_scarce(op) ? state_.is_free_ps[first_core_[problem_.ops[op].core_class]] : kNever;
}

/// From when on its mutexes are certainly free, of which those that another op takes count nothing.
std::int64_t Dispatch::mutexes_certain_ps(OpId op, OpId but_those_of) const {
  std::int64_t found = kNever;
  for (const std::uint32_t mutex : competition_.mutexes(op)) {
    const bool is_taken = but_those_of != op && std::ranges::count(competition_.mutexes(but_those_of), mutex) > 0;
    if (is_taken) continue;
    found = std::max(found, state_.is_free_ps[first_mutex_ + mutex]);
  }
  return found;
}

/// `op` takes a core that `first` would take, were it ready, its mutexes free, and itself the first of the two. At
/// equality the end that makes `first` ready may be handled after that which lets `op` begin.
std::int64_t Dispatch::latest_before(OpId first, OpId op) const {
  const std::int64_t mutexes_ps = mutexes_certain_ps(first, op);
  if (competition_.goes_before(first, op)) return mutexes_ps;
  const bool stands_before = competition_.by_arrival() ? ready_[first].latest_ps < ready_[op].earliest_ps
                                                       : competition_.rank(first) < competition_.rank(op);
  return stands_before ? std::max(ready_[first].latest_ps, mutexes_ps) : std::numeric_limits<std::int64_t>::max();
}

/// By arrival an op that begins next was ready no later than any other candidate of its class that waits for nothing
/// but a core; once it is ready it waits only for a core and its mutexes.
std::int64_t Dispatch::latest_by_arrival(OpId op) const {
  std::int64_t ready_ps = ready_[op].latest_ps;
  for (const OpId other : begun_->candidates) {
    const bool competes = other != op && problem_.ops[other].core_class == problem_.ops[op].core_class;
    if (competes && mutexes_certain_ps(other, op) == kNever) ready_ps = std::min(ready_ps, ready_[other].latest_ps);
  }
  return std::max({ready_ps, core_certain_ps(op), mutexes_certain_ps(op, op)});
}

BeginInterval Dispatch::begin_of(OpId op) const {
  BeginInterval found{std::max(state_.now_ps, ready_[op].earliest_ps), first_begin_ps_};
  for (const std::uint32_t mutex : competition_.mutexes(op)) {
    found.earliest_ps = std::max(found.earliest_ps, state_.may_be_free_ps[first_mutex_ + mutex]);
  }
  if (!is_scarce(op)) return found;
  found.earliest_ps = std::max(found.earliest_ps, state_.may_be_free_ps[first_core_[problem_.ops[op].core_class]]);
  for (const OpId first : begun_->candidates) {
    if (first == op || problem_.ops[first].core_class != problem_.ops[op].core_class) continue;
    found.latest_ps = std::min(found.latest_ps, latest_before(first, op));
  }
  if (competition_.by_arrival()) found.latest_ps = std::min(found.latest_ps, latest_by_arrival(op));
  return found;
}

/// The predecessors of an op that begins have ended by then, and so have those before ones of these that never wait. As
/// many cores are free as of these have run nothing since.
void Dispatch::end_by(OpId op, std::int64_t latest_ps) {
  std::vector<std::uint32_t> freed(problem_.cores.size(), 0);
  const auto mark = [&](OpId behind) {
    for (const OpId p : competition_.before(behind)) has_ended_[p] = true;
  };
  mark(op);
  for (std::size_t i = begun_->awaited.size(); i-- > 0;) {
    const OpId ended = begun_->awaited[i];
    if (!has_ended_[ended]) continue;
    has_ended_[ended] = false;
    ends_[ended].latest_ps = std::min(ends_[ended].latest_ps, latest_ps);
    if (std::exchange(ends_[ended].has_last_core, false)) ++freed[problem_.ops[ended].core_class];
    if (competition_.never_waits(ended)) mark(ended);
  }
  for (std::size_t c = 0; c < freed.size(); ++c) {
    for (std::size_t i = 0; i < std::min<std::size_t>(freed[c], cores_[c]); ++i) {
      std::int64_t& free_ps = state_.is_free_ps[first_core_[c] + i];
      free_ps = std::min(free_ps, latest_ps);
    }
  }
}

/// The first of `count` resources is taken until `end`.
void Dispatch::take(std::size_t first, std::size_t count, const EndInterval& end) {
  const auto begin = static_cast<std::ptrdiff_t>(first), last = static_cast<std::ptrdiff_t>(first + count);
  const auto replace = [&](std::vector<std::int64_t>& times, std::int64_t time) {
    times[first] = time;
    std::sort(times.begin() + begin, times.begin() + last);
  };
  replace(state_.may_be_free_ps, end.earliest_ps);
  replace(state_.is_free_ps, end.latest_ps);
}

void Dispatch::record(OpId op, std::int64_t earliest_begin_ps, std::int64_t latest_begin_ps) {
  ends_[op] = {earliest_begin_ps + static_cast<std::int64_t>(problem_.ops[op].best_ps),
               latest_begin_ps + static_cast<std::int64_t>(problem_.ops[op].worst_ps), false};
  state_.ends_ps = std::max(state_.ends_ps, ends_[op].earliest_ps);
}

void Dispatch::begin(OpId op, const BeginInterval& at, const std::vector<OpId>& at_once) {
  end_by(op, at.latest_ps);
  const std::uint32_t core_class = problem_.ops[op].core_class;
  for (const OpId other : begun_->awaited) {
    const bool is_of_class = problem_.ops[other].core_class == core_class;
    if (is_of_class && ends_[other].earliest_ps <= at.latest_ps) ends_[other].has_last_core = false;
  }
  record(op, at.earliest_ps, at.latest_ps);
  ends_[op].has_last_core = is_scarce(op);
  if (is_scarce(op)) take(first_core_[core_class], cores_[core_class], ends_[op]);
  for (const std::uint32_t mutex : competition_.mutexes(op)) take(first_mutex_ + mutex, 1, ends_[op]);
  state_.now_ps = at.earliest_ps;
  for (std::size_t i = 0; i < resources_; ++i) {
    state_.may_be_free_ps[i] = std::max(state_.may_be_free_ps[i], state_.now_ps);
    state_.is_free_ps[i] = std::max(state_.is_free_ps[i], state_.now_ps);
  }
  begin_at_once(at_once);
}

void Dispatch::begin_at_once(const std::vector<OpId>& ops) {
  for (const OpId op : ops) {
    const EndInterval at = ready(op);
    record(op, at.earliest_ps, at.latest_ps);
  }
}

AbstractState Dispatch::made(const std::vector<OpId>& awaited) const {
  AbstractState state = state_;
  state.ends.clear();
  for (const OpId op : awaited) state.ends.push_back(ends_[op]);
  return state;
}

}  // namespace detent::verify
