// Replays the events of one record against the graph; each rule adds its witnesses.
#include "verify/runs/fault_response.hpp"

#include <algorithm>
#include <utility>

#include "base/counted.hpp"
#include "base/ids.hpp"
#include "harness/instance.hpp"
#include "harness/run.hpp"
#include "verify/verdict/names.hpp"

namespace detent::verify {
namespace {

using harness::FaultEvent;
using harness::FaultRecord;
using harness::Faults;
using Kind = FaultEvent::Kind;

constexpr std::size_t kMaxBrokenRules = 16;

/// How far an op has come.
struct OpHistory {
  bool is_executed = false;  ///< sooner or later in the run
  std::uint32_t begins = 0;
  bool ended = false;
  std::int32_t code = 0;
  std::uint64_t begin_ps = 0, end_ps = 0;
};

class FaultResponse {
 public:
  FaultResponse(const detent_desc& desc, const Faults& faults, const FaultRecord& record)
      : desc_(desc), faults_(faults), record_(record), ops_(desc.op_count), predecessors_(desc.op_count) {
    for (OpId op = 0; op < desc.op_count; ++op) {
      const detent_slice next = desc.ops[op].successors;
      for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
        predecessors_[desc.successors[k]].push_back(op);
      }
      if (is_guarded(op)) ++guarded_count_;
    }
    for (const OpId op : record.began()) ops_[op].is_executed = true;
  }

  std::vector<Witness> find(const std::optional<std::uint64_t>& digest) {
    follow_events();
    check_status();
    check_in_flight();
    if (record_.accepted_second != 0) {
      add("a second answer was accepted, " + counted(record_.accepted_second, "time"), {});
    }
    check_again(digest);
    return std::move(witnesses_);
  }

 private:
  void add(const std::string& text, std::vector<std::uint32_t> ops) {
    if (witnesses_.size() < kMaxBrokenRules) witnesses_.push_back({text, std::move(ops), {}});
  }
  [[nodiscard]] std::string name(OpId op) const { return op_name(desc_, op); }
  [[nodiscard]] bool is_async(OpId op) const {
    return desc_.classes[desc_.ops[op].core_class].kind == DETENT_CLASS_ASYNC;
  }

  [[nodiscard]] bool is_guarded(OpId op) const { return (desc_.ops[op].flags & DETENT_OP_GUARDED) != 0; }
  [[nodiscard]] bool is_fallible(OpId op) const { return (desc_.ops[op].flags & DETENT_OP_FALLIBLE) != 0; }
  /// The run goes on after it.
  [[nodiscard]] bool has_ended_well(OpId op) const { return ops_[op].ended && (ops_[op].code == 0 || is_fallible(op)); }

  /// Those that the run leaves out are followed by what they wait for themselves.
  [[nodiscard]] bool have_predecessors_ended_well(OpId op) const {
    std::vector<OpId> waiting = {op};
    std::vector<bool> is_seen(desc_.op_count, false);
    while (!waiting.empty()) {
      const OpId at = waiting.back();
      waiting.pop_back();
      for (const OpId before : predecessors_[at]) {
        const bool is_left_out = is_guarded(before) && !ops_[before].is_executed;
        if (!is_left_out && !has_ended_well(before)) return false;
        if (!is_left_out || is_seen[before]) continue;
        is_seen[before] = true;
        waiting.push_back(before);
      }
    }
    return true;
  }

  void follow_events() {
    bool stopped = false;
    for (const FaultEvent& event : record_.events) {
      if (event.kind == Kind::kBegin) {
        if (stopped && record_.slots == 1) add(name(event.op) + " began although the run had been stopped", {event.op});
        follow_begin(event);
      }
      if (event.kind == Kind::kEnd) follow_end(event);
      stopped = stopped || stops_dispatch(event);
    }
  }

  /// After it the engine knows at once. What an async op does it may learn later.
  [[nodiscard]] bool stops_dispatch(const FaultEvent& event) const {
    if (event.kind == Kind::kBegin) return false;
    if (event.kind == Kind::kEnd && (event.code == 0 || is_fallible(event.op))) return false;
    return event.op == DETENT_NONE ? record_.exact_times : !is_async(event.op);
  }

  void follow_begin(const FaultEvent& event) {
    OpHistory& op = ops_[event.op];
    if (++op.begins > 1) add(name(event.op) + " began twice", {event.op});
    if (!have_predecessors_ended_well(event.op)) {
      add(name(event.op) + " began before all its predecessors had ended well", {event.op});
    }
    op.begin_ps = event.time_ps;
  }

  void follow_end(const FaultEvent& event) {
    OpHistory& op = ops_[event.op];
    if (op.begins == 0 || op.ended) return add(name(event.op) + " ended without having begun", {event.op});
    op.ended = true;
    op.code = event.code;
    op.end_ps = event.time_ps;
  }

  [[nodiscard]] std::uint64_t time_in_flight(const OpHistory& op) const {
    return (op.ended ? op.end_ps : record_.returned_ps) - op.begin_ps;
  }

  void check_status() {
    const detent_error& error = record_.error;
    const std::string status = detent_status_name(error.status);
    if (error.status == DETENT_OK) return check_ok();
    if (error.status == DETENT_WORKER_FAILED) {
      if (faults_.failing_start == 0) add("the status is WORKER_FAILED, and every slot could start", {});
      if (!record_.events.empty()) add("ops ran although a worker could not start", {});
      return;
    }
    if (error.status == DETENT_CANCELLED) {
      const bool cancelled = std::ranges::any_of(record_.events, [](const auto& e) { return e.kind == Kind::kCancel; });
      if (!cancelled) add("the status is CANCELLED, and nobody cancelled the run", {});
      return;
    }
    const bool names_op = error.op < desc_.op_count;
    if (error.status == DETENT_KERNEL_FAILED && names_op) return check_kernel_failed(error);
    if (error.status == DETENT_TIMEOUT && names_op) return check_timeout(error);
    add("the status " + status + " names a fault that did not happen", {});
  }

