#include "app/replay/fault_tally.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "harness/run.hpp"
#include "harness/run_native.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

/// One worker: which ops begin, and in which order, is the same in every run.
harness::FaultRecord record_of(const LoadedModel& loaded, const harness::Faults& faults) {
  harness::NativeOptions options{.engine = {.workers = 1}, .faults = faults};
  return *harness::run_native(loaded.desc(), options).faults;
}

FaultTally tally_of(const LoadedModel& loaded, const harness::Faults& faults) {
  return {loaded.desc(), faults, digest_without_faults(loaded, 0)};
}

bool has_line(const Lines& lines, const std::string& text) { return std::ranges::count(lines, text) != 0; }

TEST(DigestWithoutFaults, IsTheOneOfTheSerialRun) {
  const LoadedModel loaded = load("diamond", {});
  const std::uint64_t serial =
      harness::run_native(loaded.desc(), {.engine = {.workers = 0}, .seeds = {.input = 3}}).digest;
  EXPECT_EQ(digest_without_faults(loaded, 3), serial);
  EXPECT_NE(digest_without_faults(loaded, 4), serial);
}

TEST(DigestWithoutFaults, IsUnknownWhereTheScheduleDecidesTheBytes) {
  EXPECT_FALSE(digest_without_faults(load("bad_reuse_war", {}), 0));
}

TEST(FaultTally, KernelThatFailsIsAnsweredAndItsOpAndCodeAreNamed) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_ops = {{.op = 1, .code = 42}}};
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record_of(loaded, faults));
  EXPECT_EQ(tally.outcome(), Outcome::kHolds);
  Json answer;
  tally.add_to(answer, true);
  EXPECT_EQ(answer["status"], "KERNEL_FAILED");
  EXPECT_EQ(answer["error_op"], 1);
  EXPECT_EQ(answer["error_code"], 42);
  EXPECT_EQ(answer["statuses"], (Json{{"KERNEL_FAILED", 1}}));
  EXPECT_EQ(answer["again"]["status"], "OK");
  EXPECT_EQ(answer["again"]["ops"], loaded.desc().op_count);
  EXPECT_EQ(answer["again"]["digest"], harness::format_digest(*digest_without_faults(loaded, 0)));
  EXPECT_TRUE(answer["in_flight"].empty());
}

TEST(FaultTally, OpsAreLeftOutWhereTimingDecidesThem) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_ops = {{.op = 0}}};
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record_of(loaded, faults));
  Json answer;
  tally.add_to(answer, false);
  EXPECT_FALSE(answer.contains("began"));
  EXPECT_FALSE(answer.contains("in_flight"));
  ReplayLine line;
  tally.describe_in(line, false);
  EXPECT_TRUE(line.ended.began.empty());
  tally.describe_in(line, true);
  EXPECT_EQ(line.ended.began, std::vector<std::uint32_t>{0});
}

TEST(FaultTally, RunWithOtherBytesAfterTheResetIsAViolation) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_ops = {{.op = 1}}};
  harness::FaultRecord record = record_of(loaded, faults);
  *record.again->digest ^= 1U;
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record);
  EXPECT_EQ(tally.outcome(), Outcome::kViolated);
  ASSERT_FALSE(tally.verdict().witnesses.empty());
}

TEST(FaultTally, ViolatedRunIsShownWhateverCameBefore) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_ops = {{.op = 1}}};
  const harness::FaultRecord good = record_of(loaded, faults);
  harness::FaultRecord bad = good;
  bad.again->status = DETENT_BUSY;
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, good);
  tally.add(1, bad);
  tally.add(2, good);
  EXPECT_EQ(tally.shown_run(), 1U);
  EXPECT_EQ(tally.outcome(), Outcome::kViolated);
  const Lines lines = tally.lines();
  EXPECT_TRUE(has_line(lines, "status    KERNEL_FAILED in 3 of 3 runs"));
  const bool names_run =
      std::ranges::any_of(lines, [](const std::string& line) { return line.rfind("status    run 1: ", 0) == 0; });
  EXPECT_TRUE(names_run);
}

TEST(FaultTally, FirstRunThatDidNotEndWellIsShownWhereNoneIsViolated) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults never_met{.failing_ops = {{.op = 1, .calls = {.first = 9}}}};
  const harness::FaultRecord fine = record_of(loaded, never_met);
  ASSERT_EQ(fine.error.status, DETENT_OK);
  FaultTally tally(loaded.desc(), {.failing_ops = {{.op = 1}}}, digest_without_faults(loaded, 0));
  const harness::FaultRecord failed = record_of(loaded, {.failing_ops = {{.op = 1}}});
  tally.add(4, failed);
  tally.add(5, failed);
  EXPECT_EQ(tally.shown_run(), 4U);
}

