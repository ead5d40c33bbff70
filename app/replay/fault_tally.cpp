#include "app/replay/fault_tally.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/answer/verdicts.hpp"
#include "app/replay/fault_options.hpp"
#include "base/counted.hpp"
#include "harness/faults/one_run.hpp"
#include "verify/runs/determinism.hpp"
#include "verify/runs/fault_response.hpp"
#include "verify/static/buffer_race.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

std::vector<std::uint32_t> sorted(std::vector<std::uint32_t> ops) {
  std::ranges::sort(ops);
  const auto rest = std::ranges::unique(ops);
  ops.erase(rest.begin(), rest.end());
  return ops;
}

std::string list_text(const std::vector<std::uint32_t>& ops) { return ops.empty() ? "none" : format_ranges(ops); }

RunEnd end_of(const harness::FaultRecord& record, bool with_ops) {
  RunEnd end{.status = detent_status_name(record.error.status), .op = record.error.op, .code = record.error.code};
  if (with_ops) {
    end.began = sorted(record.began());
    end.in_flight = record.in_flight();
  }
  return end;
}

/// Of several runs the first of those with the largest number is shown.
int interest_of(const verify::Verdict& verdict, const harness::Faults& faults, const harness::FaultRecord& record) {
  if (verdict.outcome == Outcome::kViolated) return 3;
  if (record.error.status != DETENT_OK) return 2;
  return verify::took_place(faults, record) ? 1 : 0;
}

/// By their names, in the order of their calls: {device, call, op}.
/// Ops that their watchdogs gave up: those that hung, and those whose own time is longer than the watchdog waits.
std::vector<std::uint32_t> given_up_ops(const harness::Faults& faults, const harness::FaultRecord& record) {
  std::vector<std::uint32_t> ops;
  for (const harness::FaultEvent& event : record.events) {
    const bool is_end = event.kind == harness::FaultEvent::Kind::kEnd && event.code == harness::kGivenUpCode;
    if (is_end && faults.watchdog_of(event.op) != 0) ops.push_back(event.op);
  }
  std::ranges::sort(ops);
  return ops;
}

Json device_faults_json(const detent_desc& desc, const harness::FaultRecord& record) {
  Json faults = Json::array();
  for (const harness::FaultEvent& event : record.device_faults()) {
    faults.push_back(
        {{"device", desc.classes[desc.ops[event.op].core_class].name}, {"call", event.device_call}, {"op", event.op}});
  }
  return faults;
}

/// "npu: call 1 is op 1, call 2 is op 4; cpu: call 7 is op 9"
std::string device_faults_text(const detent_desc& desc, const harness::FaultRecord& record) {
  constexpr std::size_t kShown = 16;
  const std::vector<harness::FaultEvent> faults = record.device_faults();
  std::string text, device;
  for (std::size_t i = 0; i < std::min(faults.size(), kShown); ++i) {
    const std::string next = desc.classes[desc.ops[faults[i].op].core_class].name;
    text += next == device ? ", " : fmt::format("{}{}: ", text.empty() ? "" : "; ", next);
    text += fmt::format("call {} is op {}", faults[i].device_call, faults[i].op);
    device = next;
  }
  if (faults.size() > kShown) text += fmt::format(", and {} more", faults.size() - kShown);
  return text.empty() ? "none of their calls" : text;
}

}  // namespace

std::optional<std::uint64_t> digest_without_faults(const LoadedModel& loaded, std::uint64_t input_seed) {
  harness::NativeOptions native;
  native.seeds.input = input_seed;
  return digest_without_faults(loaded, native);
}

std::optional<std::uint64_t> digest_without_faults(const LoadedModel& loaded, const harness::NativeOptions& native) {
  const detent_desc& desc = loaded.desc();
  const verify::RaceReport races = verify::find_races(desc);
  if (verify::judge_determinism(desc, races).outcome != Outcome::kHolds) return std::nullopt;
  harness::NativeOptions serial;
  serial.engine.workers = 0;
  serial.seeds.input = native.seeds.input;
  serial.input_bytes = native.input_bytes;
  serial.input_tensors = native.input_tensors;
  serial.backends = loaded.backends;
  serial.trace = false;
  const harness::Run run = harness::run_native(desc, serial);
  if (run.result.error.status != DETENT_OK) return std::nullopt;
  return run.digest;
}

FaultTally::FaultTally(const detent_desc& desc, harness::Faults faults, std::optional<std::uint64_t> digest)
    : desc_(desc),
      faults_(std::move(faults)),
      digest_(digest),
      verdict_{verify::Property::kFaultResponse, Outcome::kUnknown, "", {}} {}

