#include "app/runs/native_run.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "app/replay/replay_line.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

RunRequest native_of(const std::string& model, std::uint32_t workers = 2) {
  RunRequest made;
  made.request.model = model;
  made.schedule.engine.workers = workers;
  return made;
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
  EXPECT_TRUE(measured.json.contains("host"));
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
  request.faults.values[0] = {"2=42"};  // fail_op
  const Answer answer = run_once(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json["status"], "KERNEL_FAILED");
  EXPECT_EQ(answer.json["error_op"], 2);
  EXPECT_EQ(answer.json["error_code"], 42);
  const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
  EXPECT_EQ(line.faults.failing_ops.size(), 1U);
  EXPECT_EQ(line.ended.op, 2U);
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
