#include "app/runs/native_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "app/replay/replay_line.hpp"
#include "app/runs/native_setup.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

RunRequest native_of(const std::string& model, std::uint32_t workers = 2) {
  RunRequest made;
  made.request.model = model;
  made.schedule.engine.workers = workers;
  return made;
}

/// What stands behind the option of this fault.
std::vector<std::string>& fault_values(RunRequest& request, const std::string& key) {
  const auto place = std::ranges::find(harness::fault_keys(), key) - harness::fault_keys().begin();
  return request.faults.values.at(static_cast<std::size_t>(place));
}

TEST(NativeRun, DigestDoesNotDependOnWorkersOrMode) {
  const std::string serial = run_once(native_of("diamond", 0)).json["digest"];
  for (const char* mode : {"serial", "layered", "closed-loop", "static"}) {
    RunRequest request = native_of("diamond", 3);
    harness::engine_field("mode").read(request.schedule.engine, mode);
    const Answer answer = run_once(request);
    EXPECT_EQ(answer.json["digest"], serial) << mode;
    EXPECT_EQ(answer.outcome, Outcome::kHolds) << mode;
    EXPECT_EQ(answer.json["mode"], mode);
  }
}

TEST(NativeRun, InputSeedChangesTheDigestAndTheLine) {
  RunRequest other = native_of("diamond");
  other.request.seeds.input = 5;
  const Answer answer = run_once(other);
  EXPECT_NE(answer.json["digest"], run_once(native_of("diamond")).json["digest"]);
  EXPECT_EQ(parse_replay_line(answer.json["replay"].get<std::string>()).seeds.input, 5U);
}

TEST(NativeRun, ReproducibleAnswersOmitMeasuredTimes) {
  RunRequest request = native_of("diamond");
  const Answer measured = run_once(request);
  EXPECT_GT(measured.json["host"]["makespan_ns"].get<std::uint64_t>(), 0U);
  EXPECT_TRUE(measured.json["ops"][0].contains("start_ns"));
  request.request.reproducible = true;
  const Answer answer = run_once(request);
  EXPECT_FALSE(answer.json.contains("host"));
  EXPECT_FALSE(answer.json["ops"][0].contains("start_ns"));
  EXPECT_EQ(answer.lines.size() + 1, measured.lines.size());
  EXPECT_EQ(answer.json, run_once(request).json);
}

TEST(NativeRun, FaultsAreJudgedAndHaveTheirOwnLine) {
  RunRequest request = native_of("chain:4", 1);
  fault_values(request, "fail_op") = {"2=42"};
  const Answer answer = run_once(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["status"], "KERNEL_FAILED");
  EXPECT_EQ(answer.json["error_op"], 2);
  EXPECT_EQ(answer.json["error_code"], 42);
  const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
  EXPECT_EQ(line.faults.failing_ops.size(), 1U);
  EXPECT_EQ(line.ended.op, 2U);
}

/// States of op_states[], in the order of ops.
std::string states_of(const Json& answer) {
  std::string text;
  for (const Json& row : answer.at("op_states")) text += row.at("state").get<std::string>() + " ";
  return text;
}

bool has_line(const Answer& answer, const std::string& line) {
  return std::ranges::find(answer.lines, line) != answer.lines.end();
}

TEST(NativeRun, ARunThatFailedSaysWhereEachOpStood) {
  RunRequest request = native_of("chain:4", 1);
  fault_values(request, "fail_op") = {"2=42"};
  const Answer failed = run_once(request);
  EXPECT_EQ(states_of(failed.json), "done done failed waiting ");
  EXPECT_TRUE(has_line(failed, "states    2 done, 1 failed, 1 waiting"));
  const Json row = failed.json["op_states"][2];
  EXPECT_EQ(row["attempts"], 1);
  EXPECT_EQ(row["late"], false);
  EXPECT_EQ(row["worker"], 0);
  EXPECT_GE(row["end_ns"].get<std::int64_t>(), row["begin_ns"].get<std::int64_t>());
  EXPECT_TRUE(failed.json["op_states"][3]["begin_ns"].is_null());
  request.request.reproducible = true;
  EXPECT_FALSE(run_once(request).json["op_states"][2].contains("end_ns"));
  request.schedule.engine.workers = 2;  // what else has run depends on the machine
  EXPECT_FALSE(run_once(request).json.contains("op_states"));
}

