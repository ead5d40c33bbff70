// Space -> count, executions, coverage, verdict, failure.
#include "verify/explore/ops/explore.hpp"

#include <algorithm>
#include <cmath>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/interrupt.hpp"
#include "harness/instance.hpp"
#include "verify/explore/ops/space/enumerate.hpp"
#include "verify/explore/ops/space/reach.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::verify::explore {
namespace {

constexpr std::uint64_t kReachChecked = 1000;
constexpr std::uint32_t kReachOps = 1024;
constexpr double kBudgetWork = 4e9;  // bytes and operations

std::uint64_t count_kind(const OpSpace& space, PairKind kind) {
  return static_cast<std::uint64_t>(
      std::count_if(space.pairs().begin(), space.pairs().end(), [&](const OpPair& pair) { return pair.kind == kind; }));
}

bool can_be_sampled(const OpSpace& space) {
  const auto groups = independent_groups(space.graph());
  return std::all_of(groups.begin(), groups.end(), [](const auto& group) { return group.size() <= kMaxEvents; });
}

/// The executions of one exploration, and the sums over them.
class Exploration {
 public:
  Exploration(const OpSpace& space, const OpExploreOptions& options, OpExploreReport& report)
      : space_(space),
        options_(options),
        report_(report),
        budget_(options.budget != 0 ? options.budget : default_budget(space.desc())),
        runner_(space.desc(), plain(options.runner)),
        coverage_(space) {}

  [[nodiscard]] const detent_error& error() const { return runner_.error(); }

  void run() {
    const std::vector<std::uint32_t> serial = order_under(space_, {});
    serial_fingerprint_ = coverage_.fingerprint_of(serial);
    const OpExecution reference = runner_.run(serial);
    status_ = reference.status;
    report_.serial_digest = reference.digest;
    const auto strategy = make_strategy(options_.strategy, space_, {.seed = options_.seed});
    bool more = status_ == DETENT_OK;
    for (std::size_t i = 0; i < options_.suspects.size() && more && failing_.empty(); ++i) {
      more = execute(options_.suspects[i], 0);
    }
    for (std::size_t i = 0; i < options_.given.size() && more; ++i) more = execute(options_.given[i], 0);
    if (more) {
      report_.finished = strategy->run(
          [&](const std::vector<std::uint32_t>& schedule, double log_weight) { return execute(schedule, log_weight); });
    }
    close();
  }

  [[nodiscard]] detent_status status() const { return status_; }
  [[nodiscard]] bool unexplained() const { return unexplained_; }
  /// A schedule whose digest differed; else one that reverses an open pair; empty: neither was run.
  [[nodiscard]] const std::vector<std::uint32_t>& failing() const { return failing_.empty() ? reversing_ : failing_; }

 private:
  static RunnerOptions plain(RunnerOptions options) {
    options.observe = false;
    options.skipped.clear();
    return options;
  }

  bool execute(const std::vector<std::uint32_t>& schedule, double log_weight) {
    const OpExecution execution = runner_.run(schedule);
    status_ = execution.status;
    if (status_ != DETENT_OK) return false;
    const bool is_new = coverage_.add(schedule);
    const bool differs = execution.digest != report_.serial_digest;
    if (differs) note_difference(schedule);
    if (is_new) note_trace(schedule);
    note_weight(log_weight, differs);
    if (report_.schedules.size() < options_.keep) report_.schedules.push_back({schedule, execution.digest});
    const std::uint64_t done = coverage_.schedules();
    if (options_.progress) options_.progress(done, budget_);
    return done < budget_ && !stop_requested();
  }

  void note_difference(const std::vector<std::uint32_t>& schedule) {
    ++report_.differing;
    if (failing_.empty()) failing_ = schedule;
    const bool same_trace = coverage_.fingerprint_of(schedule) == serial_fingerprint_;
    if (same_trace && space_.ignored_pairs().empty()) unexplained_ = true;
  }

  void note_trace(const std::vector<std::uint32_t>& schedule) {
    const bool is_serial = coverage_.fingerprint_of(schedule) == serial_fingerprint_;
    if (!is_serial && reversing_.empty()) reversing_ = schedule;
    ReachableTraces& reachable = report_.reachable;
    if (reachable.workers == 0 || reachable.checked == kReachChecked || space_.desc().op_count > kReachOps) return;
    ++reachable.checked;
    const Reach reach = is_trace_reachable(space_, schedule, {.workers = reachable.workers, .max_states = 2000});
    if (reach == Reach::kYes) ++reachable.reachable;
    if (reach == Reach::kUnknown) ++reachable.unknown;
  }

