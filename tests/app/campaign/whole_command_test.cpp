// detent merge: from files of shards to the command of the whole.
#include "app/campaign/whole_command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "app/explore/explore.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using Words = std::vector<std::string>;

/// A file of all runs of a small simulation. @return  its name
std::string simulate_shard(const TemporaryDirectory& place, const std::string& name, const std::string& shard = "") {
  SimulateRequest wanted;
  wanted.request.model = "diamond";
  wanted.simulation.cores = "2";
  wanted.simulation.runs = 4;
  wanted.campaign.file = place.file(name);
  wanted.campaign.shard = shard;
  const std::vector<GivenOption> given = {{.name = "MODEL", .words = {"diamond"}},
                                          {.name = "--cores", .words = {"2"}},
                                          {.name = "--runs", .words = {"4"}},
                                          {.name = "--jitter", .fallback = "uniform:0.1"},
                                          {.name = "--json", .words = {"somewhere.json"}},
                                          {.name = "--shard", .words = {shard}},
                                          {.name = "--out", .words = {"traces"}}};
  const SimulationStart start = start_simulation(wanted, given);
  EXPECT_EQ(simulate(wanted, start.loaded, start.platform, start.part.get(), {}).outcome, verify::Outcome::kHolds);
  return wanted.campaign.file;
}

std::string explore_shard(const TemporaryDirectory& place, const std::string& name) {
  ExploreRequest wanted;
  wanted.request.model = "bad_reuse_war";
  wanted.ops.campaign.file = place.file(name);
  wanted.ops.campaign.shard = "0/2";
  wanted.given = {{.name = "MODEL", .words = {"bad_reuse_war"}}, {.name = "--strategy", .fallback = "dfs"}};
  (void)explore_model(wanted, load_explored(wanted), {});
  return wanted.ops.campaign.file;
}

TEST(WholeCommand, OptionsThatDecideTheRunsComeFromTheFirstFile) {
  const TemporaryDirectory place;
  const std::string a = simulate_shard(place, "a"), b = place.file("b");
  EXPECT_EQ(whole_command({.files = {a, b}}), (Words{"simulate", "--cores=2", "--jitter=uniform:0.1", "--runs=4",
                                                     "diamond", "--keep-worst=10", "--merge=" + a, "--merge=" + b}));
}

TEST(WholeCommand, WhatIsAskedOfTheAnswerIsAdded) {
  const TemporaryDirectory place;
  const std::string a = simulate_shard(place, "a");
  EXPECT_EQ(whole_command(
                {.files = {a}, .json = "-", .keep_worst = 3, .deadline = "5ms", .sensitivity = true, .quiet = true}),
            (Words{"simulate", "--cores=2", "--jitter=uniform:0.1", "--runs=4", "diamond", "--keep-worst=3",
                   "--deadline=5ms", "--json=-", "--sensitivity", "--quiet", "--merge=" + a}));
}

TEST(WholeCommand, ExploredSchedulesHaveAFailureFileAndNoWorstRuns) {
  const TemporaryDirectory place;
  const std::string a = explore_shard(place, "a");
  EXPECT_EQ(whole_command({.files = {a}, .failure = "f.txt"}),
            (Words{"explore", "--strategy=dfs", "bad_reuse_war", "--failure=f.txt", "--merge=" + a}));
}

TEST(WholeCommand, OptionsOfTheOtherCommandAreRefused) {
  const TemporaryDirectory place;
  const std::string runs = simulate_shard(place, "runs"), schedules = explore_shard(place, "schedules");
  EXPECT_EQ(refusal_of([&] { return whole_command({.files = {schedules}, .sensitivity = true}); }),
            "--sensitivity: is of simulated runs; leave it out");
  EXPECT_EQ(refusal_of([&] { return whole_command({.files = {schedules}, .deadline = "5ms"}); }),
            "--deadline: is of simulated runs; leave it out");
  EXPECT_EQ(refusal_of([&] { return whole_command({.files = {runs}, .failure = "f"}); }),
            "--failure: is of explored schedules; leave it out");
}

TEST(WholeCommand, FilesThatAreOfNoShardAreRefused) {
  const TemporaryDirectory place;
  const std::string missing = place.file("missing"), text = place.write("text", "nothing of ours");
  EXPECT_TRUE(refusal_of([&] { return whole_command({.files = {missing}}); }).starts_with(missing)) << missing;
  EXPECT_TRUE(refusal_of([&] { return whole_command({.files = {text}}); }).starts_with(text)) << text;
}

TEST(StartSimulation, ShardsOfOneCommandGoTogetherAndOthersDoNot) {
  const TemporaryDirectory place;
  const std::string a = simulate_shard(place, "a", "0/2"), b = simulate_shard(place, "b", "1/2");
  SimulateRequest wanted;
  wanted.request.model = "diamond";
  wanted.simulation.cores = "2";
  wanted.simulation.runs = 4;
  wanted.campaign.merge = {b, a};
  const std::vector<GivenOption> given = {{.name = "MODEL", .words = {"diamond"}},
                                          {.name = "--cores", .words = {"2"}},
                                          {.name = "--runs", .words = {"4"}},
                                          {.name = "--jitter", .fallback = "uniform:0.1"}};
  const SimulationStart merged = start_simulation(wanted, given);
  const Answer from_files = simulate(wanted, merged.loaded, merged.platform, merged.part.get(), {});
  wanted.campaign.merge.clear();
  const SimulationStart fresh = start_simulation(wanted, given);
  expect_same_answer(from_files, simulate(wanted, fresh.loaded, fresh.platform, fresh.part.get(), {}));
  wanted.campaign.merge = {a, b};
  std::vector<GivenOption> other = given;
  other.back().words = {"worst"};
  const std::string refusal = refusal_of([&] { return start_simulation(wanted, other).platform; });
  EXPECT_EQ(refusal,
            a + ": holds another campaign: --jitter is uniform:0.1 there and worst here; repeat its command or "
                "name another file");
}

TEST(StartSimulation, AFileIsContinuedWithANote) {
  const TemporaryDirectory place;
  SimulateRequest wanted;
  wanted.request.model = "diamond";
  wanted.simulation.runs = 4;
  wanted.campaign.file = place.file("runs");
  EXPECT_EQ(start_simulation(wanted, {}).part->note(), "");
  wanted.campaign.resume = true;
  const std::string note = start_simulation(wanted, {}).part->note();
  EXPECT_TRUE(note.starts_with(wanted.campaign.file + ": 0 of 4 runs are there")) << note;
}

TEST(StartSimulation, FaultsHaveNoCampaign) {
  SimulateRequest wanted;
  wanted.request.model = "diamond";
  wanted.faults.values.at(0) = {"1=7"};
  EXPECT_EQ(start_simulation(wanted, {}).part, nullptr);
  wanted.faults.values.at(0) = {"one"};
  EXPECT_NE(refusal_of([&] { return start_simulation(wanted, {}).platform; }), "");
}

TEST(StartSimulation, TheModelIsMadeForThePlatform) {
  SimulateRequest wanted;
  wanted.request.model = "resnet18";
  wanted.simulation.timing_only = true;
  const auto npu_ops = [&] {
    const SimulationStart start = start_simulation(wanted, {});
    return std::ranges::count(start.loaded.model.ops, "npu", &models::Op::core_class);
  };
  EXPECT_GT(npu_ops(), 0);
  wanted.simulation.no_npu = true;
  EXPECT_EQ(npu_ops(), 0);
  wanted.simulation.no_npu = false;
  wanted.simulation.cores = "3";
  EXPECT_EQ(npu_ops(), 0);
}

}  // namespace
}  // namespace detent::app
