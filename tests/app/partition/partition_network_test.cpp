#include "app/partition/partition_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/bound/bounds.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/simulate/jitter_text.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

const Json& way(const Answer& answer, const std::string& name) {
  for (const Json& it : answer.json["ways"]) {
    if (it["name"] == name) return it;
  }
  throw std::invalid_argument("no way " + name);
}

/// What a user gets who simulates with the file that partition wrote.
std::uint64_t simulated_worst_ps(const std::string& model, const std::string& set, const std::string& platform) {
  SimulateRequest request;
  request.request.model = model;
  request.model.set = set;
  request.simulation.platform = platform;
  request.simulation.timing_only = true;
  request.simulation.runs = 1;
  request.simulation.search = 1;
  request.model.accelerator = "npu";
  request.model.weights = false;
  SimulationStart start = start_simulation(request, {});
  const Answer answer = simulate(request, start.loaded, start.platform, start.part.get(), {});
  return answer.json["search"]["all_worst_ps"].get<std::uint64_t>();
}

std::uint64_t bound_ps(const std::string& model, const std::string& set, const std::string& platform_name) {
  const LoadedModel loaded = load(model, {.accelerator = "npu", .weights = false, .set = set});
  const sim::Platform platform = sim::find_platform(platform_name);
  const BoundSpec spec = {.jitter = parse_jitter("uniform:0.1")};
  std::uint64_t lowest = UINT64_MAX;
  for (const verify::Bound& bound : platform_bounds(timing_problems(loaded.desc(), platform, spec), platform, spec)) {
    if (bound.is_upper) lowest = std::min(lowest, bound.bound_ps);
  }
  return lowest;
}

constexpr const char* kTransfers =
    "schema = \"detent.set/1\"\n[[transfers]]\nfrom = \"*\"\nto = \"*\"\ntime = \"30us\"\nbytes_per_s = 2000000000\n";

TEST(PartitionNetwork, WhatIsWrittenIsWhatSimulateAndBoundSay) {
  struct Case {
    const char *platform, *by;
    bool has_transfers;
  };
  const TemporaryDirectory place;
  for (const auto& [platform, by, has_transfers] : std::vector<Case>{{"quad_npu", "nnapi", true},
                                                                     {"quad_npu", "bound", false},
                                                                     {"am62a", "makespan", true},
                                                                     {"am62a", "bound", true}}) {
    const std::string out = place.file("placed.toml");
    PartitionRequest request = {.request = {.model = "branchnet"}, .platform = platform, .by = by, .out = out};
    if (has_transfers) request.model.set = place.write("t.toml", kTransfers);
    const Answer answer = partition_model(request, {});
    EXPECT_EQ(way(answer, by)["makespan_ps"], simulated_worst_ps("branchnet", out, platform)) << platform << by;
    EXPECT_EQ(way(answer, by)["bound_ps"], bound_ps("branchnet", out, platform)) << platform << by;
    EXPECT_LE(way(answer, "makespan")["makespan_ps"], way(answer, "nnapi")["makespan_ps"]);
    EXPECT_LE(way(answer, "bound")["bound_ps"], way(answer, "nnapi")["bound_ps"]);
    EXPECT_LE(way(answer, "bound")["bound_ps"], way(answer, "makespan")["bound_ps"]);
  }
}

TEST(PartitionNetwork, TransfersAreCounted) {
  const TemporaryDirectory place;
  const PartitionRequest plain = {.request = {.model = "branchnet"}};
  PartitionRequest slow = plain;
  slow.model.set = place.write("t.toml", kTransfers);
  const Answer without = partition_model(plain, {}), with = partition_model(slow, {});
  EXPECT_GT(way(with, "nnapi")["makespan_ps"], way(without, "nnapi")["makespan_ps"]);
  EXPECT_LT(way(with, "bound")["edges_between_devices"], way(with, "nnapi")["edges_between_devices"]);
  EXPECT_EQ(with.json["transfers"],
            Json::parse(R"([{"from": "*", "to": "*", "time_ps": 30000000, "bytes_per_s": 2000000000}])"));
  const auto says = [](const Answer& answer) {
    return std::ranges::count(answer.lines,
                              "transfers take no time here; [[transfers]] of --set FILE say what they take");
  };
  EXPECT_EQ(says(without), 1);
  EXPECT_EQ(says(with), 0);
}

TEST(PartitionNetwork, NoMoveOfOneOpIsShorter) {
  const Answer answer = partition_model({.request = {.model = "branchnet"}}, {});
  ASSERT_EQ(way(answer, "makespan")["local_optimum"], true);
  for (const char* by : {"makespan", "bound"}) {
    const Json& own = way(answer, by)[std::string(by) + "_ps"];
    for (const Json& op : answer.json["ops"]) {
      const Json& moved = op[std::string(by) + "_if_moved_ps"];
      EXPECT_EQ(moved[op[by].get<std::string>()], own);
      for (const auto& [device, time_ps] : moved.items()) EXPECT_GE(time_ps, own) << op["name"] << device;
    }
  }
}

