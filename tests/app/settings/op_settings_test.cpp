#include "app/settings/op_settings.hpp"

#include <gtest/gtest.h>

#include "app/import/import_graph.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "harness/run_native.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string settings_text(const std::string& rows) { return "schema = \"detent.set/1\"\n[ops]\n" + rows; }

std::string settings_refusal(const std::string& text) {
  return refusal_of([&] { return parse_op_settings(text, "s.toml"); });
}

TEST(OpSettings, RowsAreReadStrictly) {
  const std::vector<OpSetting> rows =
      parse_op_settings(settings_text("\"conv*\" = { priority = -3 }\nhead = { class = \"npu\", priority = 7 }\n"), "s")
          .ops;
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].pattern, "conv*");
  EXPECT_EQ(rows[0].priority, -3);
  EXPECT_EQ(rows[0].core_class, std::nullopt);
  EXPECT_EQ(rows[1].priority, 7);
  EXPECT_EQ(rows[1].core_class, "npu");
  EXPECT_EQ(settings_refusal(settings_text("a = { }")),
            "s.toml:3: 'a' sets nothing; give it priority, class or workers");
  EXPECT_EQ(settings_refusal(settings_text("a = { class = \"delay\" }")),
            "s.toml:3: 'ops.a.class' is of pseudo-ops; name a class of cores");
  for (const char* rows_text :
       {"a = 1", "a = { priority = 1.5 }", "a = { priority = 2147483648 }", "a = { speed = 1 }", "a = { workers = 1 }",
        "a = { workers = [] }", "a = { workers = [32] }", "a = { workers = [-1] }", "a = { workers = [1, 1] }",
        "a = { workers = [1.0] }", "a = { class = \"N U\" }", "\"\" = { priority = 1 }",
        "a = { priority = 1 }\na = { priority = 1 }", ""}) {
    EXPECT_NE(settings_refusal(settings_text(rows_text)), "") << rows_text;
  }
  EXPECT_NE(settings_refusal("schema = \"detent.set/2\"\n[ops]\na = { priority = 1 }"), "");
  EXPECT_NE(settings_refusal("schema = \"detent.set/1\"\n"), "");
}

class OpSettingsOfAModel : public ::testing::Test {
 protected:
  /// diamond's ops are named as `detent graph diamond` says.
  [[nodiscard]] std::string apply(const std::string& rows) {
    return refusal_of(
        [&] { return summary_ = apply_op_settings(place_.write("s.toml", settings_text(rows)), model_); });
  }
  TemporaryDirectory place_;
  models::Model model_ = load("diamond", {}).model;
  std::string summary_;
};

TEST_F(OpSettingsOfAModel, AnOpsOwnRowComesBeforePatterns) {
  const std::string first = model_.ops[0].name;
  EXPECT_EQ(apply("\"*\" = { priority = 5 }\n\"" + first + "\" = { priority = 1, class = \"npu\" }"), "");
  EXPECT_EQ(model_.ops[0].priority, 1);
  EXPECT_EQ(model_.ops[0].core_class, "npu");
  EXPECT_EQ(model_.ops[1].priority, 5);
  EXPECT_EQ(model_.ops[1].core_class, "cpu");
  EXPECT_EQ(summary_, "priority of 4 ops, class of 1 op from " + place_.file("s.toml"));
}

TEST_F(OpSettingsOfAModel, PatternsMaySayDifferentThingsButNotOfOneOp) {
  const std::string first = model_.ops[0].name;
  EXPECT_EQ(apply("\"*\" = { priority = 5 }\n\"" + first.substr(0, 1) + "*\" = { class = \"npu\" }"), "");
  EXPECT_EQ(model_.ops[0].priority, 5);
  EXPECT_EQ(model_.ops[0].core_class, "npu");
  EXPECT_EQ(apply("\"*\" = { priority = 5 }\n\"" + first + "?\" = { priority = 6 }").rfind(place_.file("s.toml"), 0),
            0U);
  const std::string refused = apply("\"*\" = { priority = 5 }\n\"" + first.substr(0, 1) + "*\" = { priority = 6 }");
  EXPECT_EQ(refused,
            place_.file("s.toml") + ": op 'fork' has priority 5 by '*' and 6 by 'f*'; give it a row of its own name");
}

