// Faults on the command line and in answers: words <-> harness::Faults -> JSON.
#pragma once

#include <string>
#include <vector>

#include "app/answer/answer.hpp"
#include "harness/faults/faults.hpp"
#include "models/core/model.hpp"

namespace detent::app {

/// Values of the options as they were typed, in the order of harness::fault_keys().
struct FaultOptions {
  std::vector<std::vector<std::string>> values = std::vector<std::vector<std::string>>(harness::fault_keys().size());
};

/// An option that makes something go wrong, as --help shows it.
struct FaultOption {
  std::string name{};  ///< "--fail-op"
  std::string type{};  ///< what stands behind it
  std::string text{};
};

/// All of them, in the order of harness::fault_keys(). @param simulated  of a command that has moments in time
std::vector<FaultOption> fault_options(bool simulated);

/// @throws std::invalid_argument  names the option and what may stand there
harness::Faults parse_faults(const FaultOptions& options);

/// Add the watchdogs of the model's ops, which a run with faults has.
/// @param model  whose ops the Desc has, in their order
void add_watchdogs(const models::Model& model, harness::Faults& faults);

/// {fail_op[] {op, call (0: every one), onward (and all later ones), code}, late_op[] {op, delay_ps}, hang_op[],
/// fail_device[] {device, call, onward, code}, late_device[] {device, call, onward, delay_ps}, hang_device[] {device,
/// call, onward}, answer_twice[], cancel_at {op, moment} or {time_ps}, deadline_op_ps, fail_start}: those that there
/// are.
Json faults_json(const harness::Faults& faults);

}  // namespace detent::app
