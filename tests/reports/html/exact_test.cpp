// The exact worst case on the page: its two runs on one axis, the ops that make it longer, and why there is none.
#include <gtest/gtest.h>

#include "reports/html/drawings.hpp"
#include "reports/html/parts.hpp"
#include "reports/json/exact_json.hpp"
#include "reports/view/page_data.hpp"
#include "tests/reports/samples/sample.hpp"

namespace detent::reports {
namespace {

/// Two cores; op 1 takes 4 of at most 6, and the run is 20 long instead of 16.
ExactCase anomaly() {
  ExactCase exact{.policy = "id", .max_states = 100, .states = 7, .worst_ps = 20'000, .best_ps = 9'000};
  exact.all_worst_ps = 16'000;
  exact.assumptions = "any time in its <range>";
  exact.shorter = {{1, 6'000, 18'000}};
  exact.time_ps = {10'000, 4'000, 10'000};
  exact.runs = {{"a run that attains the exact worst case", {"cpu0", "cpu1"}, {}, 20'000},
                {"every op at its worst time", {"cpu0", "cpu1"}, {}, 16'000}};
  exact.runs[0].trace.spans = {{0, 0, 0, 10'000}, {1, 1, 0, 4'000}, {2, 1, 10'000, 20'000}};
  exact.runs[1].trace.spans = {{0, 0, 0, 10'000}, {1, 1, 0, 6'000}, {2, 1, 6'000, 16'000}};
  return exact;
}

/// Of a report whose ops have hostile names.
std::string html_of(const ExactCase& exact, std::uint64_t longest_ps = 17'000) {
  samples::Sample sample = samples::hostile_names();
  sample.data.exact = exact;
  sample.data.sim_runs = 5;
  sample.data.max_ps = longest_ps;
  sample.data.bounds = {{"typed", 24'000, true, false, ""}};
  return exact_html(sample.data, page_data(sample.data));
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Attributes x and width of the blocks of ops of each drawing.
std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks_of(const std::string& svg) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> blocks;
  for (std::size_t at = 0; (at = svg.find("<rect class=\"f", at)) != std::string::npos; ++at) {
    const auto value = [&](const std::string& name) {
      return std::stoull(svg.substr(svg.find(" " + name + "=\"", at) + name.size() + 3));
    };
    blocks.emplace_back(value("x"), value("width"));
  }
  return blocks;
}

TEST(ExactHtml, BothRunsStandOnOneAxis) {
  const auto blocks = blocks_of(html_of(anomaly()));
  ASSERT_EQ(blocks.size(), 6U);
  const std::uint64_t left = blocks[0].first, ten = blocks[0].second;
  EXPECT_EQ(blocks[2].first, left + ten) << "op 2 begins when op 0 ends";
  EXPECT_NEAR(static_cast<double>(blocks[1].second), 0.4 * static_cast<double>(ten), 1.0);
  EXPECT_NEAR(static_cast<double>(blocks[2].second), static_cast<double>(ten), 1.0);
  EXPECT_EQ(blocks[3].second, ten) << "10 ps are as wide in the second run";
  EXPECT_NEAR(static_cast<double>(blocks[5].first), static_cast<double>(left) + 0.6 * static_cast<double>(ten), 1.0);
}

TEST(ExactHtml, NamesTheOpsThatMakeTheRunLonger) {
  const std::string html = html_of(anomaly());
  EXPECT_TRUE(has(html, "scheduling anomaly"));
  EXPECT_TRUE(has(html, "4.000 ns</span> of at most")) << html;
  EXPECT_TRUE(has(html, "18.00 ns</span>, ")) << html;
  EXPECT_TRUE(has(html, " shorter\""));
  ExactCase none = anomaly();
  none.shorter.clear();
  none.worst_ps = none.all_worst_ps;
  EXPECT_FALSE(has(html_of(none), " shorter\""));
  EXPECT_TRUE(has(html_of(none), "it need not be"));
}

TEST(ExactHtml, StandsBetweenTheLongestSeenAndTheBound) {
  EXPECT_TRUE(has(html_of(anomaly()), "relation ok"));
  ExactCase broken = anomaly();
  broken.fault = "a simulated run of <21> ns is longer";
  const std::string html = html_of(broken);
  EXPECT_FALSE(has(html, "relation ok"));
  EXPECT_TRUE(has(html, "a simulated run of &lt;21&gt; ns is longer"));
}

TEST(ExactHtml, SaysWhyThereIsNone) {
  ExactCase none{.policy = "random", .why_not = "policy <random> is not analysed"};
  const std::string html = html_of(none);
  EXPECT_TRUE(has(html, "Not known: policy &lt;random&gt; is not analysed."));
  EXPECT_FALSE(has(html, "<svg"));
  EXPECT_EQ(exact_html(ReportData{}, page_data(ReportData{})), "");
}

TEST(ExactHtml, NamesOfOpsAreText) {
  const std::string html = html_of(anomaly());
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "<range>"));
  EXPECT_EQ(html, html_of(anomaly())) << "equal bytes";
}

TEST(ExactJson, ClaimsNothingWhereItIsNotKnown) {
  ExactCase exact = anomaly();
  exact.witness = {{"makespan_ps", 20'000}};
  EXPECT_EQ(exact_json(exact)["worst_ps"], 20'000);
  EXPECT_EQ(exact_json(exact)["witness"]["makespan_ps"], 20'000);
  exact.why_not = "more than 100 symbolic states";
  const Json json = exact_json(exact);
  EXPECT_TRUE(json["worst_ps"].is_null());
  EXPECT_FALSE(json.contains("witness"));
  EXPECT_EQ(json["why_not"], "more than 100 symbolic states");
}

}  // namespace
}  // namespace detent::reports
