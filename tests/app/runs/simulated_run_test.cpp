#include "app/runs/simulated_run.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>
#include <string>

#include "app/replay/replay_line.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

Answer simulated(SimulateRequest wanted) {
  const sim::Platform platform = simulated_platform(wanted.simulation);
  wanted.model.accelerator = accelerator_of(wanted.simulation, platform);
  const LoadedModel loaded = load(wanted.request.model, wanted.model);
  CampaignPart part(wanted.campaign, wanted.simulation.runs, loaded.desc().op_count, "");
  return simulate(wanted, loaded, platform, &part, {});
}

SimulateRequest simulation_of(const std::string& model) {
  SimulateRequest made;
  made.request.model = model;
  made.simulation.cores = "2";
  made.simulation.runs = 5;
  return made;
}

TEST(SimulatedRun, EqualSeedsGiveEqualAnswers) {
  SimulateRequest request = simulation_of("diamond");
  const Answer answer = simulated(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(answer.json, simulated(request).json);
  EXPECT_EQ(answer.lines, simulated(request).lines);
  request.request.seeds.schedule = 1;
  EXPECT_NE(answer.json["makespan_ps"], simulated(request).json["makespan_ps"]);
}

TEST(SimulatedRun, AClockThatEndsSaysNothingOfTheModel) {
  const TempDirectory directory;
  const std::string file = (directory.path() / "long.json").string();
  std::ofstream(file) << R"({"schema": "detent.graph/1", "ops": [{"id": 0, "time_ps": 4611686018427387904}]})";
  SimulateRequest request = simulation_of(file);
  request.simulation.runs = 5;
  const Answer answer = simulated(request);
  EXPECT_EQ(answer.outcome, Outcome::kUnknown);
  EXPECT_EQ(answer.json["status"], "LIMIT");
  EXPECT_EQ(
      answer.lines.back(),
      "UNKNOWN: the clock of the simulation passes 2^64 ps in run 3; simulate fewer runs at once, or shorten op times");
}

TEST(SimulatedRun, AnOutputThatDependsOnTheScheduleIsAViolation) {
  SimulateRequest request = simulation_of("bad_reuse_waw");
  request.schedule.engine.policy = "random";
  request.simulation.jitter = "uniform:0.9";
  request.simulation.runs = request.simulation.execute_runs = 60;
  const Answer answer = simulated(request);
  ASSERT_GT(answer.json["digests"].size(), 1U);
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.lines.back(), "VIOLATED: the output depends on the schedule; detent verify names the racing ops");
  EXPECT_FALSE(answer.json.contains("digest"));
}

TEST(SimulatedRun, FaultsAndCampaignFilesDoNotGoTogether) {
  SimulateRequest request = simulation_of("diamond");
  request.faults.values[0] = {"1"};
  EXPECT_EQ(simulated(request).json["status"], "KERNEL_FAILED");
  request.campaign.sensitivity = true;
  EXPECT_THROW(simulated(request), std::invalid_argument);
}

TEST(SimulatedRun, SensitivityIsPartOfTheAnswer) {
  SimulateRequest request = simulation_of("diamond");
  request.campaign.sensitivity = true;
  const Answer answer = simulated(request);
  EXPECT_EQ(answer.json["sensitivity_of"]["step"], 0.01);
  EXPECT_FALSE(answer.json["sensitivity"].empty());
  EXPECT_GT(answer.lines.size(), simulated(simulation_of("diamond")).lines.size());
}

TEST(SimulatedRun, TheLineRepeatsTheWorstRun) {
  const Answer answer = simulated(simulation_of("diamond"));
  const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
  EXPECT_EQ(line.platform, "cores:2");
  EXPECT_EQ(line.seeds.schedule, answer.json["makespan_ps"]["worst_seed"].get<std::uint64_t>());
  EXPECT_EQ(line.makespan_ps, answer.json["makespan_ps"]["max"].get<std::uint64_t>());
}

TEST(SimulatedRun, PlatformAndCoresExcludeEachOther) {
  SimulationOptions options;
  EXPECT_EQ(simulated_platform(options).name, "quad_npu");
  options.cores = "cpu=2,npu=1";
  EXPECT_EQ(accelerator_of(options, simulated_platform(options)), "npu");
  options.no_npu = true;
  EXPECT_EQ(accelerator_of(options, simulated_platform(options)), "");
  options.platform = "am62a";
  EXPECT_THROW(static_cast<void>(simulated_platform(options)), std::invalid_argument);
  options.platform.clear();
  for (const char* cores : {"0", "cpu=", "cpu=1,", "=1", "npu=1", "x"}) {
    options.cores = cores;
    EXPECT_THROW(static_cast<void>(simulated_platform(options)), std::invalid_argument) << cores;
  }
}

TEST(SimulatedRun, OptionsTakeContentionAndPortsAway) {
  SimulationOptions options;
  options.platform = "am62a";
  EXPECT_NE(simulated_platform(options).contention, sim::Contention::kNone);
  EXPECT_NE(simulated_platform(options).overheads.dispatch_ps, 0U);
  options.no_contention = options.no_overheads = true;
  EXPECT_EQ(simulated_platform(options).contention, sim::Contention::kNone);
  EXPECT_EQ(simulated_platform(options).overheads.dispatch_ps, 0U);
  options.private_ports = true;
  for (const sim::CoreClass& core : simulated_platform(options).classes) {
    EXPECT_TRUE(!core.npu || core.npu->private_ports) << core.name;
  }
}

}  // namespace
}  // namespace detent::app
