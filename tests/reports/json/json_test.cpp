#include <gtest/gtest.h>

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"
#include "tests/reports/samples/machine.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

Json parsed(const ReportData& data) { return Json::parse(report_json(data)); }

TEST(ReportJson, HasTheKeysOfTheContract) {
  const samples::Sample sample = samples::detector();
  const Json json = parsed(sample.data);
  EXPECT_EQ(json["schema"], "detent.check/1");
  EXPECT_EQ(json["detent_version"], "0.1.0");
  EXPECT_EQ(json["model"], "detector");
  EXPECT_EQ(json["platform"], "quad_npu");
  EXPECT_EQ(json["seed"], 1);
  EXPECT_EQ(json["native"]["workers"], 3);
  EXPECT_EQ(json["native"]["digest"], json["native"]["serial_digest"]);
  EXPECT_EQ(json["simulated"]["runs"], 200);
  EXPECT_EQ(json["simulated"]["executed_runs"], 3);
  const Json& makespan = json["simulated"]["makespan_ps"];
  EXPECT_EQ(makespan["min"], sample.data.min_ps);
  EXPECT_EQ(makespan["median"], sample.data.median_ps);
  EXPECT_EQ(makespan["p99"], sample.data.p99_ps);
  EXPECT_EQ(makespan["max"], sample.data.max_ps);
  EXPECT_EQ(makespan["worst_seed"], sample.data.worst_seed);
  EXPECT_EQ(json["utilisation"].size(), 5U);
  EXPECT_EQ(json["assumptions"].size(), 5U);
}

TEST(ReportJson, BoundsAreKeyedByNameAndListedWithTheirAssumptions) {
  ReportData data;
  data.bounds = {{"critical_path", 7, false, false, "worst times"}, {"graham", 12, true, false, "identical cores"}};
  const Json json = parsed(data);
  EXPECT_EQ(json["bounds"]["critical_path_ps"], 7);
  EXPECT_EQ(json["bounds"]["graham_ps"], 12);
  EXPECT_EQ(json["methods"][1]["name"], "graham");
  EXPECT_EQ(json["methods"][1]["bound_ps"], 12);
  EXPECT_EQ(json["methods"][1]["exact"], false);
  EXPECT_EQ(json["methods"][1]["assumptions"], "identical cores");
}

TEST(ReportJson, AVerdictThatHoldsHasNoWitness) {
  const Json json = parsed(samples::detector().data);
  for (const Json& verdict : json["verdicts"]) {
    EXPECT_EQ(verdict["outcome"], "holds");
    EXPECT_TRUE(verdict["witness"].is_null());
  }
}

TEST(ReportJson, ARacingPairComesWithTensorsBytesAndSchedule) {
  const samples::Sample sample = samples::racy_detector();
  const Json verdict = parsed(sample.data)["verdicts"][2];
  EXPECT_EQ(verdict["property"], "buffer_races");
  EXPECT_EQ(verdict["outcome"], "violated");
  EXPECT_EQ(verdict["witness"], verdict["witnesses"][0]);
  const Json& witness = verdict["witness"];
  EXPECT_EQ(witness["ops"].size(), 2U);
  EXPECT_EQ(witness["op_names"].size(), 2U);
  EXPECT_EQ(witness["schedule"].back(), witness["ops"][1]);
  const Json& conflict = witness["conflicts"][0];
  EXPECT_EQ(conflict["region"], "workspace");
  EXPECT_GT(conflict["size"].get<std::uint64_t>(), 0U);
}

TEST(ReportJson, HostTimesStandUnderOneKeyThatReproducibleLeavesOut) {
  ReportData data;
  data.native_ps = 5;
  EXPECT_EQ(parsed(data)["host"]["native_ps"], 5);
  data.reproducible = true;
  EXPECT_FALSE(parsed(data).contains("host"));
}

TEST(ReportJson, WithoutASimulationTheMakespanIsNull) {
  const Json json = parsed(samples::empty().data);
  EXPECT_EQ(json["simulated"]["runs"], 0);
  EXPECT_TRUE(json["simulated"]["makespan_ps"].is_null());
  EXPECT_TRUE(json["bounds"].empty());
}

TEST(ReportJson, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(report_json(samples::detector().data), report_json(samples::detector().data));
  EXPECT_EQ(report_json(samples::detector().data).back(), '\n');
}

TEST(ReportJson, B14_HostileNamesSurviveTheRoundTrip) {
  const samples::Sample sample = samples::hostile_names();
  const Json json = parsed(sample.data);
  EXPECT_EQ(json["model"], sample.data.model);
  EXPECT_EQ(json["verdicts"][0]["witness"]["op_names"][0], "</script><script>document.title='owned'</script>");
  EXPECT_EQ(json["verdicts"][1]["summary"], "limit\nreached");
}

TEST(ReportJson, AccountsOfAChipAddUpToTheMakespan) {
  const samples::Sample sample = samples::chip();
  const Json json = parsed(sample.data);
  ASSERT_EQ(json["accounts"].size(), 5U);
  std::uint64_t bytes = 0;
  for (const Json& account : json["accounts"]) {
    std::uint64_t sum = 0;
    for (const char* part : {"compute_ps", "memory_ps", "overhead_ps", "load_ps", "idle_ps"}) {
      sum += account[part].get<std::uint64_t>();
    }
    EXPECT_EQ(sum, sample.data.max_ps) << account["core"];
    EXPECT_LE(account["contention_ps"], account["memory_ps"]);
    bytes += account["dram_bytes"].get<std::uint64_t>();
  }
  EXPECT_EQ(json["accounts"][4]["core"], "npu0");
  EXPECT_EQ(json["dram"]["bytes"], bytes);
  std::uint64_t peak = 0;
  for (const harness::Sample& s : sample.data.timelines[0].machine.samples) {
    if (s.counter == 0) peak = std::max(peak, s.value);
  }
  EXPECT_EQ(json["dram"]["peak_bytes_per_s"], peak);
  const double mean = static_cast<double>(bytes) * 1e12 / static_cast<double>(sample.data.max_ps);
  EXPECT_EQ(json["dram"]["mean_bytes_per_s"], static_cast<std::uint64_t>(mean));
}

TEST(ReportJson, TrafficThatIsNotCountedIsNull) {
  samples::Sample sample = samples::chip();
  sample.data.timelines[0].machine.counters.clear();
  sample.data.timelines[0].machine.samples.clear();
  const Json json = parsed(sample.data);
  ASSERT_EQ(json["accounts"].size(), 5U);
  for (const Json& account : json["accounts"]) EXPECT_TRUE(account["dram_bytes"].is_null());
  for (const char* key : {"bytes", "peak_bytes_per_s", "mean_bytes_per_s"}) {
    EXPECT_TRUE(json["dram"].at(key).is_null()) << key;
  }
}

TEST(ReportJson, WithoutAChipAccountsAreEmpty) {
  const Json json = parsed(samples::detector().data);
  EXPECT_TRUE(json["accounts"].empty());
  EXPECT_EQ(json["dram"]["bytes"], 0);
}

}  // namespace
}  // namespace detent::reports
