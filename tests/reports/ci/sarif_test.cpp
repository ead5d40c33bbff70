#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reports/data/report_data.hpp"
#include "reports/text/text.hpp"
#include "tests/reports/ci/sarif_rules.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

/// Gives the results of a log that keeps the rules of the schema.
Json checked_results(const ReportData& data) {
  const Json log = Json::parse(sarif_findings(data));
  EXPECT_EQ(sarif_faults(log), std::vector<std::string>{});
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
    EXPECT_EQ(rule["shortDescription"]["text"], property.title);
    EXPECT_EQ(rule["fullDescription"]["text"], property.claim);
    EXPECT_EQ(rule["help"]["text"], property.help);
    EXPECT_GT(std::string_view(property.help).size(), 40U);
  }
  EXPECT_EQ(rules[static_cast<std::size_t>(verify::Property::kBufferRacesSmt)]["name"], "BufferRacesSmt");
}

TEST(Sarif, ManyWitnessesAreCutAndTheRestIsCounted) {
  ReportData data;
  data.verdicts = {{verify::Property::kBufferRaces, verify::Outcome::kViolated, "many", {}}};
  data.verdicts[0].witnesses.assign(5000, {"pair", {0, 1}, {0, 1}});
  const Json results = checked_results(data);
  EXPECT_EQ(results.size(), 1001U);
  EXPECT_EQ(results.back()["message"]["text"], "many") << "the summary counts them all";
  EXPECT_LT(sarif_findings(data).size(), 2000000U);
}

TEST(Sarif, EveryResultHasAPlaceInAFile) {
  samples::Sample sample = samples::racy_detector();
  sample.data.places.files = {"./nets/my net.json", "src/ops.c"};
  sample.data.places.ops.assign(sample.data.desc->op_count, {1, 40});
  const std::vector<std::uint32_t> ops = sample.data.verdicts[2].witnesses[0].ops;
  sample.data.places.ops[ops[0]] = {0, 12};
  const Json results = checked_results(sample.data);
  const Json& place = results[0]["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "nets/my%20net.json");
  EXPECT_EQ(place["region"]["startLine"], 12);
  const Json& related = results[0]["relatedLocations"][0]["physicalLocation"];
  EXPECT_EQ(related["artifactLocation"]["uri"], "src/ops.c");
  EXPECT_EQ(related["region"]["startLine"], 40);
  const Json& whole = results.back()["locations"][0]["physicalLocation"];
  EXPECT_EQ(whole["region"]["startLine"], 1) << "no op is concerned";
}

TEST(Sarif, AbsolutePathsAreFileUrisAndAModelWithoutAFileIsNamed) {
  ReportData data;
  data.model = "/nets/a#b.json";
  data.verdicts = {{verify::Property::kStructure, verify::Outcome::kViolated, "broken", {}}};
  EXPECT_EQ(checked_results(data)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "file:///nets/a%23b.json");
  data.model = "";
  EXPECT_EQ(checked_results(data)[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "model");
}

TEST(Sarif, ABaselineTellsNewFromUnchanged) {
  samples::Sample sample = samples::racy_detector();
  EXPECT_FALSE(checked_results(sample.data)[0].contains("baselineState"));
  sample.data.known.emplace();
  const std::string fingerprint = checked_results(sample.data)[0]["partialFingerprints"]["detentFinding/v1"];
  EXPECT_EQ(checked_results(sample.data)[0]["baselineState"], "new");
  sample.data.known->insert(fingerprint);
  EXPECT_EQ(checked_results(sample.data)[0]["baselineState"], "unchanged");
  EXPECT_EQ(checked_results(sample.data)[1]["baselineState"], "new");
}

TEST(Sarif, TheRulesOfTheSchemaAreChecked) {
  const Json log = Json::parse(sarif_findings(samples::racy_detector().data));
  const auto faults_with = [&](const char* pointer, const Json& value) {
    Json changed = log;
    changed[Json::json_pointer(pointer)] = value;
    return sarif_faults(changed).size();
  };
  EXPECT_EQ(faults_with("/version", "2.1.0"), 0U);
  EXPECT_GT(faults_with("/version", "2.0.0"), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/level", "bad"), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/message", Json::object()), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/ruleIndex", -2), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/unheard", 1), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/locations/0/physicalLocation/region/startLine", 0), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "a b"), 0U);
  EXPECT_GT(faults_with("/runs/0/results/0/codeFlows/0/threadFlows", Json::array()), 0U);
  EXPECT_GT(faults_with("/runs/0/tool/driver", Json::object()), 0U);
}

TEST(Sarif, EqualInputsGiveEqualBytes) {
  EXPECT_EQ(sarif_findings(samples::racy_detector().data), sarif_findings(samples::racy_detector().data));
}

}  // namespace
}  // namespace detent::reports
