#include "app/runs/log_answer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

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
  for (const int word : {2, 1, 0, 0, 8, 0}) empty += std::string{static_cast<char>(word), 0, 0, 0};
  request.request.model = place.write("empty.log", empty + std::string(8, '\0'));
  EXPECT_EQ(refusal_of([&] { return answer_log(request); }),
            request.request.model + ": has no run; write the log after one");
}

TEST(LogAnswer, BytesBecomeFreeAtTheEndOfTheirLastUser) {
  const TemporaryDirectory place;
  LogRequest request{.request = {.model = logged(place, "branchnet", 2)}, .of_model = "branchnet"};
  const Answer answer = answer_log(request);
  const LoadedModel loaded = load("branchnet", {});
  const detent_desc& desc = loaded.desc();
  std::map<std::uint32_t, std::uint64_t> ends;
  for (const Json& record : answer.json["records"]) {
    const bool begins = record["event"] == "op_begin";
    EXPECT_EQ(record.value("class", ""),
              begins ? desc.classes[desc.ops[record["op"].get<std::uint32_t>()].core_class].name : "");
    if (record["event"] == "op_end") ends[record["op"]] = record["time_ps"];
  }
  const std::uint64_t begin_ps = answer.json["records"][0]["time_ps"];
  std::map<std::uint32_t, std::uint64_t> free_at;  // by tensor, from the tables alone
  const auto use = [&](std::uint32_t op, const detent_slice& slice) {
    for (std::uint32_t i = slice.first; i < slice.first + slice.count; ++i) {
      std::uint32_t tensor = desc.tensor_refs[i];
      while (desc.tensors[tensor].alias_of != DETENT_NONE) tensor = desc.tensors[tensor].alias_of;
      free_at[tensor] = std::max(free_at[tensor], ends.at(op) - begin_ps);
    }
  };
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    for (const detent_slice* slice : {&desc.ops[op].inputs, &desc.ops[op].outputs, &desc.ops[op].scratch}) {
      use(op, *slice);
    }
  }
  for (std::uint32_t i = 0; i < desc.output_count; ++i) free_at.erase(desc.outputs[i]);
  ASSERT_EQ(answer.json["freed"].size(), free_at.size());
  std::uint64_t last = 0;
  for (const Json& freed : answer.json["freed"]) {
    EXPECT_EQ(freed["time_ps"], free_at.at(freed["tensor"])) << freed;
    EXPECT_LE(last, freed["time_ps"]);
    last = freed["time_ps"];
  }
  request.of_model = "diamond";
  EXPECT_EQ(refusal_of([&] { return answer_log(request); }),
            "--of diamond: its ops are not those of branchnet; name the model that was run");
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