TEST_F(OpSettingsOfAModel, ARowForNoOpIsRefused) {
  EXPECT_EQ(apply("\"nothing*\" = { priority = 5 }"),
            place_.file("s.toml") + ": 'nothing*' is no op of diamond; detent graph MODEL -o FILE lists its ops");
  EXPECT_EQ(apply("\"" + model_.ops[3].name + "x\" = { priority = 5 }"),
            place_.file("s.toml") + ": 'joinx' is no op of diamond; did you mean join?");
  EXPECT_NE(refusal_of([&] { return apply_op_settings(place_.file("missing"), model_); }), "");
}

TEST_F(OpSettingsOfAModel, WorkersOfAnOp) {
  EXPECT_EQ(apply("\"*\" = { workers = [0] }\nfork = { workers = [2, 0] }"), "");
  EXPECT_EQ(model_.ops[0].workers, 5U);
  EXPECT_EQ(model_.ops[1].workers, 1U);
  EXPECT_EQ(summary_, "workers of 4 ops from " + place_.file("s.toml"));
  EXPECT_EQ(apply("\"*\" = { workers = [0] }\n\"f*\" = { workers = [2, 0] }"),
            place_.file("s.toml") + ": op 'fork' has workers 0 by '*' and 0, 2 by 'f*'; give it a row of its own name");
}

/// The ops of a serial run in the order in which they began.
std::vector<std::uint32_t> order_of(const RunRequest& request) {
  const LoadedModel loaded = load(request.request.model, request.model);
  harness::NativeOptions native;
  native.engine = request.schedule.engine;
  const harness::Run run = harness::run_native(loaded.desc(), native);
  std::vector<std::uint32_t> ops;
  for (const harness::Span& span : run.trace.spans) ops.push_back(span.op);
  return ops;
}

TEST(OpSettingsRun, PoliciesPriorityAndIdDifferOnANetwork) {
  const TemporaryDirectory place;
  RunRequest request;
  request.request.model = "diamond";
  request.request.reproducible = true;
  request.schedule.engine.workers = 0;
  const std::string right = load("diamond", {}).model.ops[2].name;
  request.model.set = place.write("s.toml", settings_text("\"" + right + "\" = { priority = -1 }"));
  EXPECT_EQ(order_of(request), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  request.schedule.engine.policy = "priority";
  EXPECT_EQ(order_of(request), (std::vector<std::uint32_t>{0, 2, 1, 3}));
  const Answer answer = run_once(request);
  EXPECT_EQ(answer.json["settings"], "priority of 1 op from " + request.model.set);
  EXPECT_NE(answer.json["replay"].get<std::string>().find(" set="), std::string::npos);
}

TEST(OpSettingsRun, APackageKeepsThem) {
  const TemporaryDirectory place;
  const std::string graph = place.write(
      "g.json",
      R"({"schema": "detent.graph/1", "name": "two", "regions": [], "ops": [{"id": 0, "name": "a"}, {"id": 1, "name": "b"}], "edges": []})");
  ImportGraphOptions options{.request = {.model = graph}, .package = place.file("g.pkg")};
  options.set = place.write("s.toml", settings_text("b = { priority = -4, class = \"dsp\" }"));
  EXPECT_EQ(import_graph(options).json["settings"], "priority of 1 op, class of 1 op from " + options.set);
  const LoadedModel loaded = load(options.package, {});
  EXPECT_EQ(loaded.model.ops[1].priority, -4);
  EXPECT_EQ(loaded.model.ops[1].core_class, "dsp");
  EXPECT_EQ(loaded.desc().ops[1].priority, -4);
}

TEST(OpSettingsRun, ASimulationPutsAnOpOnTheClassOfItsRow) {
  const TemporaryDirectory place;
  SimulateRequest request;
  request.request.model = "diamond";
  request.simulation.cores = "cpu=1,dsp=1";
  request.simulation.runs = 1;
  request.model.set = place.write("s.toml", settings_text("\"*\" = { class = \"dsp\" }"));
  const LoadedModel loaded = load("diamond", request.model);
  const Answer answer = simulate(request, loaded, simulated_platform(request.simulation), nullptr, {});
  EXPECT_EQ(answer.json["settings"], "class of 4 ops from " + request.model.set);
  ASSERT_EQ(answer.json["ops"].size(), 4U);
  for (const Json& op : answer.json["ops"]) {
    EXPECT_EQ(op["core"].get<std::string>().rfind("dsp", 0), 0U) << op.dump();
  }
}

}  // namespace
}  // namespace detent::app
