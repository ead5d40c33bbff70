#include "verify/synthesis/deadline_search.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

#include "verify/synthesis/refuted_states.hpp"

namespace detent::verify {
namespace {

constexpr Ticks kNever = INT64_MAX;
constexpr std::size_t kMemoWords = std::size_t{1} << 24U;  // 128 MiB
constexpr std::uint64_t kNodesPerQuestion = 1024;

using JobSet = std::vector<std::uint64_t>;

bool holds(const JobSet& set, std::uint32_t job) { return (set[job / 64] >> (job % 64) & 1U) != 0; }
void put(JobSet& set, std::uint32_t job) { set[job / 64] |= std::uint64_t{1} << (job % 64); }
void take_out(JobSet& set, std::uint32_t job) { set[job / 64] &= ~(std::uint64_t{1} << (job % 64)); }

/// An instant with what has happened before it.
struct Instant {
  Ticks now = 0;
  JobSet blocked{};                  ///< left out beside an idle core, and all cores were not busy since
  std::vector<Ticks> busy_before{};  ///< [classes] all cores must be busy once before it
};

class Search {
 public:
  Search(const JobGraph& graph, const Windows& windows, const SearchBudget& budget)
      : graph_(graph),
        windows_(windows),
        budget_(budget),
        rank_(graph.size()),
        begun_((graph.size() + 63) / 64, 0),
        begin_(graph.size(), 0),
        left_(graph.size()),
        running_(graph.cores.size()),
        last_lag_(graph.size(), 0),
        refuted_(kMemoWords) {
    std::vector<std::uint32_t> order(graph.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(windows.latest[a], graph.work[b], a) < std::tuple(windows.latest[b], graph.work[a], b);
    });
    by_rank_ = order;
    for (std::uint32_t i = 0; i < order.size(); ++i) rank_[order[i]] = i;
    by_end_ = order;
    std::ranges::sort(by_end_, {}, [&](std::uint32_t job) { return windows.latest[job] + graph.work[job]; });
    for (std::uint32_t job = 0; job < graph.size(); ++job) {
      left_[job] = static_cast<std::uint32_t>(graph.before[job].size());
      for (const JobArc& arc : graph.after[job]) last_lag_[job] = std::max(last_lag_[job], arc.lag);
    }
    find_preferred();
    find_unblocked();
  }

  DeadlineAnswer run() {
    Instant first{.now = graph_.size() == 0 ? 0 : *std::ranges::min_element(graph_.head),
                  .blocked = JobSet(begun_.size(), 0),
                  .busy_before = std::vector<Ticks>(graph_.cores.size(), kNever)};
    DeadlineAnswer answer;
    answer.outcome = visit(first);
    answer.nodes = nodes_;
    if (answer.outcome == Searched::kFound) answer.schedule = JobSchedule{begin_, makespan_of(graph_, begin_)};
    return answer;
  }

 private:
  /// Jobs that must have begun before another one of their class and work may, while they are ready.
  void find_preferred() {
    const auto has_all_of = [&](std::uint32_t one, std::uint32_t other) {
      if (graph_.tail[one] < graph_.tail[other]) return false;
      return std::ranges::all_of(graph_.after[other], [&](const JobArc& arc) {
        return std::ranges::any_of(graph_.after[one],
                                   [&](const JobArc& mine) { return mine.job == arc.job && mine.lag >= arc.lag; });
      });
    };
    preferred_.resize(graph_.size());
    for (std::uint32_t a = 0; a < graph_.size(); ++a) {
      for (std::uint32_t b = 0; b < graph_.size(); ++b) {
        if (a == b || graph_.kind[a] != graph_.kind[b] || graph_.work[a] != graph_.work[b]) continue;
        if (graph_.work[a] == 0 || rank_[a] > rank_[b] || !has_all_of(a, b)) continue;
        preferred_[b].push_back(a);
      }
    }
  }