  /// Weights relative to the greatest so far, so that none overflows.
  void note_weight(double log_weight, bool differs) {
    if (log_weight > peak_) {
      const double shrink = std::exp(peak_ - log_weight);
      weight_ *= shrink;
      differing_weight_ *= shrink;
      peak_ = log_weight;
    }
    weight_ += std::exp(log_weight - peak_);
    if (differs) differing_weight_ += std::exp(log_weight - peak_);
  }

  void close() {
    report_.executions = coverage_.schedules();
    report_.seen = coverage_.traces();
    report_.pairs = coverage_.pairs();
    report_.differing_share = weight_ > 0 ? differing_weight_ / weight_ : 0;
    const bool all_seen = report_.count.exact && report_.count.total == report_.seen;
    const bool drawn = options_.strategy == "pct" || options_.strategy == "pos" || options_.strategy == "random" ||
                       options_.strategy == "sample";
    if (all_seen) report_.unseen_mass = 0;
    if (!all_seen && drawn) report_.unseen_mass = coverage_.unseen_mass();
  }

  const OpSpace& space_;
  const OpExploreOptions& options_;
  OpExploreReport& report_;
  std::uint64_t budget_;
  OpRunner runner_;
  OpCoverage coverage_;
  detent_status status_ = DETENT_OK;
  std::uint64_t serial_fingerprint_ = 0;
  bool unexplained_ = false;
  std::vector<std::uint32_t> failing_, reversing_;
  double weight_ = 0, differing_weight_ = 0, peak_ = -1;
};

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

Verdict judge(const OpSpace& space, const OpExploreReport& report, const Exploration& exploration) {
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
  if (exploration.error().status != DETENT_OK) {
    return unknown("not executed: " + harness::describe_error(space.desc(), exploration.error()));
  }
  if (exploration.status() != DETENT_OK) {
    return unknown(std::string("a run ended with ") + detent_status_name(exploration.status()));
  }
  if (exploration.unexplained()) {
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

}  // namespace

double work_of_run(const detent_desc& desc) {
  double work = desc.op_count;
  for (OpId op = 0; op < desc.op_count; ++op) {
    for (const detent_slice& slice : {desc.ops[op].inputs, desc.ops[op].outputs, desc.ops[op].weights}) {
      for (std::uint32_t k = 0; k < slice.count; ++k) {
        work += static_cast<double>(desc.tensors[desc.tensor_refs[slice.first + k]].size_bytes);
      }
    }
    if (desc.costs != nullptr) work += static_cast<double>(desc.costs[op].flops);
  }
  return work;
}

std::uint64_t default_budget(const detent_desc& desc) {
  return static_cast<std::uint64_t>(std::clamp(kBudgetWork / work_of_run(desc), 16.0, 1000.0));
}

OpExploreReport count_op_traces(const OpSpace& space, const OpExploreOptions& options) {
  OpExploreReport report;
  report.open_pairs = space.pairs().size();
  report.racing_pairs = count_kind(space, PairKind::kRace);
  report.order_dependent_pairs = count_kind(space, PairKind::kOrderDependent);
  report.ignored_pairs = space.ignored_pairs().size();
  report.pairs.conflicting_total = space.pairs().size();
  report.pairs.unordered_total = space.report().unordered_pairs;
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

OpExploreReport explore_ops(const OpSpace& space, const OpExploreOptions& options) {
  OpExploreReport report = count_op_traces(space, options);
  Exploration exploration(space, options, report);
  if (exploration.error().status == DETENT_OK) {
    exploration.run();
    std::vector<std::uint32_t> failing = exploration.failing();
    if (failing.empty() && report.racing_pairs + report.order_dependent_pairs != 0) {
      const auto conflict = std::find_if(space.pairs().begin(), space.pairs().end(), [](const OpPair& pair) {
        return pair.kind == PairKind::kRace || pair.kind == PairKind::kOrderDependent;
      });
      failing = schedules_of_pair(space, *conflict).back();
    }
    if (!failing.empty()) report.failure = minimise_failure(space, failing, options.runner);
  }
  report.verdict = judge(space, report, exploration);
  return report;
}

}  // namespace detent::verify::explore
