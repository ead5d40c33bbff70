#include "runtime/engine/queue.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include <detent/detent.h>

#include "tests/runtime/engine/graph.hpp"

namespace detent::test {
namespace {

class ReadySetSizes : public testing::TestWithParam<std::uint32_t> {};

TEST_P(ReadySetSizes, BehavesLikeAnOrderedSet) {
  const std::uint32_t count = GetParam();
  std::vector<std::uint64_t> words(ReadySet::word_count(count));
  ReadySet set;
  set.init(words.data(), count);
  std::set<std::uint32_t> model;
  std::uint64_t seed = count;
  for (int step = 0; step < 3000; ++step) {
    const std::uint32_t rank = static_cast<std::uint32_t>(next_random(seed) % count);
    if (next_random(seed) % 2 == 0) {
      set.set(rank);
      model.insert(rank);
    } else {
      set.clear(rank);
      model.erase(rank);
    }
    ASSERT_EQ(set.empty(), model.empty());
    ASSERT_TRUE(model.empty() || set.first() == *model.begin());
    const std::uint32_t from = static_cast<std::uint32_t>(next_random(seed) % (count + 2));
    const auto next = model.lower_bound(from);
    ASSERT_EQ(set.next(from), next == model.end() ? DETENT_NONE : *next);
    ASSERT_EQ(set.has(rank), model.count(rank) == 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Queue, ReadySetSizes, testing::Values(1, 2, 63, 64, 65, 4095, 4096, 4097, 262'145));

TEST(Queue, ReadySetHoldsTheLargestGraph) {
  std::vector<std::uint64_t> words(ReadySet::word_count(DETENT_MAX_OPS));
  ReadySet set;
  set.init(words.data(), DETENT_MAX_OPS);
  set.set(DETENT_MAX_OPS - 1);
  EXPECT_EQ(set.first(), DETENT_MAX_OPS - 1);
  set.set(0);
  EXPECT_EQ(set.next(1), DETENT_MAX_OPS - 1);
}

TEST(Queue, ReadySetCopiesAnother) {
  std::vector<std::uint64_t> words(ReadySet::word_count(100)), others(ReadySet::word_count(100));
  ReadySet set, other;
  set.init(words.data(), 100);
  other.init(others.data(), 100);
  other.set(70);
  set.set(3);
  set.copy_from(other);
  EXPECT_EQ(set.first(), 70u);
}

struct QueueSite {
  detent_port port = detent_port_single();
  AccessSite site{&port, &port, 0};
};

TEST(Queue, CompleteQueueIsFirstInFirstOut) {
  QueueSite here;
  std::vector<std::uint32_t> cells(CompleteQueue::cell_count(3));
  CompleteQueue queue;
  queue.init(cells.data(), CompleteQueue::cell_count(3));
  SlotId slot = 0;
  EXPECT_TRUE(queue.empty(here.site));
  EXPECT_FALSE(queue.take(here.site, &slot));
  for (int round = 0; round < 5; ++round) {
    queue.put(here.site, 2);
    queue.put(here.site, 0);
    EXPECT_FALSE(queue.empty(here.site));
    ASSERT_TRUE(queue.take(here.site, &slot));
    EXPECT_EQ(slot, 2u);
    queue.put(here.site, 1);
    ASSERT_TRUE(queue.take(here.site, &slot));
    EXPECT_EQ(slot, 0u);
    ASSERT_TRUE(queue.take(here.site, &slot));
    EXPECT_EQ(slot, 1u);
    EXPECT_TRUE(queue.empty(here.site));
  }
}

TEST(Queue, F10_CompleteQueueHasACellForEveryWorker) {
  QueueSite here;
  for (std::uint32_t workers = 1; workers <= DETENT_MAX_WORKERS + 1; ++workers) {
    const std::uint32_t count = CompleteQueue::cell_count(workers);
    ASSERT_GE(count, workers);
    std::vector<std::uint32_t> cells(count);
    CompleteQueue queue;
    queue.init(cells.data(), count);
    for (SlotId slot = 0; slot < workers; ++slot) queue.put(here.site, slot);
    for (SlotId slot = 0; slot < workers; ++slot) {
      SlotId taken = 0;
      ASSERT_TRUE(queue.take(here.site, &taken));
      ASSERT_EQ(taken, slot);
    }
  }
}

TEST(Queue, ForeignQueueWrapsAtItsCapacity) {
  QueueSite here;
  std::vector<std::uint32_t> cells(3);
  ForeignQueue queue;
  queue.init(cells.data(), 3);
  OpId op = 0;
  for (std::uint32_t round = 0; round < 7; ++round) {
    for (std::uint32_t i = 0; i < 3; ++i) queue.put(here.site, round * 3 + i);
    for (std::uint32_t i = 0; i < 3; ++i) {
      ASSERT_TRUE(queue.take(here.site, &op));
      ASSERT_EQ(op, round * 3 + i);
    }
    EXPECT_FALSE(queue.take(here.site, &op));
    EXPECT_TRUE(queue.empty(here.site));
  }
}

TEST(Queue, EveryAccessIsACheckpointWhenThePortListens) {
  static std::uint32_t seen;
  seen = 0;
  QueueSite here;
  here.port.checkpoint_mask = DETENT_CP_ATOMIC;
  here.port.checkpoint = [](void*, detent_checkpoint kind, std::uint32_t, std::uint32_t) {
    if (kind == DETENT_CP_ATOMIC) ++seen;
  };
  std::vector<std::uint32_t> cells(1);
  CompleteQueue queue;
  queue.init(cells.data(), 1);
  queue.put(here.site, 0);
  EXPECT_EQ(seen, 2u);
  EXPECT_FALSE(queue.empty(here.site));
  EXPECT_EQ(seen, 4u);
}

}  // namespace
}  // namespace detent::test
