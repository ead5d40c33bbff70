#include "verify/synthesis/windows.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace detent::verify {
namespace {

Ticks divided_up(Ticks value, Ticks divisor) { return (value + divisor - 1) / divisor; }

/// Longest time from the end of `job` to the begin of each job behind it; -1: not behind it.
std::vector<Ticks> gaps_behind(const JobGraph& graph, std::uint32_t job) {
  std::vector<Ticks> gap(graph.size(), -1);
  for (const JobArc& arc : graph.after[job]) gap[arc.job] = std::max(gap[arc.job], arc.lag);
  for (std::uint32_t at = job + 1; at < graph.size(); ++at) {
    if (gap[at] < 0) continue;
    for (const JobArc& arc : graph.after[at]) gap[arc.job] = std::max(gap[arc.job], gap[at] + graph.work[at] + arc.lag);
  }
  return gap;
}

/// Of the jobs behind one, by class: whichever have at least some tail, their work, the least gap before them and that
/// tail follow the job's end.
Ticks tail_by_work(const JobGraph& graph, std::uint32_t job) {
  const std::vector<Ticks> gap = gaps_behind(graph, job);
  std::vector<std::uint32_t> behind;
  for (std::uint32_t at = job + 1; at < graph.size(); ++at) {
    if (gap[at] >= 0) behind.push_back(at);
  }
  std::ranges::sort(behind, [&](std::uint32_t a, std::uint32_t b) {
    return std::pair(graph.tail[b], a) < std::pair(graph.tail[a], b);
  });
  Ticks most = 0;
  std::vector<Ticks> work(graph.cores.size(), 0), least_gap(graph.cores.size(), INT64_MAX);
  for (const std::uint32_t at : behind) {
    const std::uint32_t kind = graph.kind[at];
    work[kind] += graph.work[at];
    least_gap[kind] = std::min(least_gap[kind], gap[at]);
    most = std::max(most, least_gap[kind] + divided_up(work[kind], graph.cores[kind]) + graph.tail[at]);
  }
  return most;
}

void raise_tails(JobGraph& graph) {
  for (std::uint32_t job = graph.size(); job-- > 0;) {
    for (const JobArc& arc : graph.after[job]) {
      graph.tail[job] = std::max(graph.tail[job], arc.lag + graph.work[arc.job] + graph.tail[arc.job]);
    }
    graph.tail[job] = std::max(graph.tail[job], tail_by_work(graph, job));
  }
}

/// Narrow by arcs. @return  false: some window is empty
bool follow_arcs(const JobGraph& graph, Windows& windows) {
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    for (const JobArc& arc : graph.before[job]) {
      windows.earliest[job] =
          std::max(windows.earliest[job], windows.earliest[arc.job] + graph.work[arc.job] + arc.lag);
    }
  }
  for (std::uint32_t job = graph.size(); job-- > 0;) {
    for (const JobArc& arc : graph.after[job]) {
      windows.latest[job] = std::min(windows.latest[job], windows.latest[arc.job] - arc.lag - graph.work[job]);
    }
    if (windows.earliest[job] > windows.latest[job]) return false;
  }
  return true;
}

bool is_possible(const JobGraph& graph, Windows& windows) {
  return follow_arcs(graph, windows) && !is_overloaded(graph, windows, 0);
}

/// A bound on a begin moves past what cannot be; by halving, since less is refuted more easily. In windows of many
/// ticks the least step is a part of the window: tick by tick there would be no end of it.
class Trial {
 public:
  Trial(const JobGraph& graph, Windows& windows) : graph_(graph), windows_(windows) {}

  /// @return  false: nothing is left
  bool run(std::uint32_t job) {
    for (std::uint32_t step = 0; step < kMostSteps && windows_.earliest[job] <= windows_.latest[job]; ++step) {
      const Ticks before = windows_.earliest[job];
      raise(job);
      if (windows_.earliest[job] == before) break;
      has_moved_ = true;
    }
    for (std::uint32_t step = 0; step < kMostSteps && windows_.earliest[job] <= windows_.latest[job]; ++step) {
      const Ticks before = windows_.latest[job];
      lower(job);
      if (windows_.latest[job] == before) break;
      has_moved_ = true;
    }
    return windows_.earliest[job] <= windows_.latest[job] && is_possible(graph_, windows_);
  }

