#include "app/runs/simulated_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <string>

#include "app/replay/replay.hpp"
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

TEST(SimulatedRun, WhereNoRunCanBeginNoneIsTheLongest) {
  const TempDirectory directory;
  const std::string file = (directory.path() / "net.json").string();
  std::ofstream(file) << R"({"schema": "detent.graph/2", "buffers": [{"name": "b", "size": 16}],
    "ops": [{"id": 0}, {"id": 1, "guard": "c0=then", "writes": [{"buffer": "b"}]},
            {"id": 2, "reads": [{"buffer": "b"}]}], "edges": [[0, 1], [1, 2]]})";
  SimulateRequest request = simulation_of(file);
  request.model.guards = ModelOptions::Guards::kResolved;
  request.model.outcomes = "c0=other";
  const Answer answer = simulated(request);
  EXPECT_EQ(answer.outcome, Outcome::kViolated);
  EXPECT_EQ(answer.json["status"], "FAILED");
  EXPECT_FALSE(answer.json.contains("makespan_ps"));
  ASSERT_EQ(answer.lines.size(), 2U);
  EXPECT_TRUE(answer.lines[0].starts_with("FAILED: cannot be bound: B27 PRODUCER")) << answer.lines[0];
  EXPECT_EQ(answer.lines[1], "outcomes c0=other");
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

/// Graham 1969, figure 1, on three cores: shorter ops make the run longer.
std::string anomaly_file(const TempDirectory& directory) {
  const std::string file = (directory.path() / "graham.json").string();
  std::ofstream(file) << R"({"schema": "detent.graph/1", "ops": [
    {"id": 0, "time_ps": [2000, 3000]}, {"id": 1, "time_ps": [1000, 2000]}, {"id": 2, "time_ps": [1000, 2000]},
    {"id": 3, "time_ps": [1000, 2000]}, {"id": 4, "time_ps": [3000, 4000]}, {"id": 5, "time_ps": [3000, 4000]},
    {"id": 6, "time_ps": [3000, 4000]}, {"id": 7, "time_ps": [3000, 4000]}, {"id": 8, "time_ps": [8000, 9000]}],
    "edges": [[0, 8], [3, 4], [3, 5], [3, 6], [3, 7]]})";
  return file;
}

TEST(SimulatedRun, WhatTheSearchFindsIsSaidAndItsLineRepeatsIt) {
  const TempDirectory directory;
  SimulateRequest request = simulation_of(anomaly_file(directory));
  request.simulation.cores = "3";
  request.simulation.search = 300;
  const Answer answer = simulated(request);
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  const Json& search = answer.json["search"];
  EXPECT_LE(search["runs"], 300);
  EXPECT_EQ(search["all_worst_ps"], 12000);
  EXPECT_GT(search["longest_ps"].get<std::uint64_t>(), 12000U);
  EXPECT_EQ(search["is_longest"], true);
  EXPECT_EQ(answer.json["makespan_ps"]["max"], search["longest_ps"]);
  EXPECT_NE(answer.lines[3].find("longest run seen"), std::string::npos);
  EXPECT_NE(answer.lines[3].find("by the search"), std::string::npos);
  EXPECT_NE(answer.lines[4].find(" runs: every op at its worst time 12.0 ns, longest 16.0 ns"), std::string::npos);
  const std::string text = answer.json["replay"].get<std::string>();
  const ReplayLine line = parse_replay_line(text);
  EXPECT_EQ(line.times, search["times"].get<std::string>());
  EXPECT_EQ(line.ties, search["ties"].get<std::string>());
  const Replayed replayed = replay({.source = text});
  EXPECT_EQ(replayed.answer.outcome, Outcome::kHolds);
  EXPECT_EQ(replayed.answer.json["makespan_ps"], search["longest_ps"]);
  const ReplayLine drawn = parse_replay_line(answer.json["worst"][0]["replay"].get<std::string>());
  EXPECT_EQ(drawn.times, "");
  EXPECT_EQ(simulated(request).json, answer.json);
}

TEST(SimulatedRun, AShardDoesNotSearch) {
  SimulateRequest request = simulation_of("diamond");
  request.campaign.shard = "0/2";
  request.simulation.search = 3;
  EXPECT_THROW(static_cast<void>(start_simulation(request, {})), std::invalid_argument);
  request.simulation.search = 0;
  EXPECT_NO_THROW(static_cast<void>(start_simulation(request, {})));
}

TEST(SimulatedRun, FewRunsCarryNoPercentiles) {
  SimulateRequest request = simulation_of("diamond");
  const Answer few = simulated(request);
  EXPECT_TRUE(few.lines[2].ends_with("   median needs 6 runs")) << few.lines[2];
  EXPECT_TRUE(few.lines[3].starts_with("  p99 needs 368 runs   longest run seen ")) << few.lines[3];
  EXPECT_TRUE(few.json["percentiles"][1]["ps"].is_null());
  request.simulation.runs = 368;
  const Answer many = simulated(request);
  EXPECT_NE(many.lines[2].find(" (95 % CI "), std::string::npos);
  EXPECT_EQ(many.json["percentiles"][1]["name"], "p99");
  EXPECT_LE(many.json["percentiles"][1]["low_ps"], many.json["percentiles"][1]["ps"]);
  EXPECT_LE(many.json["percentiles"][1]["ps"], many.json["percentiles"][1]["high_ps"]);
  EXPECT_FALSE(many.json.contains("search"));
}

TEST(SimulatedRun, ALongestRunBelowTheCriticalPathIsSaid) {
  const TempDirectory directory;
  SimulateRequest request = simulation_of(anomaly_file(directory));
  request.simulation.cores = "9";
  const auto says = [&] {
    const Answer answer = simulated(request);
    return std::ranges::any_of(answer.lines, [](const std::string& line) {
      return line.find("is below the critical path") != std::string::npos &&
             line.ends_with("Critical path: 12.0 ns. --search N looks for longer runs.");
    });
  };
  EXPECT_TRUE(says());
  request.simulation.search = 1;
  EXPECT_FALSE(says());
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
