// Runs that are measured: what the figures are of, how they hang together, what is refused.
#include "app/runs/measured_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "base/io.hpp"
#include "base/temp_directory.hpp"

namespace detent::app {
namespace {

using verify::Outcome;

RunRequest measured_of(const std::string& model, std::uint32_t repeat, std::uint32_t workers = 2) {
  RunRequest made;
  made.request.model = model;
  made.schedule.engine.workers = workers;
  made.repeat = repeat;
  return made;
}

Answer measure(const RunRequest& request) { return measure_runs(request, {}); }

/// An op that changes bytes which no op wrote: each run finds them as the first one did, unless memory is kept.
TEST(MeasuredRun, RunsFindTheSameMemoryUnlessItIsKept) {
  const TempDirectory place;
  const std::string file = (place.path() / "g.json").string();
  write_file_atomically(
      file, R"({"schema": "detent.graph/1", "name": "g", "regions": [{"name": "r", "size": 64}], "edges": [],
  "ops": [{"id": 0, "time_ps": 1000, "reads": [{"region": "r", "offset": 0, "size": 8}], "writes": [{"region": "r", "offset": 0, "size": 8}]}]})");
  RunRequest request = measured_of(file, 4, 1);
  const Answer same = measure(request);
  EXPECT_EQ(same.outcome, Outcome::kHolds);
  EXPECT_EQ(same.json.at("digests").size(), 1U);
  request.keep_memory = true;
  const Answer kept = measure(request);
  EXPECT_EQ(kept.outcome, Outcome::kUnknown);
  EXPECT_GT(kept.json.at("digests").size(), 1U);
  EXPECT_TRUE(std::ranges::any_of(kept.lines, [](const std::string& line) { return line.starts_with("UNKNOWN: "); }));
  request.request.model = "diamond";
  EXPECT_EQ(measure(request).json.at("digest"), measure(measured_of("diamond", 2)).json.at("digest"));
}

/// Warm-up and measured runs are counted alike; of a sweep, those of all ways.
TEST(MeasuredRun, ProgressIsOfAllRuns) {
  const auto told = [](const RunRequest& request) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> steps;
    const Answer answer =
        measure_runs(request, [&](std::uint64_t done, std::uint64_t total) { steps.emplace_back(done, total); });
    const std::uint64_t ways = answer.json.contains("sweep") ? answer.json["sweep"].size() : 1;
    EXPECT_EQ(steps.size(), ways * (request.warmup + request.repeat));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i], (std::pair<std::uint64_t, std::uint64_t>(i + 1, steps.size())));
    }
    return steps.size();
  };
  RunRequest request = measured_of("diamond", 3);
  request.warmup = 2;
  EXPECT_EQ(told(request), 5U);
  request.sweep = true;
  EXPECT_GT(told(request), 5U);
}

TEST(MeasuredRun, OneRunIsMeasuredOnlyWhereItIsAskedFor) {
  RunRequest request = measured_of("diamond", 1);
  EXPECT_FALSE(is_measured(request));
  request.sweep = true;
  EXPECT_TRUE(is_measured(request));
  request.sweep = false;
  request.trace_directory = "traces";
  EXPECT_TRUE(is_measured(request));
  EXPECT_TRUE(is_measured(measured_of("diamond", 2)));
}

TEST(MeasuredRun, FiguresOfRunsAreThoseOfTheListedRuns) {
  RunRequest request = measured_of("branchnet", 7);
  request.warmup = 2;
  std::uint64_t told = 0;
  const Answer answer = measure_runs(request, [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(done, ++told);
    EXPECT_EQ(total, 9U);
  });
  EXPECT_EQ(answer.outcome, Outcome::kHolds);
  EXPECT_EQ(told, 9U);
  const Json& times = answer.json["repeat"];
  std::vector<std::uint64_t> runs = times["runs_ns"];
  ASSERT_EQ(runs.size(), 7U);
  std::ranges::sort(runs);
  EXPECT_EQ(times["runs"], 7);
  EXPECT_EQ(times["warmup"], 2);
  EXPECT_EQ(times["min_ns"], runs.front());
  EXPECT_EQ(times["median_ns"], runs[3]);
  EXPECT_EQ(times["p99_ns"], runs.back());
  EXPECT_EQ(times["max_ns"], runs.back());
  const auto mean = static_cast<double>(std::accumulate(runs.begin(), runs.end(), std::uint64_t{0})) / 7;
  EXPECT_NEAR(times["mean_ns"].get<double>(), mean, 2);
  EXPECT_NEAR(times["runs_per_second"].get<double>(), 1e9 / mean, 0.01 * 1e9 / mean);
}

