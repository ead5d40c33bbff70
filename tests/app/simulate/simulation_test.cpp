#include "app/simulate/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "app/runs/simulated_run.hpp"
#include "app/simulate/campaign_identity.hpp"
#include "app/simulate/trace_files.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

SimulateRequest campaign_of(const std::string& model) {
  SimulateRequest made;
  made.request.model = model;
  made.simulation.cores = "2";
  made.simulation.runs = 8;
  return made;
}

/// With the part of the campaign that the request names.
Answer simulated_part(const SimulateRequest& wanted, const OnProgress& on_progress = {}) {
  const sim::Platform platform = simulated_platform(wanted.simulation);
  const LoadedModel loaded = load(wanted.request.model, wanted.model);
  const std::string identity =
      campaign_identity({{"--runs", std::to_string(wanted.simulation.runs)}}, loaded, platform);
  CampaignPart part(wanted.campaign, wanted.simulation.runs, loaded.desc().op_count, identity);
  return simulate(wanted, loaded, platform, &part, on_progress);
}

std::uint64_t longest_ps(const SimulateRequest& wanted) {
  return simulated_part(wanted).json["makespan_ps"]["max"].get<std::uint64_t>();
}

std::string simulation_refusal(const SimulateRequest& wanted) {
  return refusal_of([&] { return simulated_part(wanted); });
}

TEST(Simulation, LinesSayWhatTheJsonSays) {
  expect_golden(text_of(simulated_part(campaign_of("diamond"))), "app/simulate/golden/simulate_diamond.txt");
}

TEST(SimulationOptions, EachIsPassedOn) {
  const LoadedModel loaded = load("diamond", {});
  SimulationOptions options;
  options.runs = 17;
  options.execute_runs = 5;
  options.jitter = "worst";
  options.timing_only = options.migrating = true;
  ScheduleOptions schedule;
  schedule.engine = {
      .workers = 3, .mode = DETENT_MODE_LAYERED, .scheduler = DETENT_SCHEDULER_THREAD, .policy = "random"};
  const sim::SimOptions made =
      simulation_options({.model = "diamond", .seeds = {.input = 11, .schedule = 7}}, options, schedule, loaded);
  EXPECT_EQ(made.engine, schedule.engine);
  EXPECT_EQ(made.runs, 17U);
  EXPECT_EQ(made.execute_runs, 5U);
  EXPECT_EQ(made.seeds.input, 11U);
  EXPECT_EQ(made.seeds.schedule, 7U);
  EXPECT_EQ(made.jitter.kind, sim::Jitter::Kind::kWorst);
  EXPECT_TRUE(made.timing_only && made.migrating);
}

