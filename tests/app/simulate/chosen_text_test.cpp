// Chosen op times as text and back.
#include "app/simulate/chosen_text.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "app/simulate/simulated_figures.hpp"

namespace detent::app {
namespace {

using Times = std::vector<std::uint64_t>;

const std::vector<sim::OpTime> kFiveOps = {{1, 4}, {2, 5}, {3, 6}, {7, 7}, {10, 90}};

std::string chosen_refusal(const std::string& times, const std::string& ties) {
  try {
    parse_chosen(times, ties, 0, kFiveOps);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "";
}

TEST(ChosenText, SaysWhatIsNotAtItsWorst) {
  EXPECT_EQ(chosen_times_text({.times_ps = {4, 5, 6, 7, 90}}, kFiveOps), "worst");
  EXPECT_EQ(chosen_times_text({.times_ps = {1, 2, 6, 7, 50}}, kFiveOps), "worst,0-1:best,4:50");
  EXPECT_EQ(chosen_times_text({.times_ps = {4, 2, 4, 7, 10}}, kFiveOps), "worst,1:best,2:4,4:best");
  EXPECT_EQ(chosen_ties_text({.ties = {3U, 0U}}), "3,0");
  EXPECT_EQ(chosen_ties_text({}), "");
}

TEST(ChosenText, AndBack) {
  for (const Times& times :
       {Times{4, 5, 6, 7, 90}, Times{1, 2, 3, 7, 10}, Times{1, 5, 3, 7, 11}, Times{2, 4, 3, 7, 90}}) {
    const sim::ChosenRun run{.times_ps = times, .ties = {2U, 4U, 0U}, .seed = 9};
    EXPECT_EQ(parse_chosen(chosen_times_text(run, kFiveOps), chosen_ties_text(run), 9, kFiveOps), run);
  }
}

TEST(ChosenText, WhatIsNoSuchTextIsRefused) {
  for (const char* const times :
       {"best", "worst,", "worst,0", "worst,0:", "worst,0:bestest", "worst,x:best", "worst,5:best", "worst,1:3,0:best",
        "worst,2-1:best", "worst,0-:best", "worst,-1:best", "worst,1:3,1:4", "worst,0:-3", "worst,,0:best"}) {
    const std::string text = chosen_refusal(times, "");
    if (std::string(times) == "worst,") continue;  // an empty item at the end is none
    EXPECT_NE(text.find("write worst, then ids of the 5 ops"), std::string::npos) << times << ": " << text;
  }
  EXPECT_NE(chosen_refusal("", "3").find("ties=3: need times="), std::string::npos);
  for (const char* const ties : {"x", "5", "1,1", "1,,2"}) {
    EXPECT_NE(chosen_refusal("worst", ties).find("write ids of the 5 ops, each once"), std::string::npos) << ties;
  }
}

TEST(SimulatedFigures, NothingIsSaidOfWhatWasNotSimulated) {
  sim::SimResult result;
  EXPECT_TRUE(percentiles_of(result).empty());
  EXPECT_FALSE(search_of(result));
  result.search.emplace();
  result.search->failed = true;
  result.search->runs = 3;
  EXPECT_FALSE(search_of(result));
  result.search->failed = false;
  result.search->ranges = kFiveOps;
  result.search->longest.times_ps = {4, 2, 4, 7, 90};
  EXPECT_EQ(search_of(result)->shorter_ops, 2U);
  EXPECT_EQ(search_of(result)->times, "worst,1:best,2:4");
}

}  // namespace
}  // namespace detent::app
