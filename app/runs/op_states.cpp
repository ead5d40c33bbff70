#include "app/runs/op_states.hpp"

#include <algorithm>
#include <array>

#include "base/ids.hpp"

namespace detent::app {
namespace {

const char* name_of(detent_op_state state) {
  switch (state) {
    case DETENT_OP_WAITING:
      return "waiting";
    case DETENT_OP_READY:
      return "ready";
    case DETENT_OP_RUNNING:
      return "running";
    case DETENT_OP_DONE:
      return "done";
    case DETENT_OP_FAILED:
      return "failed";
    case DETENT_OP_CANCELLED:
      return "cancelled";
  }
  return "?";
}

/// What is in flight when a run has returned is late; so is what has ended after its deadline.
bool is_late(const detent_op_record& record, std::uint64_t op_deadline_ps) {
  if (record.state == DETENT_OP_RUNNING) return true;
  const bool has_ended = record.state == DETENT_OP_DONE || record.state == DETENT_OP_FAILED;
  return op_deadline_ps != 0 && has_ended && record.end_ps - record.begin_ps > op_deadline_ps;
}

Json time_json(std::uint64_t time_ps, std::uint64_t begin_ps) {
  if (time_ps == UINT64_MAX) return nullptr;
  return (time_ps - std::min(time_ps, begin_ps)) / 1000;
}

Json worker_json(std::uint32_t worker) { return worker == DETENT_NONE ? Json(nullptr) : Json(worker); }

}  // namespace

Json op_states_json(const harness::Run& run, std::uint64_t op_deadline_ps, bool reproducible) {
  Json rows = Json::array();
  for (OpId op = 0; op < run.op_records.size(); ++op) {
    const detent_op_record& record = run.op_records[op];
    Json row{{"op", op},
             {"state", name_of(record.state)},
             {"late", is_late(record, op_deadline_ps)},
             {"attempts", record.attempts}};
    if (!reproducible) {
      row["worker"] = worker_json(record.worker);
      row["ready_ns"] = time_json(record.ready_ps, run.result.begin_ps);
      row["begin_ns"] = time_json(record.begin_ps, run.result.begin_ps);
      row["end_ns"] = time_json(record.end_ps, run.result.begin_ps);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string op_states_text(const harness::Run& run, std::uint64_t op_deadline_ps) {
  struct Count {
    const char* name;
    detent_op_state state;
    std::size_t ops = 0;
  };
  std::array<Count, 6> counts{{{"done", DETENT_OP_DONE},
                               {"failed", DETENT_OP_FAILED},
                               {"late", DETENT_OP_RUNNING},
                               {"ready", DETENT_OP_READY},
                               {"waiting", DETENT_OP_WAITING},
                               {"cancelled", DETENT_OP_CANCELLED}}};
  for (const detent_op_record& record : run.op_records) {
    const detent_op_state state = is_late(record, op_deadline_ps) ? DETENT_OP_RUNNING : record.state;
    for (Count& count : counts) count.ops += count.state == state ? 1 : 0;
  }
  std::string text;
  for (const Count& count : counts) {
    if (count.ops != 0) text += (text.empty() ? "" : ", ") + std::to_string(count.ops) + " " + count.name;
  }
  return text;
}

}  // namespace detent::app
