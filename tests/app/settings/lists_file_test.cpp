// detent.lists/1: what is read, what is refused, and that lists of typed cores are followed everywhere.
#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "app/model/loaded_model.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/settings/schedule_file.hpp"
#include "app/simulate/simulation.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string lists_text(const std::string& lists) { return R"({"schema": "detent.lists/1", "lists": [)" + lists + "]}"; }

std::string refusal_of_lists(const std::string& text) {
  return refusal_of([&] { return parse_lists(text, "l.json"); });
}

constexpr const char* kTyped =
    R"({"core": "npu", "ops": [1]}, {"core": "cpu", "ops": [2]}, {"core": "cpu", "ops": [0]})";

TEST(ListsFile, CpusComeFirstAndClassesThatNobodyNeedsAreLeftOut) {
  const ScheduleFile file =
      parse_lists(lists_text(std::string(kTyped) + R"(, {"core": "npu", "ops": []}, {"core": "dsp", "ops": []})"), "l");
  EXPECT_EQ(file.cores, (std::vector<std::string>{"cpu", "cpu", "npu", "npu"}));
  EXPECT_EQ(file.workers(), 4U);
  EXPECT_EQ(file.cpu_workers(), 2U);
  EXPECT_FALSE(file.has_barriers);
  EXPECT_EQ(std::get<std::uint32_t>(file.layers[0][0][0].op), 2U);
  EXPECT_EQ(std::get<std::uint32_t>(file.layers[0][2][0].op), 1U);
}

TEST(ListsFile, WhatIsWrittenIsReadBack) {
  const std::string text = format_lists({{"cpu", {2, 0, 3}}, {"cpu", {}}, {"a \"core\"", {1}}});
  const ScheduleFile file = parse_lists(text, "l");
  EXPECT_EQ(file.cores, (std::vector<std::string>{"cpu", "cpu", "a \"core\""}));
  EXPECT_EQ(file.layers[0][0].size(), 3U);
}

TEST(ListsFile, B17_B72_TextsThatAreNoListsAreRefused) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"schema": "detent.lists/2", "lists": [{"core": "cpu", "ops": [0]}]})",
        R"({"schema": "detent.lists/1"})", R"({"schema": "detent.lists/1", "lists": []})",
        R"({"schema": "detent.lists/1", "lists": [[0]]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "ops": [0]}], "more": 1})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "ops": [0], "more": 1}]})",
        R"({"schema": "detent.lists/1", "lists": [{"ops": [0]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu"}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "", "ops": [0]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "ops": [-1]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "ops": [0.5]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "ops": [4000000]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "ops": ["a"]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "npu", "ops": [0]}]})",
        R"({"schema": "detent.lists/1", "lists": [{"core": "cpu", "core": "cpu", "ops": [0]}]})"}) {
    EXPECT_EQ(refusal_of_lists(text).rfind("l.json", 0), 0U) << text;
  }
  std::string many;
  for (int i = 0; i < 65; ++i) many += std::string(i == 0 ? "" : ", ") + R"({"core": "cpu", "ops": []})";
  EXPECT_NE(refusal_of_lists(lists_text(many)).find("has 65 lists"), std::string::npos);
}

/// a -> b (on the NPU) -> c, and a transfer of 2 to 5 ps to the NPU.
constexpr const char* kTypedGraph = R"({"schema": "detent.graph/1", "name": "typed", "regions": [], "ops": [
  {"id": 0, "name": "a", "time_ps": [3, 10], "reads": [], "writes": []},
  {"id": 1, "name": "b", "core": "npu", "time_ps": [20, 30], "reads": [], "writes": []},
  {"id": 2, "name": "c", "time_ps": [7, 8], "release_ps": [1, 4], "reads": [], "writes": []}],
  "edges": [[0, 1, 2, 5]]})";

class ListsOfTypedCores : public ::testing::Test {
 protected:
  [[nodiscard]] std::string refusal(const std::string& lists) {
    models::Model model = load(graph_, {}).model;
    const std::string path = write(lists);
    const std::string text = refusal_of([&] { return apply_schedule_file(path, model).summary; });
    return text.rfind(path, 0) == 0 ? text.substr(path.size()) : text;
  }
  [[nodiscard]] std::string write(const std::string& lists) { return place_.write("l.json", lists_text(lists)); }

  TemporaryDirectory place_;
  std::string graph_ = place_.write("g.json", kTypedGraph);
};

TEST_F(ListsOfTypedCores, WhatDoesNotFitTheModelIsRefused) {
  EXPECT_EQ(refusal(kTyped), "");
  EXPECT_EQ(refusal(R"({"core": "cpu", "ops": [0]}, {"core": "npu", "ops": [1]})"),
            ": 2 of 3 ops are listed, 'c' is not; list every op once");
  EXPECT_EQ(refusal(R"({"core": "cpu", "ops": [0, 2, 0]}, {"core": "npu", "ops": [1]})"),
            ": lists[0].ops[2]: 'a' is listed twice, first in lists[0].ops[0]; list every op once");
  EXPECT_EQ(refusal(R"({"core": "cpu", "ops": [0, 2, 3]}, {"core": "npu", "ops": [1]})"),
            ": lists[0].ops[2]: op 3 does not exist; typed has 3 ops");
  EXPECT_EQ(refusal(R"({"core": "cpu", "ops": [0, 2, 1]})"),
            ": lists[0].ops[2]: op 1 is of class npu in typed, its list is of a core of class cpu; move it, or change "
            "its class with --set");
  EXPECT_NE(refusal(R"({"core": "cpu", "ops": [0, 2]}, {"core": "tpu", "ops": [1]})").find("class tpu"),
            std::string::npos);
  graph_ = place_.write("pair.json", R"({"schema": "detent.graph/1", "name": "pair", "regions": [], "ops": [
    {"id": 0, "name": "a", "reads": [], "writes": []}, {"id": 1, "name": "b", "reads": [], "writes": []}],
    "edges": [[0, 1]]})");
  EXPECT_NE(refusal(R"({"core": "cpu", "ops": [1, 0]})").find("contradict each other"), std::string::npos);
}

