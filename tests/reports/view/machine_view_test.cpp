// What a run's machine trace becomes before it is printed: parts that exist, uses in order, samples in order.
#include "reports/view/machine_view.hpp"

#include <gtest/gtest.h>

namespace detent::reports {
namespace {

using harness::UseKind;

std::string uses_of(const harness::MachineTrace& machine) {
  std::string text;
  for (const harness::Use& use : machine.uses) {
    text += machine.resources.at(use.resource).name + " op" + std::to_string(use.op) + " " +
            std::to_string(use.begin_ps) + "-" + std::to_string(use.end_ps) + "\n";
  }
  return text;
}

std::string samples_of(const harness::MachineTrace& machine) {
  std::string text;
  for (const harness::Sample& sample : machine.samples) {
    text += machine.counters.at(sample.counter).name + " " + std::to_string(sample.time_ps) + ": " +
            std::to_string(sample.value) + "\n";
  }
  return text;
}

TimelineRun two_cores() {
  TimelineRun run;
  run.lanes = {"cpu0", "cpu1"};
  run.makespan_ps = 100;
  run.machine.resources = {{"cpu0", harness::ResourceKind::kCore}, {"cpu1", harness::ResourceKind::kCore}};
  return run;
}

TEST(MachineView, UsesAreOrderedAndClippedAtTheirPredecessorsAndTheEnd) {
  TimelineRun run = two_cores();
  const auto use = [](std::uint32_t resource, OpId op, std::uint64_t begin_ps, std::uint64_t end_ps) {
    return harness::Use{resource, UseKind::kOp, op, DETENT_NONE, begin_ps, end_ps};
  };
  run.machine.uses = {use(1, 0, 50, 120),    // over the end
                      use(0, 1, 30, 40),     // after op 2
                      use(0, 2, 10, 35),     //
                      use(0, 3, 20, 25),     // inside op 2: goes
                      use(1, 4, 0, 50),      //
                      use(2, 5, 0, 10),      // of no part
                      use(0, 6, 100, 110),   // nothing is left of it
                      use(0, 7, 40, 40),     // empty from the begin
                      use(1, 8, 101, 102)};  // after the end
  const harness::MachineTrace machine = machine_of(nullptr, run);
  EXPECT_EQ(uses_of(machine),
            "cpu1 op4 0-50\n"
            "cpu0 op2 10-35\n"
            "cpu0 op1 35-40\n"
            "cpu0 op7 40-40\n"
            "cpu1 op0 50-100\n");
}

TEST(MachineView, ReadyOpsAreCountedFromTheLog) {
  TimelineRun run = two_cores();
  const auto pushed = [](std::uint64_t time_ps, std::int32_t length) {
    return harness::Event{time_ps, 0, DETENT_EVENT_READY, 0, length};
  };
  run.trace.spans = {{0, 0, 5, 20, 0}, {1, 0, 30, 40, 1}, {2, 1, 30, 60, 2}, {3, 1, 70, 80, 3}};
  run.trace.events = {pushed(10, 1), pushed(20, 3), pushed(65, -4), pushed(101, 2)};
  EXPECT_EQ(samples_of(machine_of(nullptr, run)),
            "ready ops 5: 0\n"  // an op that nothing announced
            "ready ops 10: 1\n"
            "ready ops 20: 3\n"
            "ready ops 30: 2\n"
            "ready ops 30: 1\n"
            "ready ops 65: 0\n"
            "ready ops 70: 0\n");
  run.machine.counters = {{"ready ops", "entries"}};
  run.machine.samples = {{0, 7, 9}};
  EXPECT_EQ(samples_of(machine_of(nullptr, run)), "ready ops 7: 9\n") << "the chip's own count stays";
  run.machine.counters.clear();
  run.machine.samples.clear();
  run.trace.events = {{10, 0, DETENT_EVENT_OP_BEGIN, 0, 5}};
  EXPECT_TRUE(machine_of(nullptr, run).counters.empty()) << "the log tells of none";
}

TEST(MachineView, SamplesAndAccountsOfWhatExistsStayInOrder) {
  TimelineRun run = two_cores();
  run.machine.counters = {{"dram", "B/s"}, {"npu0 queue", "entries"}};
  run.machine.samples = {{1, 40, 1}, {0, 40, 2}, {0, 0, 3}, {2, 5, 4}, {0, 101, 5}, {1, 100, 6}};
  run.machine.accounts = {{.resource = 1, .dram_bytes = 7}, {.resource = 2, .dram_bytes = 9}};
  const harness::MachineTrace machine = machine_of(nullptr, run);
  EXPECT_EQ(samples_of(machine), "dram 0: 3\ndram 40: 2\nnpu0 queue 40: 1\nnpu0 queue 100: 6\n");
  ASSERT_EQ(machine.accounts.size(), 1U);
  EXPECT_EQ(machine.accounts[0].resource, 1U);
  ASSERT_NE(find_counter(machine, "npu0 queue"), nullptr);
  EXPECT_EQ(find_counter(machine, "npu0 queue")->unit, "entries");
  EXPECT_EQ(find_counter(machine, "npu0"), nullptr);
}

TEST(MachineView, ARunOfTheHostHasACoreForEachLaneWithSpans) {
  TimelineRun run;
  run.lanes = {"worker0", "worker1", "worker2"};
  run.makespan_ps = 50;
  run.trace.spans = {{0, 0, 0, 20, 0}, {1, 2, 10, 60, 1}};  // the last ends after the makespan
  const harness::MachineTrace machine = machine_of(nullptr, run);
  EXPECT_EQ(uses_of(machine), "worker0 op0 0-20\nworker2 op1 10-60\n");
  for (const harness::Resource& one : machine.resources) EXPECT_EQ(one.kind, harness::ResourceKind::kCore);
}

TEST(MachineView, DramIsCountedWhereItHasACounter) {
  harness::MachineTrace machine;
  EXPECT_FALSE(counts_dram(machine));
  for (const auto& [name, counts] : {std::pair("dram", true), std::pair("dram cpu0", true), std::pair("drama", false),
                                     std::pair("npu0 queue", false)}) {
    machine.counters = {{name, ""}};
    EXPECT_EQ(counts_dram(machine), counts) << name;
  }
}

TEST(MachineView, TotalsOfTheDramAreSumPeakAndMean) {
  harness::MachineTrace machine;
  machine.counters = {{"dram cpu0", "B/s"}, {"dram", "B/s"}};
  machine.samples = {{0, 0, 900}, {1, 0, 100}, {1, 5, 300}, {1, 9, 200}, {2, 0, 1000}};
  machine.accounts = {{.resource = 0, .dram_bytes = 700}, {.resource = 1, .dram_bytes = 300}};
  const DramTotals totals = dram_totals(machine, 3'000);
  EXPECT_EQ(totals.bytes, 1'000U);
  EXPECT_EQ(totals.peak_bytes_per_s, 300U);
  EXPECT_EQ(totals.mean_bytes_per_s, 333'333'333'333U);
  EXPECT_EQ(dram_totals(machine, 0).mean_bytes_per_s, 0U);
}

}  // namespace
}  // namespace detent::reports