  /// Classes with a job of no time that other jobs of the class are unordered with: it needs a core that is idle for an
  /// instant, so another job of the class may have a reason to leave one idle.
  void find_unblocked() {
    is_unblocked_.resize(graph_.cores.size(), false);
    std::vector<bool> is_ordered(graph_.size());
    for (std::uint32_t job = 0; job < graph_.size(); ++job) {
      if (graph_.work[job] != 0 || is_unblocked_[graph_.kind[job]]) continue;
      is_ordered.assign(graph_.size(), false);
      is_ordered[job] = true;
      for (std::uint32_t at = job; at < graph_.size(); ++at) {
        if (!is_ordered[at]) continue;
        for (const JobArc& arc : graph_.after[at]) is_ordered[arc.job] = true;
      }
      std::vector<bool> is_before(graph_.size(), false);
      is_before[job] = true;
      for (std::uint32_t at = job + 1; at-- > 0;) {
        if (!is_before[at]) continue;
        is_ordered[at] = true;
        for (const JobArc& arc : graph_.before[at]) is_before[arc.job] = true;
      }
      for (std::uint32_t at = 0; at < graph_.size(); ++at) {
        if (graph_.kind[at] == graph_.kind[job] && !is_ordered[at]) is_unblocked_[graph_.kind[job]] = true;
      }
    }
  }

  [[nodiscard]] bool is_ready(std::uint32_t job, Ticks now) const { return left_[job] == 0 && ready_at(job) <= now; }

  /// Where all predecessors have begun.
  [[nodiscard]] Ticks ready_at(std::uint32_t job) const {
    Ticks ready = graph_.head[job];
    for (const JobArc& arc : graph_.before[job]) {
      ready = std::max(ready, begin_[arc.job] + graph_.work[arc.job] + arc.lag);
    }
    return ready;
  }

  [[nodiscard]] std::uint32_t busy(std::uint32_t kind, Ticks now) const {
    std::uint32_t count = 0;
    for (const std::uint32_t job : running_[kind]) count += begin_[job] + graph_.work[job] > now ? 1U : 0U;
    return count;
  }

  void start(std::uint32_t job, Ticks now) {
    begin_[job] = now;
    put(begun_, job);
    ++begun_count_;
    running_[graph_.kind[job]].push_back(job);
    for (const JobArc& arc : graph_.after[job]) --left_[arc.job];
  }

  void take_back(std::uint32_t job) {
    for (const JobArc& arc : graph_.after[job]) ++left_[arc.job];
    running_[graph_.kind[job]].pop_back();
    --begun_count_;
    take_out(begun_, job);
  }

  /// Start what takes no time and finds an idle core: nothing is lost by it.
  std::vector<std::uint32_t> start_instantaneous(Ticks now) {
    std::vector<std::uint32_t> started;
    for (std::uint32_t job = 0; job < graph_.size(); ++job) {  // topological: one may make the next one ready
      if (graph_.work[job] != 0 || holds(begun_, job) || !is_ready(job, now)) continue;
      if (busy(graph_.kind[job], now) == graph_.cores[graph_.kind[job]]) continue;
      start(job, now);
      started.push_back(job);
    }
    return started;
  }

  /// Count a node. @return  false: the budget is spent
  bool count() {
    if (++nodes_ % kNodesPerQuestion == 0 && budget_.must_stop && budget_.must_stop()) is_stopped_ = true;
    return nodes_ <= budget_.nodes && !is_stopped_;
  }

  Searched visit(const Instant& at) {
    const std::vector<std::uint32_t> instantaneous = start_instantaneous(at.now);
    const bool is_late =
        std::ranges::any_of(instantaneous, [&](std::uint32_t job) { return at.now > windows_.latest[job]; });
    Searched outcome = is_late ? Searched::kRefuted : Searched::kFound;
    if (!is_late && begun_count_ != graph_.size()) outcome = look_on(at);
    if (outcome == Searched::kFound) return outcome;
    for (std::size_t i = instantaneous.size(); i-- > 0;) take_back(instantaneous[i]);
    return outcome;
  }

  Searched look_on(const Instant& at) {
    if (!is_possible(at)) return Searched::kRefuted;
    const State state = state_of(at);
    if (was_refuted(state)) return Searched::kRefuted;
    std::vector<std::uint32_t> ready;
    for (const std::uint32_t job : by_rank_) {
      if (!holds(begun_, job) && is_ready(job, at.now)) ready.push_back(job);
    }
    const Searched outcome = choose(at, ready, 0);
    if (outcome == Searched::kRefuted) refuted_.add(state.key, state.value);
    return outcome;
  }

  /// Which of the ready jobs from the i-th on begin now?
  Searched choose(const Instant& at, const std::vector<std::uint32_t>& ready, std::size_t i) {
    for (; i < ready.size(); ++i) {
      const std::uint32_t job = ready[i];
      if (busy(graph_.kind[job], at.now) == graph_.cores[graph_.kind[job]]) continue;
      if (holds(at.blocked, job) || has_better(job, at.now)) continue;
      start(job, at.now);
      const Searched outcome = choose(at, ready, i + 1);
      if (outcome == Searched::kFound) return outcome;
      take_back(job);
      if (outcome == Searched::kUndecided) return outcome;
      if (windows_.latest[job] <= at.now) return Searched::kRefuted;  // it had to
    }
    return advance(at, ready);
  }

