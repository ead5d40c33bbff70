// What runs with faults did, as run, simulate and replay tell it: verdict, status, ops, replay words.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/replay_line.hpp"
#include "harness/faults/faults.hpp"
#include "harness/faults/record.hpp"
#include "harness/run_native.hpp"
#include "verify/verdict/verdict.hpp"

namespace detent::app {

/// Digest of the serial native run without faults, which the run after a reset must give; empty where the model has
/// races or an order that changes the result, and where kernels do not execute.
std::optional<std::uint64_t> digest_without_faults(const LoadedModel& loaded, std::uint64_t input_seed);
/// The same on the inputs that `native` gives.
std::optional<std::uint64_t> digest_without_faults(const LoadedModel& loaded, const harness::NativeOptions& native);

/// The runs of one command, each judged (verify/runs/fault_response.hpp).
class FaultTally {
 public:
  FaultTally(const detent_desc& desc, harness::Faults faults, std::optional<std::uint64_t> digest);
  void add(std::uint64_t run, const harness::FaultRecord& record);
  /// @param digest  of a run that executed kernels and ended with OK
  void add_output(std::uint64_t digest) { outputs_.insert(digest); }

  /// Violated when one run is; holds when in one of them a fault took place; else unknown.
  [[nodiscard]] const verify::Verdict& verdict() const { return verdict_; }
  /// The run to show: the first that is violated, else the first that did not end with OK, else the first in
  /// which a fault took place, else the first.
  [[nodiscard]] const harness::FaultRecord& shown() const { return shown_; }
  [[nodiscard]] std::uint64_t shown_run() const { return shown_run_; }
  /// A deadline, nothing made to go wrong, and a run that ended with TIMEOUT.
  [[nodiscard]] bool missed_deadline() const { return missed_deadline_; }
  /// The verdict's, but violated when a deadline was missed.
  [[nodiscard]] verify::Outcome outcome() const;

  /// `faults`, `status`, `statuses`, `error`, `error_op`, `error_code`, `began`, `in_flight`, `device_faults`,
  /// `digest`, `digests`, `digest_without_faults`, `again`, `verdicts`.
  /// @param with_ops  false: which ops began depends on the host's timing and is left out
  void add_to(Json& answer, bool with_ops) const;
  /// @param states  a line about the states of ops, where there is one
  [[nodiscard]] Lines lines(const Lines& states = {}) const;
  /// What the shown run needs to be repeated alone, and what it must do again. Where it met no fault that is a run
  /// without faults, of which a line says no more than the digest.
  /// @param with_ops  also which ops began and were in flight
  void describe_in(ReplayLine& line, bool with_ops) const;

 private:
  const detent_desc& desc_;
  harness::Faults faults_;
  std::optional<std::uint64_t> digest_;
  verify::Verdict verdict_;
  std::uint64_t runs_ = 0, shown_run_ = 0;
  int shown_interest_ = 0;
  harness::FaultRecord shown_;
  std::map<std::string, std::uint64_t> statuses_;
  std::set<std::uint64_t> outputs_;
  bool missed_deadline_ = false;
};

}  // namespace detent::app
