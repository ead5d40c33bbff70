// Parts -> one report: every sum is formed again in the order of the schedules.
#include "verify/explore/ops/part.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include "verify/explore/ops/report.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::uint64_t kNear = 1000;  ///< schedules that are rather drawn and dropped than asked for anew

/// Goes over the executions of all parts as Exploration (explore.cpp) does over its own, with numbers for schedules.
class PartMerge {
 public:
  PartMerge(const OpSpace& space, const OpExploreOptions& options, OpExploreReport& report)
      : space_(space), options_(options), report_(report), coverage_(space), looked_at_(report.reachable) {
    serial_trace_ = coverage_.fingerprint_of(order_under(space, {}));
  }

  void add(const OpPart& part) {
    if (part.count == 0) return;
    report_.serial_digest = part.serial_digest;
    if (!part.traces.empty()) coverage_.unite(part.orders);
    for (std::size_t i = 0; i < part.traces.size(); ++i) {
      const PartExecution execution = part.execution(i);
      add_execution(part.first + i, part.traces[i], execution.differs, part.weighted ? part.log_weights[i] : 0);
      add_reads(part.first + i, execution.misses);
    }
  }

  /// The schedules that matter are made and executed again. @return  one that fails; empty: none
  std::vector<std::uint32_t> close(OpRunner& runner) {
    make_schedules();
    close_reads(runner);
    for (const auto& [number, differs] : kept_) execute_again(runner, number, differs, true);
    for (const std::uint64_t number : reachable_) check_reachable(space_, schedules_.at(number), report_.reachable);
    report_.differing_share = weights_.share();
    close_report(options_.strategy, coverage_, report_);
    const std::optional<std::uint64_t> failing = failing_ ? failing_ : reversing_;
    if (!failing) return {};
    execute_again(runner, *failing, failing_.has_value() || is_different_.at(*failing), false);
    return schedules_.at(*failing);
  }

  [[nodiscard]] bool unexplained() const { return unexplained_; }

 private:
  void add_execution(std::uint64_t number, std::uint64_t trace, bool differs, double log_weight) {
    const bool is_new = coverage_.add_fingerprint(trace);
    if (differs) note_difference(number, trace);
    if (is_new) note_trace(number, trace, differs);
    weights_.add(log_weight, differs);
    if (kept_.size() < options_.keep) kept_.emplace_back(number, differs);
  }

  void add_reads(std::uint64_t number, bool misses) {
    ++report_.reads.runs;
    if (!misses) return;
    ++report_.reads.missing;
    if (!missing_) missing_ = number;
  }

  void close_reads(OpRunner& runner) {
    const ReadRuns watched = runner.watched();
    report_.reads.reads = watched.reads;
    report_.reads.refused = watched.refused;
    if (!watched.refused.empty()) report_.reads.runs = 0;
    if (!missing_) return;
    report_.reads.schedule = schedules_.at(*missing_);
    report_.reads.first = runner.run(report_.reads.schedule).missed;
    if (report_.reads.first) return;
    throw std::runtime_error("schedule " + std::to_string(*missing_) +
                             ": its reads find other bytes here than where its shard ran; explore it again");
  }

  void note_difference(std::uint64_t number, std::uint64_t trace) {
    ++report_.differing;
    if (!failing_) failing_ = number;
    if (trace == serial_trace_ && space_.ignored_pairs().empty()) unexplained_ = true;
  }

  void note_trace(std::uint64_t number, std::uint64_t trace, bool differs) {
    if (trace != serial_trace_ && !reversing_) {
      reversing_ = number;
      is_different_[number] = differs;
    }
    if (!wants_reachable(space_, looked_at_)) return;
    ++looked_at_.checked;
    reachable_.push_back(number);
  }

  void make_schedules() {
    std::vector<std::uint64_t> wanted = reachable_;
    for (const auto& [number, differs] : kept_) wanted.push_back(number);
    if (failing_) wanted.push_back(*failing_);
    if (reversing_) wanted.push_back(*reversing_);
    if (missing_) wanted.push_back(*missing_);
    std::ranges::sort(wanted);
    wanted.erase(std::ranges::unique(wanted).begin(), wanted.end());
    const auto strategy = make_strategy(options_.strategy, space_, {.seed = options_.seed});
    for (auto next = wanted.begin(); next != wanted.end();) {
      std::uint64_t number = *next;
      const auto before = next;
      strategy->run_from(number, [&](const std::vector<std::uint32_t>& schedule, double) {
        if (number == *next) {
          schedules_[number] = schedule;
          ++next;
        }
        ++number;
        return next != wanted.end() && *next < number + kNear;
      });
      if (next == before) {
        throw std::runtime_error("schedule " + std::to_string(*next) +
                                 ": the exploration has fewer; explore its shard again");
      }
    }
  }

  void execute_again(OpRunner& runner, std::uint64_t number, bool differs, bool is_kept) {
    const std::vector<std::uint32_t>& schedule = schedules_.at(number);
    const OpExecution execution = runner.run(schedule);
    if (execution.status != DETENT_OK || (execution.digest != report_.serial_digest) != differs) {
      throw std::runtime_error("schedule " + std::to_string(number) +
                               ": gives other bytes here than where its shard ran; explore it again on one machine");
    }
    if (is_kept) report_.schedules.push_back({schedule, execution.digest});
  }

  const OpSpace& space_;
  const OpExploreOptions& options_;
  OpExploreReport& report_;
  OpCoverage coverage_;
  WeightedShare weights_;
  std::uint64_t serial_trace_ = 0;
  bool unexplained_ = false;
  std::optional<std::uint64_t> failing_, reversing_, missing_;
  std::map<std::uint64_t, bool> is_different_;
  std::vector<std::pair<std::uint64_t, bool>> kept_;
  ReachableTraces looked_at_;  ///< counts those that are to be looked at
  std::vector<std::uint64_t> reachable_;
  std::map<std::uint64_t, std::vector<std::uint32_t>> schedules_;
};

}  // namespace

std::uint64_t planned_schedules(const OpSpace& space, const OpExploreOptions& options) {
  const std::uint64_t budget = planned_budget(space, options);
  if (options.strategy != "dfs") return budget;
  const TraceCount count = count_traces(space.graph(), options.count);
  if (!count.exact || !space.complete() || count.total > budget) return budget;
  return static_cast<std::uint64_t>(count.total);
}

OpExploreReport merge_parts(const OpSpace& space, const OpExploreOptions& options, const std::vector<OpPart>& parts) {
  OpExploreReport report = count_op_traces(space, options);
  OpRunner runner(space.desc(), {.input_seed = options.runner.input_seed,
                                 .backends = options.runner.backends,
                                 .watch_reads = true,
                                 .values = options.runner.values});
  RunFacts facts{.error = runner.error()};
  if (runner.error().status == DETENT_OK) {
    PartMerge merge(space, options, report);
    for (const OpPart& part : parts) {
      merge.add(part);
      facts.status = part.status;
      if (part.status != DETENT_OK) break;  // one process would have ended here
    }
    add_failure(space, options, merge.close(runner), report);
    facts.unexplained = merge.unexplained();
  }
  report.verdict = judge_schedules(space, report, facts);
  return report;
}

}  // namespace detent::verify::explore
