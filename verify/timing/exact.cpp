// Zones: symbolic states of the definition of execution, breadth first by the number of ops that have ended.
#include "verify/timing/exact.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "verify/timing/problem_dag.hpp"

namespace detent::verify {
namespace {

/// Upper bounds on differences: at(i, j) is the largest x_i - x_j. Variables: the begin of the run, now, the begins of
/// the ops that run, in the order of their ids. Always closed: no bound follows from others that is lower.
class Zone {
 public:
  static constexpr std::size_t kOrigin = 0, kNow = 1, kFirstOp = 2;

  explicit Zone(std::size_t variables) : size_(variables), bounds_(variables * variables, 0) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::int64_t at(std::size_t i, std::size_t j) const { return bounds_[i * size_ + j]; }
  std::int64_t& at(std::size_t i, std::size_t j) { return bounds_[i * size_ + j]; }

  [[nodiscard]] bool contains(const Zone& other) const {
    return std::ranges::equal(bounds_, other.bounds_, [](std::int64_t mine, std::int64_t its) { return mine >= its; });
  }

 private:
  std::size_t size_;
  std::vector<std::int64_t> bounds_;
};

using OpSet = std::vector<std::uint64_t>;

bool holds_op(const OpSet& set, OpId op) { return (set[op / 64] >> (op % 64) & 1U) != 0; }
void add_op(OpSet& set, OpId op) { set[op / 64] |= std::uint64_t{1} << (op % 64); }

/// Which ops have ended, and which run, ascending.
struct Configuration {
  OpSet ended{};
  std::vector<OpId> running{};

  bool operator<(const Configuration& other) const {
    return std::tie(ended, running) < std::tie(other.ended, other.running);
  }
};

class ZoneSearch {
 public:
  ZoneSearch(const TimingProblem& problem, const ExactOptions& options, ExactTimes& found)
      : problem_(problem), options_(options), found_(found), before_(problem.ops.size()), mutexes_(problem.ops.size()) {
    for (OpId op = 0; op < problem.ops.size(); ++op) {
      for (std::uint32_t k = problem.first[op]; k < problem.first[op + 1]; ++k)
        before_[problem.targets[k]].push_back(op);
      found.responses.push_back({op, kUnknownPs, 0});
    }
    for (std::uint32_t mutex = 0; mutex < problem.exclusive.size(); ++mutex) {
      for (const OpId op : problem.exclusive[mutex]) mutexes_[op].push_back(mutex);
    }
    by_rank_.resize(problem.ops.size());
    std::iota(by_rank_.begin(), by_rank_.end(), OpId{0});
    if (!options.rank.empty()) {
      std::ranges::sort(by_rank_, {}, [&](OpId op) { return options.rank[op]; });
    }
  }

  /// @return  false: the limit was reached
  bool run() {
    Configuration start{OpSet((problem_.ops.size() + 63) / 64, 0)};
    start.running = startable(start);
    std::ranges::sort(start.running);
    std::map<Configuration, std::vector<Zone>> layer;
    layer[start].emplace_back(Zone::kFirstOp + start.running.size());
    found_.best_ps = kUnknownPs;
    for (std::size_t ended = 0; ended < problem_.ops.size(); ++ended) {
      std::map<Configuration, std::vector<Zone>> next;
      for (const auto& [at_now, zones] : layer) {
        for (const Zone& zone : zones) {
          if (++found_.zones > options_.max_zones) return false;
          for (std::size_t i = 0; i < at_now.running.size(); ++i) end_op(at_now, zone, i, next);
        }
      }
      layer = std::move(next);
    }
    if (problem_.ops.empty()) found_.best_ps = 0;
    return true;
  }

 private:
  /// The ops that begin at once, in no order, in the state that `at_now` is in before.
  [[nodiscard]] std::vector<OpId> startable(const Configuration& at_now) const {
    std::vector<std::uint32_t> busy(problem_.cores.size(), 0);
    std::vector<bool> held(problem_.exclusive.size(), false);
    const auto take = [&](OpId op) {
      ++busy[problem_.ops[op].core_class];
      for (const std::uint32_t mutex : mutexes_[op]) held[mutex] = true;
    };
    for (const OpId op : at_now.running) take(op);
    std::vector<OpId> starts;
    for (const OpId op : by_rank_) {
      const std::uint32_t core_class = problem_.ops[op].core_class;
      const std::uint32_t cores = problem_.cores[core_class];
      if (holds_op(at_now.ended, op) || (cores != 0 && busy[core_class] == cores)) continue;
      if (std::ranges::binary_search(at_now.running, op)) continue;
      if (!std::ranges::all_of(before_[op], [&](OpId p) { return holds_op(at_now.ended, p); })) continue;
      if (std::ranges::any_of(mutexes_[op], [&](std::uint32_t mutex) { return held[mutex]; })) continue;
      take(op);
      starts.push_back(op);
    }
    return starts;
  }

