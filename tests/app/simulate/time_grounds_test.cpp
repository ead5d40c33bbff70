#include "app/simulate/time_grounds.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "app/check/check.hpp"
#include "app/check/report.hpp"
#include "app/runs/simulated_run.hpp"
#include "reports/text/report_text.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

constexpr const char* kTimedGraph = R"({"schema": "detent.graph/1", "name": "g", "ops": [
  {"id": 0, "time_ps": [900, 1000]}, {"id": 1, "time_ps": 500, "release_ps": [0, 100]}%s], "edges": [[0, 1]]})";

std::string graph_file(const std::string& more) {
  const std::string path = testing::TempDir() + "grounds.json";
  std::string text = kTimedGraph;
  text.replace(text.find("%s"), 2, more);
  std::ofstream(path) << text;
  return path;
}

reports::TimeGrounds grounds(const std::string& model, const std::string& platform, const std::string& costs = "") {
  ModelOptions options;
  options.costs = costs;
  options.weights = false;
  const sim::Platform chip = choose_platform(platform, false);
  options.accelerator = accelerator_of(chip);
  return time_grounds(load(model, options), chip, "uniform:0.1", model);
}

std::string counts(const reports::TimeGrounds& times) {
  std::string text;
  for (const reports::TimeGround& ground : times.grounds)
    text += std::to_string(ground.ops) + " " + ground.source + " ";
  return text;
}

TEST(TimeGrounds, TimesOfTheFileAreGivenAndPseudoOpsAreNoOps) {
  const reports::TimeGrounds times = grounds(graph_file(""), "cores:2");
  EXPECT_EQ(counts(times), "2 given ");
  EXPECT_FALSE(times.are_assumed());
  EXPECT_EQ(times.remedy, "");
  EXPECT_EQ(times.grounds[0].worst_ps, 1500U);
}

TEST(TimeGrounds, AnOpOfAGraphWithoutATimeIsAssumed) {
  const std::string file = graph_file(R"(, {"id": 2})");
  const reports::TimeGrounds times = grounds(file, "cores:2");
  EXPECT_EQ(counts(times), "2 given 1 assumed ");
  EXPECT_TRUE(times.are_assumed());
  EXPECT_EQ(times.remedy, "write \"time_ps\": [BEST, WORST] beside each op of " + file);
}

TEST(TimeGrounds, ANetworkOnAGenericChipIsAssumed) {
  const reports::TimeGrounds times = grounds("branchnet", "quad_npu");
  ASSERT_EQ(times.grounds.size(), 1U);
  EXPECT_TRUE(times.are_assumed());
  EXPECT_EQ(times.grounds[0].why, "cpu.efficiency and npu.efficiency of quad_npu are guesses, not measured");
  EXPECT_EQ(times.remedy.find("detent calibrate branchnet -o costs.toml, then --costs costs.toml"), 0U) << times.remedy;
}

TEST(TimeGrounds, TheRemedyMeasuresTheOpsAsTheyAre) {
  const LoadedModel loaded = load("yolov8n:64", {.split = 2, .winograd = true, .weights = false});
  const reports::TimeGrounds times = time_grounds(loaded, choose_platform("cores:2", false), "worst", "yolov8n:64");
  EXPECT_EQ(times.remedy.find("detent calibrate yolov8n:64 --split 2 --winograd -o costs.toml, "), 0U) << times.remedy;
}

TEST(TimeGrounds, LayersOnTheArrayOfAnNpuAreModelledAndTheOthersAssumed) {
  const reports::TimeGrounds times = grounds("branchnet", "am62a");
  ASSERT_EQ(times.grounds.size(), 2U) << counts(times);
  EXPECT_EQ(times.grounds[0].source, "modelled");
  EXPECT_EQ(times.grounds[1].source, "assumed");
  EXPECT_TRUE(times.are_assumed()) << "the weakest counts";
}

TEST(TimeGrounds, RowsOfOpsOnTheNpuAreNotUsedAndNamed) {
  const LoadedModel loaded = load("resnet18", {.weights = false});
  const std::string file = testing::TempDir() + "grounds_costs.toml";
  std::ofstream out(file);
  out << "schema = \"detent.costs/1\"\nmodel = \"resnet18\"\nsource = \"this host\"\n";
  for (const models::Op& op : loaded.model.ops) {
    out << "[[op]]\nname = \"" << op.name << "\"\nkernel = \"" << op.kernel
        << "\"\nwarm = { min_ps = 10, median_ps = 20, p99_ps = 30, max_ps = 40 }\n";
  }
  out.close();
  const reports::TimeGrounds on_cpus = grounds("resnet18", "cores:2", file);
  EXPECT_EQ(on_cpus.grounds.front().source, "measured");
  EXPECT_FALSE(on_cpus.are_assumed()) << counts(on_cpus);
  EXPECT_EQ(on_cpus.grounds.front().why, "the longest run seen on this host");
  EXPECT_TRUE(on_cpus.unused_rows.empty());

  const reports::TimeGrounds with_npu = grounds("resnet18", "quad_npu", file);
  ASSERT_FALSE(with_npu.unused_rows.empty());
  EXPECT_EQ(counts(with_npu), std::to_string(loaded.model.ops.size() - with_npu.unused_rows.size()) + " measured " +
                                  std::to_string(with_npu.unused_rows.size()) + " assumed ");
  const std::string text = reports::unused_rows_text(with_npu);
  EXPECT_NE(text.find(with_npu.unused_rows.front()), std::string::npos) << text;
  EXPECT_EQ(text,
            "21 rows of the cost table are not used (conv1, layer1.0.conv1, layer1.0.conv2, layer1.1.conv1, "
            "layer1.1.conv2 and 16 more): quad_npu places these ops on its NPU, and their rows were measured on a CPU; "
            "--no-npu keeps the ops on CPUs");
  EXPECT_EQ(ground_lines(on_cpus), Lines{}) << "nothing to say of measured times";
  const Lines lines = ground_lines(with_npu);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], "op times are partly ASSUMED: " + reports::grounds_text(with_npu));
  EXPECT_EQ(lines[1], "  firmer: " + with_npu.remedy);
  EXPECT_EQ(lines[2], text);
}

/// The third answer of a whole check.
reports::Answer time_answer(const std::string& model, const std::string& cores, const std::string& jitter) {
  CheckOptions options;
  options.request.model = model;
  options.simulation.cores = cores;
  options.simulation.runs = 3;
  options.simulation.jitter = jitter;
  const sim::Platform platform = simulated_platform(options.simulation);
  const LoadedModel loaded = load(model, options.model);
  const CheckResult result = check(options, loaded, platform, {});
  return reports::answers_of(make_report_data(options.request, options.simulation, loaded, platform, result)).at(2);
}

TEST(TimeGrounds, TheHeadlineIsGoodNewsOnlyWhereNothingIsAssumed) {
  const reports::Answer given = time_answer(graph_file(""), "2", "uniform:0.1");
  EXPECT_EQ(given.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(given.detail.find("if no op exceeds its worst time. Op times: 2 given"), 0U) << given.detail;
  const reports::Answer assumed = time_answer(graph_file(R"(, {"id": 2})"), "2", "uniform:0.1");
  EXPECT_EQ(assumed.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(assumed.answer, "At most 1.500 ns, on assumed op times");
}

}  // namespace
}  // namespace detent::app
