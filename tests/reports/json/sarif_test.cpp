#include <gtest/gtest.h>

#include <set>

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

/// What the SARIF 2.1.0 schema requires of the objects that we write; gives the results.
Json checked_results(const ReportData& data) {
  const Json log = Json::parse(sarif_findings(data));
  EXPECT_EQ(log["version"], "2.1.0");
  EXPECT_EQ(log["$schema"].get<std::string>(), "https://json.schemastore.org/sarif-2.1.0.json");
  EXPECT_EQ(log["runs"].size(), 1U);
  const Json& driver = log["runs"][0]["tool"]["driver"];
  EXPECT_EQ(driver["name"], "detent");
  const std::set<std::string> levels = {"none", "note", "warning", "error"};
  for (const Json& result : log["runs"][0]["results"]) {
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
    EXPECT_EQ(driver["rules"][result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    EXPECT_TRUE(levels.count(result["level"].get<std::string>()));
    EXPECT_FALSE(result["locations"][0]["logicalLocations"].empty());
    if (!result.contains("codeFlows")) continue;
    for (const Json& flow : result["codeFlows"]) {
      EXPECT_FALSE(flow["threadFlows"].empty());
      for (const Json& thread : flow["threadFlows"]) EXPECT_FALSE(thread["locations"].empty());
    }
  }
  return log["runs"][0]["results"];
}

TEST(Sarif, NothingIsFoundWhereEverythingHolds) { EXPECT_TRUE(checked_results(samples::detector().data).empty()); }

TEST(Sarif, ViolatedIsAnErrorAndUnknownAWarning) {
  const Json results = checked_results(samples::racy_detector().data);
  EXPECT_EQ(results[0]["level"], "error");
  EXPECT_EQ(results.back()["ruleId"], "trace_rules");
  EXPECT_EQ(results.back()["level"], "warning");
}

TEST(Sarif, ARaceIsTwoThreadsWhoseLastStepsShareAnExecutionOrder) {
  const samples::Sample sample = samples::racy_detector();
  const Json result = checked_results(sample.data)[0];
  const Json& threads = result["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(threads.size(), 2U);
  const Json& last_a = threads[0]["locations"].back();
  const Json& last_b = threads[1]["locations"].back();
  EXPECT_EQ(last_a["executionOrder"], last_b["executionOrder"]);
  EXPECT_EQ(last_a["importance"], "essential");
  const verify::Witness& witness = sample.data.verdicts[2].witnesses[0];
  EXPECT_EQ(threads[0]["locations"].size(), witness.schedule.size() - 1);
  EXPECT_EQ(result["locations"][0]["logicalLocations"].size(), 2U);
}

TEST(Sarif, ADeterminismFindingKeepsItsOrderInOneThread) {
  ReportData data;
  data.verdicts = {{verify::Property::kDeterminism,
                    verify::Outcome::kViolated,
                    "2 digests",
                    {{"order matters", {4, 2}, {1, 4, 2, 3}}}}};
  const Json threads = checked_results(data)[0]["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(threads.size(), 1U);
  const Json& steps = threads[0]["locations"];
  ASSERT_EQ(steps.size(), 3U) << "what comes after the finding shows nothing";
  EXPECT_EQ(steps[1]["location"]["logicalLocations"][0]["name"], "op 4");
  EXPECT_EQ(steps[1]["executionOrder"], 2);
}

TEST(Sarif, EveryPropertyIsARuleWithItsClaim) {
  const Json log = Json::parse(sarif_findings(ReportData{}));
  const Json& rules = log["runs"][0]["tool"]["driver"]["rules"];
  ASSERT_EQ(rules.size(), verify::all_properties().size());
  for (const verify::PropertyText& property : verify::all_properties()) {
    const Json& rule = rules[static_cast<std::size_t>(property.property)];
    EXPECT_EQ(rule["id"], property.name);
    EXPECT_EQ(rule["shortDescription"]["text"], property.claim);
  }
  EXPECT_EQ(rules[static_cast<std::size_t>(verify::Property::kBufferRacesSmt)]["name"], "BufferRacesSmt");
}

TEST(Sarif, ManyWitnessesAreCutAndTheRestIsCounted) {
  ReportData data;
  data.verdicts = {{verify::Property::kBufferRaces, verify::Outcome::kViolated, "many", {}}};
  data.verdicts[0].witnesses.assign(5000, {"pair", {0, 1}, {0, 1}});
  const Json results = checked_results(data);
  EXPECT_EQ(results.size(), 1001U);
  EXPECT_NE(results.back()["message"]["text"].get<std::string>().find("4\xE2\x80\x89"
                                                                      "000"),
            std::string::npos);
  EXPECT_LT(sarif_findings(data).size(), 2000000U);
}

TEST(Sarif, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(sarif_findings(samples::racy_detector().data), sarif_findings(samples::racy_detector().data));
}

}  // namespace
}  // namespace detent::reports
