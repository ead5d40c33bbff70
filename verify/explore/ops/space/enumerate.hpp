// Every trace of a DependenceGraph, each exactly once, by closure branching.
//
// Events are inserted one by one into an order that grows. Event v meets the conflicts with earlier events that the
// closure has not decided; one of them is ordered one way, then the other. Both ways are possible, because the closure
// decides everything that is forced: no branch fails, so every leaf is one trace, none is blocked and none is reached
// twice. Events are topological, so an event that is inserted has predecessors only among those already there. Each
// level keeps the closure of the events inserted so far; the last conflicting event needs no level of its own, and
// most leaves cost a few instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "verify/explore/ops/space/event_set.hpp"
#include "verify/explore/ops/space/graph.hpp"
#include "verify/explore/ops/space/random.hpp"

namespace detent::verify::explore {

/// Largest number of events that can be enumerated or sampled: the levels take events^3 / 16 bytes.
inline constexpr std::uint32_t kMaxEvents = 1024;

/// Fold the orientation of one event's conflicts into a fingerprint of a trace.
inline std::uint64_t fold_word(std::uint64_t fingerprint, std::uint64_t word) {
  std::uint64_t z = (fingerprint ^ word) * 0x9E3779B97F4A7C15ULL;
  z = (z ^ (z >> 32U)) * 0xBF58476D1CE4E5B9ULL;
  return z ^ (z >> 29U);
}

/// The closure while choices are made. W: words of a set of events.
template <std::uint32_t W>
class TraceWalk {
 public:
  using Set = EventSet<W>;

  /// @param graph  at most 64 * W and kMaxEvents events
  explicit TraceWalk(const DependenceGraph& graph) : size_(graph.size()), events_(graph.size()) {
    for (std::uint32_t v = 0; v < size_; ++v) {
      std::copy_n(graph.conflict.row(v), graph.conflict.words(), events_[v].conflicts.begin());
      for (std::uint32_t w = 0; w < W; ++w) events_[v].conflicts[w] &= below(v, w);
      if (any(events_[v].conflicts)) inserted_ = v + 1;
      for_each_bit(graph.before.row(v), graph.before.words(), [&](std::uint32_t p) { add_predecessor(graph, v, p); });
    }
    for (std::uint32_t v = 0; v < size_; ++v) {
      for_each_bit(graph.after.row(v), graph.after.words(), [&](std::uint32_t w) {
        if (events_[v].followers < 64 && meet(events_[v].conflicts, events_[w].conflicts)) ++events_[v].followers;
      });
    }
    levels_.resize(std::size_t{inserted_} * (inserted_ + 1) / 2);
  }

  /// One trace, as the visitor sees it. Valid during the visit.
  struct Leaf {
    const TraceWalk& walk;
    Set before;                 ///< of the last inserted event
    std::uint64_t fingerprint;  ///< equal for the schedules of one trace, and (but for collisions) only for them

    /// A linear extension of the trace.
    void order(std::vector<std::uint32_t>& events) const { walk.extend(before, events); }
  };

  /// visit(leaf) -> true to go on. Returns the number of leaves visited.
  template <typename Visit>
  std::uint64_t enumerate(Visit&& visit) {
    return enumerate_from(
        0, [](const DependenceGraph&) { return std::uint64_t{0}; }, visit);
  }

  /// The same leaves in the same order, from leaf number `first` on (from 0). What lies before it is passed over branch
  /// by branch where the leaves of a branch can be counted, else leaf by leaf.
  /// @param count_leaves  (graph of a branch) -> its number of traces; 0: not known
  template <typename CountLeaves, typename Visit>
  std::uint64_t enumerate_from(std::uint64_t first, CountLeaves&& count_leaves, Visit&& visit) {
    std::uint64_t visited = 0;
    std::uint64_t skipped = first;
    branches_.clear();
    Branch at{};
    if (inserted_ != 0) open_event(at);
    while (true) {
      while (inserted_ != 0) {
        if (skipped != 0) pass_over(at, skipped, count_leaves);
        decide(at);
        if (at.event + 1 == inserted_) break;
        settle(at);
        ++at.event;
        open_event(at);
      }
      if (skipped != 0) {
        --skipped;
      } else {
        ++visited;
        if (!visit(Leaf{*this, at.before, at.fingerprint})) return visited;
      }
      if (branches_.empty()) return visited;
      at = branches_.back();
      branches_.pop_back();
    }
  }

  /// One leaf at random: visit(leaf, log of its weight), the weight being 1 / probability. Summing weights over
  /// samples and dividing by their number estimates the number of traces without bias (Knuth 1975). An open conflict
  /// between v and u is split in proportion to the ways that v and its followers would have left on either side, which
  /// is exact where v's followers form a chain and the earlier events another.
  template <typename Visit>
  void sample(Random& random, Visit&& visit) {
    double log_weight = 0;
    Branch at{};
    while (at.event < inserted_) {
      open_event(at);
      while (any(at.open)) log_weight += draw_one(at, last(at.open), random);
      at.fingerprint = fold(at.fingerprint, at.event, at.before);
      if (at.event + 1 == inserted_) break;
      settle(at);
      ++at.event;
    }
    visit(Leaf{*this, at.before, at.fingerprint}, log_weight);
  }

