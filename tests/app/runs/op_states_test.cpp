// Where the ops of a run stood: each value of a record in the rows, and all rows in a line.
#include "app/runs/op_states.hpp"

#include <gtest/gtest.h>

namespace detent::app {
namespace {

/// A record of each state: op i is ready at 10 i us, begins 1 us later and ends 2 + i us after that.
harness::Run run_of_all_states() {
  harness::Run run;
  run.result.begin_ps = 5'000'000;
  std::uint64_t number = 0;
  for (const detent_op_state state : {DETENT_OP_DONE, DETENT_OP_FAILED, DETENT_OP_RUNNING, DETENT_OP_READY,
                                      DETENT_OP_WAITING, DETENT_OP_CANCELLED, DETENT_OP_DONE}) {
    detent_op_record record{};
    record.state = state;
    record.attempts = static_cast<std::uint32_t>(number + 1);
    record.worker = static_cast<std::uint32_t>(number);
    record.ready_ps = run.result.begin_ps + 10'000'000 * number;
    record.begin_ps = record.ready_ps + 1'000'000;
    record.end_ps = record.begin_ps + (2 + number) * 1'000'000;
    run.op_records.push_back(record);
    ++number;
  }
  run.op_records[3].worker = DETENT_NONE;
  run.op_records[4].ready_ps = run.op_records[4].begin_ps = run.op_records[4].end_ps = UINT64_MAX;
  run.op_records[5].ready_ps = 1'000'000;  // before the run
  return run;
}

TEST(OpStates, EveryValueOfARecordIsInItsRow) {
  const Json rows = op_states_json(run_of_all_states(), 0, false);
  const Json expected = Json::parse(R"([
    {"op": 0, "state": "done", "late": false, "attempts": 1, "worker": 0, "ready_ns": 0, "begin_ns": 1000,
     "end_ns": 3000},
    {"op": 1, "state": "failed", "late": false, "attempts": 2, "worker": 1, "ready_ns": 10000, "begin_ns": 11000,
     "end_ns": 14000},
    {"op": 2, "state": "running", "late": true, "attempts": 3, "worker": 2, "ready_ns": 20000, "begin_ns": 21000,
     "end_ns": 25000},
    {"op": 3, "state": "ready", "late": false, "attempts": 4, "worker": null, "ready_ns": 30000, "begin_ns": 31000,
     "end_ns": 36000},
    {"op": 4, "state": "waiting", "late": false, "attempts": 5, "worker": 4, "ready_ns": null, "begin_ns": null,
     "end_ns": null},
    {"op": 5, "state": "cancelled", "late": false, "attempts": 6, "worker": 5, "ready_ns": 0, "begin_ns": 51000,
     "end_ns": 58000},
    {"op": 6, "state": "done", "late": false, "attempts": 7, "worker": 6, "ready_ns": 60000, "begin_ns": 61000,
     "end_ns": 69000}])");
  ASSERT_EQ(rows.size(), expected.size());
  for (std::size_t op = 0; op < rows.size(); ++op) EXPECT_EQ(rows[op], expected[op]);
}

TEST(OpStates, AReproducibleRowHoldsNothingOfWorkersAndTimes) {
  const Json rows = op_states_json(run_of_all_states(), 0, true);
  EXPECT_EQ(rows.at(1), (Json{{"op", 1}, {"state", "failed"}, {"late", false}, {"attempts", 2}}));
}

TEST(OpStates, WhatEndsAfterItsDeadlineIsLate) {
  // They take 2, 3, 4, 5, none, 7 and 8 us; ready, waiting and cancelled ones have not ended by themselves.
  const auto late_ops = [](std::uint64_t deadline_ps) {
    std::string late;
    for (const Json& row : op_states_json(run_of_all_states(), deadline_ps, true)) {
      if (row.at("late").get<bool>()) late += row.at("op").dump() + " ";
    }
    return late;
  };
  EXPECT_EQ(late_ops(0), "2 ") << "no deadline";
  EXPECT_EQ(late_ops(1'999'999), "0 1 2 6 ");
  EXPECT_EQ(late_ops(2'000'000), "1 2 6 ");
  EXPECT_EQ(late_ops(3'000'000), "2 6 ");
  EXPECT_EQ(late_ops(8'000'000), "2 ");
}

TEST(OpStates, ALineCountsThemByState) {
  const harness::Run run = run_of_all_states();
  EXPECT_EQ(op_states_text(run, 0), "2 done, 1 failed, 1 late, 1 ready, 1 waiting, 1 cancelled");
  EXPECT_EQ(op_states_text(run, 2'000'000), "1 done, 3 late, 1 ready, 1 waiting, 1 cancelled");
  EXPECT_EQ(op_states_text(harness::Run{}, 0), "");
}

}  // namespace
}  // namespace detent::app
