// The parts of calibrate that measure nothing: tables of what was measured, platforms as text.
#include "app/calibrate/calibrate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "app/calibrate/answer.hpp"
#include "sim/cost/cost_table.hpp"
#include "sim/platform/platform.hpp"

namespace detent::app {
namespace {

harness::HostCosts made_up_costs() {
  harness::HostCosts costs;
  costs.cpus = 4;
  costs.clock_hz = 2'500'000'000;
  costs.flops_per_cycle = 15.5;
  costs.l1_bytes = 32'768;
  costs.l2_bytes = 1'048'576;
  costs.cache_bytes_per_cycle = 20;
  costs.core_bytes_per_s = 9'000'000'000;
  costs.dram_bytes_per_s = 21'000'000'000;
  costs.dispatch_ps = 1;
  costs.queue_ps = 2;
  costs.lock_ps = 3;
  costs.lock_contended_ps = 4;
  costs.wake_ps = 5;
  costs.interrupt_ps = 6;
  costs.log_ps = 7;
  return costs;
}

sim::Platform made_up_platform() {
  sim::Platform platform = host_platform(made_up_costs(), {}, 0.625);
  platform.description = "a \"host\" \\ of\nours";
  platform.classes.front().kernel_efficiency = {{"conv2d_f32", 0.25}, {"gemm_f32", 1e-4}};
  platform.classes.front().efficiency = 0.25;
  return platform;
}

TEST(HostPlatform, IsWrittenKeyByKey) {
  EXPECT_EQ(format_platform(made_up_platform()), R"(schema = "detent.platform/1"
name = "host"
description = "a \"host\" \\ ofours"

[[core]]
class = "cpu"
count = 4
clock_hz = 2500000000
flops_per_cycle = 15.5
efficiency = 0.25
l1_bytes = 32768
l2_bytes = 1048576
cache_bytes_per_cycle = 20.0
dram_bytes_per_s = 9000000000
threads_per_core = 2
corun_rate = 0.625

[core.kernel_efficiency]
conv2d_f32 = 0.25
gemm_f32 = 0.0001

[memory]
dram_bytes_per_s = 21000000000
burst_bytes = 64
contention = "queue"

[overheads]
dispatch_ps = 1
queue_ps = 2
lock_ps = 3
lock_contended_ps = 4
wake_ps = 5
interrupt_ps = 6
log_ps = 7

[provenance]
"cpu.count" = "derived: measured on this host by detent calibrate --host, CPUs that the process may run on"
"cpu.clock_hz" = "derived: measured on this host by detent calibrate --host, a chain of dependent additions, one per cycle"
"cpu.flops_per_cycle" = "derived: measured on this host by detent calibrate --host, independent multiply-adds of the widest vectors"
"cpu.efficiency" = "derived: measured on this host by detent calibrate --host, multiply-adds of conv2d_f32 over the calibration model"
"cpu.l1_bytes" = "derived: measured on this host by detent calibrate --host, as the system says"
"cpu.l2_bytes" = "derived: measured on this host by detent calibrate --host, as the system says: private second level and share of the third"
"cpu.cache_bytes_per_cycle" = "derived: measured on this host by detent calibrate --host, copying within the second level"
"cpu.dram_bytes_per_s" = "derived: measured on this host by detent calibrate --host, one thread copying beyond the caches, read plus written"
"cpu.threads_per_core" = "derived: measured on this host by detent calibrate --host, two CPUs slow each other down where neither needs memory"
"cpu.corun_rate" = "derived: measured on this host by detent calibrate --host, the calibration model beside itself on the other CPU"
"memory.dram_bytes_per_s" = "derived: measured on this host by detent calibrate --host, all CPUs copying beyond the caches"
"overheads.dispatch_ps" = "derived: measured on this host by detent calibrate --host, op of a serial chain of empty ops"
"overheads.queue_ps" = "derived: measured on this host by detent calibrate --host, the chain in the closed loop, less dispatch and lock, half"
"overheads.lock_ps" = "derived: measured on this host by detent calibrate --host, the role's word taken and released by one CPU"
"overheads.lock_contended_ps" = "derived: measured on this host by detent calibrate --host, the word taken by two CPUs in turn"
"overheads.wake_ps" = "derived: measured on this host by detent calibrate --host, two threads of the port that park and wake each other"
"overheads.interrupt_ps" = "derived: measured on this host by detent calibrate --host, the same with the port's lock before each notify"
"overheads.log_ps" = "derived: measured on this host by detent calibrate --host, the serial chain with the ring log, half of what it adds"
)");
}

Json made_up_host() {
  return Json::parse(R"({"cpus": 4, "clock_hz": 2500000000, "flops_per_cycle": 15.5,
      "kernel_efficiency": {"conv2d_f32": 0.25, "gemm_f32": 0.0001}, "l1_bytes": 32768, "l2_bytes": 1048576,
      "cache_bytes_per_cycle": 20.0, "core_bytes_per_s": 9000000000, "dram_bytes_per_s": 21000000000,
      "threads_per_core": 2, "corun_rate": 0.625, "overheads_ps": {"dispatch": 1, "queue": 2, "lock": 3,
      "lock_contended": 4, "wake": 5, "interrupt": 6, "log": 7}})");
}

TEST(CalibrateAnswer, TheHostIsSaidFieldByField) {
  EXPECT_EQ(host_json(made_up_platform()), made_up_host());
  EXPECT_EQ(host_lines(made_up_platform()),
            (Lines{"4 CPUs at 2.50 GHz, 15.5 flops per cycle, memory 9.0 GB/s by one, 21.0 by all, pairs at 0.62 speed",
                   "dispatch 1 ps  queue 2 ps  lock 3 ps / 4 ps  wake 5 ps  interrupt 6 ps  log 7 ps"}));
  sim::Platform unpaired = made_up_platform();
  unpaired.classes.front().threads_per_core = 1;
  EXPECT_EQ(host_lines(unpaired).front(),
            "4 CPUs at 2.50 GHz, 15.5 flops per cycle, memory 9.0 GB/s by one, 21.0 by all");
}

TEST(CalibrateAnswer, ATableIsSaidFieldByField) {
  const sim::CostTable table{.model = "m",
                             .source = "s",
                             .ops = {{"a", "gemm_f32", {1, 2, 3, 4, {}}, {5, 6, 7, 8, {}}}, {"b", "add_f32", {}, {}}}};
  EXPECT_EQ(table_json(table), Json::parse(R"([
      {"op": "a", "kernel": "gemm_f32", "warm": {"min_ps": 1, "median_ps": 2, "p99_ps": 3, "max_ps": 4},
       "cold": {"min_ps": 5, "median_ps": 6, "p99_ps": 7, "max_ps": 8}},
      {"op": "b", "kernel": "add_f32", "warm": {"min_ps": 0, "median_ps": 0, "p99_ps": 0, "max_ps": 0},
       "cold": {"min_ps": 0, "median_ps": 0, "p99_ps": 0, "max_ps": 0}}])"));
}

TEST(CalibrateAnswer, AValidationIsSaidFieldByField) {
  const Validation validation{
      .rows = {{"detector", 2, "mobile", 1'500'000, 1'000'000, 900'000}, {"mobile", 1, "mobile", 3, 4, 2}},
      .ops =
          {{"detector", {{"conv", "conv2d_f32", "measured", 10, 8}, {"add", "add_f32", "model", 5, 6}}, 0.125, 0.25}},
      .platform = made_up_platform()};
  EXPECT_EQ(validation_lines(validation),
            (Lines{"model          workers  fitted on                   predicted   measured   error",
                   "detector             2  mobile                        1.50 µs    1.00 µs  +50.0 %",
                   "mobile               1  mobile                           3 ps       4 ps  -25.0 %",
                   "detector: 2 single ops, error median 12.5 %, 90 % of them below 25.0 %"}));
  Json expected = Json::parse(R"({"source": "", "rows": [
      {"model": "detector", "workers": 2, "fitted_on": "mobile", "predicted_ps": 1500000, "measured_ps": 1000000,
       "measured_min_ps": 900000, "error": 0.5},
      {"model": "mobile", "workers": 1, "fitted_on": "mobile", "predicted_ps": 3, "measured_ps": 4,
       "measured_min_ps": 2, "error": -0.25}],
      "ops": [{"model": "detector", "median_error": 0.125, "p90_error": 0.25, "ops": [
        {"op": "conv", "kernel": "conv2d_f32", "basis": "measured", "predicted_ps": 10, "measured_ps": 8},
        {"op": "add", "kernel": "add_f32", "basis": "model", "predicted_ps": 5, "measured_ps": 6}]}], "platform": {}})");
  expected["source"] = describe_host();
  expected["platform"] = made_up_host();
  EXPECT_EQ(validation_json(validation), expected);
}

TEST(HostPlatform, KeysOfUnknownValuesAreOmitted) {
  harness::HostCosts costs = made_up_costs();
  costs.cpus = 3;  // odd: no pairs
  costs.cache_bytes_per_cycle = 0;
  costs.core_bytes_per_s = 0;
  sim::Platform platform = host_platform(costs, {}, 0.5);
  platform.contention = sim::Contention::kNone;
  const std::string text = format_platform(platform);
  for (const char* key : {"\ncache_bytes_per_cycle", "\ndram_bytes_per_s = 9", "\nthreads_per_core", "\ncorun_rate",
                          "kernel_efficiency", "cpu.threads_per_core", "cpu.corun_rate"})
    EXPECT_EQ(text.find(key), std::string::npos) << key;
  EXPECT_NE(text.find("\ncontention = \"none\"\n"), std::string::npos);
  EXPECT_EQ(platform.classes.size(), 1U);
  EXPECT_EQ(platform.classes.front().count, 3U);
}

TEST(HostPlatform, CorunRateBelowNineTenthsGivesTwoThreadsPerCore) {
  EXPECT_EQ(host_platform(made_up_costs(), {}, 0.9).classes.front().threads_per_core, 1U);
  EXPECT_EQ(host_platform(made_up_costs(), {}, 0.899).classes.front().threads_per_core, 2U);
  EXPECT_EQ(host_platform(made_up_costs(), {}, 0.899).classes.front().corun_rate, 0.899);
  EXPECT_EQ(host_platform(made_up_costs(), {}, 0.001).classes.front().corun_rate, 0.01);
}

TEST(HostPlatform, EfficiencyIsWorkOverTime) {
  TimedModel model("branchnet:1", {}, 0);
  model.sample(harness::CacheState::kWarm);
  const sim::CoreClass cpu = host_platform(made_up_costs(), {&model, &model}, 1).classes.front();
  const detent_desc& desc = model.loaded().desc();
  const std::vector<std::uint64_t> times_ps = model.times_ps();
  std::map<std::string, std::pair<double, double>> sums;  // flops, seconds
  for (std::uint32_t op = 0; op < desc.op_count; ++op) {
    auto& [flops, seconds] = sums[desc.kernels[desc.ops[op].kernel]];
    flops += static_cast<double>(desc.costs[op].flops);
    seconds += static_cast<double>(times_ps[op]) * 1e-12;
  }
  ASSERT_FALSE(cpu.kernel_efficiency.empty());
  for (const auto& [kernel, value] : cpu.kernel_efficiency) {
    EXPECT_NEAR(value, std::clamp(sums[kernel].first / sums[kernel].second / (2.5e9 * 15.5), 1e-4, 1.0), 1e-9)
        << kernel;
    if (kernel == "conv2d_f32") {
      EXPECT_EQ(cpu.efficiency, value);
    }
  }
}

std::vector<std::string> kernels_of(const sim::CostTable& table) {
  std::vector<std::string> names;
  for (const sim::MeasuredOp& op : table.ops) names.push_back(op.name);
  return names;
}

TEST(TimedModel, CountsRunsByTheStateOfTheCaches) {
  TimedModel model("diamond", {}, 0);
  EXPECT_EQ(model.name(), "diamond");
  for (int run = 0; run < 3; ++run) model.sample(harness::CacheState::kWarm);
  EXPECT_EQ(model.warm_samples(), 3U);
  const sim::CostTable warm = model.table(false, "made up");
  EXPECT_EQ(warm.model, "diamond");
  EXPECT_EQ(warm.source, "made up");
  EXPECT_FALSE(warm.use_cold);
  EXPECT_EQ(kernels_of(warm), (std::vector<std::string>{"branch0", "branch1", "fork", "join"}));
  for (const sim::MeasuredOp& op : warm.ops) {
    EXPECT_EQ(op.kernel, "mix");
    EXPECT_EQ(op.cold.max_ps, op.warm.max_ps) << "without cold samples";
    EXPECT_EQ(op.warm.quantiles_ps.size(), 3U) << "one per sample, 33 at most";
    EXPECT_EQ(op.warm.quantiles_ps.front(), op.warm.min_ps);
    EXPECT_EQ(op.warm.quantiles_ps.back(), op.warm.max_ps);
    EXPECT_LE(op.warm.min_ps, op.warm.median_ps);
    EXPECT_LE(op.warm.median_ps, op.warm.p99_ps);
    EXPECT_LE(op.warm.p99_ps, op.warm.max_ps);
  }
  model.sample(harness::CacheState::kCold);
  EXPECT_EQ(model.warm_samples(), 3U);
  EXPECT_TRUE(model.table(true, "").use_cold);
  const std::vector<std::uint64_t> times_ps = model.times_ps();
  ASSERT_EQ(times_ps.size(), 4U);
  EXPECT_EQ(model.makespans().min_ps > 0, true);
  TimedModel other("diamond", {}, 0);
  const double rate = model.corun_with(other);
  EXPECT_GT(rate, 0);
  EXPECT_LE(rate, 1);
  EXPECT_EQ(model.warm_samples(), 3U);
}

TEST(TimedModel, PredictionsStandForEveryStatistic) {
  TimedModel model("branchnet:1", {}, 0);
  for (int run = 0; run < 2; ++run) model.sample(harness::CacheState::kWarm);
  const sim::KernelModel kernels = fit_kernels({&model});
  const sim::CostTable table = predict_table(kernels, model.loaded());
  EXPECT_EQ(table.source, "predicted");
  EXPECT_EQ(table.model, model.loaded().model.name);
  EXPECT_EQ(kernels_of(table), kernels_of(model.table(false, "")));
  const detent_desc& desc = model.loaded().desc();
  for (const sim::MeasuredOp& op : table.ops) {
    std::uint32_t id = 0;
    while (op.name != desc.ops[id].name) ++id;
    const auto ps = static_cast<std::uint64_t>(kernels.predict_ps(sim::op_features(desc, id)));
    EXPECT_GT(ps, 0U);
    for (const sim::MeasuredTimes* times : {&op.warm, &op.cold})
      for (const std::uint64_t time : {times->min_ps, times->median_ps, times->p99_ps, times->max_ps})
        EXPECT_EQ(time, ps) << op.name;
    EXPECT_TRUE(op.warm.quantiles_ps.empty());
    EXPECT_EQ(op.kernel, desc.kernels[desc.ops[id].kernel]);
  }
}

TEST(Validation, ErrorIsRelativeToTheMeasuredTime) {
  const auto error_of = [](std::uint64_t predicted_ps, std::uint64_t measured_ps) {
    ValidationRow row;
    row.predicted_ps = predicted_ps;
    row.measured_ps = measured_ps;
    return row.error();
  };
  EXPECT_DOUBLE_EQ(error_of(150, 100), 0.5);
  EXPECT_DOUBLE_EQ(error_of(75, 100), -0.25);
  EXPECT_DOUBLE_EQ(error_of(3, 0), 2);
}

TEST(Validation, EveryConfigurationHasARowByOthersAndByItself) {
  std::vector<std::uint64_t> progress;
  ValidationOptions options{.models = {"diamond", "wide:3"},
                            .fit = {"chain:3", "chain:2"},
                            .workers = {1, 2},
                            .runs = 2,
                            .platform = "quad_npu"};
  options.progress = [&](std::uint64_t done, std::uint64_t total) {
    progress.push_back(done);
    EXPECT_EQ(total, 2U);
  };
  const Validation validation = validate_predictions(options);
  EXPECT_EQ(progress, (std::vector<std::uint64_t>{0, 1}));
  EXPECT_EQ(validation.platform.name, "quad_npu");
  ASSERT_EQ(validation.rows.size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) {
    const ValidationRow& row = validation.rows[i];
    EXPECT_EQ(row.model, i < 4 ? "diamond" : "wide:3");
    EXPECT_EQ(row.workers, i % 4 < 2 ? 1U : 2U);
    EXPECT_EQ(row.fitted_on, i % 2 == 0 ? "chain:3 chain:2" : row.model + ", 1 worker");
    EXPECT_GT(row.predicted_ps, 0U);
    EXPECT_GE(row.measured_ps, row.measured_min_ps);
    EXPECT_EQ(row.measured_ps, validation.rows[i ^ 1U].measured_ps) << "one measurement, two predictions";
  }
  ASSERT_EQ(validation.ops.size(), 2U);
  for (const OpErrors& errors : validation.ops) {
    std::vector<double> sizes;
    for (const OpErrors::Op& op : errors.ops) {
      EXPECT_EQ(op.kernel, "mix");
      EXPECT_FALSE(op.name.empty());
      EXPECT_GT(op.measured_ps, 0U);
      sizes.push_back(std::abs(static_cast<double>(op.predicted_ps) / static_cast<double>(op.measured_ps) - 1));
    }
    std::sort(sizes.begin(), sizes.end());
    ASSERT_EQ(sizes.size(), errors.model == "diamond" ? 4U : 5U);
    EXPECT_NEAR(errors.median, sizes[(sizes.size() - 1) / 2], 1e-3);
    EXPECT_NEAR(errors.p90, sizes[(sizes.size() - 1) * 9 / 10], 1e-3);
  }
}

TEST(Validation, ComparisonsWithoutAnUnseenModelAreRefused) {
  const ValidationOptions good{
      .models = {"diamond"}, .fit = {"chain:3"}, .workers = {1}, .runs = 1, .platform = "quad_npu"};
  const auto refuses = [&](auto change) {
    ValidationOptions options = good;
    change(options);
    EXPECT_THROW(validate_predictions(options), std::invalid_argument);
  };
  refuses([](ValidationOptions& options) { options.models.clear(); });
  refuses([](ValidationOptions& options) { options.fit.clear(); });
  refuses([](ValidationOptions& options) { options.workers.clear(); });
  refuses([](ValidationOptions& options) { options.workers = {1, 0}; });
  refuses([](ValidationOptions& options) { options.runs = 0; });
  refuses([](ValidationOptions& options) { options.fit = {"chain:3", "diamond"}; });
  refuses([](ValidationOptions& options) { options.workers = {65}; });
}

}  // namespace
}  // namespace detent::app