  /// The fingerprint of the trace that a schedule belongs to. @param place  of each event in the schedule
  [[nodiscard]] std::uint64_t fingerprint_of(const std::vector<std::uint32_t>& place) const {
    std::uint64_t fingerprint = 0;
    for (std::uint32_t v = 0; v < inserted_; ++v) {
      Set earlier{};
      for_each_bit(events_[v].conflicts.data(), W, [&](std::uint32_t u) {
        if (place[u] < place[v]) insert(earlier, u);
      });
      fingerprint = fold(fingerprint, v, earlier);
    }
    return fingerprint;
  }

 private:
  struct Event {
    Set conflicts{};                          ///< with earlier events
    std::vector<std::uint32_t> predecessors;  ///< direct
    std::uint32_t followers = 0;              ///< later events that follow it and share a conflict with it; at most 64
  };
  /// A state of the walk within one event; on the stack, a way that was not taken.
  struct Branch {
    std::uint32_t event = 0;
    Set before{};      ///< inserted events that precede it
    Set successors{};  ///< inserted events that were chosen to follow it; those after them follow, too
    Set open{};        ///< conflicts not yet decided
    std::uint64_t fingerprint = 0;
  };

  void add_predecessor(const DependenceGraph& graph, std::uint32_t v, std::uint32_t p) {
    for (std::uint32_t w = 0; w < graph.after.words(); ++w) {
      if ((graph.after.row(p)[w] & graph.before.row(v)[w]) != 0) return;  // something stands between them
    }
    events_[v].predecessors.push_back(p);
  }

  /// Predecessor sets of events 0..event-1 when `event` is inserted.
  Set* level(std::uint32_t event) { return levels_.data() + std::size_t{event} * (event + 1) / 2; }
  [[nodiscard]] const Set* level(std::uint32_t event) const {
    return levels_.data() + std::size_t{event} * (event + 1) / 2;
  }

  std::uint64_t fold(std::uint64_t fingerprint, std::uint32_t v, const Set& before) const {
    if (!any(events_[v].conflicts)) return fingerprint;
    for (std::uint32_t w = 0; w < W; ++w) fingerprint = fold_word(fingerprint, before[w] & events_[v].conflicts[w]);
    return fingerprint;
  }

  void open_event(Branch& at) const {
    const Set* const closure = level(at.event);
    at.before = {};
    at.successors = {};
    for (const std::uint32_t p : events_[at.event].predecessors) {
      unite(at.before, closure[p]);
      insert(at.before, p);
    }
    at.open = events_[at.event].conflicts;
    subtract(at.open, at.before);
  }

  void put_after(Branch& at, std::uint32_t u) const {
    unite(at.before, level(at.event)[u]);
    insert(at.before, u);
    subtract(at.open, at.before);
  }

  void put_before(Branch& at, std::uint32_t u) const {
    const Set* const closure = level(at.event);
    insert(at.successors, u);
    Set decided{};
    insert(decided, u);
    for_each_bit(at.open.data(), W, [&](std::uint32_t y) {
      if (has(closure[y], u)) insert(decided, y);
    });
    subtract(at.open, decided);
  }

  /// Order every open conflict, the earlier event first; the other ways go to branches_.
  void decide(Branch& at) {
    while (any(at.open)) {
      const std::uint32_t u = last(at.open);
      branches_.push_back(at);
      put_before(branches_.back(), u);
      put_after(at, u);
    }
    at.fingerprint = fold(at.fingerprint, at.event, at.before);
  }

  /// Decide conflicts like decide, but take the other way at once where the first one holds `skipped` leaves or fewer.
  template <typename CountLeaves>
  void pass_over(Branch& at, std::uint64_t& skipped, CountLeaves&& count_leaves) {
    while (any(at.open) && skipped != 0) {
      const std::uint32_t u = last(at.open);
      Branch other = at;
      put_before(other, u);
      put_after(at, u);
      const std::uint64_t leaves = count_leaves(graph_below(at));
      if (leaves != 0 && leaves <= skipped) {
        skipped -= leaves;
        at = other;
      } else {
        branches_.push_back(other);
      }
    }
  }

