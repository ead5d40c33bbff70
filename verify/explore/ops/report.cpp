// Sums of executions -> report and verdict.
#include "verify/explore/ops/report.hpp"

#include <algorithm>
#include <cmath>

#include "base/counted.hpp"
#include "harness/engine_spec.hpp"
#include "harness/instance.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/space/reach.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::uint64_t kReachChecked = 1000;
constexpr std::uint32_t kReachOps = 1024;

std::uint64_t count_kind(const OpSpace& space, PairKind kind) {
  return static_cast<std::uint64_t>(
      std::count_if(space.pairs().begin(), space.pairs().end(), [&](const OpPair& pair) { return pair.kind == kind; }));
}

bool can_be_sampled(const OpSpace& space) {
  const auto groups = independent_groups(space.graph());
  return std::all_of(groups.begin(), groups.end(), [](const auto& group) { return group.size() <= kMaxEvents; });
}

Verdict violated(std::string summary, const OpExploreReport& report, const OpSpace& space) {
  Verdict verdict{.property = Property::kOpSchedules,
                  .outcome = Outcome::kViolated,
                  .summary = std::move(summary),
                  .witnesses = {}};
  if (report.failure) {
    const OpPair& pair = report.failure->pair;
    std::string text = describe_race(space.desc(), pair.bytes) + "; " + report.failure->shown;
    verdict.witnesses.push_back({std::move(text), {pair.op_a, pair.op_b}, report.failure->schedule});
  }
  return verdict;
}

/// Bytes may still differ by orders that are declared not to matter.
std::string summary_of_holding(const OpExploreReport& report) {
  if (report.differing != 0) {
    return "no pair conflicts by bytes but those declared commutative, whose order changed the bytes of " +
           std::to_string(report.differing) + " of " + counted(report.executions, "run") +
           "; --commuting-orders explores it";
  }
  return report.open_pairs == 0 ? "exactly one trace: every schedule computes the same bytes"
                                : "all traces seen compute the same bytes; no pair conflicts by bytes";
}

}  // namespace

OpExploreReport count_op_traces(const OpSpace& space, const OpExploreOptions& options) {
  OpExploreReport report;
  report.open_pairs = space.pairs().size();
  report.racing_pairs = count_kind(space, PairKind::kRace);
  report.order_dependent_pairs = count_kind(space, PairKind::kOrderDependent);
  report.ignored_pairs = space.ignored_pairs().size();
  report.pairs.conflicting_total = space.pairs().size();
  report.pairs.unordered_total = space.report().unordered_pairs.value_or(0);
  report.pairs.unordered_known = space.order().op_count() <= kMaxDenseOps;
  report.reachable.workers = options.workers;
  report.count = count_traces(space.graph(), options.count);
  report.count.exact = report.count.exact && space.complete();
  if (!report.count.exact && space.complete() && can_be_sampled(space)) {
    report.estimate = estimate_traces(space.graph(), options.estimate_samples, options.seed);
  }
  report.verdict = {.property = Property::kOpSchedules,
                    .outcome = report.count.exact ? Outcome::kHolds : Outcome::kUnknown,
                    .summary = report.count.exact ? "counted exactly" : "more traces than the limits let count",
                    .witnesses = {}};
  return report;
}

Verdict judge_schedules(const OpSpace& space, const OpExploreReport& report, const RunFacts& facts) {
  const auto unknown = [](std::string why) {
    return Verdict{
        .property = Property::kOpSchedules, .outcome = Outcome::kUnknown, .summary = std::move(why), .witnesses = {}};
  };
  const std::uint64_t conflicts = report.racing_pairs + report.order_dependent_pairs;
  if (conflicts != 0) {
    return violated(std::to_string(report.racing_pairs) + " racing and " +
                        counted(report.order_dependent_pairs, "order-dependent pair") +
                        ": the result depends on the schedule",
                    report, space);
  }
  if (facts.error.status != DETENT_OK) {
    return unknown("not executed: " + harness::describe_error(space.desc(), facts.error));
  }
  if (facts.status != DETENT_OK) {
    return unknown(std::string("a run ended with ") + detent_status_name(facts.status));
  }
  if (facts.unexplained) {
    return violated("bytes differ between schedules of one trace: an undeclared access or a fault of the engine",
                    report, space);
  }
  if (report.differing != 0 && space.ignored_pairs().empty()) {
    return violated("ops declared commutative do not commute: their order changes the bytes", report, space);
  }
  if (!space.complete()) return unknown("more open pairs than the limits");
  return {.property = Property::kOpSchedules,
          .outcome = Outcome::kHolds,
          .summary = summary_of_holding(report),
          .witnesses = {}};
}

void WeightedShare::add(double log_weight, bool differs) {
  if (log_weight > peak_) {
    const double shrink = std::exp(peak_ - log_weight);
    weight_ *= shrink;
    differing_ *= shrink;
    peak_ = log_weight;
  }
  weight_ += std::exp(log_weight - peak_);
  if (differs) differing_ += std::exp(log_weight - peak_);
}

void note_reads(const OpExecution& execution, const std::vector<std::uint32_t>& schedule, ReadRuns& reads) {
  if (!reads.refused.empty()) return;
  ++reads.runs;
  if (!execution.missed) return;
  ++reads.missing;
  if (reads.first) return;
  reads.first = execution.missed;
  reads.schedule = schedule;
}

bool wants_reachable(const OpSpace& space, const ReachableTraces& reachable) {
  return reachable.workers != 0 && reachable.checked < kReachChecked && space.desc().op_count <= kReachOps;
}

void check_reachable(const OpSpace& space, const std::vector<std::uint32_t>& schedule, ReachableTraces& reachable) {
  if (!wants_reachable(space, reachable)) return;
  ++reachable.checked;
  if (harness::has_affinity(space.desc())) {  // which orders it leaves out is not modelled
    ++reachable.unknown;
    return;
  }
  const Reach reach = is_trace_reachable(space, schedule, {.workers = reachable.workers, .max_states = 2000});
  if (reach == Reach::kYes) ++reachable.reachable;
  if (reach == Reach::kUnknown) ++reachable.unknown;
}

void close_report(const std::string& strategy, const OpCoverage& coverage, OpExploreReport& report) {
  report.executions = coverage.schedules();
  report.seen = coverage.traces();
  report.pairs = coverage.pairs();
  const bool all_seen = report.count.exact && report.count.total == report.seen;
  const bool drawn = strategy == "pct" || strategy == "pos" || strategy == "random" || strategy == "sample";
  if (all_seen) report.unseen_mass = 0;
  if (!all_seen && drawn) report.unseen_mass = coverage.unseen_mass();
}

void add_failure(const OpSpace& space, const OpExploreOptions& options, std::vector<std::uint32_t> failing,
                 OpExploreReport& report) {
  if (failing.empty() && report.racing_pairs + report.order_dependent_pairs != 0) {
    const auto conflict = std::find_if(space.pairs().begin(), space.pairs().end(), [](const OpPair& pair) {
      return pair.kind == PairKind::kRace || pair.kind == PairKind::kOrderDependent;
    });
    failing = schedules_of_pair(space, *conflict).back();
  }
  if (!failing.empty()) report.failure = minimise_failure(space, failing, options.runner);
}

}  // namespace detent::verify::explore