  [[nodiscard]] bool has_better(std::uint32_t job, Ticks now) const {
    return std::ranges::any_of(preferred_[job],
                               [&](std::uint32_t other) { return !holds(begun_, other) && is_ready(other, now); });
  }

  Searched advance(const Instant& at, const std::vector<std::uint32_t>& ready) {
    if (begun_count_ == graph_.size()) return Searched::kFound;
    if (!count()) return Searched::kUndecided;
    Instant next{.now = next_instant(at.now), .blocked = at.blocked, .busy_before = at.busy_before};
    if (next.now == kNever) return Searched::kRefuted;
    for (std::uint32_t kind = 0; kind < graph_.cores.size(); ++kind) {
      if (graph_.cores[kind] != 0 && busy(kind, at.now) == graph_.cores[kind]) next.busy_before[kind] = kNever;
    }
    for (std::uint32_t job = 0; job < graph_.size(); ++job) {
      if (holds(next.blocked, job) && busy(graph_.kind[job], at.now) == graph_.cores[graph_.kind[job]]) {
        take_out(next.blocked, job);
      }
    }
    for (const std::uint32_t job : ready) {
      const std::uint32_t kind = graph_.kind[job];
      if (holds(begun_, job) || holds(next.blocked, job) || busy(kind, at.now) == graph_.cores[kind]) continue;
      if (is_unblocked_[kind]) continue;
      put(next.blocked, job);
      next.busy_before[kind] = std::min(next.busy_before[kind], at.now + graph_.work[job]);
    }
    for (const Ticks before : next.busy_before) {
      if (next.now >= before) return Searched::kRefuted;
    }
    return visit(next);
  }

  /// The next end of a job, or moment at which one is ready.
  [[nodiscard]] Ticks next_instant(Ticks now) const {
    Ticks next = kNever;
    for (const std::vector<std::uint32_t>& jobs : running_) {
      for (const std::uint32_t job : jobs) {
        const Ticks end = begin_[job] + graph_.work[job];
        if (end > now) next = std::min(next, end);
      }
    }
    for (std::uint32_t job = 0; job < graph_.size(); ++job) {
      if (holds(begun_, job) || left_[job] != 0) continue;
      const Ticks ready = ready_at(job);
      if (ready > now) next = std::min(next, ready);
    }
    return next;
  }

  /// Can all that has not begun still end in time, as far as arcs and the work in intervals from now on show?
  bool is_possible(const Instant& at) {
    earliest_.assign(graph_.size(), 0);
    for (std::uint32_t job = 0; job < graph_.size(); ++job) {
      if (holds(begun_, job)) {
        earliest_[job] = begin_[job];
        continue;
      }
      Ticks earliest = std::max(at.now, windows_.earliest[job]);
      for (const JobArc& arc : graph_.before[job]) {
        earliest = std::max(earliest, earliest_[arc.job] + graph_.work[arc.job] + arc.lag);
      }
      if (earliest > windows_.latest[job]) return false;
      earliest_[job] = earliest;
    }
    for (std::uint32_t kind = 0; kind < graph_.cores.size(); ++kind) {
      if (!fits_from(at.now, kind)) return false;
    }
    return true;
  }

  /// Work that must lie between now and the latest end of each job, against what the cores can do.
  [[nodiscard]] bool fits_from(Ticks now, std::uint32_t kind) const {
    // Both lists ascend: begins that can be latest make demand grow, ends that can be latest let it stop.
    Ticks demand = 0, slope = 0, at = now;
    const auto cores = static_cast<Ticks>(graph_.cores[kind]);
    std::vector<Ticks> stops;
    for (const std::uint32_t job : running_[kind]) {
      const Ticks end = begin_[job] + graph_.work[job];
      if (end <= now) continue;
      ++slope;
      stops.push_back(end);
    }
    std::ranges::sort(stops);
    std::size_t stop = 0, from = 0, to = 0;
    const auto next_of = [&](const std::vector<std::uint32_t>& list, std::size_t& i) {
      while (i < list.size() && (graph_.kind[list[i]] != kind || holds(begun_, list[i]))) ++i;
      return i < list.size();
    };
    for (;;) {
      const Ticks rise = next_of(by_rank_, from) ? std::max(now, windows_.latest[by_rank_[from]]) : kNever;
      const Ticks fall = next_of(by_end_, to) ? latest_end(by_end_[to]) : kNever;
      const Ticks fixed = stop < stops.size() ? stops[stop] : kNever;
      const Ticks when = std::min({rise, fall, fixed});
      if (when == kNever) return true;
      demand += slope * (when - at);
      at = when;
      if (demand > cores * (at - now)) return false;
      if (rise == when) {
        ++slope;
        ++from;
      } else if (fall == when) {
        --slope;
        ++to;
      } else {
        --slope;
        ++stop;
      }
    }
  }