  /// What is left to decide below a branch: the order with all that was chosen, and the open conflicts.
  [[nodiscard]] DependenceGraph graph_below(const Branch& at) const {
    const Set* const closure = level(at.event);
    std::vector<Set> before(closure, closure + at.event);
    Set with = at.before;
    insert(with, at.event);
    for (Set& row : before) {
      const auto y = static_cast<std::uint32_t>(&row - before.data());
      if (meet(row, at.successors) || has(at.successors, y)) unite(row, with);
    }
    before.push_back(at.before);
    for (std::uint32_t v = at.event + 1; v < size_; ++v) {
      Set row{};
      for (const std::uint32_t p : events_[v].predecessors) {
        unite(row, before[p]);
        insert(row, p);
      }
      before.push_back(row);
    }
    // The number of predecessors is a rank that respects the closure.
    std::vector<std::uint32_t> by_rank(size_), place(size_);
    for (std::uint32_t v = 0; v < size_; ++v) by_rank[v] = v;
    std::ranges::stable_sort(by_rank, {}, [&](std::uint32_t v) { return count(before[v]); });
    for (std::uint32_t i = 0; i < size_; ++i) place[by_rank[i]] = i;
    std::vector<EventPair> edges, conflicts;
    for (std::uint32_t v = 0; v < size_; ++v) {
      for_each_bit(before[v].data(), W, [&](std::uint32_t u) { edges.emplace_back(place[u], place[v]); });
      if (v < at.event) continue;
      const Set& open = v == at.event ? at.open : events_[v].conflicts;
      for_each_bit(open.data(), W, [&](std::uint32_t u) { conflicts.emplace_back(std::minmax(place[u], place[v])); });
    }
    return make_dependence_graph(size_, edges, conflicts);
  }

  /// Share of the ways to put an event and its `followers` in a chain into a chain of `all` - 1 events that leave less
  /// than `n` of them after the event: C(n + f, f + 1) / C(all + f, f + 1).
  static double share_of_ways(double n, double all, std::uint32_t followers) {
    double share = 1;
    for (std::uint32_t j = 0; j <= followers; ++j) share *= (n + j) / (all + j);
    return share;
  }

  double draw_one(Branch& at, std::uint32_t u, Random& random) const {
    const Set* const closure = level(at.event);
    double earlier = 1;
    double later = 1;
    for_each_bit(at.open.data(), W, [&](std::uint32_t y) {
      if (has(closure[y], u)) ++later;
      if (has(closure[u], y)) ++earlier;
    });
    const Set& conflicts = events_[at.event].conflicts;
    const double above = count(conflicts) - count(at.open) - count_common(conflicts, at.before);
    const double all = above + later + earlier;
    const std::uint32_t followers = events_[at.event].followers;
    const double none = share_of_ways(above, all, followers);
    const double chance =
        std::clamp((share_of_ways(above + later, all, followers) - none) / (1 - none), 1e-12, 1 - 1e-12);
    const bool is_later = random.unit() < chance;
    if (is_later) {
      put_after(at, u);
    } else {
      put_before(at, u);
    }
    return -std::log(is_later ? chance : 1 - chance);
  }

  /// The next level: the event joins, and what follows it inherits its predecessors.
  void settle(const Branch& at) {
    const Set* const from = level(at.event);
    Set* const to = level(at.event + 1);
    Set with = at.before;
    insert(with, at.event);
    for (std::uint32_t y = 0; y < at.event; ++y) {
      Set row = from[y];
      const bool follows = meet(row, at.successors) || has(at.successors, y);
      const Word mask = follows ? ~Word{0} : 0;
      for (std::uint32_t w = 0; w < W; ++w) row[w] |= with[w] & mask;
      to[y] = row;
    }
    to[at.event] = at.before;
  }

  /// The number of predecessors is a rank that respects the closure. What precedes the last inserted event comes first,
  /// then that event, then the other inserted ones; the rest has nothing inserted after it.
  void extend(const Set& before, std::vector<std::uint32_t>& events) const {
    events.resize(size_);
    std::array<std::uint16_t, 2 * kMaxEvents + 1> first;
    const std::uint32_t settled = inserted_ == 0 ? 0 : inserted_ - 1;
    const Set* const closure = level(settled);
    std::fill_n(first.begin(), 2 * settled + 1, std::uint16_t{0});
    const auto rank = [&](std::uint32_t v) { return count(closure[v]) + (has(before, v) ? 0 : settled); };
    for (std::uint32_t v = 0; v < settled; ++v) ++first[rank(v) + 1];
    for (std::uint32_t r = 1; r <= 2 * settled; ++r) first[r] = static_cast<std::uint16_t>(first[r] + first[r - 1]);
    const std::uint32_t place = count(before);
    for (std::uint32_t v = 0; v < settled; ++v) {
      const std::uint32_t at = first[rank(v)]++;
      events[at + (at >= place ? 1 : 0)] = v;
    }
    if (inserted_ != 0) events[place] = settled;
    for (std::uint32_t v = inserted_; v < size_; ++v) events[v] = v;
  }

  std::uint32_t size_;
  std::uint32_t inserted_ = 0;  ///< events up to the last one with a conflict
  std::vector<Event> events_;
  std::vector<Set> levels_;  ///< level v: v sets
  std::vector<Branch> branches_;
};

/// Call `use(walk)` with a walk of the width that `graph` needs. graph.size() <= kMaxEvents.
template <typename Use>
auto with_walk(const DependenceGraph& graph, Use&& use) {
  const std::uint32_t words = std::max(1U, graph.after.words());
  if (words == 1) return use(TraceWalk<1>(graph));
  if (words == 2) return use(TraceWalk<2>(graph));
  if (words <= 4) return use(TraceWalk<4>(graph));
  return use(TraceWalk<kMaxEvents / 64>(graph));
}

}  // namespace detent::verify::explore