TEST(NativeRun, ARunThatWasCancelledOrLateSaysWhereEachOpStood) {
  RunRequest hanging = native_of("chain:4", 1);
  fault_values(hanging, "hang_op") = {"1"};
  fault_values(hanging, "deadline_op") = {"5us"};
  const Answer late = run_once(hanging);
  EXPECT_EQ(states_of(late.json), "done running waiting waiting ");
  EXPECT_EQ(late.json["op_states"][1]["late"], true);
  EXPECT_TRUE(has_line(late, "states    1 done, 1 late, 2 waiting"));
  RunRequest cancelled = native_of("chain:4", 1);
  fault_values(cancelled, "cancel_at") = {"1"};
  const Answer ended = run_once(cancelled);
  EXPECT_EQ(states_of(ended.json), "done done cancelled cancelled ");
  EXPECT_TRUE(has_line(ended, "states    2 done, 2 cancelled"));
}

TEST(NativeRun, ARunThatFailsByItselfSaysWhereEachOpStood) {
  RunRequest request = native_of("chain:4", 2);
  const LoadedModel loaded = load("chain:4", {});
  harness::Run run;
  run.result.error = {.status = DETENT_KERNEL_FAILED,
                      .op = 1,
                      .other_op = DETENT_NONE,
                      .tensor = DETENT_NONE,
                      .other_tensor = DETENT_NONE,
                      .region = DETENT_NONE,
                      .code = 9};
  EXPECT_FALSE(refusal_of_run(request, loaded.desc(), run).answer.contains("op_states"));
  run.op_records.resize(4);
  run.op_records[0].state = DETENT_OP_DONE;
  run.op_records[1].state = DETENT_OP_FAILED;
  run.op_records[2].state = DETENT_OP_CANCELLED;
  run.op_records[2].ready_ps = UINT64_MAX;
  run.op_records[3].state = DETENT_OP_READY;
  run.op_records[3].worker = DETENT_NONE;
  const RunRefusal refusal = refusal_of_run(request, loaded.desc(), run);
  EXPECT_EQ(states_of(refusal.answer), "done failed cancelled ready ");
  EXPECT_TRUE(refusal.answer["op_states"][2]["ready_ns"].is_null());
  EXPECT_TRUE(refusal.answer["op_states"][3]["worker"].is_null());
  EXPECT_TRUE(refusal.text.ends_with("; ops: 1 done, 1 failed, 1 ready, 1 cancelled")) << refusal.text;
  request.request.reproducible = true;
  EXPECT_FALSE(refusal_of_run(request, loaded.desc(), run).answer.contains("op_states"));
}

TEST(NativeRun, ARunThatWentWellSaysNothingOfStates) {
  EXPECT_FALSE(run_once(native_of("diamond")).json.contains("op_states"));
  RunRequest request = native_of("chain:4", 1);
  request.faults.values[0] = {"2,9"};  // fails in its ninth call only, which never comes
  const Answer answer = run_once(request);
  EXPECT_FALSE(answer.json.contains("op_states"));
  for (const std::string& line : answer.lines) EXPECT_NE(line.rfind("states", 0), 0U) << line;
}

TEST(NativeRun, RawInputOfAnotherSizeIsRefusedWithBothSizes) {
  const auto path = std::filesystem::temp_directory_path() / "detent_native_run_input.bin";
  std::ofstream(path) << "abc";
  RunRequest request = native_of("diamond");
  request.inputs = {path.string()};
  try {
    static_cast<void>(run_once(request));
    ADD_FAILURE() << "three bytes were taken";
  } catch (const std::invalid_argument& refused) {
    EXPECT_EQ(
        std::string(refused.what()),
        path.string() +
            ": has 3 bytes, the model's inputs take 256; give a file with all of them, or NAME=FILE.npy for each");
  }
  std::filesystem::remove(path);
}

TEST(NativeRun, OutputHoldsTheModelsOutputs) {
  const auto path = std::filesystem::temp_directory_path() / "detent_native_run_output.bin";
  RunRequest request = native_of("diamond");
  request.outputs = {path.string()};
  static_cast<void>(run_once(request));
  EXPECT_GT(std::filesystem::file_size(path), 0U);
  request.faults.values[0] = {"1"};
  EXPECT_THROW(static_cast<void>(run_once(request)), std::invalid_argument);
  std::filesystem::remove(path);
}

TEST(NativeRun, RefusalOfTheRuntimeCarriesItsAnswer) {
  try {
    static_cast<void>(run_once(native_of("bad_cycle")));
    ADD_FAILURE() << "a cycle was run";
  } catch (const RunRefused& refused) {
    EXPECT_EQ(refused.answer()["schema"], "detent.run/1");
    EXPECT_NE(refused.answer()["status"], "OK");
    EXPECT_FALSE(refused.answer()["error"].get<std::string>().empty());
    EXPECT_EQ(std::string(refused.what()).rfind("bad_cycle: ", 0), 0U);
  }
}

TEST(NativeRun, PolicyGivenWithoutAnOrderIsRefused) {
  RunRequest request = native_of("diamond");
  request.schedule.engine.policy = "given";
  EXPECT_THROW(static_cast<void>(run_once(request)), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