TEST(SimulationOptions, AnOrderAndThePolicyGivenComeTogether) {
  const TemporaryDirectory place;
  SimulateRequest request = campaign_of("diamond");
  request.schedule.engine.policy = "given";
  EXPECT_EQ(simulation_refusal(request), "--policy given: add --order FILE");
  request.schedule.order_file = place.write("order", "0 2 1 3");
  const Answer answer = simulated_part(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  EXPECT_FALSE(answer.json.contains("replay")) << "a line of a simulation has no order";
  for (const Json& run : answer.json["worst"]) EXPECT_FALSE(run.contains("replay"));
  request.schedule.engine.policy = "id";
  EXPECT_EQ(simulation_refusal(request),
            "--order " + request.schedule.order_file + ": only --policy given follows it; add that");
}

TEST(SimulationOptions, InvalidValuesAreRefused) {
  SimulateRequest request = campaign_of("diamond");
  request.schedule.engine.policy = "best";
  EXPECT_NE(simulation_refusal(request), "");
  request = campaign_of("diamond");
  request.simulation.jitter = "uniform:nan";
  EXPECT_NE(simulation_refusal(request), "");
  request = campaign_of("diamond");
  request.simulation.cores = "cpu=4294967297";
  EXPECT_EQ(simulation_refusal(request),
            "--cores cpu=4294967297: write a number of CPU cores, or a list such as cpu=2,npu=1");
}

TEST(SimulationOptions, NoRunAndTooManyRunsAreRefused) {
  for (const std::uint64_t runs : {std::uint64_t{0}, UINT64_MAX}) {
    SimulateRequest request = campaign_of("diamond");
    request.simulation.runs = runs;
    EXPECT_EQ(simulation_refusal(request).rfind("runs: " + std::to_string(runs) + "; give 1 to ", 0), 0U);
  }
}

TEST(Simulation, ProgressEndsWithAllRuns) {
  std::uint64_t last = 0, all = 0;
  static_cast<void>(simulated_part(campaign_of("diamond"), [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    all = total;
  }));
  EXPECT_EQ(all, 8U);
  EXPECT_EQ(last, all);
}

TEST(Simulation, MoreWorkersAndNoOverheadsAreNoSlower) {
  SimulateRequest request = campaign_of("wide:6");
  request.simulation.jitter = "worst";
  request.schedule.engine.workers = 1;
  const std::uint64_t one = longest_ps(request);
  request.schedule.engine.workers = 2;
  const std::uint64_t two = longest_ps(request);
  EXPECT_LT(two, one);
  request.simulation.platform = "am62a";
  request.simulation.cores.clear();
  const std::uint64_t with_overheads = longest_ps(request);
  request.simulation.no_overheads = true;
  EXPECT_LT(longest_ps(request), with_overheads);
}

TEST(Simulation, RunsThatAreNotExecutedHaveNoDigest) {
  SimulateRequest request = campaign_of("diamond");
  request.simulation.execute_runs = 0;
  EXPECT_EQ(simulated_part(request).json["executed_runs"], 0);
  EXPECT_EQ(simulated_part(request).json["digests"], Json::array());
  request.simulation.execute_runs = 100;
  EXPECT_EQ(simulated_part(request).json["executed_runs"], 8) << "no more than there are";
  request.simulation.timing_only = true;
  const Answer answer = simulated_part(request);
  EXPECT_EQ(answer.json["executed_runs"], 0);
  EXPECT_FALSE(answer.json.contains("digest"));
}

TEST(Simulation, FiguresAreInOrder) {
  const Json json = simulated_part(campaign_of("diamond")).json;
  const Json& time = json["makespan_ps"];
  EXPECT_LE(time["min"], time["median"]);
  EXPECT_LE(time["median"], time["p99"]);
  EXPECT_LE(time["p99"], time["max"]);
  EXPECT_GE(time["mean"].get<double>(), time["min"].get<double>());
  for (const auto& [core, share] : json["utilisation"].items()) {
    EXPECT_GE(share.get<double>(), 0) << core;
    EXPECT_LE(share.get<double>(), 1) << core;
  }
  std::uint64_t counted = 0;
  for (const Json& bin : json["histogram"]["counts"]) counted += bin.get<std::uint64_t>();
  EXPECT_EQ(counted, 8U);
}

TEST(Simulation, WorstRunsAreRankedAndCutWhereAsked) {
  SimulateRequest request = campaign_of("diamond");
  const Json all = simulated_part(request).json["worst"];
  ASSERT_EQ(all.size(), 8U);
  for (std::size_t i = 1; i < all.size(); ++i) EXPECT_GE(all[i - 1]["makespan_ps"], all[i]["makespan_ps"]);
  request.campaign.keep_worst = 3;
  EXPECT_EQ(simulated_part(request).json["worst"], Json(all.begin(), all.begin() + 3));
  request.campaign.keep_worst = 0;
  EXPECT_EQ(simulated_part(request).json["worst"], Json::array());
}

TEST(Simulation, SensitivityWithoutWorstRunsIsRefused) {
  SimulateRequest request = campaign_of("diamond");
  request.campaign.sensitivity = true;
  request.campaign.keep_worst = 0;
  EXPECT_EQ(simulation_refusal(request), "--sensitivity: simulates the worst runs again; give --keep-worst 1 or more");
}

TEST(Simulation, SensitivityStepsMustBeShares) {
  for (const double step : {0.0, -0.01, 1.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    SimulateRequest request = campaign_of("diamond");
    request.campaign.sensitivity = true;
    request.campaign.sensitivity_step = step;
    EXPECT_EQ(simulation_refusal(request).rfind("sensitivity: step must be above 0", 0), 0U) << step;
  }
}

TEST(SimulationTraces, AreThreeFilesOfTheSameBytesEachTime) {
  const TemporaryDirectory place;
  SimulateRequest request = campaign_of("diamond");
  request.trace_directory = place.file("a/b");
  const Answer answer = simulated_part(request);
  request.trace_directory = place.file("c");
  expect_same_answer(answer, simulated_part(request));
  for (const char* name : {"trace.pftrace", "trace.btf", "trace.vcd"}) {
    const std::string bytes = bytes_of(place.file(std::string("a/b/") + name));
    EXPECT_FALSE(bytes.empty()) << name;
    EXPECT_EQ(bytes, bytes_of(place.file(std::string("c/") + name))) << name;
  }
}

TEST(SimulationTraces, ADirectoryThatCannotBeMadeIsRefused) {
  const TemporaryDirectory place;
  SimulateRequest request = campaign_of("diamond");
  request.trace_directory = place.write("file", "mine") + "/below";
  const std::string refused = simulation_refusal(request);
  EXPECT_EQ(refused.rfind(request.trace_directory + ": cannot create: ", 0), 0U) << refused;
  EXPECT_EQ(bytes_of(place.file("file")), "mine");
}

TEST(CampaignFiles, MergedShardsGiveTheWholeCampaign) {
  const TemporaryDirectory place;
  SimulateRequest request = campaign_of("diamond");
  const Answer whole = simulated_part(request);
  for (const char* shard : {"1/2", "0/2"}) {
    request.campaign.shard = shard;
    request.campaign.file = place.file(std::string(1, shard[0]));
    const Json part = simulated_part(request).json;
    EXPECT_EQ(part["shard"], shard);
    EXPECT_EQ(part["runs"], 4);
  }
  request.campaign = {};
  request.campaign.merge = {place.file("1"), place.file("0")};
  const Answer merged = simulated_part(request);
  for (const char* key : {"makespan_ps", "histogram", "worst", "ops", "digests", "replay"}) {
    EXPECT_EQ(merged.json[key], whole.json[key]) << key;
  }
}

TEST(CampaignFiles, MissingDuplicateAndUnfinishedPartsAreRefused) {
  const TemporaryDirectory place;
  SimulateRequest request = campaign_of("diamond");
  request.campaign.shard = "1/2";
  request.campaign.file = place.file("1");
  static_cast<void>(simulated_part(request));
  request.campaign = {};
  const std::string one = place.file("1");
  request.campaign.merge = {one};
  EXPECT_EQ(simulation_refusal(request),
            one + ": runs 0 to 3 are missing before it; give the file of that shard as well");
  request.campaign.merge = {one, one};
  EXPECT_NE(simulation_refusal(request), "");
  request.simulation.runs = 9;
  EXPECT_EQ(simulation_refusal(request),
            one +
                ": holds another campaign: --runs is 8 there and 9 here; repeat its command or "
                "name another file");
  request.campaign.merge = {place.write("text", "no campaign at all")};
  EXPECT_EQ(simulation_refusal(request).rfind(place.file("text") + ": ", 0), 0U);
  EXPECT_EQ(refusal_of([] { return merge_campaign({}, "", 5); }), "--merge: no file; give the files of all shards");
}

TEST(CampaignIdentity, InvalidIdentityIsRefused) {
  for (const char* text : {"", "{", "[]", "{}", R"({"schema":"detent.run/1","options":{}})",
                           R"({"schema":"detent.campaign/1","options":[]})", R"({"schema":7,"options":{}})"}) {
    EXPECT_EQ(refusal_of([&] { return identity_arguments("f.dcf", text); }).rfind("f.dcf: byte 40: ", 0), 0U) << text;
  }
}

TEST(CampaignIdentity, OptionsThatWriteFilesAreNotTakenFromAFile) {
  const auto identity = [](const std::string& name, const std::string& value) {
    return Json{{"schema", "detent.campaign/1"}, {"options", {{name, value}}}}.dump();
  };
  EXPECT_EQ(identity_arguments("f", identity("MODEL", "diamond")), (std::vector<std::string>{"diamond"}));
  EXPECT_EQ(identity_arguments("f", identity("--runs", "")), std::vector<std::string>());
  for (const auto& [name, value] : {std::pair{"--json", "x"}, {"--out", "x"}, {"MODEL", "--out=x"}, {"-o", "x"}}) {
    EXPECT_NE(refusal_of([&] { return identity_arguments("f", identity(name, value)); }), "") << name;
  }
}

TEST(CampaignIdentity, FilesCountByTheirContent) {
  const TemporaryDirectory place;
  const LoadedModel loaded = load("diamond", {});
  const sim::Platform platform = sim::plain_platform({{"cpu", 2}});
  const std::string file = place.write("order", "0 1 2 3");
  const std::string before = campaign_identity({{"--order", file}}, loaded, platform);
  static_cast<void>(place.write("order", "0 2 1 3"));
  const auto differences = identity_differences("f", before, campaign_identity({{"--order", file}}, loaded, platform));
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0], "--order (content) is bef1e74bcf433862 there and 9dd1dce00a304133 here");
}