  [[nodiscard]] bool has_moved() const { return has_moved_; }

 private:
  static constexpr std::uint32_t kMostSteps = 1'000;
  static constexpr Ticks kManyTicks = 1'000;

  /// Of the ends of its window that are tried out.
  [[nodiscard]] std::array<Ticks, 4> widths(std::uint32_t job) const {
    const Ticks whole = windows_.latest[job] - windows_.earliest[job];
    return {whole / 2, whole / 4, whole / 8, whole > kManyTicks ? whole / 16 : 0};
  }

  void raise(std::uint32_t job) {
    for (const Ticks width : widths(job)) {
      Windows tried = windows_;
      tried.latest[job] = tried.earliest[job] + width;
      if (is_possible(graph_, tried)) continue;
      windows_.earliest[job] += width + 1;
      return;
    }
  }

  void lower(std::uint32_t job) {
    for (const Ticks width : widths(job)) {
      Windows tried = windows_;
      tried.earliest[job] = tried.latest[job] - width;
      if (is_possible(graph_, tried)) continue;
      windows_.latest[job] -= width + 1;
      return;
    }
  }

  const JobGraph& graph_;
  Windows& windows_;
  bool has_moved_ = false;
};

/// Work of one class that must lie in intervals which begin at one instant, as their end grows.
class Demand {
 public:
  explicit Demand(Ticks begin) : begin_(begin) {}

  /// A job that can begin from `earliest` to `latest`.
  void add(Ticks earliest, Ticks latest, Ticks work) {
    const Ticks must = std::min(work, earliest + work - begin_);
    if (must <= 0) return;
    const Ticks from = std::max(latest, begin_);
    slopes_.emplace_back(from, 1);
    slopes_.emplace_back(from + must, -1);
  }

  [[nodiscard]] bool exceeds(std::uint32_t cores) {
    std::ranges::sort(slopes_);
    Ticks demand = 0, slope = 0, at = begin_;
    for (const auto& [when, change] : slopes_) {
      demand += slope * (when - at);
      at = when;
      slope += change;
      if (demand > static_cast<Ticks>(cores) * (at - begin_)) return true;
    }
    return false;
  }

 private:
  Ticks begin_;
  std::vector<std::pair<Ticks, int>> slopes_;
};

}  // namespace

void count_work_around_jobs(JobGraph& graph) {
  raise_tails(graph);
  JobGraph backwards = reversed(graph);
  raise_tails(backwards);
  graph = reversed(backwards);
}

bool is_overloaded(const JobGraph& graph, const Windows& windows, Ticks since) {
  for (std::uint32_t kind = 0; kind < graph.cores.size(); ++kind) {
    std::vector<std::uint32_t> jobs;
    std::vector<Ticks> begins = {since};
    for (std::uint32_t job = 0; job < graph.size(); ++job) {
      if (graph.kind[job] != kind || graph.work[job] == 0) continue;
      jobs.push_back(job);
      if (windows.earliest[job] > since) begins.push_back(windows.earliest[job]);
    }
    if (jobs.size() <= graph.cores[kind]) continue;
    std::ranges::sort(begins);
    begins.erase(std::unique(begins.begin(), begins.end()), begins.end());
    for (const Ticks begin : begins) {
      Demand demand(begin);
      for (const std::uint32_t job : jobs) demand.add(windows.earliest[job], windows.latest[job], graph.work[job]);
      if (demand.exceeds(graph.cores[kind])) return true;
    }
  }
  return false;
}

std::optional<Windows> windows_of(const JobGraph& graph, Ticks deadline, std::uint32_t rounds,
                                  const std::function<bool()>& must_stop) {
  if (deadline < graph.least) return std::nullopt;
  Windows windows{.earliest = graph.head, .latest = {}};
  for (std::uint32_t job = 0; job < graph.size(); ++job) {
    windows.latest.push_back(deadline - graph.tail[job] - graph.work[job]);
  }
  if (!is_possible(graph, windows)) return std::nullopt;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    Trial trial(graph, windows);
    for (std::uint32_t job = 0; job < graph.size(); ++job) {
      if (!trial.run(job)) return std::nullopt;
      if (must_stop && must_stop()) return windows;
    }
    if (!trial.has_moved()) break;
  }
  return windows;
}

}  // namespace detent::verify
