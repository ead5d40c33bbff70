// synthesize: its lists are those that bound, simulate and run follow, and their bound is the makespan that it says.
#include "app/synthesis/synthesize_model.hpp"

#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/simulate/simulation.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

SynthesizeRequest request_for(const std::string& model, const std::string& cores, const TemporaryDirectory& place) {
  SynthesizeRequest made;
  made.request.model = model;
  made.request.reproducible = true;
  made.cores = cores;
  made.max_nodes = 20'000;
  made.out = place.file("lists.json");
  return made;
}

TEST(SynthesizeModel, TheBoundOfItsListsIsItsMakespanAndNoRunIsLonger) {
  const TemporaryDirectory place;
  for (const std::string model : {"diamond", "chain", "mobilenetv2:64", "resnet18:32"}) {
    for (const std::string cores : {"2", "cpu=2,npu=1"}) {
      const SynthesizeRequest request = request_for(model, cores, place);
      const Answer found = synthesize_model(request);
      EXPECT_EQ(found.outcome, found.json["optimal"] == true ? verify::Outcome::kHolds : verify::Outcome::kUnknown);
      EXPECT_LE(found.json["lower_bound_ps"], found.json["makespan_ps"]);

      BoundRequest bound{.request = request.request, .cores = cores, .method = "lists"};
      bound.model.schedule = request.out;
      const Answer bounded = bound_model(bound);
      EXPECT_EQ(bounded.json["methods"].back()["bound_ps"], found.json["makespan_ps"]) << model << " on " << cores;
      EXPECT_EQ(bounded.json["methods"].back()["exact"], true);

      SimulateRequest simulated{.request = request.request};
      simulated.simulation.cores = cores;
      simulated.simulation.timing_only = true;
      simulated.simulation.runs = 5;
      simulated.schedule.engine.mode = DETENT_MODE_STATIC;
      simulated.schedule.engine.workers = 2;
      simulated.model.schedule = request.out;
      simulated.model.weights = false;
      const sim::Platform platform = simulated_platform(simulated.simulation);
      simulated.model.accelerator = accelerator_of(platform);
      const LoadedModel loaded = load(model, simulated.model);
      EXPECT_LE(simulate(simulated, loaded, platform, nullptr, {}).json["makespan_ps"]["max"],
                found.json["makespan_ps"]);
      simulated.simulation.jitter = "worst:0.1";
      EXPECT_EQ(simulate(simulated, loaded, platform, nullptr, {}).json["makespan_ps"]["max"],
                found.json["makespan_ps"])
          << model << " on " << cores;
    }
  }
}

TEST(SynthesizeModel, TheSameQuestionHasTheSameAnswer) {
  const TemporaryDirectory place;
  SynthesizeRequest request = request_for("diamond", "2", place);
  const Answer first = synthesize_model(request);
  expect_same_answer(first, synthesize_model(request));
  EXPECT_EQ(first.json["ended_by"], "proof");
  EXPECT_EQ(first.json["makespan_ps"], 31'000'000);
  EXPECT_FALSE(first.json.contains("host"));
  request.objective = "worst-case";
  EXPECT_EQ(synthesize_model(request).json["makespan_ps"], first.json["makespan_ps"]);
  request.objective = "energy";
  EXPECT_EQ(refusal_of([&] { return synthesize_model(request); }), "--objective energy: choose makespan or worst-case");
}

TEST(SynthesizeModel, OptimalIsNotSaidOfOpsThatNoRunExecutesTogether) {
  const TemporaryDirectory place;
  EXPECT_EQ(
      refusal_of([&] { return synthesize_model(request_for("cascade:16", "2", place)).lines.size(); }),
      "cascade:16: op 5 (classes.then.0) is executed in some runs only; lists are shortest for one set of ops, so "
      "give a network without branches");
}

TEST(SynthesizeModel, WhatListsDoNotSettleIsRefused) {
  const TemporaryDirectory place;
  const auto refusal = [&](const char* more) {
    SynthesizeRequest request = request_for(
        place.write("g.json", std::string(R"({"schema": "detent.graph/1", "name": "s", "regions": [], "ops": [
      {"id": 0, "name": "a", "time_ps": 3, )") +
                                  more + R"("reads": [], "writes": []},
      {"id": 1, "name": "b", "time_ps": 4, )" +
                                  more + R"("reads": [], "writes": []}], "edges": []})"),
        "2", place);
    return refusal_of([&] { return synthesize_model(request); });
  };
  EXPECT_EQ(refusal(""), "");
  EXPECT_NE(refusal(R"("mutex": "m", )").find("share a mutex"), std::string::npos);
  EXPECT_NE(refusal(R"("workers": [1], )").find("for some workers only"), std::string::npos);
  EXPECT_NE(refusal(R"("core": "npu", )"), "");
}

}  // namespace
}  // namespace detent::app
