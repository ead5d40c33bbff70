// A read that misses its value, as report.json, report.html and the two tables show it.
#include "app/check/value_story.hpp"

#include <gtest/gtest.h>

#include "app/check/report.hpp"
#include "app/model/loaded_model.hpp"
#include "reports/text/failure_print.hpp"
#include "tests/app/answers.hpp"
#include "tests/golden.hpp"

namespace detent::app {
namespace {

const std::string kBugs = std::string(DETENT_SOURCE_DIR) + "/tests/regress/planner_bugs/";

CheckResult told(const LoadedModel& loaded) {
  CheckResult result;
  add_lost_values(loaded.desc(), verify::find_value_violations(loaded.desc(), &loaded.values), result);
  return result;
}

reports::ReportData data_of(const LoadedModel& loaded, const CheckResult& result) {
  reports::ReportData data;
  data.model = "model";
  data.desc = &loaded.desc();
  data.failures = result.failures;
  data.lost_values = result.lost_values;
  return data;
}

std::string stories(const CheckResult& result) {
  std::string text;
  for (const reports::FailureStory& story : result.failures) {
    text += story.title + "\n";
    for (const std::string& constraint : story.constraints) text += "when " + constraint + "\n";
    text += "then " + story.shown + "\n" + reports::story_tables_text(story) + "\n";
  }
  return text;
}

/// Some schedules are right: the wrong order stands beside a right one.
TEST(ValueStory, AnOverwriteThatSomeSchedulesShowStandsBesideARightOrder) {
  const LoadedModel loaded = load(kBugs + "onnxruntime_7633.json", {});
  const CheckResult result = told(loaded);
  ASSERT_EQ(result.lost_values.size(), 1U);
  EXPECT_EQ(result.lost_values[0].value, "q");
  EXPECT_FALSE(result.lost_values[0].always);
  expect_golden(stories(result), "app/check/golden/value_story_of_some_schedules.txt");
}

TEST(ValueStory, WhereNoOrderIsRightThereIsOneTable) {
  const LoadedModel loaded = load(kBugs + "litert_8889.json", {});
  const CheckResult result = told(loaded);
  ASSERT_EQ(result.failures.size(), 1U);
  EXPECT_EQ(result.failures[0].tables.size(), 1U);
  EXPECT_TRUE(result.lost_values.at(0).always);
  expect_golden(stories(result), "app/check/golden/value_story_of_every_schedule.txt");
}

TEST(ValueStory, OutputsInputsEarlyReadersAndDecisionsAreTold) {
  const TemporaryDirectory place;
  const auto range = [](int offset, const std::string& value) {
    return R"({"region": "ws", "offset": )" + std::to_string(offset) + R"(, "size": 8, "value": ")" + value + "\"}";
  };
  const std::string file = place.write("g.json", R"({"schema": "detent.graph/2", "name": "g",
    "regions": [{"name": "ws", "size": 64}], "inputs": [)" +
                                                     range(0, "in") + R"(], "outputs": [)" + range(8, "y") +
                                                     R"(], "ops": [
    {"id": 0, "writes": [)" + range(8, "y") + R"(]},
    {"id": 1, "writes": [{"region": "ws", "offset": 0, "size": 16}]},
    {"id": 2, "reads": [)" + range(0, "in") + R"(]},
    {"id": 3, "writes": [)" + range(24, "z") + R"(]},
    {"id": 4, "reads": [)" + range(24, "z") + R"(]},
    {"id": 5, "guard": "c3=then"}], "edges": []})");
  ModelOptions options;
  options.guards = ModelOptions::Guards::kKept;
  const LoadedModel loaded = load(file, options);
  const CheckResult result = told(loaded);
  EXPECT_EQ(result.lost_values.size(), 4U);
  EXPECT_EQ(result.failures.size(), kMostValueStories);
  const std::string text = stories(result);
  EXPECT_NE(text.find("reads z"), std::string::npos) << text;
  const reports::ReportData data = data_of(loaded, result);
  const Json json = Json::parse(reports::report_json(data));
  ASSERT_EQ(json["lost_values"].size(), 4U);
  EXPECT_EQ(json["lost_values"][0]["reader"], 2);
  EXPECT_EQ(json["lost_values"][0]["writer"], -1);
  EXPECT_EQ(json["lost_values"][0]["in_the_way"], 1);
  EXPECT_EQ(json["lost_values"].back()["reader"], -1);
  EXPECT_EQ(json["lost_values"].back()["region"], "ws");
}

TEST(ValueStory, NoMoreThanAReportShows) {
  const LoadedModel loaded = load(kBugs + "pytorch_178549.json", {});
  verify::ValueFlowReport flow = verify::find_value_violations(loaded.desc(), &loaded.values);
  ASSERT_FALSE(flow.listed.empty());
  flow.listed.resize(40, flow.listed.front());
  CheckResult result;
  add_lost_values(loaded.desc(), flow, result);
  EXPECT_EQ(result.lost_values.size(), kMostLostValues);
  EXPECT_EQ(result.failures.size(), kMostValueStories);
}

/// On the memory map, with and without script, and in words.
TEST(ValueStory, ThePageFramesTheBytesAndNamesReaderValueAndOpInTheWay) {
  const LoadedModel loaded = load(kBugs + "litert_8889.json", {});
  const std::string page = reports::report_html(data_of(loaded, told(loaded)));
  const std::size_t list = page.find("<ul class=\"lost-values\"><li>");
  ASSERT_NE(list, std::string::npos);
  EXPECT_LT(list, page.find("<noscript>", page.find("id=\"memory\"")));
  EXPECT_NE(page.find("add_skip", list), std::string::npos);
  EXPECT_NE(page.find("<rect class=\"lost\""), std::string::npos) << "without script";
  EXPECT_NE(page.find("\"lost\":[{\"region\":0,\"offset\":0,\"size\":64"), std::string::npos) << "with script";
  EXPECT_NE(page.find("a: for 3 add_skip, overwritten by 2 conv2_in_recycled"), std::string::npos);
  EXPECT_NE(page.find("misses its value"), std::string::npos);
  CheckResult none;
  EXPECT_EQ(reports::report_html(data_of(loaded, none)).find("lost-values\"><li>"), std::string::npos);
}

}  // namespace
}  // namespace detent::app
