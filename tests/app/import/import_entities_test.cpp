// import entities: what the answer says, the graph that is written, and what verify, check and explore make of it.
#include "app/import/import_entities.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "app/explore/ops.hpp"
#include "app/import/import_graph.hpp"
#include "app/model/loaded_model.hpp"
#include "app/static/verify_model.hpp"
#include "models/files/graph_file.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string source(const std::string& name) {
  return std::string(DETENT_SOURCE_DIR) + "/tests/models/import/tvm/entities/sources/" + name;
}

class ImportedEntities : public testing::Test {
 protected:
  Answer import(const std::string& path) { return import_entities({.request = {.model = path}, .graph = graph_}); }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(dir_.file(name)) << text;
    return dir_.file(name);
  }
  /// Two entities without an order; the second one's function is `kernel`.
  std::string pair_with(const std::string& kernel) {
    return write("net.c",
                 "static float a[4], b[4];\nstatic int f(void *p) { (void)p; a[0] = 1; return 0; }\nint g(void *p);\n"
                 "struct t { int (*run)(void *); void *args; int succ[1], nsucc, indegree; };\n"
                 "static struct t tab[] = {{f, 0, {0}, 0, 0}, {" +
                     kernel + ", 0, {0}, 0, 0}};\n");
  }
  Answer verified(const std::string& model) {
    VerifyRequest request;
    request.request.model = model;
    return verify_model(request, {});
  }

  TemporaryDirectory dir_;
  std::string graph_ = dir_.file("net.json");
};

std::string outcome_of_property(const Answer& answer, const std::string& property) {
  for (const Json& verdict : answer.json.at("verdicts")) {
    if (verdict.at("property") == property) return verdict.at("outcome");
  }
  return "";
}

TEST_F(ImportedEntities, ASafeSourceHoldsAndARacyOneIsViolated) {
  const Answer safe = import(source("safe.c"));
  EXPECT_EQ(safe.outcome, verify::Outcome::kHolds);
  EXPECT_EQ(safe.json.at("ops"), 20);
  EXPECT_EQ(safe.json.at("racing_pairs"), 0);
  EXPECT_EQ(safe.json.at("unknown_ops"), 0);
  EXPECT_EQ(safe.json.at("entities").at(0).at("footprint"), "exact");
  EXPECT_EQ(verified(graph_).outcome, verify::Outcome::kHolds);
  const Answer racy = import(source("racy.c"));
  EXPECT_EQ(racy.outcome, verify::Outcome::kHolds) << "the graph is written";
  EXPECT_EQ(racy.json.at("racing_pairs"), 3);
  const Answer answer = verified(graph_);
  EXPECT_EQ(answer.outcome, verify::Outcome::kViolated);
  EXPECT_EQ(answer.json.at("racing_pairs"), 3);
}

TEST_F(ImportedEntities, AnUnknownFootprintTakesTheGreenAway) {
  const Answer answer = import(pair_with("g"));
  EXPECT_EQ(answer.json.at("unknown_ops"), 1);
  EXPECT_EQ(answer.json.at("entities").at(1).at("why"), "its body is not here");
  EXPECT_EQ(outcome_of_property(answer, "buffer_races"), "unknown");
  const Answer verdict = verified(graph_);
  EXPECT_EQ(verdict.outcome, verify::Outcome::kUnknown);
  EXPECT_EQ(outcome_of_property(verdict, "buffer_races"), "unknown");
  EXPECT_EQ(outcome_of_property(verdict, "determinism"), "unknown");
  const std::string text = text_of(verdict);
  EXPECT_NE(text.find("op 1 (g) may touch other bytes than the graph lists"), std::string::npos) << text;
  const std::string package = dir_.file("net.pkg");
  import_graph({.request = {.model = graph_}, .package = package});
  EXPECT_EQ(verified(package).outcome, verify::Outcome::kUnknown) << "a package keeps it";
  const LoadedModel loaded = load(graph_, {});
  OpExploreRequest explore;
  explore.request.model = graph_;
  EXPECT_EQ(explore_orders(explore, loaded, {}).outcome, verify::Outcome::kUnknown);
}

TEST_F(ImportedEntities, ARaceOfKnownBytesIsARaceBesideAnUnknownOp) {
  import(write("net.c",
               "static float a[4];\nstatic int f(void *p) { (void)p; a[0] = 1; return 0; }\nint g(void *p);\n"
               "struct t { int (*run)(void *); void *args; int succ[1], nsucc, indegree; };\n"
               "static struct t tab[] = {{f, 0, {0}, 0, 0}, {g, 0, {0}, 0, 0}, {f, 0, {0}, 0, 0}};\n"));
  EXPECT_EQ(verified(graph_).outcome, verify::Outcome::kViolated);
}

TEST_F(ImportedEntities, WhatPeopleMadeIsNotOverwritten) {
  write("net.json", "#include <stdint.h>\nint x;\n");
  EXPECT_NE(refusal_of([&] { return import(source("safe.c")); }).find("which would be lost; choose another name"),
            std::string::npos);
}

TEST_F(ImportedEntities, AnsweringTwiceGivesTheSameBytes) {
  const Answer first = import(source("racy.c"));
  expect_same_answer(first, import(source("racy.c")));
}

TEST_F(ImportedEntities, TheFootprintOfAGraphIsUnknownOrNotThere) {
  const std::string graph = R"({"schema": "detent.graph/1", "ops": [{"id": 0, "footprint": "FOOT"}]})";
  std::string text = graph;
  text.replace(text.find("FOOT"), 4, "unknown");
  const models::Model model = models::parse_graph(text, "g.json");
  EXPECT_EQ(model.ops[0].footprint, models::Footprint::kUnknown);
  EXPECT_EQ(models::parse_graph(models::format_graph(model), "g.json"), model);
  EXPECT_NE(refusal_of([&] { return models::parse_graph(graph, "g.json"); }).find("must be \"unknown\""),
            std::string::npos);
}

}  // namespace
}  // namespace detent::app
