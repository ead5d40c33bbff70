#include "app/settings/fallbacks.hpp"

#include <gtest/gtest.h>

#include "app/bound/bound_model.hpp"
#include "app/explore/combinations.hpp"
#include "app/model/loaded_model.hpp"
#include "app/replay/replay.hpp"
#include "app/runs/native_run.hpp"
#include "app/runs/simulated_run.hpp"
#include "app/settings/op_settings.hpp"
#include "models/files/package.hpp"
#include "tests/app/answers.hpp"

namespace detent::app {
namespace {

std::string fallback_file(const std::string& rows) { return "schema = \"detent.set/1\"\n" + rows; }

std::string fallback_refusal(const std::string& rows) {
  return refusal_of([&] { return parse_op_settings(fallback_file("[[fallbacks]]\n" + rows), "s.toml"); });
}

TEST(FallbackRules, AreRead) {
  const std::vector<FallbackRule> rules =
      parse_op_settings(fallback_file("[[fallbacks]]\nfrom = \"npu\"\n"
                                      "[[fallbacks]]\nfrom = \"gpu\"\nto = \"npu\"\nops = \"conv*\"\nslower = 2.5\n"
                                      "watchdog = \"2ms\"\n"),
                        "s")
          .fallbacks;
  const std::vector<FallbackRule> wanted = {
      {.from = "npu"}, {.from = "gpu", .to = "npu", .ops = "conv*", .slower = 2.5, .watchdog_ps = 2'000'000'000}};
  EXPECT_EQ(rules, wanted);
}

TEST(FallbackRules, AreReadStrictly) {
  EXPECT_EQ(fallback_refusal("from = \"cpu\""), "s.toml:3: 'cpu' would stand in for itself; name two classes");
  EXPECT_EQ(fallback_refusal("from = \"npu\"\nto = \"delay\""),
            "s.toml:4: 'fallbacks.to' is of pseudo-ops; name a class of cores");
  EXPECT_EQ(fallback_refusal("from = \"npu\"\n[[fallbacks]]\nfrom = \"npu\"\nto = \"dsp\""),
            "s.toml:4: a second fallback of these ops; keep one");
  for (const char* text :
       {"", "to = \"cpu\"", "from = \"n p\"", "from = \"npu\"\nslower = 0", "from = \"npu\"\nops = 1",
        "from = \"npu\"\nwatchdog = \"0ms\"", "from = \"npu\"\nwatchdog = 5", "from = \"npu\"\nwatchdog = \"2h\"",
        "from = \"npu\"\nwatchdog = \"3601s\"", "from = \"npu\"\nslower = -1", "from = \"npu\"\nslower = 1e7",
        "from = \"npu\"\nspeed = 1"}) {
    EXPECT_NE(fallback_refusal(text), "") << text;
  }
}

class FallbacksOfAFile : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& rows) { return place_.write("s.toml", fallback_file(rows)); }
  [[nodiscard]] LoadedModel loaded(const std::string& name, const std::string& rows) {
    ModelOptions options{.guards = ModelOptions::Guards::kKept};
    options.set = file(rows);
    return load(name, options);
  }
  [[nodiscard]] std::string refusal(const std::string& name, const std::string& rows) {
    return refusal_of([&] { return loaded(name, rows); });
  }
  TemporaryDirectory place_;
};

TEST_F(FallbacksOfAFile, FollowClassesAndComeBeforeTransfers) {
  const LoadedModel net = loaded("branchnet",
                                 "[[fallbacks]]\nfrom = \"npu\"\n"
                                 "[[transfers]]\nfrom = \"cpu\"\nto = \"npu\"\ntime = \"1us\"\n");
  EXPECT_EQ(net.settings.rfind("fallbacks of ", 0), 0U) << net.settings;
  EXPECT_NE(net.settings.find("transfers on "), std::string::npos);
  const auto again = std::ranges::find_if(net.model.ops, [](const models::Op& op) { return op.replaces; });
  ASSERT_NE(again, net.model.ops.end());
  EXPECT_EQ(again->core_class, "cpu");
}

TEST_F(FallbacksOfAFile, RunsOfThemSayThatNothingFails) {
  EXPECT_EQ(loaded("branchnet", "[[fallbacks]]\nfrom = \"npu\"\n").executed_outcomes(),
            "as computed where nothing fails");
  ModelOptions options{.guards = ModelOptions::Guards::kResolved};
  EXPECT_EQ(load("cascade:32", options).executed_outcomes(), "as computed");
  EXPECT_EQ(load("branchnet", options).executed_outcomes(), "");
  options.outcomes = "first.npu=fails";
  EXPECT_EQ(load("fallback:16", options).executed_outcomes(), "first.npu=fails,second.npu=works");
}

TEST_F(FallbacksOfAFile, TheFirstRuleOfAnOpCounts) {
  const LoadedModel net = loaded("branchnet",
                                 "[[fallbacks]]\nfrom = \"npu\"\nops = \"*0*\"\nto = \"dsp\"\n"
                                 "[[fallbacks]]\nfrom = \"npu\"\n");
  std::size_t dsp = 0, cpu = 0;
  for (const models::Op& op : net.model.ops) {
    dsp += op.replaces && op.core_class == "dsp" ? 1U : 0U;
    cpu += op.replaces && op.core_class == "cpu" ? 1U : 0U;
  }
  EXPECT_GT(dsp, 0U);
  EXPECT_GT(cpu, 0U);
}

TEST_F(FallbacksOfAFile, WhatCannotBeIsRefused) {
  const std::string rule = "[[fallbacks]]\nfrom = \"npu\"\n";
  EXPECT_NE(refusal("resnet18:32", rule).find("no op of resnet18:32 is of class npu; give it one in [ops]"),
            std::string::npos);
  EXPECT_NE(refusal("branchnet", rule + "ops = \"nothing*\"\n").find("is of class npu and called nothing*"),
            std::string::npos);
  EXPECT_NE(refusal("diamond", "[ops]\nfork = { class = \"npu\" }\n" + rule).find("op 'fork' of diamond"),
            std::string::npos);
  EXPECT_NE(refusal("fallback", rule).find("can have no fallback: it has one already"), std::string::npos);
  const std::string impatient =
      refusal("diamond", "[ops]\nfork = { class = \"npu\" }\n" + rule + "slower = 2\nwatchdog = \"1ns\"\n");
  EXPECT_NE(impatient.find("op 'fork' of diamond takes up to "), std::string::npos) << impatient;
  EXPECT_NE(impatient.find(" and would be given up after 1.00 ns; let the watchdog wait longer"), std::string::npos)
      << impatient;
}

TEST_F(FallbacksOfAFile, TakeTheTimesThatTheirOpsHaveOnACpu) {
  ModelOptions options{.guards = ModelOptions::Guards::kKept};
  options.set = file("[[fallbacks]]\nfrom = \"npu\"\n");
  const LoadedModel plain = load("branchnet", options);
  const auto again = std::ranges::find_if(plain.model.ops, [](const models::Op& op) { return op.replaces; });
  ASSERT_NE(again, plain.model.ops.end());
  const std::string name = (again - 1)->name;
  const std::string times = "{ min_ps = 1000, median_ps = 2000, p99_ps = 3000, max_ps = 4000 }\n";
  options.costs = place_.write("costs.toml", "schema = \"detent.costs/1\"\nmodel = \"branchnet\"\n[[op]]\nname = \"" +
                                                 name + "\"\nkernel = \"" + again->kernel + "\"\nwarm = " + times);
  const LoadedModel measured = load("branchnet", options);
  const auto op = static_cast<std::uint32_t>(again - plain.model.ops.begin());
  const sim::MeasuredOp* const found = sim::find_measured(*measured.costs, measured.desc(), OpId(op));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, name + ".fallback");
  EXPECT_EQ(found->warm.max_ps, 4000U);
}

TEST_F(FallbacksOfAFile, BoundsGoThroughTheRunsWithFewFailures) {
  BoundRequest wanted;
  wanted.request.model = "branchnet";
  wanted.platform = "quad_npu";
  wanted.model.set = file("[[fallbacks]]\nfrom = \"npu\"\n");
  wanted.model.most_failures = 1;
  wanted.deadline = "1s";
  const Answer one = bound_model(wanted);
  EXPECT_EQ(one.json["outcomes"]["most_failures"], 1);
  EXPECT_EQ(one.json["outcomes"]["all"], true);
  EXPECT_EQ(one.json["deadline"]["condition"], "if at most 1 op fails and no op exceeds its worst time");
  EXPECT_NE(text_of(one).find("combinations of outcomes in which at most 1 op fails"), std::string::npos);
  wanted.model.most_failures = 0;
  const Answer none = bound_model(wanted);
  EXPECT_EQ(none.json["outcomes"]["combinations"], 1);
  EXPECT_NE(text_of(none).find("in which no op fails"), std::string::npos);
  const std::string sooner = "one that fails sooner breaks exact worst cases and earliest times";
  EXPECT_NE(text_of(one).find(sooner), std::string::npos);
  EXPECT_EQ(text_of(none).find(sooner), std::string::npos) << "nothing fails";
  wanted.model.most_failures = 2;
  const Answer two = bound_model(wanted);
  EXPECT_NE(text_of(two).find("at most 2 ops fail"), std::string::npos);
  const auto longest = [](const Answer& answer) {
    std::uint64_t most = 0;
    for (const Json& one_way : answer.json["outcomes"]["bounds"])
      most = std::max(most, one_way["bound_ps"].get<std::uint64_t>());
    return most;
  };
  EXPECT_LT(longest(none), longest(one));
  EXPECT_LE(longest(one), longest(two));
}

/// Every call of the NPU hangs, and no deadline ends the run.
TEST_F(FallbacksOfAFile, AnOpThatHangsIsGivenUpByItsWatchdog) {
  const std::string watched = file("[[fallbacks]]\nfrom = \"npu\"\nwatchdog = \"2ms\"\n");
  const auto key = [](const std::string& wanted) {
    return static_cast<std::size_t>(std::ranges::find(harness::fault_keys(), wanted) - harness::fault_keys().begin());
  };
  RunRequest native;
  native.request.model = "branchnet";
  native.schedule.engine.workers = 2;
  const std::string digest = run_once(native).json["digest"];
  native.model.set = watched;
  native.faults.values[key("hang_device")] = {"npu,2+"};
  const Answer ran = run_once(native);
  EXPECT_EQ(ran.outcome, verify::Outcome::kHolds) << text_of(ran);
  EXPECT_EQ(ran.json["status"], "OK");
  EXPECT_EQ(ran.json["digest"], digest);
  EXPECT_EQ(ran.json["given_up"].size(), ran.json["device_faults"].size());
  EXPECT_NE(text_of(ran).find("given up  "), std::string::npos) << text_of(ran);

  SimulateRequest simulated;
  simulated.request.model = "branchnet";
  simulated.model.set = watched;
  simulated.simulation.runs = 3;
  simulated.faults = native.faults;
  const SimulationStart start = start_simulation(simulated, {});
  const Answer answer = simulate(simulated, start.loaded, start.platform, nullptr, {});
  EXPECT_EQ(answer.outcome, verify::Outcome::kHolds) << text_of(answer);
  EXPECT_EQ(answer.json["digest"], digest);
  EXPECT_GT(answer.json["makespan_ps"]["min"].get<std::uint64_t>(), 2'000'000'000U) << answer.json["makespan_ps"];
  const Answer replayed = replay({.source = answer.json["replay"].get<std::string>()}).answer;
  EXPECT_EQ(replayed.outcome, verify::Outcome::kHolds) << text_of(replayed);

  native.model.set = file("[[fallbacks]]\nfrom = \"npu\"\n");
  EXPECT_EQ(
      refusal_of([&] { return run_once(native); }),
      "device npu hangs: without a deadline or a watchdog the run never ends; add --deadline-op TIME, or watchdog "
      "to the [[fallbacks]] of --set");
}

TEST_F(FallbacksOfAFile, BoundsCountTheWatchdogOfAnOpThatFails) {
  BoundRequest wanted;
  wanted.request.model = "branchnet";
  wanted.platform = "quad_npu";
  wanted.model.most_failures = 1;
  std::string printed;
  const auto longest = [&](const std::string& rows) {
    wanted.model.set = file(rows);
    const Answer answer = bound_model(wanted);
    printed = text_of(answer);
    std::uint64_t most = 0;
    for (const Json& one_way : answer.json["outcomes"]["bounds"])
      most = std::max(most, one_way["bound_ps"].get<std::uint64_t>());
    return most;
  };
  const std::string up_to = "a watched op that fails may take any time up to that of its watchdog";
  const std::uint64_t unwatched = longest("[[fallbacks]]\nfrom = \"npu\"\n");
  EXPECT_EQ(printed.find(up_to), std::string::npos);
  EXPECT_NE(printed.find("an op that fails is taken to need as long as one that works"), std::string::npos);
  const std::uint64_t watched = longest("[[fallbacks]]\nfrom = \"npu\"\nwatchdog = \"5ms\"\n");
  EXPECT_NE(printed.find(up_to), std::string::npos);
  EXPECT_EQ(printed.find("an op that fails is taken to need as long"), std::string::npos);
  EXPECT_GT(watched, 5'000'000'000U);
  EXPECT_LT(watched, unwatched + 5'000'000'000U);
}

TEST_F(FallbacksOfAFile, APackageKeepsWatchdogs) {
  models::Model model = loaded("branchnet", "[[fallbacks]]\nfrom = \"npu\"\nwatchdog = \"7200us\"\n").model;
  const auto watched = std::ranges::find_if(model.ops, [](const models::Op& op) { return op.is_fallible; });
  ASSERT_NE(watched, model.ops.end());
  EXPECT_EQ(watched->watchdog_ps, 7'200'000'000U);
  EXPECT_EQ(models::decode_package(models::encode_package(model), "net.pkg"), model);
  const auto other = std::ranges::find_if(model.ops, [](const models::Op& op) { return !op.is_fallible; });
  other->watchdog_ps = 1;
  EXPECT_NE(refusal_of([&] { return models::encode_package(model); }).find("a watchdog of an op that may not fail"),
            std::string::npos);
}

}  // namespace
}  // namespace detent::app
