// Lanes: no span of a run is lost, moved to another slot or drawn over another one.
#include "reports/view/lanes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace detent::reports {
namespace {

using Ops = std::vector<std::uint32_t>;

TimelineRun random_run(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  TimelineRun run;
  run.lanes = {"cpu0", "cpu1", "npu0"};
  for (std::uint32_t op = 0; op < 40; ++op) {
    const auto slot = static_cast<std::uint32_t>(random() % 4);  // slot 3 has no name
    const std::uint64_t begin = random() % 50;
    run.trace.spans.push_back({op, slot, begin, begin + random() % 8, 0});
  }
  return run;
}

TEST(Lanes, EachSpanStandsOnceInALaneOfItsSlot) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const TimelineRun run = random_run(seed);
    Ops drawn;
    for (const Lane& lane : lanes_of(run)) {
      for (const harness::Span& span : lane.spans) {
        drawn.push_back(span.op);
        EXPECT_EQ(lane.slot, span.slot);
        EXPECT_EQ(span.begin_ps, run.trace.spans[span.op].begin_ps);
        EXPECT_EQ(span.end_ps, run.trace.spans[span.op].end_ps);
      }
    }
    std::ranges::sort(drawn);
    ASSERT_EQ(drawn.size(), run.trace.spans.size()) << "seed " << seed;
    for (std::uint32_t op = 0; op < drawn.size(); ++op) ASSERT_EQ(drawn[op], op) << "seed " << seed;
  }
}

TEST(Lanes, SpansOfALaneFollowOneAnother) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const Lane& lane : lanes_of(random_run(seed)))
      for (std::size_t i = 1; i < lane.spans.size(); ++i)
        ASSERT_LE(lane.spans[i - 1].end_ps, lane.spans[i].begin_ps) << lane.name << ", seed " << seed;
  }
}

TEST(Lanes, ASlotHasAsManyLanesAsSpansAtOnce) {
  TimelineRun run;
  run.lanes = {"cpu0", "npu0"};
  run.trace.spans = {{0, 1, 0, 10, 0}, {1, 1, 2, 4, 0}, {2, 1, 4, 6, 0}, {3, 1, 10, 12, 0}};
  const std::vector<Lane> lanes = lanes_of(run);
  ASSERT_EQ(lanes.size(), 3U);
  EXPECT_TRUE(lanes[0].spans.empty()) << "a named slot without spans keeps its lane";
  EXPECT_EQ(lanes[1].spans.size(), 2U) << "ops 0 and 3";
  EXPECT_EQ(lanes[2].spans.size(), 2U) << "ops 1 and 2: one begins when the other ends";
}

}  // namespace
}  // namespace detent::reports
