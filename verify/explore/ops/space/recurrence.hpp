// Recurrence: the number of traces as a function of (events executed, events asleep), remembered state by state.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "verify/explore/ops/space/graph.hpp"
#include "verify/explore/ops/space/trace_count.hpp"

namespace detent::verify::explore {

/// W: words of a set of events.
///
/// From a state, the enabled events that are not asleep are executed in turn; each is asleep in the branches of those
/// after it, until something dependent on it is executed. A word that would only exchange independent neighbours
/// meets an event that is asleep, so each trace is accepted as one word.
template <std::uint32_t W>
class Recurrence {
 public:
  Recurrence(const DependenceGraph& graph, std::uint64_t max_states) : size_(graph.size()), max_states_(max_states) {
    events_.resize(size_);
    for (std::uint32_t i = 0; i < size_; ++i) {
      Event& event = events_[i];
      for (std::uint32_t w = 0; w < graph.after.words(); ++w) {
        event.before[w] = graph.before.row(i)[w];
        event.wakes[w] = graph.conflict.row(i)[w];
        event.dependent[w] = graph.conflict.row(i)[w] | graph.after.row(i)[w] | graph.before.row(i)[w];
      }
      all_[i / 64] |= Word{1} << (i % 64);
    }
    resize(std::size_t{1} << 10U);
  }

  TraceCount count() {
    Count128 total = 0;
    const bool known = number_from(State{}, &total);
    if (overflow_) return {~Count128{0}, false, true};
    return known ? TraceCount{total, true, false} : TraceCount{0, false, false};
  }

 private:
  using Set = std::array<Word, W>;
  struct Event {
    Set before{}, wakes{}, dependent{};
  };
  struct State {
    Set done{}, asleep{};
    bool operator==(const State&) const = default;
  };
  struct Slot {
    State state;
    Count128 number = 0;
    bool used = false;
  };

  static void insert(Set& set, std::uint32_t i) { set[i / 64] |= Word{1} << (i % 64); }

  [[nodiscard]] bool is_enabled(std::uint32_t i, const Set& done) const {
    Word missing = 0;
    for (std::uint32_t w = 0; w < W; ++w) missing |= events_[i].before[w] & ~done[w];
    return missing == 0;
  }

  /// Nothing that is still to come can wake it, so it would never run.
  [[nodiscard]] bool sleeps_for_ever(std::uint32_t i, const Set& done) const {
    Word wakers = 0;
    for (std::uint32_t w = 0; w < W; ++w) wakers |= events_[i].wakes[w] & ~done[w];
    return wakers == 0;
  }

  [[nodiscard]] bool is_dead(const State& state) const {
    bool dead = false;
    for_each_bit(state.asleep.data(), W, [&](std::uint32_t i) { dead = dead || sleeps_for_ever(i, state.done); });
    return dead;
  }

  /// False: out of states or out of range.
  bool number_from(const State& state, Count128* number) {
    *number = 0;
    if (state.done == all_) {
      *number = 1;
      return true;
    }
    if (is_dead(state)) return true;
    if (const Slot& slot = find(state); slot.used) {
      *number = slot.number;
      return true;
    }
    if (!sum_of_branches(state, number)) return false;
    return remember(state, *number);
  }

  bool sum_of_branches(const State& state, Count128* number) {
    Set asleep = state.asleep;
    for (std::uint32_t i = 0; i < size_; ++i) {
      const Word bit = Word{1} << (i % 64);
      if (((state.done[i / 64] | asleep[i / 64]) & bit) != 0 || !is_enabled(i, state.done)) continue;
      State next = state;
      insert(next.done, i);
      for (std::uint32_t w = 0; w < W; ++w) next.asleep[w] = asleep[w] & ~events_[i].dependent[w];
      Count128 branch = 0;
      if (!number_from(next, &branch)) return false;
      if (__builtin_add_overflow(*number, branch, number)) {
        overflow_ = true;
        return false;
      }
      insert(asleep, i);
    }
    return true;
  }

  Slot& find(const State& state) {
    std::size_t at = hash(state) & (slots_.size() - 1);
    while (slots_[at].used && !(slots_[at].state == state)) at = (at + 1) & (slots_.size() - 1);
    return slots_[at];
  }

  bool remember(const State& state, Count128 number) {
    if (used_ == max_states_) return false;
    if (2 * (used_ + 1) > slots_.size()) resize(slots_.size() * 2);
    find(state) = {state, number, true};
    ++used_;
    return true;
  }

  void resize(std::size_t slots) {
    std::vector<Slot> old(slots);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.used) find(slot.state) = slot;
    }
  }

  static std::size_t hash(const State& state) {
    std::uint64_t h = 0;
    for (std::uint32_t w = 0; w < W; ++w) {
      h = (h ^ state.done[w]) * 0x9E3779B97F4A7C15ULL;
      h = ((h ^ (h >> 31U)) ^ state.asleep[w]) * 0xBF58476D1CE4E5B9ULL;
    }
    return h ^ (h >> 29U);
  }

  std::uint32_t size_;
  std::uint64_t max_states_, used_ = 0;
  std::vector<Event> events_;
  std::vector<Slot> slots_;
  Set all_{};
  bool overflow_ = false;
};

}  // namespace detent::verify::explore
