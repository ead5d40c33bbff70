#include "verify/synthesis/synthesize.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "base/assert.hpp"
#include "base/random.hpp"
#include "verify/synthesis/deadline_search.hpp"
#include "verify/synthesis/list_scheduling.hpp"
#include "verify/synthesis/windows.hpp"
#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

constexpr std::uint64_t kTriedWork = 40'000'000;  ///< jobs squared, of orders that are tried
constexpr std::uint64_t kMostTries = 2'000;
constexpr std::uint32_t kWindowJobs = 150;      ///< more: windows are not tried out
constexpr std::uint32_t kTriedDeadlines = 8;    ///< of which windows are tried out before the search
constexpr std::uint32_t kSearchedJobs = 2'000;  ///< more: no exact search
constexpr std::uint32_t kRounds = 4;
constexpr std::uint64_t kFirstSlice = 2'000;

class Synthesizer {
 public:
  Synthesizer(const TimingProblem& problem, const SynthesisOptions& options)
      : options_(options), plain_(job_graph(problem)), forwards_(plain_) {
    if (forwards_.size() <= kSearchedJobs) count_work_around_jobs(forwards_);
    backwards_ = reversed(forwards_);
  }

  Synthesis run() {
    lower_ = simple_bound();
    try_orders();
    if (lower_ < best_.makespan && forwards_.size() <= kSearchedJobs) {
      raise_by_windows(0, UINT32_MAX);
      raise_by_windows(rounds(), kTriedDeadlines);
      search();
    }
    return {.lists = lists_,
            .makespan_ps = static_cast<std::uint64_t>(best_.makespan) * plain_.unit_ps,
            .lower_bound_ps = static_cast<std::uint64_t>(lower_) * plain_.unit_ps,
            .nodes = nodes_,
            .is_stopped = is_stopped_};
  }

 private:
  [[nodiscard]] bool must_stop() {
    if (!is_stopped_ && options_.must_stop && options_.must_stop()) is_stopped_ = true;
    return is_stopped_;
  }

  [[nodiscard]] Ticks simple_bound() const {
    Ticks most = forwards_.least;
    std::vector<Ticks> work(forwards_.cores.size(), 0);
    for (std::uint32_t job = 0; job < forwards_.size(); ++job) {
      most = std::max(most, forwards_.head[job] + forwards_.work[job] + forwards_.tail[job]);
      work[forwards_.kind[job]] += forwards_.work[job];
    }
    for (std::size_t kind = 0; kind < work.size(); ++kind) {
      const auto cores = static_cast<Ticks>(forwards_.cores[kind]);
      if (cores != 0) most = std::max(most, (work[kind] + cores - 1) / cores);
    }
    return most;
  }

  /// Take a schedule that is shorter. Serial generation may put a job over the instant of one that takes no time: what
  /// no lists can do is not kept.
  void keep(JobSchedule schedule) {
    if (has_best_ && schedule.makespan >= best_.makespan) return;
    std::optional<std::vector<CoreList>> lists = lists_of(schedule);
    if (!lists) return;
    best_ = std::move(schedule);
    lists_ = std::move(*lists);
    has_best_ = true;
  }

  [[nodiscard]] JobSchedule shifted_left(const JobSchedule& schedule) const {
    JobSchedule made = schedule_in_turn(forwards_, {schedule.begin.begin(), schedule.begin.end()});
    return made.makespan <= schedule.makespan && lists_of(made) ? made : schedule;
  }

  void try_key(const std::vector<double>& key) {
    for (const bool is_back : {false, true}) {
      const JobGraph& graph = is_back ? backwards_ : forwards_;
      const JobGraph& other = is_back ? forwards_ : backwards_;
      std::vector<double> mine(graph.size());
      for (std::uint32_t job = 0; job < graph.size(); ++job) {
        mine[job] =
            -static_cast<double>(graph.tail[job] + graph.work[job]) * key[is_back ? graph.size() - 1 - job : job];
      }
      for (auto* const build : {&schedule_at_once, &schedule_in_turn}) {
        JobSchedule made = build(graph, mine);
        if (!has_best_) keep(is_back ? read_backwards(forwards_, made) : made);
        justify(graph, other, made);
        keep(is_back ? shifted_left(read_backwards(forwards_, made)) : std::move(made));
        if (best_.makespan == lower_) return;
      }
    }
  }

  /// Longest path first, with ever more chance.
  void try_orders() {
    const std::uint64_t cost = std::uint64_t{forwards_.size()} * forwards_.size() + 1;
    const std::uint64_t tries = std::clamp<std::uint64_t>(kTriedWork / cost, 2, kMostTries);
    RandomSource random(options_.seed);
    std::vector<double> key(forwards_.size(), 1.0);
    try_key(key);
    for (std::uint64_t i = 1; i < tries && best_.makespan > lower_ && !must_stop(); ++i) {
      const double spread = 0.1 * static_cast<double>(1 + i % 8);
      for (double& factor : key) factor = 1.0 + spread * random.unit();
      try_key(key);
    }
  }

  [[nodiscard]] std::uint32_t rounds() const { return forwards_.size() <= kWindowJobs ? kRounds : 0; }

  /// The longest deadline that windows alone refute, by halving. @param most  deadlines that are looked at
  void raise_by_windows(std::uint32_t rounds, std::uint32_t most) {
    Ticks high = best_.makespan;  // possible
    for (std::uint32_t i = 0; i < most && lower_ < high && !must_stop(); ++i) {
      const Ticks middle = lower_ + (high - lower_) / 2;
      if (windows_of(forwards_, middle, rounds, options_.must_stop)) {
        high = middle;
      } else {
        lower_ = middle + 1;
      }
    }
  }

