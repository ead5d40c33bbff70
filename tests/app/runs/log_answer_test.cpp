#include "app/runs/log_answer.hpp"

#include <gtest/gtest.h>

#include "app/runs/native_run.hpp"
#include "base/io.hpp"
#include "harness/log_file.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

/// The log file of a native run.
std::string logged(const TemporaryDirectory& place, const std::string& model, std::uint32_t workers) {
  RunRequest request;
  request.request.model = model;
  request.schedule.engine.workers = workers;
  request.log_file = place.file("run.log");
  static_cast<void>(run_once(request));
  return request.log_file;
}

TEST(LogAnswer, EachOpOfTheRunHasItsRecordsAndASpan) {
  const TemporaryDirectory place;
  LogRequest request{.request = {.model = logged(place, "branchnet", 2)}};
  request.directory = place.file("traces");
  const Answer answer = answer_log(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(answer.json["schema"], "detent.log/1");
  EXPECT_EQ(answer.json["workers"], 2);
  EXPECT_EQ(answer.json["ops"], 25);
  EXPECT_EQ(answer.json["status"], "OK");
  EXPECT_EQ(answer.json["whole"], true);
  std::size_t begins = 0;
  std::uint64_t last = 0;
  for (const Json& record : answer.json["records"]) {
    if (record["event"] == "op_begin") ++begins;
    EXPECT_LE(last, record["time_ps"].get<std::uint64_t>());
    last = record["time_ps"];
  }
  EXPECT_EQ(begins, 25U);
  EXPECT_NE(text_of(answer).find("branchnet: run 1 (1 run in the log), 25 of 25 ops on 2 workers, OK"),
            std::string::npos);
  const std::string btf = bytes_of(place.file("traces/trace.btf"));
  const LoadedModel loaded = load("branchnet", {});
  for (const models::Op& op : loaded.model.ops) EXPECT_NE(btf.find(op.name), std::string::npos) << op.name;
  EXPECT_GT(bytes_of(place.file("traces/trace.pftrace")).size(), 100U);
}

TEST(LogAnswer, ARunThatIsNotThereAndALogWithoutRunsAreRefused) {
  const TemporaryDirectory place;
  LogRequest request{.request = {.model = logged(place, "diamond", 0)}};
  request.run = 2;
  EXPECT_EQ(refusal_of([&] { return answer_log(request); }), "--run 2: the log has the runs 1 to 1; choose one");
  request.run = 1;
  EXPECT_EQ(answer_log(request).json["run"], 1);
  std::string empty = "DETENTLG";
  for (const int word : {1, 1, 0, 0, 8, 0}) empty += std::string{static_cast<char>(word), 0, 0, 0};
  request.request.model = place.write("empty.log", empty + std::string(8, '\0'));
  EXPECT_EQ(refusal_of([&] { return answer_log(request); }),
            request.request.model + ": has no run; write the log after one");
}

TEST(LogAnswer, RecordsThatWereDroppedMakeItUnknown) {
  const TemporaryDirectory place;
  const std::string path = logged(place, "diamond", 0);
  std::string bytes = read_regular_file(path, 1U << 20U);
  const std::size_t ring = 32 + static_cast<unsigned char>(bytes[24]);
  bytes[ring + 8] = 3;
  LogRequest request{.request = {.model = place.write("dropped.log", bytes)}};
  const Answer answer = answer_log(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(answer.json["dropped"], 3);
  EXPECT_EQ(answer.lines.back(), "UNKNOWN: records are missing, 3 dropped; give the log more room");
}

TEST(LogAnswer, ALogIsOfOneRunWithoutFaults) {
  const TemporaryDirectory place;
  RunRequest request;
  request.request.model = "diamond";
  request.log_file = place.file("run.log");
  request.faults.values[0] = {"0"};
  EXPECT_EQ(refusal_of([&] { return run_once(request); }),
            "--log: a run with faults or a deadline has no log to keep; leave it out");
}

}  // namespace
}  // namespace detent::app
