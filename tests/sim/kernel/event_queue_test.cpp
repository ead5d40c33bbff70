#include "sim/kernel/event_queue.hpp"

#include <gtest/gtest.h>

#include <map>
#include <utility>

#include "tests/sim/graph.hpp"

namespace detent::sim::test {
namespace {

TEST(EventQueue, OrdersByTimeThenKindThenPriorityThenId) {
  EventQueue queue;
  queue.set(1, {5, event_order(EventKind::kCompletion, -3, 7)});
  queue.set(2, {5, event_order(EventKind::kCompletion, -3, 6)});
  queue.set(3, {5, event_order(EventKind::kCompletion, 2, 0)});
  queue.set(4, {5, event_order(EventKind::kRun, 0, 4)});
  queue.set(5, {5, event_order(EventKind::kSpin, 0, 5)});
  queue.set(6, {4, event_order(EventKind::kSpin, 0, 6)});
  std::vector<std::uint32_t> order;
  while (!queue.empty()) {
    order.push_back(queue.top_id());
    queue.remove(queue.top_id());
  }
  EXPECT_EQ(order, (std::vector<std::uint32_t>{6, 4, 2, 1, 3, 5}));
}

TEST(EventQueue, PriorityIsOrderedAsASignedNumber) {
  EXPECT_LT(event_order(EventKind::kCompletion, INT32_MIN, 9), event_order(EventKind::kCompletion, -1, 0));
  EXPECT_LT(event_order(EventKind::kCompletion, -1, 9), event_order(EventKind::kCompletion, 0, 0));
  EXPECT_LT(event_order(EventKind::kCompletion, 0, 9), event_order(EventKind::kCompletion, INT32_MAX, 0));
}

TEST(EventQueue, AgreesWithASortedMapUnderRandomMovesAndRemovals) {
  Random random(3);
  EventQueue queue;
  std::map<std::uint32_t, EventKey> model;
  for (int step = 0; step < 20000; ++step) {
    const std::uint32_t id = random.below(EventQueue::kCapacity);
    if (random.below(3) == 0) {
      queue.remove(id);
      model.erase(id);
    } else {
      const EventKey key{random.below(20), event_order(EventKind::kRun, 0, id)};
      queue.set(id, key);
      model[id] = key;
    }
    ASSERT_EQ(queue.size(), model.size());
    ASSERT_EQ(queue.contains(id), model.contains(id));
    if (model.empty()) continue;
    auto first = model.begin();
    for (auto it = model.begin(); it != model.end(); ++it) {
      if (it->second.before(first->second)) first = it;
    }
    ASSERT_EQ(queue.top_id(), first->first);
  }
}

TEST(EventQueue, ClearForgetsEveryEvent) {
  EventQueue queue;
  queue.set(7, {1, 1});
  queue.clear();
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.contains(7));
}

}  // namespace
}  // namespace detent::sim::test
