// Space -> count, executions, coverage, verdict, failure.
#include "verify/explore/ops/explore.hpp"

#include <algorithm>
#include <cmath>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/interrupt.hpp"
#include "harness/instance.hpp"
#include "verify/explore/ops/part.hpp"
#include "verify/explore/ops/report.hpp"
#include "verify/explore/ops/strategy.hpp"

namespace detent::verify::explore {
namespace {

constexpr double kBudgetWork = 4e9;  // bytes and operations

/// The executions of one exploration, and the sums over them.
class Exploration {
 public:
  /// @param part  filled with what was executed; may be null: then all is, from the first schedule on
  Exploration(const OpSpace& space, const OpExploreOptions& options, OpExploreReport& report, OpPart* part)
      : space_(space),
        options_(options),
        report_(report),
        budget_(part != nullptr ? part->count : planned_budget(space, options)),
        runner_(space.desc(), plain(options.runner)),
        coverage_(space),
        record_(part) {}

  [[nodiscard]] const detent_error& error() const { return runner_.error(); }

  void run() {
    const std::vector<std::uint32_t> serial = order_under(space_, {});
    serial_fingerprint_ = coverage_.fingerprint_of(serial);
    report_.reads = runner_.watched();
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
      report_.finished = strategy->run_from(
          record_ != nullptr ? record_->first : 0,
          [&](const std::vector<std::uint32_t>& schedule, double log_weight) { return execute(schedule, log_weight); });
    }
    close();
  }

  [[nodiscard]] detent_status status() const { return status_; }
  [[nodiscard]] RunFacts facts() const { return {error(), status_, unexplained_}; }
  [[nodiscard]] const OpCoverage& coverage() const { return coverage_; }
  /// A schedule whose digest differed; else one that reverses an open pair; empty: neither was run.
  [[nodiscard]] const std::vector<std::uint32_t>& failing() const { return failing_.empty() ? reversing_ : failing_; }

 private:
  static RunnerOptions plain(RunnerOptions options) {
    options.observe = false;
    options.skipped.clear();
    options.watch_reads = true;
    return options;
  }

  bool execute(const std::vector<std::uint32_t>& schedule, double log_weight) {
    const OpExecution execution = runner_.run(schedule);
    status_ = execution.status;
    if (status_ != DETENT_OK) return false;
    const bool is_new = coverage_.add(schedule);
    note_reads(execution, schedule, report_.reads);
    const bool differs = execution.digest != report_.serial_digest;
    if (differs) note_difference(schedule);
    if (is_new) note_trace(schedule);
    weights_.add(log_weight, differs);
    if (record_ != nullptr) record_->add(coverage_.fingerprint(), {differs, execution.missed.has_value()}, log_weight);
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
    check_reachable(space_, schedule, report_.reachable);
  }

  void close() {
    report_.differing_share = weights_.share();
    close_report(options_.strategy, coverage_, report_);
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
  WeightedShare weights_;
  OpPart* record_;
};

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

std::uint64_t planned_budget(const OpSpace& space, const OpExploreOptions& options) {
  return options.budget != 0 ? options.budget : default_budget(space.desc());
}

OpExploreReport explore_ops(const OpSpace& space, const OpExploreOptions& options) {
  OpExploreReport report = count_op_traces(space, options);
  Exploration exploration(space, options, report, nullptr);
  if (exploration.error().status == DETENT_OK) {
    exploration.run();
    add_failure(space, options, exploration.failing(), report);
  }
  report.verdict = judge_schedules(space, report, exploration.facts());
  return report;
}

OpPart explore_part(const OpSpace& space, const OpExploreOptions& options, std::uint64_t first, std::uint64_t count) {
  OpPart part;
  part.first = first;
  part.count = count;
  part.weighted = options.strategy == "sample";
  OpExploreReport report;
  OpExploreOptions plain = options;
  plain.workers = 0;  // asked for when parts are merged
  Exploration exploration(space, plain, report, &part);
  part.status = exploration.error().status;
  if (part.status != DETENT_OK) return part;
  if (count != 0) exploration.run();
  part.status = exploration.status();
  part.serial_digest = report.serial_digest;
  part.orders = exploration.coverage().orders();
  return part;
}

}  // namespace detent::verify::explore
