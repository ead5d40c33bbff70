#include "verify/synthesis/list_scheduling.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <set>
#include <utility>

namespace detent::verify {
namespace {

/// Jobs whose predecessors have been placed, and when each may begin.
class Waiting {
 public:
  explicit Waiting(const JobGraph& graph) : graph_(graph), ready_at_(graph.head) {
    for (const std::vector<JobArc>& arcs : graph.before) left_.push_back(static_cast<std::uint32_t>(arcs.size()));
  }

  [[nodiscard]] bool is_free(std::uint32_t job) const { return left_[job] == 0; }
  [[nodiscard]] Ticks ready_at(std::uint32_t job) const { return ready_at_[job]; }

  /// @param on_free  called with each job that waits for no other any more
  template <typename OnFree>
  void place(std::uint32_t job, Ticks begin, OnFree on_free) {
    for (const JobArc& arc : graph_.after[job]) {
      ready_at_[arc.job] = std::max(ready_at_[arc.job], begin + graph_.work[job] + arc.lag);
      if (--left_[arc.job] == 0) on_free(arc.job);
    }
  }

 private:
  const JobGraph& graph_;
  std::vector<Ticks> ready_at_;
  std::vector<std::uint32_t> left_;
};

/// How many cores of a class are taken, over time.
class Profile {
 public:
  explicit Profile(std::uint32_t cores) : cores_(cores) { taken_[0] = 0; }

  /// First instant not before `ready` from which a core is free for `work`. A job of no time needs one for an instant.
  [[nodiscard]] Ticks first_gap(Ticks ready, Ticks work) const {
    Ticks begin = ready;
    auto at = std::prev(taken_.upper_bound(begin));
    while (at != taken_.end() && (at->first < begin + work || at->first <= begin)) {
      const auto next = std::next(at);
      if (at->second == cores_) begin = next == taken_.end() ? begin : next->first;
      at = next;
    }
    return begin;
  }

  void take(Ticks begin, Ticks work) {
    if (work == 0) return;
    const auto end = cut(begin + work);
    for (auto at = cut(begin); at != end; ++at) ++at->second;
  }

 private:
  std::map<Ticks, std::uint32_t>::iterator cut(Ticks when) {
    const auto at = taken_.lower_bound(when);
    if (at != taken_.end() && at->first == when) return at;
    return taken_.emplace_hint(at, when, std::prev(at)->second);
  }

  std::uint32_t cores_;
  std::map<Ticks, std::uint32_t> taken_;  ///< from an instant on
};

std::vector<double> ends_first(const JobGraph& graph, const JobSchedule& schedule) {
  std::vector<double> key(graph.size());
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    key[graph.size() - 1 - job] = -static_cast<double>(schedule.begin[job] + graph.work[job]);
  }
  return key;
}

}  // namespace

JobSchedule schedule_at_once(const JobGraph& graph, const std::vector<double>& key) {
  using Event = std::pair<Ticks, std::uint32_t>;
  using Choice = std::pair<double, std::uint32_t>;
  JobSchedule made{.begin = std::vector<Ticks>(graph.size(), 0)};
  Waiting waiting(graph);
  std::priority_queue<Event, std::vector<Event>, std::greater<>> arrivals, ends;
  std::vector<std::set<Choice>> ready(graph.cores.size());
  std::vector<std::uint32_t> idle = graph.cores;
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    if (waiting.is_free(job)) arrivals.emplace(waiting.ready_at(job), job);
  }
  while (!arrivals.empty() || !ends.empty()) {
    const Ticks now = ends.empty()       ? arrivals.top().first
                      : arrivals.empty() ? ends.top().first
                                         : std::min(ends.top().first, arrivals.top().first);
    for (; !ends.empty() && ends.top().first == now; ends.pop()) ++idle[graph.kind[ends.top().second]];
    bool is_new = true;
    while (is_new) {
      for (; !arrivals.empty() && arrivals.top().first == now; arrivals.pop()) {
        const std::uint32_t job = arrivals.top().second;
        ready[graph.kind[job]].emplace(graph.work[job] == 0 ? -1e300 : key[job], job);
      }
      is_new = false;
      for (std::uint32_t kind = 0; kind < graph.cores.size(); ++kind) {
        while (idle[kind] > 0 && !ready[kind].empty()) {
          const std::uint32_t job = ready[kind].begin()->second;
          ready[kind].erase(ready[kind].begin());
          made.begin[job] = now;
          waiting.place(job, now, [&](std::uint32_t next) { arrivals.emplace(waiting.ready_at(next), next); });
          if (graph.work[job] == 0) {
            is_new = true;
            break;
          }
          --idle[kind];
          ends.emplace(now + graph.work[job], job);
        }
      }
    }
  }
  made.makespan = makespan_of(graph, made.begin);
  return made;
}

JobSchedule schedule_in_turn(const JobGraph& graph, const std::vector<double>& key) {
  using Choice = std::pair<double, std::uint32_t>;
  JobSchedule made{.begin = std::vector<Ticks>(graph.size(), 0)};
  Waiting waiting(graph);
  std::vector<Profile> profiles;
  for (const std::uint32_t cores : graph.cores) profiles.emplace_back(cores);
  std::priority_queue<Choice, std::vector<Choice>, std::greater<>> free;
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    if (waiting.is_free(job)) free.emplace(key[job], job);
  }
  while (!free.empty()) {
    const std::uint32_t job = free.top().second;
    free.pop();
    Profile& profile = profiles[graph.kind[job]];
    made.begin[job] = profile.first_gap(waiting.ready_at(job), graph.work[job]);
    profile.take(made.begin[job], graph.work[job]);
    waiting.place(job, made.begin[job], [&](std::uint32_t next) { free.emplace(key[next], next); });
  }
  made.makespan = makespan_of(graph, made.begin);
  return made;
}

void justify(const JobGraph& graph, const JobGraph& backwards, JobSchedule& schedule) {
  for (;;) {
    const JobSchedule right = schedule_in_turn(backwards, ends_first(graph, schedule));
    const JobSchedule left = schedule_in_turn(graph, ends_first(backwards, right));
    const JobSchedule& better = left.makespan <= right.makespan ? left : right;
    if (better.makespan >= schedule.makespan) return;
    schedule = &better == &left ? left : read_backwards(graph, right);
  }
}

}  // namespace detent::verify
