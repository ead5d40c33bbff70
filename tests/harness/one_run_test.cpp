// Faults of a campaign as those of one of its runs.
#include "harness/faults/one_run.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/verify/random_graph.hpp"

namespace detent::harness {
namespace {

using Kind = FaultEvent::Kind;

/// A run whose three ops are calls 5 to 7 of class "cpu"; op 1 failed with 9. "npu" was not called.
class FaultsOfOneRun : public ::testing::Test {
 protected:
  FaultsOfOneRun() : tables_(make_spec()) {
    for (std::uint32_t op = 0; op < 3; ++op) {
      record_.events.push_back({.kind = Kind::kBegin, .op = op, .device_call = 5 + op});
      record_.events.push_back({.kind = Kind::kEnd, .op = op, .code = op == 1 ? 9 : 0});
    }
  }
  static verify::testing::GraphSpec make_spec() {
    verify::testing::GraphSpec spec = verify::testing::make_ops(3);
    spec.classes = {{"cpu", DETENT_CLASS_WORKERS}, {"npu", DETENT_CLASS_WORKERS}};
    return spec;
  }
  [[nodiscard]] std::string words(const Faults& faults) const {
    return format_faults(faults_of_one_run(faults, tables_.desc, record_));
  }
  [[nodiscard]] std::string calls_of_cpu(const Calls& calls) const {
    return words({.failing_devices = {{.device = "cpu", .calls = calls}}});
  }

  verify::testing::DescTables tables_;
  FaultRecord record_;
};

TEST_F(FaultsOfOneRun, CallsOfADeviceAreCountedFromTheRunsBegin) {
  EXPECT_EQ(calls_of_cpu({}), "--fail-device cpu");
  EXPECT_EQ(calls_of_cpu({.first = 4}), "");
  EXPECT_EQ(calls_of_cpu({.first = 5}), "--fail-device cpu,1");
  EXPECT_EQ(calls_of_cpu({.first = 7}), "--fail-device cpu,3");
  EXPECT_EQ(calls_of_cpu({.first = 8}), "");
}

TEST_F(FaultsOfOneRun, DeviceThatDiedEarlierFailsInEveryCall) {
  EXPECT_EQ(calls_of_cpu({.first = 1, .onward = true}), "--fail-device cpu");
  EXPECT_EQ(calls_of_cpu({.first = 4, .onward = true}), "--fail-device cpu");
  EXPECT_EQ(calls_of_cpu({.first = 5, .onward = true}), "--fail-device cpu,1+");
  EXPECT_EQ(calls_of_cpu({.first = 7, .onward = true}), "--fail-device cpu,3+");
  EXPECT_EQ(calls_of_cpu({.first = 8, .onward = true}), "");
}

TEST_F(FaultsOfOneRun, TheLastOfSeveralThatAreAboutEveryCallIsKept) {
  EXPECT_EQ(words({.late_devices = {{.device = "cpu", .delay_ps = 1},
                                    {.device = "cpu", .calls = {.first = 2, .onward = true}, .delay_ps = 2},
                                    {.device = "cpu", .calls = {.first = 4, .onward = true}, .delay_ps = 3},
                                    {.device = "cpu", .calls = {.first = 6}}}}),
            "--late-device cpu=3ps --hang-device cpu,2");
}

TEST_F(FaultsOfOneRun, DeviceThatWasNotCalledHasNoCallsThatCanBeNamed) {
  EXPECT_EQ(words({.failing_devices = {{.device = "npu"}, {.device = "npu", .calls = {.first = 1, .onward = true}}}}),
            "--fail-device npu");
}

TEST_F(FaultsOfOneRun, FailureOfOneCallOfAnOpIsOneOfTheOnlyCall) {
  EXPECT_EQ(words({.failing_ops = {{.op = 1, .calls = {.first = 4}, .code = 9}, {.op = 2, .calls = {.first = 4}}}}),
            "--fail-op 1=9");
  EXPECT_EQ(words({.failing_ops = {{.op = 1, .calls = {.first = 2, .onward = true}, .code = 9}}}), "--fail-op 1=9");
  EXPECT_EQ(words({.failing_ops = {{.op = 1, .code = 3}, {.op = 1, .calls = {.first = 4}, .code = 9}}}),
            "--fail-op 1=9")
      << "the call that is named counts before every call";
}

TEST_F(FaultsOfOneRun, WhatIsNotAboutCallsStays) {
  const Faults faults{.late_ops = {{.op = 2}},
                      .answered_twice = {0},
                      .cancel_at = CancelAt{.moment = CancelAt::Moment::kOpEnd, .op = 1},
                      .op_deadline_ps = 5};
  EXPECT_EQ(faults_of_one_run(faults, tables_.desc, record_), faults);
}

}  // namespace
}  // namespace detent::harness
