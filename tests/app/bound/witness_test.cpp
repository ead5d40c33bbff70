// Witnesses of exact worst cases: in the answer, as a graph, and in the engine.
#include "app/bound/witness.hpp"

#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "app/runs/simulated_run.hpp"
#include "base/io.hpp"
#include "tests/app/answers.hpp"
#include "tests/app/bound/exact_request.hpp"

namespace detent::app {
namespace {

/// Graham 1969, figure 1, each op up to 1 ns shorter: nine tasks on three processors.
std::string graham_graph(const std::string& release = "") {
  const std::vector<int> times{3, 2, 2, 2, 4, 4, 4, 4, 9};
  std::string text = R"({"schema": "detent.graph/1", "name": "graham", "regions": [], "ops": [)";
  for (std::size_t op = 0; op < times.size(); ++op) {
    text += (op == 0 ? "" : ",\n") + std::string(R"({"id": )") + std::to_string(op) + R"(, "name": "t)" +
            std::to_string(op + 1) + R"(", "time_ps": [)" + std::to_string((times[op] - 1) * 1000) + ", " +
            std::to_string(times[op] * 1000) + "]" + (op == 0 ? release : "") + R"(, "reads": [], "writes": []})";
  }
  return text + R"(], "edges": [[0, 8], [3, 4], [3, 5, 0, 500], [3, 6], [3, 7]]})";
}

BoundRequest witness_of(const std::string& model) { return exact_request(model, "3"); }

std::uint64_t simulated_makespan(const std::string& file, const std::string& policy) {
  SimulateRequest request;
  request.request.model = file;
  request.simulation.cores = "3";
  request.simulation.runs = 1;
  request.schedule.engine.policy = policy;
  const SimulationStart start = start_simulation(request, {});
  return simulate(request, start.loaded, start.platform, nullptr, {}).json["makespan_ps"]["max"].get<std::uint64_t>();
}

TEST(BoundWitness, IsLongerThanTheRunOfWorstTimesAndNamesWhy) {
  const TemporaryDirectory directory;
  const Answer answer = bound_model(witness_of(directory.write("graham.json", graham_graph())));
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds);
  const Json& witness = answer.json["witness"];
  EXPECT_EQ(witness["makespan_ps"], answer.json["methods"].back()["bound_ps"]);
  EXPECT_EQ(witness["simulated_ps"], witness["makespan_ps"]);
  EXPECT_LT(witness["all_worst_ps"], witness["makespan_ps"]);
  EXPECT_FALSE(answer.json.contains("fault"));
  ASSERT_FALSE(witness["shorter"].empty());
  for (const Json& anomaly : witness["anomalies"]) {
    EXPECT_LT(anomaly["time_ps"], anomaly["worst_ps"]);
    EXPECT_LT(anomaly["makespan_ps"], witness["makespan_ps"]);
    EXPECT_EQ(witness["ops"][anomaly["op"].get<std::size_t>()]["time_ps"], anomaly["time_ps"]);
  }
  EXPECT_EQ(witness["ops"].size(), 10U) << "nine ops and one transfer";
  EXPECT_EQ(witness["ops"][9]["core"], "delay");
  EXPECT_EQ(witness["order"].size(), 10U);
  EXPECT_EQ(answer.json["best_witness"]["makespan_ps"], answer.json["best_ps"]);
}

TEST(BoundWitness, ItsGraphTakesAsLongInSimulation) {
  const TemporaryDirectory directory;
  for (const std::string release : {"", R"(, "release_ps": [0, 700])"}) {
    const std::string model = directory.write("graham.json", graham_graph(release));
    for (const char* policy : {"id", "critical-path", "priority", "fifo"}) {
      BoundRequest request = witness_of(model);
      request.exact.policy = policy;
      request.witness = directory.write("worst.json", "");
      const Json answer = bound_model(request).json;
      EXPECT_EQ(answer["witness"]["file"], request.witness);
      EXPECT_EQ(simulated_makespan(request.witness, answer["witness"]["policy"]), answer["witness"]["simulated_ps"])
          << policy << release;
      EXPECT_EQ(answer["witness"]["simulated_ps"], answer["witness"]["makespan_ps"]) << policy << release;
    }
  }
}

TEST(BoundWitness, AGraphNeedsAnExactWorstCase) {
  const TemporaryDirectory directory;
  BoundRequest request = witness_of(directory.write("graham.json", graham_graph()));
  request.witness = directory.write("worst.json", "");
  request.method = "all";
  EXPECT_EQ(
      refusal_of([&] { return bound_model(request); }),
      "--witness " + request.witness + ": there is no exact worst case to write a run of; it needs --method exact");
  request.method = "exact";
  request.exact.max_states = 1;
  EXPECT_EQ(refusal_of([&] { return bound_model(request); }),
            "--witness " + request.witness +
                ": there is no exact worst case to write a run of; it needs an analysis that ends and is exact");
  EXPECT_EQ(read_regular_file(request.witness, 100), "") << "nothing is written";
}

TEST(BoundWitness, OfExclusiveBranchesTheLongestRunIsShown) {
  const Answer answer =
      bound_model(witness_of(std::string(DETENT_SOURCE_DIR) + "/tests/cli/transcripts/inputs/branches.json"));
  EXPECT_EQ(answer.json["witness"]["makespan_ps"], answer.json["methods"].back()["bound_ps"]);
  EXPECT_EQ(answer.json["best_witness"]["makespan_ps"], answer.json["best_ps"]);
}

}  // namespace
}  // namespace detent::app