TEST(MeasuredRun, EachOpIsCountedOnceARunAndSlowerOpsComeFirst) {
  const Answer answer = measure(measured_of("branchnet", 5));
  const Json& ops = answer.json["op_statistics"];
  std::set<std::uint32_t> seen;
  std::uint64_t before = UINT64_MAX, work = 0;
  for (const Json& op : ops) {
    EXPECT_TRUE(seen.insert(op["op"].get<std::uint32_t>()).second);
    EXPECT_EQ(op["count"], 5);
    EXPECT_LE(op["min_ns"], op["mean_ns"]);
    EXPECT_LE(op["mean_ns"], op["max_ns"]);
    EXPECT_LE(op["mean_ns"], before);
    EXPECT_FALSE(op["workers"].empty());
    before = op["mean_ns"];
    work += op["mean_ns"].get<std::uint64_t>();
  }
  EXPECT_EQ(seen.size(), 25U);
  EXPECT_LE(answer.json["repeat"]["mean_ns"], work + 1'000'000'000);
  EXPECT_GE(2 * answer.json["repeat"]["mean_ns"].get<std::uint64_t>() + 1000, work) << "two workers do no more";
  ASSERT_GE(answer.lines.size(), 5U);
  EXPECT_EQ(answer.lines.back(), "and 13 more; --json FILE lists them");
}

TEST(MeasuredRun, SerialOpsWaitForThoseBeforeThem) {
  const Answer answer = measure(measured_of("wide:3", 4, 0));
  std::vector<std::uint64_t> waited;
  for (const Json& op : answer.json["op_statistics"]) waited.push_back(op["waited_ns"]);
  std::ranges::sort(waited);
  ASSERT_EQ(waited.size(), 5U);
  EXPECT_LT(waited[0], waited[4]) << "three are ready at once and one runs at a time";
}

TEST(MeasuredRun, SweepGivesEveryWayOnceAgainstSerialRuns) {
  RunRequest request = measured_of("diamond", 3);
  request.sweep = true;
  const Answer answer = measure(request);
  const Json& rows = answer.json["sweep"];
  ASSERT_EQ(rows.size(), 1U + 2 * 3 * 3);
  EXPECT_EQ(rows[0]["mode"], "serial");
  EXPECT_EQ(rows[0]["speed_up"], 1.0);
  std::set<std::string> ways;
  for (const Json& row : rows) {
    EXPECT_EQ(row["runs"], 3);
    ways.insert(row["mode"].get<std::string>() + " " + row["policy"].get<std::string>() + " " + row["workers"].dump());
  }
  EXPECT_EQ(ways.size(), rows.size());
  EXPECT_EQ(answer.json["digests"].size(), 1U);
}

TEST(MeasuredRun, ReproducibleAnswersHoldNothingOfTheHost) {
  for (const bool sweep : {false, true}) {
    RunRequest request = measured_of("diamond", 3);
    request.request.reproducible = true;
    request.sweep = sweep;
    const Answer answer = measure(request);
    EXPECT_EQ(answer.json, measure(request).json);
    EXPECT_EQ(answer.lines, measure(request).lines);
    EXPECT_FALSE(answer.json.contains("repeat"));
    EXPECT_FALSE(answer.json.contains("op_statistics"));
  }
}

TEST(MeasuredRun, TracesAreOfTheLongestRun) {
  const TempDirectory directory;
  RunRequest request = measured_of("diamond", 3);
  request.trace_directory = (directory.path() / "traces").string();
  measure(request);
  for (const char* const file : {"trace.pftrace", "trace.btf", "trace.vcd"}) {
    EXPECT_GT(std::filesystem::file_size(directory.path() / "traces" / file), 100U) << file;
  }
}

TEST(MeasuredRun, OptionsThatDoNotGoTogetherAreRefused) {
  RunRequest faulty = measured_of("diamond", 3);
  faulty.faults.values[0] = {"1"};
  EXPECT_THROW(measure(faulty), std::invalid_argument);
  RunRequest kept = measured_of("diamond", 3);
  kept.outputs = {"out"};
  EXPECT_THROW(measure(kept), std::invalid_argument);
  EXPECT_THROW(measure(measured_of("chain:100", 1'000'000)), std::invalid_argument);
  RunRequest both = measured_of("diamond", 3);
  both.sweep = true;
  both.trace_directory = "traces";
  EXPECT_THROW(measure(both), std::invalid_argument);
  RunRequest unbound = measured_of("diamond", 3);
  unbound.schedule.engine.workers = DETENT_MAX_WORKERS + 1;
  EXPECT_THROW(measure(unbound), std::invalid_argument);
}

}  // namespace
}  // namespace detent::app