  void check_ok() {
    for (OpId op = 0; op < desc_.op_count; ++op) {
      const OpHistory& history = ops_[op];
      if (is_guarded(op) && history.begins == 0) continue;
      if (history.begins == 0 || !history.ended) add("the status is OK, and " + name(op) + " has not ended", {op});
      if (history.code != 0 && !is_fallible(op)) add("the status is OK, and " + name(op) + " failed", {op});
      const bool late = faults_.op_deadline_ps != 0 && time_in_flight(history) > faults_.op_deadline_ps;
      if (record_.exact_times && late) add("the status is OK, and " + name(op) + " ran past its deadline", {op});
    }
  }

  void check_kernel_failed(const detent_error& error) {
    const OpHistory& op = ops_[error.op];
    if (op.ended && op.code != 0 && op.code == error.code && !is_fallible(error.op)) return;
    add("the status names " + name(error.op) + " and code " + std::to_string(error.code) +
            ", and no such code was returned",
        {error.op});
  }

  void check_timeout(const detent_error& error) {
    const OpHistory& op = ops_[error.op];
    const bool late = op.begins != 0 && time_in_flight(op) >= faults_.op_deadline_ps;
    if (faults_.op_deadline_ps == 0 || (record_.exact_times && !late)) {  // else overheads before its begin count, too
      add("the status is TIMEOUT of " + name(error.op) + ", which was not past a deadline", {error.op});
    }
    const detent_slice next = desc_.ops[error.op].successors;
    for (std::uint32_t k = next.first; k < next.first + next.count; ++k) {
      const std::uint32_t successor = desc_.successors[k];
      if (ops_[successor].begins != 0) add(name(successor) + " follows the late op and began", {error.op, successor});
    }
  }

  void check_in_flight() {
    const std::size_t count = record_.in_flight().size();
    if (record_.said_in_flight < count || (record_.said_in_flight != 0 && record_.error.status != DETENT_TIMEOUT)) {
      add("the result reports " + counted(record_.said_in_flight, "op") + " in flight, and " + std::to_string(count) +
              " were",
          record_.in_flight());
    }
    for (const OpId op : record_.in_flight()) {
      if (record_.error.status != DETENT_TIMEOUT) {
        add(name(op) + " was in flight when the run returned " + detent_status_name(record_.error.status), {op});
      } else if (record_.exact_times && time_in_flight(ops_[op]) < faults_.op_deadline_ps) {
        add(name(op) + " was in flight when the run returned TIMEOUT, and not past its deadline", {op});
      }
    }
  }

  void check_again(const std::optional<std::uint64_t>& digest) {
    if (!record_.again) return add("the context was not run again", {});
    const harness::RunAgain& again = *record_.again;
    const bool is_late = faults_.op_deadline_ps != 0 && again.longest_ps >= faults_.op_deadline_ps;
    if (again.status == DETENT_TIMEOUT && (is_late || !record_.exact_times)) return;  // too slow without faults, too
    if (again.status != DETENT_OK) {
      return add(std::string("after the reset the run gave ") + detent_status_name(again.status), {});
    }
    if (again.ops_ended > desc_.op_count || again.ops_ended + guarded_count_ < desc_.op_count) {
      add("after the reset " + std::to_string(again.ops_ended) + " of " + std::to_string(desc_.op_count) +
              " ops ran once",
          {});
    }
    if (digest && again.digest && *digest != *again.digest) {
      add("after the reset the digest was " + harness::format_digest(*again.digest) + " instead of " +
              harness::format_digest(*digest),
          {});
    }
  }

  const detent_desc& desc_;
  const Faults& faults_;
  const FaultRecord& record_;
  std::vector<OpHistory> ops_;
  std::vector<std::vector<OpId>> predecessors_;  // by op
  std::uint32_t guarded_count_ = 0;              // a run may leave them out
  std::vector<Witness> witnesses_;
};

std::string summary_of(const detent_desc& desc, const FaultRecord& record) {
  const std::size_t in_flight = record.in_flight().size();
  return std::string(detent_status_name(record.error.status)) + ": " + std::to_string(record.began().size()) + " of " +
         counted(desc.op_count, "op") + " began, " + std::to_string(in_flight) + " in flight when the run returned";
}

}  // namespace

bool took_place(const Faults& faults, const FaultRecord& record) {
  if (record.error.status != DETENT_OK || record.second_answers != 0) return true;
  return std::ranges::any_of(record.events, [&](const FaultEvent& event) {
    const bool is_late = std::ranges::any_of(faults.late_ops, [&](const auto& late) { return late.op == event.op; });
    return event.kind == Kind::kCancel || is_late || event.is_device_fault || event.code != 0;
  });
}

Verdict check_fault_response(const detent_desc& desc, const Faults& faults, const FaultRecord& record,
                             const std::optional<std::uint64_t>& digest) {
  Verdict verdict{Property::kFaultResponse, Outcome::kHolds, summary_of(desc, record), {}};
  verdict.witnesses = FaultResponse(desc, faults, record).find(digest);
  if (!verdict.witnesses.empty()) {
    verdict.outcome = Outcome::kViolated;
  } else if (faults.injects() && !took_place(faults, record)) {
    verdict.outcome = Outcome::kUnknown;
    verdict.witnesses.push_back(
        {"no fault happened: their ops or devices were not called, or not often enough", {}, {}});
  }
  return verdict;
}

}  // namespace detent::verify