TEST_F(ListsOfTypedCores, BoundSimulationAndRunFollowThem) {
  BoundRequest bound{.request = {.model = graph_}, .cores = "cpu=2,npu=1", .method = "lists"};
  bound.model.schedule = write(kTyped);
  const Answer answer = bound_model(bound);
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  const Json lists = answer.json["methods"].back();
  EXPECT_EQ(lists["name"], "lists");
  EXPECT_EQ(lists["exact"], true);
  EXPECT_EQ(lists["bound_ps"], 45);
  EXPECT_EQ(answer.json["best_ps"], 25);
  EXPECT_EQ(answer.json["response_ps"][2], Json({{"op", 2}, {"min", 8}, {"max", 12}}));
  EXPECT_EQ(answer.json["closed_loop"]["bound_ps"], 45);
  EXPECT_EQ(answer.json["closed_loop"]["exact"], true);
  BoundRequest short_of_states = bound;
  short_of_states.exact.max_states = 1;
  const Answer limited = bound_model(short_of_states);
  EXPECT_EQ(limited.json["closed_loop"]["exact"], false) << "the limit holds for the closed loop beside lists, too";
  EXPECT_FALSE(limited.json["closed_loop"].contains("best_ps"));
  EXPECT_EQ(limited.json["methods"].back()["exact"], true);

  SimulateRequest simulated{.request = {.model = graph_}, .model = bound.model};
  simulated.simulation.cores = "cpu=2,npu=1";
  simulated.simulation.jitter = "worst";
  simulated.schedule.engine.mode = DETENT_MODE_STATIC;
  simulated.schedule.engine.workers = 2;
  const sim::Platform platform = simulated_platform(simulated.simulation);
  const LoadedModel loaded = load(graph_, bound.model);
  EXPECT_EQ(simulate(simulated, loaded, platform, nullptr, {}).json["makespan_ps"]["max"], 45);

  RunRequest run{.request = {.model = graph_}, .model = bound.model};
  run.schedule.engine.mode = DETENT_MODE_STATIC;
  run.schedule.engine.workers = 3;
  EXPECT_EQ(run_once(run).json["digest"], run_once({.request = {.model = graph_}}).json["digest"]);

  harness::EngineSpec engine;
  follow_schedule_file(bound.model.schedule, {}, WorkersOf::kCpuLists, engine);
  EXPECT_EQ(engine.workers, 2U);
  follow_schedule_file(bound.model.schedule, {}, WorkersOf::kAllLists, engine);
  EXPECT_EQ(engine.workers, 3U);
}

TEST_F(ListsOfTypedCores, WhereTheyDoNotDecideNothingExactIsSaid) {
  BoundRequest bound{.request = {.model = graph_}, .cores = "cpu=2,npu=1", .method = "lists"};
  EXPECT_EQ(refusal_of([&] { return bound_model(bound); }), "--method lists: add --lists FILE");
  bound.mode = "static";
  bound.method = "all";
  EXPECT_EQ(refusal_of([&] { return bound_model(bound); }), "--mode static: add --lists FILE");
  bound.model.schedule = write(kTyped);
  bound.mode = "closed-loop";
  EXPECT_NE(refusal_of([&] { return bound_model(bound); }), "");
  bound.mode = "static";
  EXPECT_EQ(bound_model(bound).json["methods"].back()["name"], "lists");

  bound.request.model = place_.write("shared.json", R"({"schema": "detent.graph/1", "name": "s", "regions": [], "ops": [
    {"id": 0, "name": "a", "time_ps": 3, "mutex": "m", "reads": [], "writes": []},
    {"id": 1, "name": "b", "time_ps": 4, "mutex": "m", "reads": [], "writes": []}], "edges": []})");
  bound.cores = "2";
  bound.method = "lists";
  bound.model.schedule = write(R"({"core": "cpu", "ops": [0]}, {"core": "cpu", "ops": [1]})");
  const Answer answer = bound_model(bound);
  EXPECT_EQ(answer.outcome, verify::Outcome::kUnknown);
  EXPECT_TRUE(answer.json["methods"].back()["bound_ps"].is_null());
  EXPECT_NE(answer.json["methods"].back()["assumptions"].get<std::string>().find("ops 0 and 1 share a mutex"),
            std::string::npos);
  bound.cores = "1";
  bound.model.schedule = write(R"({"core": "cpu", "ops": [1, 0]})");
  EXPECT_EQ(bound_model(bound).json["methods"].back()["bound_ps"], 7);
}

}  // namespace
}  // namespace detent::app
