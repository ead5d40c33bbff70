#include "app/replay/fault_options.hpp"

#include <algorithm>
#include <stdexcept>

namespace detent::app {
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
