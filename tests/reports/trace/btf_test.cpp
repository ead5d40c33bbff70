// trace.btf: a state machine over every record, on sample, random and cut traces; planted faults are reported.
#include "reports/trace/btf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "reports/trace/btf_plan.hpp"
#include "tests/effort.hpp"
#include "tests/reports/samples/machine.hpp"
#include "tests/reports/trace/btf_check.hpp"

namespace detent::reports {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (std::size_t i = 0; i < std::min<std::size_t>(lines.size(), 8); ++i) out += lines[i] + "\n";
  return out;
}

std::size_t count_events(const BtfFile& file, const std::string& type, const std::string& event) {
  return static_cast<std::size_t>(
      std::ranges::count_if(file.records, [&](const BtfRecord& r) { return r.type == type && r.event == event; }));
}

TEST(Btf, TheChipKeepsAllStateMachines) {
  const samples::Sample sample = samples::chip();
  const BtfFile file = check_btf(btf_trace(sample.data));
  EXPECT_EQ(joined(file.violations), "");
  EXPECT_EQ(file.header.at("timeScale"), "ps");
  std::set<std::string> cores, tasks;
  for (const BtfRecord& r : file.records) {
    if (r.type == "C") cores.insert(r.target);
    if (r.type == "T") tasks.insert(r.target);
  }
  EXPECT_EQ(cores, (std::set<std::string>{"Core_cpu0", "Core_cpu1", "Core_cpu2", "Core_cpu3", "Core_npu0"}));
  EXPECT_TRUE(tasks.contains("TASK_worker0"));
  EXPECT_TRUE(tasks.contains("TASK_worker4"));
  EXPECT_TRUE(tasks.contains("TASK_load_1_radar__interrupt")) << "a comma in the name of a load";
}

TEST(Btf, EveryOpIsARunnableWithItsExactTimes) {
  const samples::Sample sample = samples::chip();
  const TimelineRun& run = sample.data.timelines[0];
  const BtfFile file = check_btf(btf_trace(sample.data));
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint64_t>> times;
  for (const BtfRecord& r : file.records) {
    if (r.type != "R" || !r.target.starts_with("op")) continue;
    const auto op = static_cast<std::uint32_t>(std::stoul(r.target.substr(2)));
    if (r.event == "start") times[op].first = r.time;
    if (r.event == "terminate") times[op].second = r.time;
  }
  EXPECT_EQ(times.size(), run.trace.spans.size());
  for (const harness::Span& span : run.trace.spans) {
    EXPECT_EQ(times[span.op], std::pair(span.begin_ps, span.end_ps)) << span.op;
  }
}

TEST(Btf, BurstsPreemptTheWorkerAndSuspendItsOp) {
  const samples::Sample sample = samples::chip();
  const auto& uses = sample.data.timelines[0].machine.uses;
  const auto bursts = static_cast<std::size_t>(
      std::ranges::count_if(uses, [](const harness::Use& use) { return use.kind == harness::UseKind::kLoad; }));
  ASSERT_GT(bursts, 3U);
  const BtfFile file = check_btf(btf_trace(sample.data));
  EXPECT_EQ(count_events(file, "T", "preempt"), bursts);
  EXPECT_EQ(count_events(file, "R", "suspend"), bursts);
  EXPECT_EQ(count_events(file, "R", "resume"), bursts);
}

TEST(Btf, CoresExecuteExactlyWhileTheyAreUsed) {
  const samples::Sample sample = samples::chip();
  const harness::MachineTrace& machine = sample.data.timelines[0].machine;
  const BtfFile file = check_btf(btf_trace(sample.data));
  for (std::uint32_t core = 0; core < 5; ++core) {
    std::uint64_t used = 0;
    for (const harness::Use& use : machine.uses) used += use.resource == core ? use.end_ps - use.begin_ps : 0;
    std::uint64_t executed = 0;
    for (const BtfRecord& r : file.records) {
      if (r.type == "C" && r.target == "Core_" + machine.resources[core].name) {
        executed += r.event == "idle" ? r.time : -r.time;
      }
    }
    EXPECT_EQ(executed, used) << machine.resources[core].name;
  }
}

TEST(Btf, TensorsAreSignalsReadAtTheBeginAndWrittenAtTheEnd) {
  const samples::Sample sample = samples::chip();
  const BtfFile file = check_btf(btf_trace(sample.data));
  std::size_t reads = 0, writes = 0;
  for (const auto& list : sample.tables->reads) reads += list.size();
  for (const auto& list : sample.tables->writes) writes += list.size();
  EXPECT_EQ(count_events(file, "SIG", "read"), reads);
  EXPECT_EQ(count_events(file, "SIG", "write"), writes);
}