TEST(FaultTally, FaultThatNeverTookPlaceIsUnknown) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_ops = {{.op = 1, .calls = {.first = 9}}}};
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record_of(loaded, faults));
  EXPECT_EQ(tally.outcome(), Outcome::kUnknown);
  ReplayLine line;
  line.digest = "stale";
  tally.describe_in(line, true);
  EXPECT_TRUE(line.faults.failing_ops.empty()) << "the shown run did not meet it";
  EXPECT_EQ(line.ended, RunEnd{}) << "a run without faults";
  EXPECT_EQ(line.digest, harness::format_digest(*digest_without_faults(loaded, 0)));
}

/// The model has four ops, and the second call of its cores fails in the run after a whole one.
TEST(FaultTally, CallsOfADeviceAreNamedWithTheirOpsAndCountedFromTheRunOnInTheLine) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_devices = {{.device = "cpu", .calls = {.first = 2}, .code = 5}}};
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record_of(loaded, faults));
  EXPECT_EQ(tally.outcome(), Outcome::kHolds);
  Json answer;
  tally.add_to(answer, true);
  const auto op = answer["began"][1].get<std::uint32_t>();
  EXPECT_EQ(answer["device_faults"], Json::array({{{"device", "cpu"}, {"call", 2}, {"op", op}}}));
  EXPECT_EQ(answer["error_op"], op);
  EXPECT_EQ(answer["error_code"], 5);
  EXPECT_TRUE(has_line(tally.lines(), "devices   cpu: call 2 is op " + std::to_string(op)));
  Json without_ops;
  tally.add_to(without_ops, false);
  EXPECT_FALSE(without_ops.contains("device_faults")) << "the host's timing decides which op it is";

  harness::FaultRecord later = record_of(loaded, faults);
  for (harness::FaultEvent& event : later.events) event.device_call += event.device_call != 0 ? 4 : 0;
  FaultTally campaign = tally_of(loaded, {.failing_devices = {{.device = "cpu", .calls = {.first = 6}, .code = 5}}});
  campaign.add(1, later);
  ReplayLine line;
  campaign.describe_in(line, true);
  EXPECT_EQ(line.faults, faults);
}

TEST(FaultTally, RunThatSurvivesAFaultIsShownBeforeOneWithoutAny) {
  const LoadedModel loaded = load("fallback", {});
  const harness::Faults faults{.failing_devices = {{.device = "npu", .calls = {.first = 2}}}};
  const harness::FaultRecord whole = record_of(loaded, {.failing_devices = {{.device = "npu", .calls = {.first = 3}}}});
  const harness::FaultRecord survived = record_of(loaded, faults);
  ASSERT_EQ(survived.error.status, DETENT_OK);
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, whole);
  tally.add(1, survived);
  tally.add(2, survived);
  tally.add(3, whole);
  EXPECT_EQ(tally.shown_run(), 1U);
  EXPECT_EQ(tally.outcome(), Outcome::kHolds);
  EXPECT_EQ(tally.shown().device_faults().size(), 1U);
}

TEST(FaultTally, DeviceThatIsNotCalledThatOftenIsUnknown) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{
      .late_devices = {{.device = "cpu", .calls = {.first = 5, .onward = true}, .delay_ps = 9}}};
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record_of(loaded, faults));
  EXPECT_EQ(tally.outcome(), Outcome::kUnknown);
  EXPECT_TRUE(has_line(tally.lines(), "devices   none of their calls"));
}

TEST(FaultTally, DeadlineThatAnOpMissesByItselfIsAViolation) {
  const LoadedModel loaded = load("diamond", {});
  harness::FaultRecord record = record_of(loaded, {.failing_ops = {{.op = 1}}});
  record.error = {};
  record.error.status = DETENT_TIMEOUT;
  record.error.op = 2;
  FaultTally tally(loaded.desc(), {.op_deadline_ps = 5'000'000}, std::nullopt);
  tally.add(0, record);
  EXPECT_TRUE(tally.missed_deadline());
  EXPECT_EQ(tally.outcome(), Outcome::kViolated);
  EXPECT_TRUE(has_line(tally.lines(), "VIOLATED: an op ran past the deadline of 5us"));
}

TEST(FaultTally, LineRepeatsWhatItDescribes) {
  const LoadedModel loaded = load("diamond", {});
  const harness::Faults faults{.failing_ops = {{.op = 2, .code = -7}}};
  FaultTally tally = tally_of(loaded, faults);
  tally.add(0, record_of(loaded, faults));
  ReplayLine line;
  line.model = "diamond";
  line.engine.workers = 1;
  tally.describe_in(line, true);
  const ReplayLine back = parse_replay_line(format_replay_line(line));
  EXPECT_EQ(back, line);
  FaultTally repeated = tally_of(loaded, back.faults);
  repeated.add(0, record_of(loaded, back.faults));
  ReplayLine again = back;
  repeated.describe_in(again, true);
  EXPECT_EQ(again, line);
}

}  // namespace
}  // namespace detent::app
