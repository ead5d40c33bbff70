#include "app/replay/fault_options.hpp"

#include <algorithm>
#include <stdexcept>

namespace detent::app {

std::vector<FaultOption> fault_options(bool simulated) {
  const std::string cancel = "F07: cancel the run when OP begins, or with :end when it has computed" +
                             std::string(simulated ? ", or at a time with its unit; --cancel-at 4:end, --cancel-at 15us"
                                                   : "; --cancel-at 4:end");
  std::vector<FaultOption> options = {
      {"fail_op", "OP[,CALL][=CODE]",
       "F01: the kernel of OP computes nothing and returns CODE (1), in every run or in its CALL-th; may be repeated; "
       "--fail-op 3=42. Exit 0 when the runtime answers it as it must, 1 when not, 3 when OP was never called"},
      {"late_op", "OP=TIME",
       "F02: OP answers TIME too late; --late-op 3=2ms. Native runs then count logical time, in which only "
       "late ops take any"},
      {"hang_op", "OP", "F02: the back end of OP never answers; needs --deadline-op"},
      {"answer_twice", "OP", "F12: the end of OP is reported twice; the second one must be refused"},
      {"cancel_at", "WHEN", cancel},
      {"deadline_op", "TIME",
       "F02: an op in flight for longer ends the run with TIMEOUT; --deadline-op 5ms. Exit 1 when that happens "
       "and nothing was made to go wrong"},
      {"fail_start", "SLOT", "F04: engine thread SLOT (1, 2, ...) cannot be started"}};
  for (FaultOption& option : options) option.name = harness::fault_option(option.name);
  return options;
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
    json["fail_op"].push_back({{"op", failing.op}, {"call", failing.call}, {"code", failing.code}});
  }
  for (const harness::LateOp& late : faults.late_ops) {
    if (late.delay_ps == harness::LateOp::kNever) {
      json["hang_op"].push_back(late.op);
    } else {
      json["late_op"].push_back({{"op", late.op}, {"delay_ps", late.delay_ps}});
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