  [[nodiscard]] Ticks latest_end(std::uint32_t job) const { return windows_.latest[job] + graph_.work[job]; }

  struct State {
    JobSet key;                        ///< jobs that have begun; then what is blocked, where something is
    std::vector<std::uint64_t> value;  ///< now; then per class the ends that matter, or all of the state
    bool is_free = false;              ///< nothing is blocked
  };

  /// Jobs that have begun and whose end may still delay something: with it, ascending by job.
  [[nodiscard]] std::vector<std::pair<std::uint32_t, Ticks>> open_ends(Ticks now) const {
    std::vector<std::pair<std::uint32_t, Ticks>> ends;
    for (const std::vector<std::uint32_t>& jobs : running_) {
      for (const std::uint32_t job : jobs) {
        const Ticks end = begin_[job] + graph_.work[job];
        if (end + last_lag_[job] > now) ends.emplace_back(job, end);
      }
    }
    std::ranges::sort(ends);
    return ends;
  }

  [[nodiscard]] State state_of(const Instant& at) const {
    State state{.key = begun_, .value = {static_cast<std::uint64_t>(at.now)}};
    state.is_free = std::ranges::all_of(at.blocked, [](std::uint64_t word) { return word == 0; });
    if (!state.is_free) {
      state.key.insert(state.key.end(), at.blocked.begin(), at.blocked.end());
      for (const Ticks before : at.busy_before) state.key.push_back(static_cast<std::uint64_t>(before));
    }
    for (const auto& [job, end] : open_ends(at.now)) {
      state.value.push_back(job);
      state.value.push_back(static_cast<std::uint64_t>(end));
    }
    return state;
  }

  [[nodiscard]] bool was_refuted(const State& state) const {
    if (!state.is_free && refuted_.contains(state.key, [&](std::span<const std::uint64_t> kept) {
          return std::ranges::equal(kept, state.value);
        })) {
      return true;
    }
    return refuted_.contains(begun_,
                             [&](std::span<const std::uint64_t> kept) { return is_no_worse(kept, state.value); });
  }

  /// Whatever can follow `other` can follow `kept`, in which the same jobs have begun: it is not later, and neither is
  /// any end that its successors or its core wait for.
  [[nodiscard]] bool is_no_worse(std::span<const std::uint64_t> kept, std::span<const std::uint64_t> other) const {
    const auto now = static_cast<Ticks>(other[0]);
    if (static_cast<Ticks>(kept[0]) > now) return false;
    std::size_t theirs = 1;
    for (std::size_t i = 1; i < kept.size(); i += 2) {
      while (theirs < other.size() && other[theirs] < kept[i]) theirs += 2;
      const auto end = static_cast<Ticks>(kept[i + 1]);
      const bool is_open = theirs < other.size() && other[theirs] == kept[i];
      if (is_open ? end > static_cast<Ticks>(other[theirs + 1])
                  : end + last_lag_[static_cast<std::uint32_t>(kept[i])] > now) {
        return false;
      }
    }
    return true;
  }

  const JobGraph& graph_;
  const Windows& windows_;
  const SearchBudget& budget_;
  std::vector<std::uint32_t> rank_, by_rank_, by_end_;
  std::vector<std::vector<std::uint32_t>> preferred_;
  std::vector<bool> is_unblocked_;  ///< [classes]
  JobSet begun_;
  std::uint32_t begun_count_ = 0;
  std::vector<Ticks> begin_;
  std::vector<std::uint32_t> left_;                  ///< [jobs] predecessors that have not begun
  std::vector<std::vector<std::uint32_t>> running_;  ///< [classes] all that have begun, in order
  std::vector<Ticks> last_lag_, earliest_;
  RefutedStates refuted_;
  std::uint64_t nodes_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

DeadlineAnswer search_by_deadline(const JobGraph& graph, const Windows& windows, const SearchBudget& budget) {
  return Search(graph, windows, budget).run();
}

}  // namespace detent::verify