void FaultTally::add(std::uint64_t run, const harness::FaultRecord& record) {
  const verify::Verdict verdict = verify::check_fault_response(desc_, faults_, record, digest_);
  const bool is_worse = verdict.outcome == Outcome::kViolated && verdict_.outcome != Outcome::kViolated;
  const int interest = interest_of(verdict, faults_, record);
  if (runs_ == 0 || interest > shown_interest_) {
    shown_interest_ = interest;
    shown_ = record;
    shown_run_ = run;
  }
  if (runs_ == 0 || is_worse || (verdict_.outcome == Outcome::kUnknown && verdict.outcome == Outcome::kHolds)) {
    verdict_ = verdict;
  }
  missed_deadline_ = missed_deadline_ || (!faults_.injects() && record.error.status == DETENT_TIMEOUT);
  ++statuses_[detent_status_name(record.error.status)];
  ++runs_;
}

verify::Outcome FaultTally::outcome() const { return missed_deadline_ ? Outcome::kViolated : verdict_.outcome; }

void FaultTally::add_to(Json& answer, bool with_ops) const {
  const detent_error& error = shown_.error;
  answer["faults"] = faults_json(faults_);
  answer["status"] = detent_status_name(error.status);
  answer["statuses"] = statuses_;
  answer["error"] = error.status == DETENT_OK ? Json(nullptr) : Json(harness::describe_error(desc_, error));
  answer["error_op"] = error.op == DETENT_NONE ? Json(nullptr) : Json(error.op);
  answer["error_code"] = error.status == DETENT_KERNEL_FAILED ? Json(error.code) : Json(nullptr);
  if (with_ops) {
    answer["began"] = shown_.began();
    answer["in_flight"] = shown_.in_flight();
    if (faults_.has_devices()) answer["device_faults"] = device_faults_json(desc_, shown_);
    if (const auto ops = given_up_ops(faults_, shown_); !ops.empty()) answer["given_up"] = ops;
  }
  if (outputs_.size() == 1) answer["digest"] = harness::format_digest(*outputs_.begin());
  for (const std::uint64_t output : outputs_) answer["digests"].push_back(harness::format_digest(output));
  if (!outputs_.empty() && digest_) answer["digest_without_faults"] = harness::format_digest(*digest_);
  if (shown_.again) {
    const auto& digest = shown_.again->digest;
    answer["again"] = {{"status", detent_status_name(shown_.again->status)},
                       {"ops", shown_.again->ops_ended},
                       {"digest", digest ? Json(harness::format_digest(*digest)) : Json(nullptr)}};
  }
  answer["verdicts"] = verdicts_json({verdict_});
}

Lines FaultTally::lines(const Lines& states) const {
  Lines lines;
  lines.push_back("faults    " + harness::format_faults(faults_));
  for (const auto& [status, count] : statuses_) {
    if (runs_ > 1) lines.push_back(fmt::format("status    {} in {} of {} runs", status, count, runs_));
  }
  const std::string run = runs_ > 1 ? fmt::format("run {}: ", shown_run_) : "";
  lines.push_back("status    " + run + harness::describe_error(desc_, shown_.error));
  lines.push_back(fmt::format("ops       began {}; in flight when the run returned {}",
                              list_text(sorted(shown_.began())), list_text(shown_.in_flight())));
  if (faults_.has_devices()) lines.push_back("devices   " + device_faults_text(desc_, shown_));
  if (const auto ops = given_up_ops(faults_, shown_); !ops.empty()) {
    lines.push_back("given up  " + list_text(ops) + ", which hung or took longer than their watchdogs wait");
  }
  append(lines, states);
  for (const std::uint64_t output : outputs_) {
    const std::string text = "output    digest " + harness::format_digest(output);
    if (!digest_ || output == *digest_) {
      lines.push_back(text + (digest_ ? ", as without faults" : ""));
    } else {
      lines.push_back(text + ", not " + harness::format_digest(*digest_) +
                      " as without faults: a fallback computes other bits than what it stands for");
    }
  }
  if (shown_.again) {
    const auto& digest = shown_.again->digest;
    lines.push_back(fmt::format("again     {}, {}{}", detent_status_name(shown_.again->status),
                                counted(shown_.again->ops_ended, "op"),
                                digest ? ", digest " + harness::format_digest(*digest) : ""));
  }
  if (missed_deadline_) {
    lines.push_back("VIOLATED: an op ran past the deadline of " + harness::format_time_ps(faults_.op_deadline_ps));
  }
  append(lines, verdict_lines({verdict_}));
  return lines;
}

void FaultTally::describe_in(ReplayLine& line, bool with_ops) const {
  line.faults = harness::faults_of_one_run(faults_, desc_, shown_);
  line.ended = line.faults.empty() ? RunEnd{} : end_of(shown_, with_ops);
  line.digest.clear();
  if (shown_.again && shown_.again->digest) line.digest = harness::format_digest(*shown_.again->digest);
}

}  // namespace detent::app
