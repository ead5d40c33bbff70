// What of a check its report holds: every value once, and what every figure rests on.
#include "app/check/report.hpp"

#include <gtest/gtest.h>

#include "app/model/loaded_model.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

/// Of where the numbers of a platform come from, the sources of one are spelled out.
std::string assumptions_text(const reports::ReportData& data) {
  std::string text;
  std::size_t sources = 0;
  for (const reports::Assumption& one : data.assumptions) {
    const bool is_source = one.key.starts_with(data.platform + " ");
    sources += is_source ? 1U : 0U;
    if (!is_source || data.platform == "corstone300_u55") text += one.key + ": " + one.text + "\n";
  }
  return text + std::to_string(sources) + " sources\n";
}

/// A check in which every value differs from all others.
CheckResult full_result() {
  CheckResult result;
  result.native.emplace();
  result.native->digest = 0xAB;
  result.native->makespan_ps = 123;
  result.native->trace.spans = {{0, 0, 1, 2, 0}, {1, 2, 3, 4, 1}, {2, 1, 5, 6, 2}};
  result.native_workers = 5;
  result.determinism.emplace();
  result.determinism->serial_digest = 0xCD;
  sim::SimResult& sim = result.simulated.emplace();
  sim.runs = 11;
  sim.executed_runs = 2;
  sim.makespans_ps = {700, 800, 900};
  sim.min_ps = 700;
  sim.median_ps = 800;
  sim.p99_ps = 890;
  sim.max_ps = 900;
  sim.worst_seed = 17;
  sim.worst.makespan_ps = 1000;
  sim.worst.trace.spans = {{0, 0, 0, 250, 0}};
  sim.worst.digest = 0xEF;
  sim.typical.makespan_ps = 800;
  sim.slot_names = {"cpu0", "npu0"};
  sim.use = {{"cpu0", 0, 250}, {"npu0", 1, 1000}};
  result.bounds = {{"serial", 4000, true, true, "one op at a time"}};
  result.refused_bounds = {{"graham", 0, true, false, "cores differ"},
                           {"he2022", 0, true, false, "cores differ"},
                           {"typed", 0, true, false, "loads"}};
  result.guarded_bounds = "d=then";
  return result;
}

reports::ReportData report_of(const Request& request, const SimulationOptions& options, const LoadedModel& loaded,
                              const CheckResult& result) {
  return make_report_data(request, options, loaded, simulated_platform(options), result);
}

TEST(CheckReport, EveryValueOfACheckIsInItsReport) {
  const LoadedModel loaded = load("diamond", {});
  const Request request{.model = "diamond", .seeds = {.input = 3, .schedule = 7}};
  const reports::ReportData data = report_of(request, {.platform = "rk3588", .cores = ""}, loaded, full_result());
  EXPECT_EQ(data.model, "diamond");
  EXPECT_EQ(data.platform, "rk3588");
  EXPECT_EQ(data.seed, 7U);
  EXPECT_EQ(data.desc, &loaded.desc());
  EXPECT_EQ(data.native_workers, 5U);
  EXPECT_EQ(data.native_digest, "00000000000000ab");
  EXPECT_EQ(data.serial_digest, "00000000000000cd");
  EXPECT_EQ(data.native_ps, 123U);
  EXPECT_EQ(data.sim_runs, 11U);
  EXPECT_EQ(data.sim_executed_runs, 2U);
  EXPECT_EQ(data.min_ps, 700U);
  EXPECT_EQ(data.median_ps, 800U);
  EXPECT_EQ(data.p99_ps, 890U);
  EXPECT_EQ(data.max_ps, 900U);
  EXPECT_EQ(data.worst_seed, 17U);
  EXPECT_EQ(data.makespans_ps, (std::vector<std::uint64_t>{700, 800, 900}));
  EXPECT_EQ(data.percentiles.size(), 2U);
  EXPECT_FALSE(data.search);
  EXPECT_EQ(data.utilisation, (std::vector<std::pair<std::string, double>>{{"cpu0", 0.25}, {"npu0", 1.0}}));
  ASSERT_EQ(data.timelines.size(), 3U);
  EXPECT_EQ(data.timelines[0].title, "longest simulated run seen (seed 17)");
  EXPECT_EQ(data.timelines[0].makespan_ps, 1000U);
  EXPECT_EQ(data.timelines[0].lanes, (std::vector<std::string>{"cpu0", "npu0"}));
  EXPECT_EQ(data.timelines[0].tags.front(), "seed 17");
  EXPECT_FALSE(data.timelines[0].is_native);
  EXPECT_EQ(data.timelines[1].makespan_ps, 800U);
  EXPECT_EQ(data.timelines[2].title, "native run on this host");
  EXPECT_EQ(data.timelines[2].lanes, (std::vector<std::string>{"worker0", "worker1", "worker2"}));
  EXPECT_EQ(data.timelines[2].makespan_ps, 123U);
  EXPECT_TRUE(data.timelines[2].is_native);
  ASSERT_EQ(data.bounds.size(), 1U);
  EXPECT_EQ(data.bounds[0].bound_ps, 4000U);
  EXPECT_EQ(data.guarded_bounds, "d=then");
  EXPECT_EQ(data.arena_bytes, 768U) << "the workspaces of a diamond of 64 floats";
  EXPECT_EQ(data.dram_bytes_per_s, simulated_platform({.platform = "rk3588", .cores = ""}).dram_bytes_per_s);
  EXPECT_FALSE(data.reproducible);
}

