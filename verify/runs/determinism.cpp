// Race report or digests -> Verdict "determinism".
#include "verify/runs/determinism.hpp"

#include <algorithm>
#include <stdexcept>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "base/interrupt.hpp"
#include "harness/engine_spec.hpp"
#include "verify/graph/order.hpp"
#include "verify/runs/output_audit.hpp"
#include "verify/verdict/findings.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

constexpr std::size_t kMaxExplained = 3;  // each costs two more runs

Verdict unknown(const std::string& why) { return {Property::kDeterminism, Outcome::kUnknown, why, {}}; }

struct AuditedRun {
  harness::Run run;
  std::vector<std::uint64_t> digests;
};

AuditedRun run_audited(const detent_desc& desc, harness::NativeOptions options) {
  OutputAudit audit(desc, options.backends);
  options.backends = {audit.backend()};
  options.extend = nullptr;
  options.trace = true;
  AuditedRun result;
  result.run = harness::run_native(desc, options);
  result.digests = audit.digests();
  return result;
}

std::vector<std::uint32_t> start_order(const harness::Trace& trace) {
  std::vector<harness::Span> spans = trace.spans;
  std::stable_sort(spans.begin(), spans.end(),
                   [](const harness::Span& x, const harness::Span& y) { return x.begin_sequence < y.begin_sequence; });
  std::vector<std::uint32_t> order;
  for (const harness::Span& span : spans) order.push_back(span.op);
  return order;
}

/// F13: repeats both runs with a digest per op.
Witness explain_difference(const detent_desc& desc, const harness::NativeOptions& serial,
                           const harness::NativeOptions& other) {
  const AuditedRun reference = run_audited(desc, serial);
  const AuditedRun different = run_audited(desc, other);
  Witness witness;
  witness.schedule = start_order(different.run.trace);
  const OpId op = find_first_difference(desc, reference.digests, different.digests);
  if (op != DETENT_NONE) {
    witness.ops = {op};
    witness.text = "the first op whose output differs is " + op_name(desc, op);
  } else {
    witness.text = "no op's output differed when the run was repeated: the fault depends on timing";
  }
  return witness;
}

void judge_run(const detent_desc& desc, const harness::NativeOptions& options, const harness::Run& run,
               DeterminismReport& report) {
  const std::string how = describe_options(options);
  report.runs.push_back({how, run.digest});
  const bool failed = run.result.error.status != DETENT_OK;
  if (!failed && run.digest == report.serial_digest) return;
  report.verdict.outcome = Outcome::kViolated;
  ++report.verdict.total;
  if (report.verdict.witnesses.size() >= kListedWitnesses) return;
  Witness witness;
  std::uint64_t scheduled = 0;
  for (const Witness& other : report.verdict.witnesses) scheduled += other.schedule.size();
  if (failed) {
    witness.text = how + ": " + harness::describe_error(desc, run.result.error);
  } else {
    harness::NativeOptions serial = options;
    serial.engine.workers = 0;
    serial.engine.policy = "id";
    serial.engine.order.clear();
    if (report.verdict.witnesses.size() < kMaxExplained) witness = explain_difference(desc, serial, options);
    scheduled += witness.schedule.size();
    if (scheduled > kScheduledOps && scheduled > witness.schedule.size()) witness.schedule.clear();
    const std::string explanation = witness.text.empty() ? "" : "; " + witness.text;
    witness.text = how + ": digest " + harness::format_digest(run.digest) + ", serial " +
                   harness::format_digest(report.serial_digest) + explanation;
  }
  report.verdict.witnesses.push_back(std::move(witness));
}

void summarise(DeterminismReport& report) {
  const std::string serial = "serial digest " + harness::format_digest(report.serial_digest) + ": ";
  if (report.verdict.outcome == Outcome::kViolated) {
    const auto differs = [&](const DigestRun& run) { return run.digest != report.serial_digest; };
    const auto count = std::count_if(report.runs.begin(), report.runs.end(), differs);
    report.verdict.summary =
        serial + std::to_string(count) + " of " + counted(report.runs.size(), "native run") + " differ";
  } else {
    report.verdict.summary = serial + "equal in all " + counted(report.runs.size(), "native run") +
                             " over modes, worker counts, policies and permuted orders";
  }
}

}  // namespace

