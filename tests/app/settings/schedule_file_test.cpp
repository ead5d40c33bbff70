#include "app/settings/schedule_file.hpp"

#include <gtest/gtest.h>

#include <map>

#include "app/bound/bound_model.hpp"
#include "app/explore/explore.hpp"
#include "app/import/import_graph.hpp"
#include "app/model/emit.hpp"
#include "app/model/show.hpp"
#include "app/replay/replay_worlds.hpp"
#include "app/runs/measured_run.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "base/io.hpp"
#include "harness/run_native.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

std::string schedule_text(const std::string& rows) { return "schema = \"detent.schedule/1\"\n" + rows; }

std::string refusal_of_text(const std::string& text) {
  return refusal_of([&] { return parse_schedule(text, "s.toml"); });
}

TEST(ScheduleFile, ListsAndLayersAreReadStrictly) {
  const ScheduleFile lists = parse_schedule(schedule_text("lists = [[\"a\", 1], []]"), "s");
  EXPECT_FALSE(lists.has_barriers);
  EXPECT_EQ(lists.workers(), 2U);
  ASSERT_EQ(lists.layers.size(), 1U);
  EXPECT_EQ(std::get<std::string>(lists.layers[0][0][0].op), "a");
  EXPECT_EQ(std::get<std::uint32_t>(lists.layers[0][0][1].op), 1U);
  const ScheduleFile layers = parse_schedule(schedule_text("layers = [[[\"a\"]],\n [[]]]"), "s");
  EXPECT_TRUE(layers.has_barriers);
  EXPECT_EQ(layers.layers.size(), 2U);
  EXPECT_EQ(refusal_of_text(schedule_text("layers = [[[0], [1]],\n[[2]]]")),
            "s.toml:3: layer 1 has 1 list, the first one 2; give every layer one list per worker");
  EXPECT_EQ(refusal_of_text(schedule_text("lists = [[1.5]]")),
            "s.toml:2: an op of a list must be its name or its id, such as \"conv1\" or 3");
}

TEST(ScheduleFile, B72_TextsThatAreNoScheduleAreRefused) {
  for (const char* rows :
       {"", "lists = []", "lists = 3", "lists = [3]", "lists = [[[0]]]", "lists = [[-1]]", "lists = [[4000000]]",
        "lists = [[\"\"]]", "layers = []", "layers = [[]]", "layers = [[0]]", "lists = [[0]]\nlayers = [[[0]]]",
        "lists = [[0]]\nworkers = 1", "lists = [[0]]\nlists = [[0]]", "lists = [[true]]"}) {
    EXPECT_EQ(refusal_of_text(schedule_text(rows)).rfind("s.toml", 0), 0U) << rows;
  }
  std::string wide = "lists = [";
  for (int i = 0; i < 65; ++i) wide += "[],";
  EXPECT_NE(refusal_of_text(schedule_text(wide + "]")).find("has 65 lists"), std::string::npos);
  EXPECT_NE(refusal_of_text("schema = \"detent.schedule/2\"\nlists = [[0]]"), "");
}

/// diamond: fork -> branch0, branch1 -> join.
class ScheduleOfDiamond : public ::testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& rows) { return place_.write("s.toml", schedule_text(rows)); }
  [[nodiscard]] std::string apply(const std::string& rows) {
    const std::string path = write(rows);
    const std::string refused = refusal_of([&] { return (summary_ = apply_schedule_file(path, model_).summary); });
    return refused.rfind(path, 0) == 0 ? refused.substr(path.size()) : refused;
  }
  [[nodiscard]] RunRequest run_request(const std::string& rows, std::uint32_t workers) {
    RunRequest request;
    request.request.model = "diamond";
    request.request.reproducible = true;
    request.model.schedule = write(rows);
    request.schedule.engine.mode = DETENT_MODE_STATIC;
    request.schedule.engine.workers = workers;
    return request;
  }

  TemporaryDirectory place_;
  models::Model model_ = load("diamond", {}).model;
  std::string summary_;
};

constexpr const char* kTwoLists = "lists = [[0, \"branch1\"], [\"branch0\", 3]]";

TEST_F(ScheduleOfDiamond, OpsAreNamedByNameOrId) {
  EXPECT_EQ(apply(kTwoLists), "");
  ASSERT_EQ(model_.schedules.size(), 1U);
  EXPECT_EQ(model_.schedules[0].lists, (Lists{{0, 2}, {1, 3}}));
  EXPECT_EQ(summary_, "static schedule of 2 workers, from " + place_.file("s.toml"));
  EXPECT_EQ(apply("lists = [[0, 1], [2, 3]]"), "");
  ASSERT_EQ(model_.schedules.size(), 1U) << "one for as many workers is replaced";
  EXPECT_EQ(model_.schedules[0].lists, (Lists{{0, 1}, {2, 3}}));
  EXPECT_EQ(apply("lists = [[0, 1, 2, 3]]"), "");
  EXPECT_EQ(model_.schedules.size(), 2U);
}