sim::CostEffect effect_of(const std::string& cost, std::int64_t change_ps, std::uint32_t shorter) {
  sim::CostEffect effect;
  effect.cost = cost;
  effect.change_ps = change_ps;
  effect.shorter = shorter;
  return effect;
}

TEST(SensitivityTable, AnomaliesAreListedAndParametersWithoutEffectAreCounted) {
  sim::Sensitivity found;
  found.seeds = {1, 2};
  found.ops = found.ops_tried = 1;
  found.effects = {effect_of("a", 5, 0), effect_of("b", -5, 1), effect_of("c", 0, 1), effect_of("d", 0, 0)};
  const Lines lines = sensitivity_table(found);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(
      lines[2],
      "b                                 +0.00%         -5 ps      0.0000  ANOMALY: a higher cost, a shorter maximum");
  EXPECT_EQ(lines[3],
            "c                                 +0.00%         +0 ps      0.0000  1 of the seeds become shorter");
  EXPECT_EQ(lines[4], "1 cost does not change it; 2 seeds simulated again per cost");
  found.ops = 9;
  EXPECT_EQ(sensitivity_table(found).back(),
            "CUT: 1 of 9 ops were tried (blocking chain, then the longest); others may matter");
}

TEST(SensitivityTable, TheLeastChangeIsPrinted) {
  sim::Sensitivity found;
  found.effects = {effect_of("a", std::numeric_limits<std::int64_t>::min(), 0)};
  EXPECT_EQ(
      sensitivity_table(found)[1],
      "a                                 +0.00%    -9223372 s      0.0000  ANOMALY: a higher cost, a shorter maximum");
}

}  // namespace
}  // namespace detent::app