  /// The i-th op that runs is the next one to end.
  void end_op(const Configuration& at_now, const Zone& zone, std::size_t i,
              std::map<Configuration, std::vector<Zone>>& next) {
    const OpId op = at_now.running[i];
    const std::size_t size = zone.size();
    // Its end against all variables: after now, within its own range, not after the latest end of any that runs.
    std::vector<std::int64_t> above(size, kFree), below(size, kFree);  // end - x_j, x_j - end
    for (std::size_t j = 0; j < size; ++j) {
      for (std::size_t k = 0; k < at_now.running.size(); ++k) {
        const std::int64_t most = worst(at_now.running[k]) + zone.at(Zone::kFirstOp + k, j);
        above[j] = std::min(above[j], most);
      }
      below[j] = std::min(zone.at(j, Zone::kNow), zone.at(j, Zone::kFirstOp + i) - best(op));
    }
    for (std::size_t j = 0; j < size; ++j) {
      if (above[j] + below[j] < 0) return;  // another op ends before
    }
    record(found_.responses[op], -below[Zone::kOrigin], above[Zone::kOrigin]);

    Configuration after{at_now.ended, at_now.running};
    add_op(after.ended, op);
    after.running.erase(after.running.begin() + static_cast<std::ptrdiff_t>(i));
    const std::vector<OpId> starts = startable(after);
    after.running.insert(after.running.end(), starts.begin(), starts.end());
    std::ranges::sort(after.running);
    if (after.running.empty()) {
      Response whole;
      whole.min_ps = found_.best_ps;
      whole.max_ps = found_.worst_ps;
      record(whole, -below[Zone::kOrigin], above[Zone::kOrigin]);
      found_.best_ps = whole.min_ps;
      found_.worst_ps = whole.max_ps;
      return;
    }
    // Variables of the new zone: where each was in the old one, or the end, which is now and the begin of what starts.
    std::vector<std::size_t> from = {Zone::kOrigin, size};
    for (const OpId running : after.running) {
      const auto old = std::ranges::lower_bound(at_now.running, running);
      const bool is_old = old != at_now.running.end() && *old == running;
      from.push_back(is_old ? Zone::kFirstOp + static_cast<std::size_t>(old - at_now.running.begin()) : size);
    }
    Zone made(from.size());
    for (std::size_t a = 0; a < from.size(); ++a) {
      for (std::size_t b = 0; b < from.size(); ++b) {
        const bool a_ends = from[a] == size, b_ends = from[b] == size;
        made.at(a, b) = a_ends && b_ends ? 0
                        : a_ends         ? above[from[b]]
                        : b_ends         ? below[from[a]]
                                         : std::min(zone.at(from[a], from[b]), below[from[a]] + above[from[b]]);
      }
    }
    keep(next[std::move(after)], std::move(made));
  }

  static void keep(std::vector<Zone>& zones, Zone made) {
    if (std::ranges::any_of(zones, [&](const Zone& known) { return known.contains(made); })) return;
    std::erase_if(zones, [&](const Zone& known) { return made.contains(known); });
    zones.push_back(std::move(made));
  }

  static void record(Response& response, std::int64_t earliest, std::int64_t latest) {
    response.min_ps = std::min(response.min_ps, static_cast<std::uint64_t>(earliest));
    response.max_ps = std::max(response.max_ps, static_cast<std::uint64_t>(latest));
  }

  [[nodiscard]] std::int64_t best(OpId op) const { return static_cast<std::int64_t>(problem_.ops[op].best_ps); }
  [[nodiscard]] std::int64_t worst(OpId op) const { return static_cast<std::int64_t>(problem_.ops[op].worst_ps); }

  static constexpr std::int64_t kFree = INT64_MAX / 2;

  const TimingProblem& problem_;
  const ExactOptions& options_;
  ExactTimes& found_;
  std::vector<std::vector<OpId>> before_;            // by op
  std::vector<std::vector<std::uint32_t>> mutexes_;  // by op
  std::vector<OpId> by_rank_;
};

/// Why the definition does not cover a problem; empty: it does.
std::string outside(const TimingProblem& problem) {
  if (has_unknown_time(problem)) return "an op's time is not known";
  Wide sum = problem.fixed_ps;
  for (const TimedOp& op : problem.ops) {
    if (op.role_ps != 0)
      return "the scheduler takes time, which delays ops beside their own; give --no-overheads or --cores";
    if (op.best_ps > op.worst_ps) return "an op's best time is above its worst";
    if (depth_of(problem, op.core_class) > 1) return "cores of a class queue ops";
    sum += op.worst_ps;
  }
  if (sum > Wide{1} << 61U) return "times add up to more than 2^61 ps";
  return "";
}

void require_order(const std::vector<std::uint32_t>& rank, std::size_t ops) {
  std::vector<std::uint32_t> sorted = rank;
  std::ranges::sort(sorted);
  const bool is_order = std::ranges::adjacent_find(sorted) == sorted.end();
  if (!rank.empty() && (rank.size() != ops || !is_order)) {
    throw std::invalid_argument("timing problem: one rank per op, all different");
  }
}

}  // namespace

ExactTimes exact_times(const TimingProblem& problem, const ExactOptions& options) {
  require_sound(problem);
  require_order(options.rank, problem.ops.size());
  static_cast<void>(sort_topologically(problem));
  ExactTimes found;
  found.reason = outside(problem);
  if (!found.reason.empty()) return found;
  found.is_complete = ZoneSearch(problem, options, found).run();
  if (!found.is_complete) {
    found.reason = "more than " + std::to_string(options.max_zones) + " symbolic states";
    found.responses.clear();
    return found;
  }
  found.worst_ps += problem.fixed_ps;
  for (Response& response : found.responses) response.max_ps += problem.fixed_ps;
  return found;
}

}  // namespace detent::verify