TEST_F(ScheduleOfDiamond, WhatIsNoScheduleOfItsOpsIsRefused) {
  EXPECT_EQ(apply("lists = [[0, 1], [2]]"), ": 3 of 4 ops are listed, 'join' is not; list every op once");
  EXPECT_EQ(apply("lists = [[0, 1],\n[2, 3, 1]]"),
            ":3: 'branch0' is listed twice, first in line 2; list every op once");
  EXPECT_EQ(apply("lists = [[0, 1], [2, \"joint\"]]"), ":2: 'joint' is no op of diamond; did you mean join?");
  EXPECT_EQ(apply("lists = [[0, 1], [2, 4]]"), ":2: op 4 does not exist; diamond has 4 ops");
  EXPECT_EQ(apply("lists = [[0, 3], [1, 2]]"), "") << "3 waits for 1 and 2 on the other worker";
  EXPECT_NE(apply("lists = [[3, 0], [1, 2]]").find("contradict each other"), std::string::npos);
  EXPECT_NE(apply("layers = [[[0], [1]], [[], [2, 3]]]"), apply("layers = [[[0], [2]], [[3], [1]]]"));
  EXPECT_NE(apply("layers = [[[0], [2]], [[3], []], [[], [1]]]").find("'join' before 'branch0'"), std::string::npos);
}

TEST_F(ScheduleOfDiamond, ALayerWaitsForAllOfTheOneBefore) {
  const std::size_t edges = model_.edges.size();
  EXPECT_EQ(apply("layers = [[[0], []], [[], []], [[1], []], [[], [2]], [[3], []]]"), "");
  ASSERT_EQ(model_.edges.size(), edges + 1) << "branch0 before branch1, beside the model's own";
  EXPECT_EQ(model_.edges.back(), (models::Edge{.from = 1, .to = 2}));
  EXPECT_EQ(model_.schedules[0].lists, (Lists{{0, 1, 3}, {2}}));
  EXPECT_EQ(summary_, "static schedule of 2 workers, 5 layers (1 edge for barriers), from " + place_.file("s.toml"));
}

TEST_F(ScheduleOfDiamond, ARunFollowsItsListsAndSaysSo) {
  const std::string serial = run_once({.request = {.model = "diamond"}}).json["digest"];
  const RunRequest request = run_request(kTwoLists, 2);
  const Answer answer = run_once(request);
  EXPECT_EQ(answer.json["digest"], serial);
  EXPECT_EQ(answer.json["settings"], "static schedule of 2 workers, from " + request.model.schedule);
  const ReplayLine line = parse_replay_line(answer.json["replay"].get<std::string>());
  EXPECT_EQ(line.schedule, request.model.schedule);
  EXPECT_EQ(difference_to(line, replay_in_world(line, load_for(line, {}), {}, {})), "");
  const LoadedModel loaded = load("diamond", request.model);
  harness::NativeOptions native;
  native.engine = request.schedule.engine;
  const harness::Run run = harness::run_native(loaded.desc(), native);
  std::map<std::uint32_t, std::uint32_t> slot_of;
  for (const harness::Span& span : run.trace.spans) slot_of[span.op] = span.slot;
  EXPECT_EQ(slot_of[0], slot_of[2]);
  EXPECT_EQ(slot_of[1], slot_of[3]);
  EXPECT_NE(slot_of[0], slot_of[1]);
}

TEST_F(ScheduleOfDiamond, NothingIsAnsweredOfAnotherSchedule) {
  const std::string lists = "--schedule: it has 2 lists, and there are 3 workers here; give one list for each";
  EXPECT_EQ(refusal_of([&] { return run_once(run_request(kTwoLists, 3)); }), lists);
  EXPECT_NE(refusal_of([&] { return run_once(run_request(kTwoLists, 0)); }), "");
  RunRequest request = run_request(kTwoLists, 2);
  request.schedule.engine.mode = DETENT_MODE_LAYERED;
  EXPECT_EQ(refusal_of([&] { return run_once(request); }),
            "--schedule: only --mode static follows it; leave --mode out");
  request = run_request(kTwoLists, 2);
  request.sweep = true;
  EXPECT_NE(refusal_of([&] { return measure_runs(request, {}); }).find("--sweep"), std::string::npos);
  SimulateRequest simulated{.request = {.model = "diamond"}, .model = request.model};
  simulated.schedule.engine = run_request(kTwoLists, 3).schedule.engine;
  simulated.simulation.cores = "4";
  const LoadedModel loaded = load("diamond", request.model);
  const sim::Platform platform = simulated_platform(simulated.simulation);
  EXPECT_EQ(refusal_of([&] { return simulate(simulated, loaded, platform, nullptr, {}); }).rfind(lists, 0), 0U);
  simulated.schedule.engine.workers = 2;
  EXPECT_EQ(simulate(simulated, loaded, platform, nullptr, {}).json["digest"],
            run_once({.request = {.model = "diamond"}}).json["digest"]);
  ExploreRequest explored{.request = {.model = "diamond"}, .model = request.model};
  EXPECT_NE(refusal_of([&] { return explore_every_outcome(explored, {}); }).find("add --level threads"),
            std::string::npos);
  EXPECT_EQ(refusal_of([&] { return (require_unsplit_schedules("m", model_, 2), 0); }), "");
  EXPECT_EQ(apply(kTwoLists), "");
  EXPECT_NE(refusal_of([&] { return (require_unsplit_schedules("m", model_, 2), 0); }), "");
}

