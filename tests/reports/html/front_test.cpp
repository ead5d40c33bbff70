// The picture of a front: a point for each plan, exact ones told apart from bounds.
#include <gtest/gtest.h>

#include "reports/data/memory_front.hpp"

namespace detent::reports {
namespace {

MemoryFront small_front() {
  MemoryFront front{.model = "net <1>", .platform = "plain", .policy = "id", .version = "1"};
  front.lower_bound_bytes = 900;
  front.unshared_bytes = 5'000;
  front.plans = {{1'000, 90'000, true, "exact", 3, Standing::kOn, 0},
                 {2'000, 95'000, true, "exact", 2, Standing::kOff, 0},
                 {3'000, 70'000, false, "typed", 1, Standing::kOnByBound, 0},
                 {4'000, 80'000, false, "typed", 0, Standing::kOffByBound, 2}};
  front.why_not_exact = "more than <1> symbolic states";
  return front;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

/// cx and cy of the n-th disc.
std::pair<int, int> disc(const std::string& html, std::size_t n) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= n; ++i) at = html.find("<circle", at + 1);
  const auto value = [&](const std::string& name) { return std::stoi(html.substr(html.find(name, at) + name.size())); };
  return {value("cx=\""), value("cy=\"")};
}

TEST(FrontHtml, ExactTimesAndBoundsAreToldApart) {
  const std::string html = front_html(small_front());
  EXPECT_EQ(count(html, "<circle class=\"exact on\""), 1U);
  EXPECT_EQ(count(html, "<circle class=\"exact off\""), 1U);
  EXPECT_EQ(count(html, "<path class=\"bounded on\""), 1U);
  EXPECT_EQ(count(html, "<path class=\"bounded off\""), 1U);
  EXPECT_EQ(count(html, "\xE2\x89\xA4 "), 2U) << "labels of bounds say that they are";
}

TEST(FrontHtml, MoreBytesAreToTheRightAndLongerTimesHigher) {
  const std::string html = front_html(small_front());
  EXPECT_LT(disc(html, 0).first, disc(html, 1).first);
  EXPECT_GT(disc(html, 0).second, disc(html, 1).second);
}

/// Room of a twelfth at both ends: 1100 to 2500 bytes on 1036 units from 92 on, 11 to 25 ns on 476 units up from 504.
TEST(FrontHtml, PlacesByHand) {
  MemoryFront front{.model = "m", .platform = "plain", .policy = "id", .version = "1"};
  front.plans = {{1'200, 24'000, true, "exact", 3, Standing::kOn, 0},
                 {2'400, 12'000, true, "exact", 2, Standing::kOn, 0}};
  const std::string html = front_html(front);
  EXPECT_EQ(disc(html, 0), std::pair(166, 62));
  EXPECT_EQ(disc(html, 1), std::pair(1054, 470));
  EXPECT_EQ(count(html, "<path class=\"steps\" d=\"M166 62H1054V470H1128\"/>"), 1U) << html;
  EXPECT_EQ(count(html, "<path class=\"tick\" d=\"M92 28V504M92 504H1128\"/>"), 1U);
  EXPECT_EQ(count(html, "<path class=\"tick\" d=\"M299 28V504M92 409H1128\"/>"), 1U);
  EXPECT_EQ(count(html, "<path class=\"tick\" d=\"M1128 28V504M92 28H1128\"/>"), 1U);
  EXPECT_EQ(count(html, "<path class=\"tick\""), 6U);
  EXPECT_EQ(count(html, "<text class=\"label on\" text-anchor=\"start\" x=\"178\" y=\"52\">0: "), 1U);
  const std::size_t label = html.find(">1: ", html.find("<text class=\"label")) + 1;
  const std::size_t width = 7 * (html.find('<', label) - label);
  EXPECT_EQ(count(html, "x=\"" + std::to_string(1054 - 12 - width) + "\" y=\"460\">1: "), 1U)
      << "to the left of its point, because there is no room on the right";
}

TEST(FrontHtml, EveryPlanHasARowWithItsStanding) {
  const std::string html = front_html(small_front());
  for (const char* word : {"<td>yes</td>", "<td>no: plan 0</td>", "<td>by bound</td>", "<td>unknown: plan 2</td>"}) {
    EXPECT_EQ(count(html, word), 1U) << word;
  }
}

TEST(FrontHtml, NamesAreTextAndNothingIsFetched) {
  const std::string html = front_html(small_front());
  EXPECT_EQ(count(html, "<1>"), 0U);
  EXPECT_GE(count(html, "&lt;1&gt;"), 2U);
  for (const char* reference : {"http://", "https://", "src=", "url(", "<script"})
    EXPECT_EQ(count(html, reference), 0U);
  EXPECT_EQ(html, front_html(small_front())) << "equal bytes";
}

TEST(FrontHtml, PlansWithoutATimeAreInTheTableAlone) {
  MemoryFront front = small_front();
  for (FrontPlan& plan : front.plans) plan.time_ps.reset();
  EXPECT_EQ(count(front_html(front), "<svg"), 0U);
  EXPECT_EQ(count(front_html(front), "<td class=\"r num\">unknown</td>"), 4U);
  front.plans.clear();
  EXPECT_EQ(count(front_html(front), "<svg"), 0U);
}

TEST(FrontHtml, OneOrManyEqualPlansHaveAPicture) {
  MemoryFront front = small_front();
  front.plans.assign(66, {UINT64_MAX, UINT64_MAX - 1, true, "exact", 0, Standing::kOn, 0});
  EXPECT_EQ(count(front_html(front), "<circle"), 66U);
  front.plans.assign(1, {0, 0, true, "exact", 0, Standing::kOn, 0});
  EXPECT_EQ(count(front_html(front), "<circle"), 1U);
}

}  // namespace
}  // namespace detent::reports