TEST(PartitionNetwork, GivenClassesStay) {
  const TemporaryDirectory place;
  PartitionRequest request = {.request = {.model = "branchnet"}};
  request.model.set =
      place.write("s.toml", "schema = \"detent.set/1\"\n[ops]\nstem = { class = \"cpu\", priority = 4 }\n");
  request.out = place.file("out.toml");
  const Answer answer = partition_model(request, {});
  EXPECT_EQ(answer.json["ops"][0]["nnapi"], "cpu");
  EXPECT_EQ(answer.json["ops"][0]["makespan"], "cpu");
  EXPECT_EQ(answer.json["ops"][0]["stays"], "--set gives its class");
  EXPECT_FALSE(answer.json["ops"][1].contains("stays"));
  EXPECT_NE(bytes_of(request.out).find("\"stem\" = { class = \"cpu\", priority = 4 }\n"), std::string::npos);
}

TEST(PartitionNetwork, OpsOfOneNameHaveOneRow) {
  const TemporaryDirectory place;
  const std::string settings =
      "schema = \"detent.set/1\"\n[[transfers]]\nfrom = \"cpu\"\nto = \"npu\"\ntime = \"1us\"\n";
  for (const char* second : {"cpu", "npu"}) {
    const std::string graph = place.write(
        "g.json", std::string(R"({"schema": "detent.graph/1", "name": "g", "regions": [], "edges": [[0, 1]], "ops": [
          {"id": 0, "name": "a*", "time_ps": [1, 2], "workers": [0, 2]},
          {"id": 1, "name": "a*", "time_ps": [1, 2], "workers": [0, 2], "core": ")") +
                      second + "\"}]}");
    PartitionRequest request = {.request = {.model = graph}, .out = place.file("out.toml")};
    request.model.set = place.write("s.toml", settings);
    const std::string refused = refusal_of([&] { return partition_model(request, {}); });
    if (std::string(second) == "npu") {
      EXPECT_EQ(refused, graph + ": two ops have the name 'a*' and need different rows in " + request.out +
                             "; give them different names");
      continue;
    }
    EXPECT_EQ(refused, "");
    EXPECT_EQ(bytes_of(request.out),
              "schema = \"detent.set/1\"\n\n[ops]\n\"a*\" = { class = \"cpu\", workers = [0, 2] }\n"
              "\n[[transfers]]\nfrom = \"cpu\"\nto = \"npu\"\ntime = \"1000000ps\"\n");
  }
}

TEST(PartitionNetwork, BandsHaveRowsOfTheirOwn) {
  const TemporaryDirectory place;
  const std::string out = place.file("out.toml");
  PartitionRequest request = {.request = {.model = "branchnet"}, .max_trials = 1, .out = out};
  request.model.split = 2;
  const Answer answer = partition_model(request, {});
  EXPECT_EQ(std::ranges::count(answer.lines, out + ": ops by makespan; run, simulate, check, bound, explore and emit "
                                                   "take it as --set with --split 2"),
            1);
  EXPECT_EQ(load("branchnet", {.split = 2, .weights = false, .set = out}).model.ops.size(), answer.json["ops"].size());
}

TEST(PartitionNetwork, LinesSayWhatTheJsonSays) {
  const TemporaryDirectory place;
  const std::string set = place.write("t.toml", kTransfers), out = place.file("out.toml");
  const Answer answer = partition_model(
      {.request = {.model = "branchnet"}, .model = {.set = set}, .platform = "quad_npu", .max_trials = 40, .out = out},
      {});
  expect_golden(text_of(answer, place.file(""), ""), "app/partition/golden/network_branchnet.txt");
}

TEST(PartitionNetwork, TheSameQuestionHasTheSameAnswer) {
  const PartitionRequest request = {.request = {.model = "branchnet"}, .platform = "rk3588"};
  expect_same_answer(partition_model(request, {}), partition_model(request, {}));
}

TEST(PartitionNetwork, RefusesWhatItCannotAnswer) {
  const auto refused = [](PartitionRequest request) {
    return refusal_of([&] { return partition_model(request, {}); });
  };
  EXPECT_EQ(
      refused({.request = {.model = "cascade"}}),
      "cascade: op 5 (classes.then.0) is executed in some runs only; devices are compared by the time of one set of "
      "ops, so give a network without branches");
  EXPECT_EQ(refused({.request = {.model = "branchnet"}, .by = "luck"}), "--by luck: choose nnapi, makespan or bound");
  EXPECT_NE(refused({.request = {.model = "branchnet"}, .platform = "quad"}), "");
  EXPECT_NE(refused({.request = {.model = "nothing"}}), "");
}

}  // namespace
}  // namespace detent::app
