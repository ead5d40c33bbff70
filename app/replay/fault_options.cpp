#include "app/replay/fault_options.hpp"

#include <algorithm>
#include <stdexcept>

namespace detent::app {
namespace {

Json about_calls(const char* key, const Json& target, const harness::Calls& calls) {
  return {{key, target}, {"call", calls.first}, {"onward", calls.onward}};
}

/// And what comes of these calls.
Json about_calls(const char* key, const Json& target, const harness::Calls& calls, const char* what,
                 const Json& value) {
  Json json = about_calls(key, target, calls);
  json[what] = value;
  return json;
}

}  // namespace

std::vector<FaultOption> fault_options(bool simulated) {
  const std::string cancel = "F07: cancel the run when OP begins, or with :end when it has computed" +
                             std::string(simulated ? ", or at a time with its unit; --cancel-at 4:end, --cancel-at 15us"
                                                   : "; --cancel-at 4:end");
  std::vector<FaultOption> options = {
      {"fail_op", "OP[,CALL[+]][=CODE]",
       "F01: the kernel of OP computes nothing and returns CODE (1), in every run, in its CALL-th, or with CALL+ in "
       "that and all later ones; may be repeated; --fail-op 3=42. Exit 0 when the runtime answers it as it must, 1 "
       "when not, 3 when OP was never called"},
      {"late_op", "OP=TIME",
       "F02: OP answers TIME too late; --late-op 3=2ms. Native runs then count logical time, in which only "
       "late ops take any"},
      {"hang_op", "OP", "F02: the back end of OP never answers; needs --deadline-op"},
      {"fail_device", "CLASS[,CALL[+]][=CODE]",
       "F01: cores of CLASS fail, whichever op is on them: every call, the CALL-th, or with CALL+ that and all later "
       "ones, as a device that has died; --fail-device npu, --fail-device npu,3+=7. Each op of CLASS that is "
       "dispatched is a call. What --fail-op says of an op counts first"},
      {"late_device", "CLASS[,CALL[+]]=TIME",
       "F02: calls of CLASS are answered TIME too late; --late-device npu,2=2ms. What --late-op and --hang-op say of "
       "an op counts first"},
      {"hang_device", "CLASS[,CALL[+]]",
       "F02: calls of CLASS are never answered; needs --deadline-op; --hang-device npu,2+"},
      {"answer_twice", "OP", "F12: the end of OP is reported twice; the second one must be refused"},
      {"cancel_at", "WHEN", cancel},
      {"deadline_op", "TIME",
       "F02: an op in flight for longer ends the run with TIMEOUT; --deadline-op 5ms. Exit 1 when that happens "
       "and nothing was made to go wrong"},
      {"fail_start", "SLOT", "F04: engine thread SLOT (1, 2, ...) cannot be started"}};
  for (FaultOption& option : options) option.name = harness::fault_option(option.name);
  return options;
}

void add_watchdogs(const models::Model& model, harness::Faults& faults) {
  faults.watchdogs_ps.clear();
  for (const models::Op& op : model.ops) faults.watchdogs_ps.push_back(op.watchdog_ps);
}

harness::Faults parse_faults(const FaultOptions& options) {
  harness::Faults faults;
  for (std::size_t i = 0; i < options.values.size(); ++i) {
    const std::string& key = harness::fault_keys()[i];
    for (const std::string& value : options.values[i]) {
      try {
        harness::add_fault(faults, {key, value});
      } catch (const std::invalid_argument& bad) {
        throw std::invalid_argument(harness::fault_option(key) + " " + bad.what());
      }
    }
  }
  return faults;
}

Json faults_json(const harness::Faults& faults) {
  Json json = Json::object();
  for (const harness::FailingOp& failing : faults.failing_ops) {
    json["fail_op"].push_back(about_calls("op", failing.op, failing.calls, "code", failing.code));
  }
  for (const harness::LateOp& late : faults.late_ops) {
    if (late.delay_ps == harness::LateOp::kNever) {
      json["hang_op"].push_back(late.op);
    } else {
      json["late_op"].push_back({{"op", late.op}, {"delay_ps", late.delay_ps}});
    }
  }
  for (const harness::FailingDevice& failing : faults.failing_devices) {
    json["fail_device"].push_back(about_calls("device", failing.device, failing.calls, "code", failing.code));
  }
  for (const harness::LateDevice& late : faults.late_devices) {
    if (late.delay_ps == harness::LateOp::kNever) {
      json["hang_device"].push_back(about_calls("device", late.device, late.calls));
    } else {
      json["late_device"].push_back(about_calls("device", late.device, late.calls, "delay_ps", late.delay_ps));
    }
  }
  if (!faults.answered_twice.empty()) json["answer_twice"] = faults.answered_twice;
  if (const auto& cancel = faults.cancel_at) {
    const bool at_time = cancel->moment == harness::CancelAt::Moment::kTime;
    const bool at_end = cancel->moment == harness::CancelAt::Moment::kOpEnd;
    json["cancel_at"] =
        at_time ? Json{{"time_ps", cancel->time_ps}} : Json{{"op", cancel->op}, {"moment", at_end ? "end" : "begin"}};
  }
  if (faults.op_deadline_ps != 0) json["deadline_op_ps"] = faults.op_deadline_ps;
  if (faults.failing_start != 0) json["fail_start"] = faults.failing_start;
  return json;
}

}  // namespace detent::app