std::string describe_options(const harness::NativeOptions& options) {
  if (options.engine.workers == 0) return "serial";
  std::string text =
      std::string(harness::mode_name(options.engine.mode)) + ", " + counted(options.engine.workers, "worker") + ", ";
  if (options.engine.scheduler == DETENT_SCHEDULER_THREAD) text += "scheduler thread, ";
  text += "policy " + options.engine.policy;
  if (options.engine.policy == "random" || options.engine.policy == "given")
    text += " seed " + std::to_string(options.seeds.schedule);
  return text;
}

Verdict judge_determinism(const detent_desc& desc, const RaceReport& report) {
  Verdict verdict{Property::kDeterminism, Outcome::kHolds, "", {}};
  if (report.races.count > 0) {
    verdict.outcome = Outcome::kViolated;
    verdict.summary = counted(report.races.pairs, "racing pair") + ": the result depends on the schedule";
    verdict.witnesses.push_back({describe_race(desc, report.races.listed.front()),
                                 {report.races.listed.front().op_a, report.races.listed.front().op_b},
                                 {}});
  } else if (report.order_dependent.count > 0) {
    verdict.outcome = Outcome::kViolated;
    verdict.total = report.order_dependent.count;
    verdict.summary = counted(report.order_dependent.pairs, "pair") +
                      (report.order_dependent.pairs == 1 ? " shares" : " share") +
                      " a mutex but no order and no commute group: whichever runs first decides";
    for (const Race& race : report.order_dependent.listed) {
      if (verdict.witnesses.size() >= kListedWitnesses) break;
      verdict.witnesses.push_back(
          {describe_race(desc, race) + "; a mutex keeps them apart but not in order", {race.op_a, race.op_b}, {}});
    }
  } else {
    verdict.summary = "every schedule orders all conflicting ops alike (commuting pairs as declared)";
  }
  return verdict;
}

Verdict compare_digests(std::uint64_t reference, const std::vector<DigestRun>& runs) {
  Verdict verdict{Property::kDeterminism, Outcome::kHolds, "", {}};
  std::uint64_t different = 0;
  for (const DigestRun& run : runs) {
    if (run.digest == reference) continue;
    ++different;
    if (verdict.witnesses.size() < kListedWitnesses) {
      verdict.witnesses.push_back({run.how + ": digest " + harness::format_digest(run.digest) + ", reference " +
                                       harness::format_digest(reference),
                                   {},
                                   {}});
    }
  }
  if (runs.empty()) return unknown("no run to compare");
  if (different > 0) verdict.outcome = Outcome::kViolated;
  verdict.total = different;
  verdict.summary = "digest " + harness::format_digest(reference) + ": " +
                    (different == 0 ? "equal in all " + counted(runs.size(), "run")
                                    : std::to_string(different) + " of " + counted(runs.size(), "run") + " differ");
  return verdict;
}

DeterminismReport check_determinism(const detent_desc& desc, const DeterminismOptions& options) {
  DeterminismReport report;
  harness::NativeOptions serial;
  serial.engine.workers = 0;
  serial.seeds.input = options.seeds.input;
  serial.backends = options.backends;
  serial.trace = false;
  const harness::Run reference = harness::run_native(desc, serial);
  if (reference.result.error.status != DETENT_OK) {
    report.verdict = unknown("the serial run failed: " + harness::describe_error(desc, reference.result.error));
    return report;
  }
  report.serial_digest = reference.digest;
  report.verdict = {Property::kDeterminism, Outcome::kHolds, "", {}};
  for (const harness::NativeOptions& run : plan_determinism_runs(desc, options)) {
    if (stop_requested()) break;
    judge_run(desc, run, harness::run_native(desc, run), report);
  }
  if (report.runs.empty()) {
    report.verdict =
        unknown(harness::has_affinity(desc) ? "no run besides the serial one has workers that all ops are for"
                                            : "no run was asked for besides the serial one");
  } else {
    summarise(report);
  }
  return report;
}

}  // namespace detent::verify
