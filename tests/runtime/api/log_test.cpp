#include <gtest/gtest.h>

#include <array>
#include <vector>

#include <detent/log.h>

#include "runtime/engine/log_put.h"

namespace detent {
namespace {

struct Ring {
  std::array<detent_log_record, 4> records{};
  detent_log log{};
  explicit Ring(bool stop_when_full) {
    log.records = records.data();
    log.capacity = 4;
    log.stop_when_full = stop_when_full;
  }
  void put(std::uint64_t time_ps, std::uint32_t op) {
    log_put(log, {.slot = 2, .run = 9}, time_ps, {.event = DETENT_EVENT_OP_BEGIN, .op = op});
  }
  [[nodiscard]] std::vector<std::uint32_t> ops() const {
    std::vector<std::uint32_t> result;
    for (std::uint32_t i = 0; i < detent_log_size(&log); ++i) result.push_back(detent_log_at(&log, i)->op);
    return result;
  }
};

TEST(Log, RecordsComeBackAsPut) {
  Ring ring(false);
  EXPECT_EQ(detent_log_size(&ring.log), 0u);
  log_put(ring.log, {.slot = 3, .run = 7}, 100, {.event = DETENT_EVENT_OP_END, .op = 5, .value = -2, .sequence = 11});
  ASSERT_EQ(detent_log_size(&ring.log), 1u);
  const detent_log_record& record = *detent_log_at(&ring.log, 0);
  EXPECT_EQ(record.time_ps, 100u);
  EXPECT_EQ(record.sequence, 11u);
  EXPECT_EQ(record.op, 5u);
  EXPECT_EQ(record.value, -2);
  EXPECT_EQ(record.event, DETENT_EVENT_OP_END);
  EXPECT_EQ(record.slot, 3);
  EXPECT_EQ(record.run, 7u);
}

TEST(Log, F05_OldestGivesWayAndDropsAreCounted) {
  Ring ring(false);
  for (std::uint32_t op = 0; op < 11; ++op) ring.put(op, op);
  EXPECT_EQ(ring.ops(), (std::vector<std::uint32_t>{7, 8, 9, 10}));
  EXPECT_EQ(ring.log.written, 11u);
  EXPECT_EQ(ring.log.dropped, 7u);
}

TEST(Log, F05_StopKeepsTheOldestAndCountsDrops) {
  Ring ring(true);
  for (std::uint32_t op = 0; op < 11; ++op) ring.put(op, op);
  EXPECT_EQ(ring.ops(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(ring.log.written, 11u);
  EXPECT_EQ(ring.log.dropped, 7u);
}

TEST(Log, FullToTheBrimDropsNothing) {
  for (const bool stop : {false, true}) {
    Ring ring(stop);
    for (std::uint32_t op = 0; op < 4; ++op) ring.put(op, op);
    EXPECT_EQ(ring.ops(), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(ring.log.dropped, 0u);
  }
}

TEST(Log, F08_ClockThatGoesBackIsClampedAndRecorded) {
  Ring ring(false);
  ring.put(1000, 1);
  EXPECT_EQ(log_put(ring.log, {.slot = 0, .run = 1}, 400, {.event = DETENT_EVENT_OP_END, .op = 1}), 1000u);
  ASSERT_EQ(detent_log_size(&ring.log), 3u);
  EXPECT_EQ(detent_log_at(&ring.log, 1)->event, DETENT_EVENT_CLOCK_BACK);
  EXPECT_EQ(detent_log_at(&ring.log, 1)->value, 600);
  EXPECT_EQ(detent_log_at(&ring.log, 2)->time_ps, 1000u);
}

TEST(Log, F08_WrapOfTheClockSaturatesTheRecordedStep) {
  Ring ring(false);
  ring.put(UINT64_MAX, 1);
  ring.put(0, 2);
  EXPECT_EQ(detent_log_at(&ring.log, 1)->value, INT32_MAX);
  EXPECT_EQ(detent_log_at(&ring.log, 2)->time_ps, UINT64_MAX);
}

TEST(Log, ClearForgetsRecordsButNotTheClock) {
  Ring ring(false);
  ring.put(1000, 1);
  log_clear(ring.log);
  EXPECT_EQ(detent_log_size(&ring.log), 0u);
  ring.put(500, 2);
  EXPECT_EQ(detent_log_at(&ring.log, 1)->time_ps, 1000u);
}

}  // namespace
}  // namespace detent
