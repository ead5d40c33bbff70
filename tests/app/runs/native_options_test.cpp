#include <gtest/gtest.h>

#include "app/catalogue/catalogue.hpp"
#include "app/replay/replay_line.hpp"
#include "app/runs/native_run.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

RunRequest reproducible_run_of(const std::string& model, std::uint32_t workers = 2) {
  RunRequest made;
  made.request.model = model;
  made.request.reproducible = true;
  made.schedule.engine.workers = workers;
  return made;
}

std::string run_refusal(const RunRequest& request) {
  return refusal_of([&] { return run_once(request); });
}

TEST(NativeOptions, LinesSayWhatTheJsonSays) {
  expect_golden(text_of(run_once(reproducible_run_of("diamond"))), "app/runs/golden/diamond.txt");
}

TEST(NativeOptions, PoliciesAndSchedulersGiveTheSameBytes) {
  const std::string digest = run_once(reproducible_run_of("diamond")).json["digest"];
  for (const char* policy : {"id", "priority", "critical-path", "random"}) {
    for (const detent_scheduler scheduler : {DETENT_SCHEDULER_ROLE, DETENT_SCHEDULER_THREAD}) {
      RunRequest request = reproducible_run_of("diamond");
      request.schedule.engine.policy = policy;
      request.schedule.engine.scheduler = scheduler;
      const Answer answer = run_once(request);
      EXPECT_EQ(answer.json["digest"], digest) << policy << " " << scheduler;
      const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
      EXPECT_EQ(line.engine.policy, policy);
      EXPECT_EQ(line.engine.scheduler, scheduler);
    }
  }
}

TEST(NativeOptions, ARunOnRawInputHasNoLineAsALineCannotSayItsBytes) {
  const TemporaryDirectory place;
  RunRequest request = reproducible_run_of("chain:3");
  const Answer seeded = run_once(request);
  EXPECT_TRUE(seeded.json.contains("replay"));
  request.inputs = {place.write("input", std::string(256, '\0'))};
  const Answer raw = run_once(request);
  EXPECT_NE(raw.json["digest"], seeded.json["digest"]);
  EXPECT_FALSE(raw.json.contains("replay"));
  expect_same_answer(raw, run_once(request));
}

TEST(NativeOptions, LineContainsAGivenOrder) {
  const TemporaryDirectory place;
  RunRequest request = reproducible_run_of("diamond", 0);
  request.schedule.engine.policy = "given";
  EXPECT_EQ(run_refusal(request), "--policy given: add --order FILE");
  request.schedule.order_file = place.write("order", "0 2 1 3");
  const ReplayLine line = parse_replay_line(run_once(request).json["replay"].get<std::string>());
  EXPECT_EQ(line.engine.order, (std::vector<std::uint32_t>{0, 2, 1, 3}));
}

TEST(NativeOptions, LineContainsAGivenSpinLimit) {
  RunRequest request = reproducible_run_of("diamond");
  const auto line_of_run = [&] { return parse_replay_line(run_once(request).json["replay"].get<std::string>()); };
  EXPECT_EQ(line_of_run().engine.spin_limit, std::nullopt);
  for (const std::uint32_t limit : {0U, 7U}) {
    request.schedule.engine.spin_limit = limit;
    EXPECT_EQ(line_of_run().engine.spin_limit, limit);
  }
}

TEST(NativeOptions, WorkersBeyondTheRuntimesAreRefused) {
  for (const std::uint32_t workers : {DETENT_MAX_WORKERS + 1U, UINT32_MAX}) {
    EXPECT_EQ(run_refusal(reproducible_run_of("diamond", workers)).rfind("diamond: ", 0), 0U);
  }
}

TEST(NativeOptions, UnknownWordsAreRefused) {
  EXPECT_NE(run_refusal(reproducible_run_of("nothing")), "");
  RunRequest request = reproducible_run_of("diamond");
  request.schedule.engine.policy = "best";
  EXPECT_NE(run_refusal(request), "");
}

TEST(NativeOptions, OutputThatCannotBeWrittenIsRefusedAndAnOldOneIsReplacedWhole) {
  const TemporaryDirectory place;
  RunRequest request = reproducible_run_of("chain:3");
  request.outputs = {place.file("missing/output")};
  EXPECT_NE(run_refusal(request), "");
  EXPECT_EQ(place.file_count(), 0U);
  request.outputs = {place.write("output", std::string(10'000, 'x'))};
  static_cast<void>(run_once(request));
  const std::string bytes = bytes_of(request.outputs.front());
  EXPECT_LT(bytes.size(), 10'000U);
  EXPECT_EQ(bytes.find("xxxx"), std::string::npos);
  EXPECT_EQ(place.file_count(), 1U) << "no temporary file is left";
}

TEST(NativeOptions, SplitOpsAreCountedAndNamedInTheLine) {
  RunRequest request = reproducible_run_of("branchnet");
  const Answer whole = run_once(request);
  request.model.split = 2;
  const Answer split = run_once(request);
  EXPECT_GT(split.json["ops"].size(), whole.json["ops"].size());
  EXPECT_EQ(split.json["split"], 2);
  EXPECT_EQ(parse_replay_line(split.json["replay"].get<std::string>()).split, 2U);
}

}  // namespace
}  // namespace detent::app
