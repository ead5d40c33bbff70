// Where the page draws what: positions and widths of the ladder of times, the histogram, and the still drawings, by
// hand.
#include <gtest/gtest.h>

#include <string>

#include "reports/html/drawings.hpp"
#include "reports/html/parts.hpp"

namespace detent::reports::drawn_places {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::size_t count_of_text(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(DrawnPlaces, SharesHaveTwoDecimalsAndEndAtAll) {
  EXPECT_EQ(percent_of(1, 3), "33.33%");
  EXPECT_EQ(percent_of(2, 3), "66.67%");
  EXPECT_EQ(percent_of(1, 2000), "0.05%");
  EXPECT_EQ(percent_of(7, 7), "100.00%");
  EXPECT_EQ(percent_of(8, 7), "100.00%");
  EXPECT_EQ(percent_of(8, 0), "0.00%");
}

/// The longest of all is 980: with a fiftieth and one more for the last mark the ladder is 1,000 ps wide.
ReportData ladder() {
  ReportData data;
  data.sim_runs = 2;
  data.min_ps = 200;
  data.median_ps = 300;
  data.p99_ps = 390;
  data.max_ps = 400;
  data.bounds = {{"typed", 980, true, false, ""}, {"critical_path", 100, false, false, ""}};
  return data;
}

TEST(DrawnPlaces, RungsOfTheLadderAreInTheOrderOfTheirTimes) {
  const std::string page = ladder_html(ladder());
  EXPECT_TRUE(has(page, "<b style=\"width:98.00%\"></b><i class=\"cap\" style=\"left:98.00%\"></i>")) << page;
  EXPECT_TRUE(has(page, "<b style=\"width:10.00%\"></b><i class=\"foot\" style=\"left:10.00%\"></i>"));
  EXPECT_TRUE(has(page,
                  "<b class=\"base\" style=\"width:20.00%\"></b><b style=\"left:20.00%;width:20.00%\"></b>"
                  "<i class=\"median\" style=\"left:30.00%\"></i>"));
  EXPECT_TRUE(has(page, "<i class=\"max\" style=\"left:40.00%\"></i>"));
  EXPECT_LT(page.find("rung lower"), page.find("rung observed"));
  EXPECT_LT(page.find("rung observed"), page.find("rung upper"));
  EXPECT_TRUE(has(page, "a margin of 59 % of the bound") || has(page, "a margin of 59.2 % of the bound")) << page;
  ReportData longer = ladder();
  longer.exact = ExactCase{.policy = "id", .worst_ps = 1960};
  const std::string exact = ladder_html(longer);
  EXPECT_TRUE(has(exact, "<b style=\"width:98.00%\"></b><i class=\"cap\" style=\"left:98.00%\"></i>"));
  EXPECT_TRUE(has(exact, "<b style=\"width:49.00%\"></b><i class=\"cap\" style=\"left:49.00%\"></i>"));
  longer.exact->why_not = "too many states";
  EXPECT_EQ(count_of_text(ladder_html(longer), "<li class=\"rung"), 3U) << "what is not known is no rung";
}

TEST(DrawnPlaces, AnObservationAboveTheBoundIsMarked) {
  ReportData data = ladder();
  data.max_ps = 980;
  EXPECT_FALSE(has(ladder_html(data), "exceeded")) << "as long as the bound";
  data.max_ps = 981;
  EXPECT_TRUE(has(ladder_html(data), "rung observed exceeded"));
  EXPECT_TRUE(has(ladder_html(data), "Observed exceeds the bound"));
}

TEST(DrawnPlaces, UseOfCoresIsAShareOfTheRun) {
  ReportData data;
  data.utilisation = {{"a", 0.25}, {"b", 1.5}, {"c", -1.0}, {"d", 1.0}};
  const std::string page = utilisation_html(data);
  EXPECT_TRUE(has(page, ">a</span><span class=\"track\"><b style=\"width:25.00%\">")) << page;
  EXPECT_TRUE(has(page, ">b</span><span class=\"track\"><b style=\"width:100.00%\">"));
  EXPECT_TRUE(has(page, ">c</span><span class=\"track\"><b style=\"width:0.00%\">"));
  EXPECT_TRUE(has(page, ">d</span><span class=\"track\"><b style=\"width:100.00%\">"));
}

/// A page with one run of 1,000 ps; drawings are 10,000 units wide and 1,000 high.
Json page_with(const Json& spans, const Json& dense = Json::array(), std::uint64_t lost = 0) {
  return {{"ops", {{"name", {"o0", "o1"}}, {"colour", {0, 1}}, {"further", Json::array()}}},
          {"groups", Json::array()},
          {"notes", Json::array()},
          {"timelines",
           {{{"title", "run"},
             {"makespan", 1000},
             {"lost", lost},
             {"lanes", {{{"name", "cpu0"}, {"spans", spans}, {"dense", dense}}}}}}}};
}

TEST(DrawnPlaces, SpansOfTheStillTimelineAreToScale) {
  const std::string page = still_timeline(page_with({-1, 250, 500, -2, 900, 300}, {0, 100, 7, 50}));
  EXPECT_TRUE(
      has(page, "<rect class=\"overhead\" x=\"2500\" y=\"0\" width=\"5000\" height=\"1000\"><title>overhead, 500"))
      << page;
  EXPECT_TRUE(has(page, "<rect class=\"load\" x=\"9000\" y=\"0\" width=\"1000\"")) << "it ends with the run";
  EXPECT_TRUE(has(page, "<rect class=\"dense\" x=\"0\" y=\"0\" width=\"1000\" height=\"1000\"><title>7 short spans"));
  EXPECT_FALSE(has(page, "not known"));
  EXPECT_FALSE(has(page, "not drawn here"));
  EXPECT_TRUE(has(still_timeline(page_with(Json::array(), Json::array(), 1)), "<title>not known</title>"));
}

TEST(DrawnPlaces, ThreeThousandSpansAreDrawnTheLongest) {
  Json spans = Json::array();
  for (int i = 0; i < 3000; ++i) {
    for (const int field : {-1, i, 10 + i % 5}) spans.push_back(field);
  }
  EXPECT_EQ(count_of_text(still_timeline(page_with(spans)), "<rect class=\"overhead\""), 3000U);
  for (const int field : {-1, 5, 9}) spans.push_back(field);
  const std::string page = still_timeline(page_with(spans));
  EXPECT_EQ(count_of_text(page, "<rect class=\"overhead\""), 3000U) << "all but the shortest";
  EXPECT_TRUE(has(page, ">1 short spans are not drawn here.<")) << page.substr(page.size() - 200);
}

/// Region, offset, size, begin, end, name, producer, and one more.
Json memory_with(std::size_t blocks, std::size_t regions) {
  Json list = Json::array(), names = Json::array();
  for (std::size_t i = 0; i < blocks; ++i) {
    for (const Json& field :
         {Json(i % regions), Json(100), Json(i == 0 ? 99 : 100), Json(20), Json(70), Json("t"), Json(-1), Json(0)}) {
      list.push_back(field);
    }
  }
  for (std::size_t i = 0; i < regions; ++i) names.push_back({{"name", "r" + std::to_string(i)}});
  return {{"ops", {{"name", {"o0"}}, {"colour", {0}}, {"further", Json::array()}}},
          {"memory", {{"blocks", list}, {"regions", names}, {"end", 100}}}};
}

TEST(DrawnPlaces, BlocksOfTheStillMemoryMapAreToScale) {
  const std::string page = still_memory(memory_with(2, 1));
  EXPECT_TRUE(has(page, "<rect class=\"f6\" x=\"2000\" y=\"0\" width=\"5000\" height=\"500\"><title>t, 100 B")) << page;
  EXPECT_TRUE(has(page, "<rect class=\"f6\" x=\"2000\" y=\"5\" width=\"5000\" height=\"495\"><title>t, 99 B"))
      << "upwards: the lower end of both is in the middle";
  Json lost = memory_with(2, 1);
  lost["memory"]["lost"] = {
      {{"region", 0}, {"offset", 50}, {"size", 100}, {"begin", 10}, {"end", 30}, {"text", "x is lost"}}};
  EXPECT_TRUE(
      has(still_memory(lost), "<rect class=\"lost\" x=\"1000\" y=\"250\" width=\"2000\" height=\"500\"><title>x is"));
  EXPECT_FALSE(has(page, "not drawn here"));
}

TEST(DrawnPlaces, FifteenHundredBlocksAndSixteenRegionsAreDrawn) {
  EXPECT_EQ(count_of_text(still_memory(memory_with(1500, 16)), "<rect"), 1500U);
  EXPECT_FALSE(has(still_memory(memory_with(1500, 16)), "not drawn here"));
  const std::string blocks = still_memory(memory_with(1501, 16));
  EXPECT_EQ(count_of_text(blocks, "<rect"), 1500U);
  EXPECT_TRUE(has(blocks, ">1 small blocks are not drawn here.<"));
  const std::string regions = still_memory(memory_with(17, 17));
  EXPECT_EQ(count_of_text(regions, "<svg"), 16U);
  EXPECT_TRUE(has(regions, ">1 region more are not drawn here.<")) << regions;
}

}  // namespace
}  // namespace detent::reports::drawn_places
