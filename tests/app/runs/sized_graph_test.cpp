// Ops of graph files that say how large their output is: run, simulated, refused.
#include <gtest/gtest.h>

#include <string>

#include "app/runs/native_run.hpp"
#include "app/runs/native_setup.hpp"
#include "app/runs/simulated_run.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

/// Keeps the bytes of its input that are above 127, and says, with what `params` adds, how many.
constexpr const char* kSelect = R"(#include <detent/kernel.h>
int32_t keep(const detent_kernel_args *args) {
  const uint8_t *in = (const uint8_t *)args->inputs[0].data;
  uint8_t *out = (uint8_t *)args->outputs[0].data;
  int64_t *count = (int64_t *)args->outputs[1].data;
  int64_t kept = 0;
  for (int i = 0; i < 64; ++i) out[i] = 0;
  for (int i = 0; i < 64; ++i) {
    if (in[i] > 127) out[kept++] = in[i];
  }
  *count = kept + (int64_t)((const double *)args->config)[0];
  return 0;
}
int32_t sum(const detent_kernel_args *args) {
  const uint8_t *in = (const uint8_t *)args->inputs[0].data;
  const int64_t count = *(const int64_t *)args->inputs[1].data;
  int64_t all = 0;
  for (int64_t i = 0; i < count; ++i) all += in[i];
  *(int64_t *)args->outputs[0].data = all;
  return 0;
}
)";

class SizedGraph : public testing::Test {
 protected:
  SizedGraph() { static_cast<void>(place_.write("mine.c", kSelect)); }

  /// @param more  what the op says beyond the bytes that it has kept
  [[nodiscard]] std::string graph(const std::string& more) const {
    return place_.write("g.json", R"({"schema": "detent.graph/1", "buffers": [
      {"name": "in", "size": 64, "role": "input"}, {"name": "kept", "size": 64},
      {"name": "count", "size": 8, "role": "output"}, {"name": "total", "size": 8, "role": "output"}], "ops": [
      {"id": 0, "name": "keep", "time_ps": 1000, "kernel": "mine.c:keep", "params": [)" +
                                      more + R"(], "sized": true, "reads": [{"buffer": "in"}],
       "writes": [{"buffer": "kept"}, {"buffer": "count"}]},
      {"id": 1, "time_ps": 1000, "kernel": "mine.c:sum", "reads": [{"buffer": "kept"}, {"buffer": "count"}],
       "writes": [{"buffer": "total"}]}], "edges": [[0, 1]]})");
  }
  [[nodiscard]] static RunRequest run_of(const std::string& graph, std::uint32_t workers) {
    RunRequest made;
    made.request.model = graph;
    made.schedule.engine.workers = workers;
    return made;
  }

  TemporaryDirectory place_;
};

TEST_F(SizedGraph, ARunSaysHowLargeTheOutputWas) {
  const std::string file = graph("0");
  const Answer answer = run_once(run_of(file, 2));
  const Json& size = answer.json["sizes"][0];
  EXPECT_EQ(size["op"], 0);
  EXPECT_EQ(size["tensor"], "kept");
  EXPECT_EQ(size["bounds"], Json({64}));
  const auto kept = size["extents"][0].get<std::int64_t>();
  EXPECT_GT(kept, 0);
  EXPECT_LT(kept, 64);
  EXPECT_NE(text_of(answer).find("size of kept: " + std::to_string(kept) + " of at most 64, by op 0 'keep'"),
            std::string::npos)
      << text_of(answer);
  EXPECT_EQ(run_once(run_of(file, 0)).json["digest"], answer.json["digest"]);
}

TEST_F(SizedGraph, EverySimulatedRunExecutesTheOps) {
  SimulateRequest wanted;
  wanted.request.model = graph("0");
  wanted.simulation.cores = "2";
  wanted.simulation.runs = 4;
  const LoadedModel loaded = load(wanted.request.model, wanted.model);
  CampaignPart part(wanted.campaign, wanted.simulation.runs, loaded.desc().op_count, "");
  const Answer answer = simulate(wanted, loaded, simulated_platform(wanted.simulation), &part, {});
  EXPECT_EQ(answer.json["executed_runs"], 4) << answer.json.dump();
  EXPECT_EQ(answer.json["digest"], run_once(run_of(wanted.request.model, 1)).json["digest"]);
}

TEST_F(SizedGraph, MoreThanIsPlannedIsRefusedByName) {
  std::string refused;
  try {
    static_cast<void>(run_once(run_of(graph("64"), 2)));
  } catch (const RunRefused& error) {
    refused = error.what();
  }
  EXPECT_NE(refused.find("op 0 \"keep\""), std::string::npos) << refused;
  EXPECT_NE(refused.find("its output is larger in this run than planned; raise the bound of its first output"),
            std::string::npos)
      << refused;
}

}  // namespace
}  // namespace detent::app