TEST_F(ScheduleOfDiamond, ModeAndWorkersComeFromTheFile) {
  const std::string path = write(kTwoLists);
  harness::EngineSpec engine;
  follow_schedule_file("", {}, WorkersOf::kAllLists, engine);
  EXPECT_EQ(engine, harness::EngineSpec{});
  follow_schedule_file(path, {}, WorkersOf::kAllLists, engine);
  EXPECT_EQ(engine.mode, DETENT_MODE_STATIC);
  EXPECT_EQ(engine.workers, 2U);
  engine = {.workers = 3};
  follow_schedule_file(path, {{.name = "--workers", .words = {"3"}}}, WorkersOf::kAllLists, engine);
  EXPECT_EQ(engine.workers, 3U) << "refused where the model is known";
  engine.mode = DETENT_MODE_LAYERED;
  EXPECT_EQ(refusal_of([&] {
              return (
                  follow_schedule_file(path, {{.name = "--mode", .words = {"layered"}}}, WorkersOf::kAllLists, engine),
                  0);
            }),
            "--schedule " + path + ": --mode layered does not follow it; leave --mode out");
}

TEST_F(ScheduleOfDiamond, ABoundOfListsAssumesNoWorkConservation) {
  BoundRequest request{.request = {.model = "diamond"}, .cores = "4"};
  request.model.schedule = write(kTwoLists);
  const Answer answer = bound_model(request);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  for (const Json& method : answer.json["methods"]) {
    EXPECT_EQ(method["bound_ps"].is_null(),
              method["name"] == "graham" || method["name"] == "he2022" || method["name"] == "typed")
        << method.dump();
  }
  request.workers = 3;
  EXPECT_NE(refusal_of([&] { return bound_model(request); }), "");
}

TEST_F(ScheduleOfDiamond, APackageKeepsItAndShowSaysSo) {
  const std::string graph = place_.write(
      "g.json",
      R"({"schema": "detent.graph/1", "name": "two", "regions": [], "ops": [{"id": 0, "name": "a"}, {"id": 1, "name": "b"}], "edges": []})");
  ImportGraphOptions options{.request = {.model = graph}, .package = place_.file("g.pkg")};
  options.schedule = write("layers = [[[\"b\"], []], [[], [\"a\"]]]");
  EXPECT_EQ(import_graph(options).json["settings"],
            "static schedule of 2 workers, 2 layers (1 edge for barriers), from " + options.schedule);
  const LoadedModel loaded = load(options.package, {});
  EXPECT_EQ(loaded.model.schedules, (std::vector<models::WorkerLists>{{{{1}, {0}}}}));
  EXPECT_EQ(loaded.model.edges, (std::vector<models::Edge>{{.from = 1, .to = 0}}));
  ASSERT_EQ(loaded.desc().schedule_count, 1U);
  EXPECT_EQ(loaded.desc().schedules[0].worker_count, 2U);
  const Answer shown = show_model({.request = {.model = options.package}});
  EXPECT_EQ(shown.json["static_schedules"], Json::parse(R"([{"workers": 2, "ops": [1, 1]}])"));
  EXPECT_NE(refusal_of([&] { return load(options.package, {.split = 2}); }).find("--split 2"), std::string::npos);
}

TEST_F(ScheduleOfDiamond, AFirmwareHasIt) {
  EmitRequest request{.request = {.model = "diamond"}, .directory = place_.file("out")};
  request.model.schedule = write(kTwoLists);
  request.workers = {3};
  EXPECT_NE(refusal_of([&] { return emit_firmware(request); }).find("add 2 to --workers"), std::string::npos);
  request.workers.clear();
  const Answer answer = emit_firmware(request);
  EXPECT_EQ(answer.json["static_workers"], Json::parse("[2]"));
  EXPECT_EQ(answer.json["default_workers"], 2);
}

}  // namespace
}  // namespace detent::app
