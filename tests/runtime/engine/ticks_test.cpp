// Ticks: a late op is called late at most two ticks too late and never too early, for every deadline and time.
#include "runtime/engine/ticks.h"

#include <gtest/gtest.h>

#include <vector>

namespace detent {
namespace {

std::vector<std::uint64_t> around(std::uint64_t value) {
  std::vector<std::uint64_t> out = {value};
  for (std::uint64_t i = 1; i < 3 && i < value; ++i) out.insert(out.end(), {value - i, value + i});
  return out;
}

std::vector<std::uint64_t> deadlines() {
  std::vector<std::uint64_t> out;
  for (unsigned bit = 0; bit < 58; ++bit) {
    for (const std::uint64_t deadline : around(std::uint64_t{1} << bit)) out.push_back(deadline);
  }
  return out;
}

TEST(Ticks, NoTimeIsShownAsNone) {
  for (const std::uint64_t deadline : deadlines()) {
    for (const std::uint64_t now : {std::uint64_t{0}, std::uint64_t{1}, deadline, UINT64_MAX}) {
      EXPECT_NE(tick_at(now, deadline), kNoTick);
    }
  }
}

TEST(Ticks, LateIsAfterTheDeadlineAndAtMostTwoTicksLater) {
  for (const std::uint64_t deadline : deadlines()) {
    const std::uint64_t tick = std::uint64_t{1} << tick_shift(deadline);
    EXPECT_TRUE(tick == 1 || tick <= deadline / 64);
    for (const std::uint64_t begin : {std::uint64_t{0}, tick - 1, tick, 7 * deadline + 3}) {
      const std::uint32_t shown = tick_at(begin, deadline);
      for (const std::uint64_t elapsed : around(deadline)) {
        EXPECT_TRUE(elapsed > deadline || !is_past_deadline(shown, begin + elapsed, deadline));
      }
      EXPECT_TRUE(is_past_deadline(shown, begin + deadline + 2 * tick, deadline)) << deadline << " " << begin;
    }
  }
}

TEST(Ticks, AShortDeadlineIsExact) {
  for (std::uint64_t deadline = 1; deadline < 128; ++deadline) {
    const std::uint32_t shown = tick_at(1000, deadline);
    EXPECT_FALSE(is_past_deadline(shown, 1000 + deadline, deadline));
    EXPECT_TRUE(is_past_deadline(shown, 1001 + deadline, deadline));
  }
}

TEST(Ticks, WordsWrapAndAClockThatGoesBackIsNotLate) {
  const std::uint64_t deadline = 1'000'000;
  const std::uint64_t wrap = std::uint64_t{1} << (31 + tick_shift(deadline));
  for (const std::uint64_t begin : {wrap - 1, wrap - deadline, 5 * wrap - 1}) {
    const std::uint32_t shown = tick_at(begin, deadline);
    EXPECT_FALSE(is_past_deadline(shown, begin + deadline, deadline));
    EXPECT_TRUE(is_past_deadline(shown, begin + 2 * deadline, deadline));
    EXPECT_FALSE(is_past_deadline(shown, begin - deadline, deadline));
  }
}

}  // namespace
}  // namespace detent