  /// Windows of a deadline forwards, kept for the next slice.
  const std::optional<Windows>& kept_windows(Ticks deadline) {
    const auto at = windows_.find(deadline);
    if (at != windows_.end()) return at->second;
    return windows_.emplace(deadline, windows_of(forwards_, deadline, rounds(), options_.must_stop)).first->second;
  }

  /// The same windows in a run that is read from its end.
  [[nodiscard]] Windows mirrored(const Windows& windows, Ticks deadline) const {
    Windows made;
    for (std::uint32_t job = forwards_.size(); job-- > 0;) {
      made.earliest.push_back(deadline - windows.latest[job] - forwards_.work[job]);
      made.latest.push_back(deadline - windows.earliest[job] - forwards_.work[job]);
    }
    return made;
  }

  /// One deadline in one direction, and what it says of the bounds. @return  false: undecided
  bool decide(Ticks deadline, bool is_back, std::uint64_t budget) {
    const JobGraph& graph = is_back ? backwards_ : forwards_;
    const std::optional<Windows>& windows = kept_windows(deadline);
    DeadlineAnswer answer{.outcome = Searched::kRefuted};
    if (windows) {
      const SearchBudget limits{.nodes = std::min(budget, options_.max_nodes - nodes_),
                                .must_stop = [this] { return must_stop(); }};
      answer = search_by_deadline(graph, is_back ? mirrored(*windows, deadline) : *windows, limits);
      nodes_ = std::min(options_.max_nodes, nodes_ + answer.nodes);
    }
    if (answer.outcome == Searched::kRefuted) lower_ = std::max(lower_, deadline + 1);
    if (answer.outcome == Searched::kFound) {
      keep(is_back ? shifted_left(read_backwards(forwards_, *answer.schedule)) : std::move(*answer.schedule));
    }
    return answer.outcome != Searched::kUndecided;
  }

  void search() {
    for (std::uint64_t slice = kFirstSlice; lower_ < best_.makespan; slice *= 4) {
      for (const std::uint32_t part : {0U, 1U, 2U}) {
        for (const bool is_back : {false, true}) {
          if (lower_ == best_.makespan) return;
          if (nodes_ >= options_.max_nodes || must_stop()) return;
          const Ticks longest = best_.makespan - 1;
          const Ticks deadline = part == 0 ? longest : part == 1 ? lower_ : lower_ + (longest - lower_) / 2;
          if (part == 1 && deadline == longest) continue;
          if (part == 2 && longest - lower_ < 2) continue;
          decide(deadline, is_back, slice);
        }
      }
    }
  }

  /// Jobs in the order of their begins, each to a core that is free then. What takes no time goes first: it is done
  /// when the next one begins.
  /// @return  none: at some begin no core is free
  [[nodiscard]] std::optional<std::vector<CoreList>> lists_of(const JobSchedule& schedule) const {
    std::vector<std::uint32_t> order(plain_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
      return std::tuple(schedule.begin[a], plain_.work[a] != 0, a) <
             std::tuple(schedule.begin[b], plain_.work[b] != 0, b);
    });
    std::vector<CoreList> lists;
    std::vector<std::size_t> first;
    std::vector<Ticks> free_at;
    for (std::uint32_t kind = 0; kind < plain_.cores.size(); ++kind) {
      first.push_back(lists.size());
      lists.resize(lists.size() + plain_.cores[kind], CoreList{.core_class = kind, .ops = {}});
    }
    free_at.resize(lists.size(), 0);
    for (const std::uint32_t job : order) {
      std::size_t core = first[plain_.kind[job]];
      const std::size_t end = core + plain_.cores[plain_.kind[job]];
      while (core < end && free_at[core] > schedule.begin[job]) ++core;
      if (core == end) return std::nullopt;
      lists[core].ops.push_back(plain_.op[job]);
      free_at[core] = schedule.begin[job] + plain_.work[job];
    }
    return lists;
  }

  const SynthesisOptions& options_;
  JobGraph plain_;                 ///< with heads and tails of paths only
  JobGraph forwards_, backwards_;  ///< with those of the work around jobs
  JobSchedule best_{};
  std::vector<CoreList> lists_{};  ///< of best_
  bool has_best_ = false;
  Ticks lower_ = 0;
  std::map<Ticks, std::optional<Windows>> windows_{};
  std::uint64_t nodes_ = 0;
  bool is_stopped_ = false;
};

}  // namespace

Synthesis synthesize(const TimingProblem& problem, const SynthesisOptions& options) {
  require_sound(problem);
  if (const auto pair = find_unordered_holders(problem)) {
    throw std::invalid_argument("ops " + std::to_string(pair->first) + " and " + std::to_string(pair->second) +
                                " share a mutex, and no edges order them; give an edge, since lists do not");
  }
  Synthesis made = Synthesizer(problem, options).run();
  // What the lists do is computed anew from them alone; they may even be a little better than the schedule.
  const ListTimes times = list_times(problem, made.lists);
  DETENT_ASSERT(times.worst_ps - problem.fixed_ps <= made.makespan_ps);
  DETENT_ASSERT(times.worst_ps - problem.fixed_ps >= made.lower_bound_ps);
  made.makespan_ps = times.worst_ps - problem.fixed_ps;
  made.is_optimal = made.makespan_ps == made.lower_bound_ps;
  return made;
}

}  // namespace detent::verify