TEST(Btf, TagsSayWhatRepeatsTheRun) {
  const std::string text = btf_trace(samples::chip().data);
  EXPECT_NE(text.find("0,SIM,0,SIM,SIM,0,tag,model detector\n"), std::string::npos);
  EXPECT_NE(text.find(",tag,seed 8\n"), std::string::npos);
  EXPECT_NE(text.find(",tag,digest 8f1c03d95ab7e244\n"), std::string::npos);
}

TEST(Btf, RandomMachinesKeepAllStateMachines) {
  for (std::uint32_t seed = 1; seed <= effort(150U); ++seed) {
    const samples::Sample sample = samples::random_machine(seed, 1 + seed % 7, 20 + seed % 200);
    const BtfFile file = check_btf(btf_trace(sample.data));
    ASSERT_EQ(joined(file.violations), "") << "seed " << seed;
    std::size_t delays = 0;
    for (const std::uint32_t flag : sample.tables->flags) delays += flag == DETENT_OP_DELAY ? 1U : 0U;
    std::size_t ended = 0;
    for (const BtfRecord& r : file.records) ended += r.target.starts_with("op") && r.event == "terminate" ? 1U : 0U;
    ASSERT_EQ(ended + delays, sample.tables->flags.size()) << "seed " << seed;
  }
}

TEST(Btf, WithoutAMachineEachLaneIsACore) {
  const samples::Sample sample = samples::detector();
  const BtfFile file = check_btf(btf_trace(sample.data));
  EXPECT_EQ(joined(file.violations), "");
  EXPECT_GT(count_events(file, "C", "execute"), 20U);
  EXPECT_EQ(count_events(file, "T", "preempt"), 0U);
}

TEST(Btf, UsesThatOverlapAreClippedAndStayLegal) {
  samples::Sample sample = samples::random_machine(3, 3, 60);
  for (harness::Use& use : sample.data.timelines[0].machine.uses) use.end_ps += 37;
  sample.data.timelines[0].machine.uses.push_back({99, harness::UseKind::kOp, 0, DETENT_NONE, 0, 5});
  EXPECT_EQ(joined(check_btf(btf_trace(sample.data)).violations), "");
}

TEST(Btf, B14_HostileNamesStayOneField) {
  const BtfFile file = check_btf(btf_trace(samples::hostile_names().data));
  EXPECT_EQ(joined(file.violations), "");
  std::set<std::string> ops;
  for (const BtfRecord& r : file.records) {
    if (r.type == "R") ops.insert(r.target);
    EXPECT_LE(r.target.size(), 120U);
  }
  EXPECT_EQ(ops.size(), 4U);
}

TEST(Btf, EmptyRunGivesAHeaderAndTags) {
  const BtfFile file = check_btf(btf_trace(samples::empty().data));
  EXPECT_EQ(joined(file.violations), "");
  EXPECT_EQ(file.records.size(), 2U);
}

TEST(Btf, LongRunsCountNanoseconds) {
  samples::Sample sample = samples::random_machine(5, 2, 40);
  TimelineRun& run = sample.data.timelines[0];
  const std::uint64_t scale = UINT64_MAX / run.makespan_ps;
  for (harness::Use& use : run.machine.uses) {
    use.begin_ps *= scale;
    use.end_ps *= scale;
  }
  for (harness::Span& span : run.trace.spans) {
    span.begin_ps *= scale;
    span.end_ps *= scale;
  }
  run.makespan_ps *= scale;
  const BtfFile file = check_btf(btf_trace(sample.data));
  EXPECT_EQ(joined(file.violations), "");
  EXPECT_EQ(file.header.at("timeScale"), "ns");
}

TEST(Btf, LimitCutsTheEndWithANote) {
  for (const std::size_t limit : {0U, 100U, 500U, 1500U}) {
    const std::string text = btf_trace(samples::random_machine(9, 4, 300).data, limit);
    const BtfFile file = check_btf(text);
    EXPECT_EQ(joined(file.violations), "") << limit;
    EXPECT_LE(file.records.size(), limit + 20);
    EXPECT_NE(text.find("tag,truncated: "), std::string::npos) << limit;
  }
}