TEST(CheckReport, AReproducibleOneHoldsNothingOfTheHost) {
  const LoadedModel loaded = load("diamond", {});
  const Request request{.model = "diamond", .reproducible = true};
  const reports::ReportData data = report_of(request, {}, loaded, full_result());
  EXPECT_TRUE(data.reproducible);
  ASSERT_EQ(data.timelines.size(), 2U);
  for (const reports::TimelineRun& run : data.timelines) EXPECT_FALSE(run.is_native) << run.title;
}

TEST(CheckReport, ACheckWithoutRunsLeavesTheirFiguresEmpty) {
  const LoadedModel loaded = load("diamond", {});
  CheckResult empty;
  const reports::ReportData data = report_of({.model = "diamond"}, {}, loaded, empty);
  EXPECT_EQ(data.native_digest + data.serial_digest, "");
  EXPECT_EQ(data.native_ps + data.sim_runs + data.max_ps, 0U);
  EXPECT_TRUE(data.timelines.empty() && data.utilisation.empty() && data.percentiles.empty());
  CheckResult stuck = full_result();
  stuck.simulated->worst.makespan_ps = 0;
  EXPECT_EQ(report_of({.model = "diamond"}, {}, loaded, stuck).utilisation.at(1).second, 0.0);
}

TEST(CheckReport, RowsOfACostTableThatNothingReadsAreListed) {
  const LoadedModel loaded = load("diamond", {});
  CheckResult result = full_result();
  const auto of_cost_table = [&] {
    std::string text;
    for (const reports::Assumption& one : report_of({.model = "diamond"}, {}, loaded, result).assumptions) {
      if (one.key == "cost table") text += one.text;
    }
    return text;
  };
  EXPECT_EQ(of_cost_table(), "");
  result.op_times.unused_rows = {"left"};
  result.op_times.unused_why = "it is on the NPU";
  EXPECT_EQ(of_cost_table(), "1 row of the cost table is not used (left): it is on the NPU");
}

TEST(CheckReport, WhatTheFiguresRestOnIsListedForEveryPlatform) {
  const LoadedModel loaded = load("diamond", {});
  std::string text;
  for (const char* const name : {"am62a", "corstone300_u55", "imx93", "orin_nano", "quad_npu", "rk3588", "tda4vm"}) {
    text += std::string("== ") + name + "\n" +
            assumptions_text(report_of({.model = "diamond"}, {.platform = name, .cores = ""}, loaded, full_result()));
  }
  CheckResult idle = full_result();
  idle.is_work_conserving = false;
  idle.refused_bounds.clear();
  const SimulationOptions simple{.platform = "rk3588",
                                 .cores = "",
                                 .jitter = "constant",
                                 .no_overheads = true,
                                 .no_contention = true,
                                 .private_ports = true,
                                 .migrating = true};
  text +=
      "== simplified, not work-conserving\n" + assumptions_text(report_of({.model = "diamond"}, simple, loaded, idle));
  LoadedModel guarded = load("diamond", {});
  guarded.settings = "settings S";
  guarded.outcomes = "a=then";
  for (int i = 0; i < 14; ++i) guarded.guards.push_back("guard " + std::to_string(i));
  text += "== guards of more ops than are named\n" +
          assumptions_text(report_of({.model = "diamond"}, {.platform = "", .cores = "cpu=2,npu=1"}, guarded, {}));
  expect_golden(text, "app/check/golden/report_assumptions.txt");
}

}  // namespace
}  // namespace detent::app