TEST(Btf, ALimitKeepsWhatFitsIntoItExactly) {
  const samples::Sample sample = samples::random_machine(9, 4, 300);
  const TimelineRun& run = sample.data.timelines.front();
  const auto left_out = [&](std::size_t limit) { return plan_btf(nullptr, run, limit).left_out; };
  const std::size_t uses = plan_btf(nullptr, run, SIZE_MAX).uses.size();
  ASSERT_GT(uses, 10U);
  // Without a description every use counts for twelve records.
  EXPECT_EQ(left_out(12 * uses), 0U);
  EXPECT_EQ(left_out(12 * uses - 1), 1U);
  EXPECT_EQ(left_out(12 * (uses - 1)), 1U);
  EXPECT_EQ(left_out(12), uses - 1);
  EXPECT_EQ(left_out(11), uses);
}

TEST(Btf, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(btf_trace(samples::random_machine(4, 4, 200).data), btf_trace(samples::random_machine(4, 4, 200).data));
}

/// The trace with the `n`-th record that holds `mark` replaced (empty: removed).
std::string planted(const std::string& text, const std::string& mark, const std::string& replacement) {
  const std::size_t at = text.find(mark, text.size() / 2);
  EXPECT_NE(at, std::string::npos) << mark;
  const std::size_t begin = text.rfind('\n', at) + 1;
  const std::size_t end = text.find('\n', at) + 1;
  return text.substr(0, begin) + replacement + text.substr(end);
}

TEST(BtfChecker, PlantedViolationsAreReported) {
  const std::string text = btf_trace(samples::chip().data);
  ASSERT_EQ(joined(check_btf(text).violations), "");
  for (const char* mark : {",resume\n", ",preempt\n", ",wait\n", ",release\n", ",terminate\n", ",activate\n",
                           ",suspend\n", ",idle\n", ",execute\n", ",trigger\n"}) {
    EXPECT_FALSE(check_btf(planted(text, mark, "")).violations.empty()) << "without one" << mark;
  }
  for (const char* line :
       {"0,Core_cpu0,0,C,Core_cpu0,0,idle\n", "99999999999999,STI_a,0,STI,STI_b,0,trigger\n",
        "99999999999999,TASK_x,0,R,op9_x,0,start\n", "99999999999999,Core_cpu0,0,T,worker,0,start\n",
        "99999999999999,Core_cpu0,0,T,TASK_worker0,0,start\n", "1.5,Core_cpu0,0,C,Core_cpu0,0,idle\n",
        "99999999999999,Core,cpu0,0,C,Core_cpu0,0,idle,a,b\n", "99999999999999,TASK_x,0,SIG,sid_1,0,read\n",
        "99999999999999,TASK_x,0,SEM,mutex,0,released\n", "99999999999999,SIM,0,SIM,SIM,0,tag\n"}) {
    EXPECT_FALSE(check_btf(text + line).violations.empty()) << line;
  }
  EXPECT_FALSE(check_btf("#version 2.1\n#timeScale ps\n").violations.empty());
  EXPECT_FALSE(check_btf("#version 2.2.1\n#timeScale minutes\n").violations.empty());
}

TEST(BtfChecker, TwoTasksOnOneCoreAndCrossedRunnablesAreReported) {
  const std::string head =
      "#version 2.2.1\n#timeScale ps\n0,STI,0,STI,STI,0,trigger\n0,STI,0,T,TASK_a,0,activate\n"
      "0,STI,0,T,TASK_b,0,activate\n1,Core0,0,T,TASK_a,0,start\n1,Core0,0,C,Core0,0,execute\n";
  const std::string tail = "9,Core0,0,T,TASK_a,0,terminate\n9,Core0,0,C,Core0,0,idle\n";
  EXPECT_EQ(joined(check_btf(head + tail).violations), "");
  EXPECT_FALSE(check_btf(head + "2,Core0,0,T,TASK_b,0,start\n" + tail).violations.empty());
  const std::string nested = "2,TASK_a,0,R,x,0,start\n3,TASK_a,0,R,y,0,start\n";
  EXPECT_EQ(
      joined(check_btf(head + nested + "4,TASK_a,0,R,y,0,terminate\n5,TASK_a,0,R,x,0,terminate\n" + tail).violations),
      "");
  EXPECT_FALSE(
      check_btf(head + nested + "4,TASK_a,0,R,x,0,terminate\n5,TASK_a,0,R,y,0,terminate\n" + tail).violations.empty());
  EXPECT_FALSE(check_btf(head + nested + tail).violations.empty());
}

}  // namespace
}  // namespace detent::reports
