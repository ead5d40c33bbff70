// Laws of the engine's queues: a ReadySet is a set of numbers, a CompleteQueue a first-in-first-out queue.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <set>
#include <vector>

#include "properties/runtime/random_desc.hpp"
#include "runtime/detent.h"
#include "runtime/queue.h"

namespace detent::laws {
namespace {

RC_GTEST_PROP(QueueLaw, ReadySetIsASetOrderedByRank, (std::uint64_t seed)) {
  Random random(seed);
  const std::uint32_t count = 1 + random.below(random.one_in(4) ? 300'000 : 300);
  std::vector<std::uint64_t> words(ReadySet::word_count(count));
  ReadySet set;
  set.init(words.data(), count);
  std::set<std::uint32_t> model;
  for (int step = 0; step < 300; ++step) {
    const std::uint32_t rank = random.below(count);
    if (model.count(rank) == 0) {
      set.set(rank);
      model.insert(rank);
    } else {
      set.clear(rank);
      model.erase(rank);
    }
    RC_ASSERT(set.has(rank) == (model.count(rank) != 0));
    RC_ASSERT(set.empty() == model.empty());
    if (!model.empty()) RC_ASSERT(set.first() == *model.begin());
    const std::uint32_t from = random.below(count);
    const auto next = model.lower_bound(from);
    RC_ASSERT(set.next(from) == (next == model.end() ? DETENT_NONE : *next));
  }
  set.clear_all();
  RC_ASSERT(set.empty());
}

RC_GTEST_PROP(QueueLaw, CompleteQueueKeepsTheOrderOfItsWorkers, (std::uint64_t seed)) {
  Random random(seed);
  const std::uint32_t workers = 1 + random.below(64);
  std::vector<std::uint32_t> cells(CompleteQueue::cell_count(workers));
  CompleteQueue queue;
  queue.init(cells.data(), static_cast<std::uint32_t>(cells.size()));
  const detent_port port = detent_port_single();
  const Site site{&port, nullptr, 0};
  std::deque<std::uint32_t> model;
  std::set<std::uint32_t> inside;
  for (int step = 0; step < 500; ++step) {
    const std::uint32_t worker = random.below(workers);
    if (inside.insert(worker).second) {
      queue.put(site, worker);
      model.push_back(worker);
    } else {
      std::uint32_t taken = DETENT_NONE;
      RC_ASSERT(queue.take(site, &taken));
      RC_ASSERT(taken == model.front());
      inside.erase(model.front());
      model.pop_front();
    }
    RC_ASSERT(queue.empty(site) == model.empty());
  }
}

}  // namespace
}  // namespace detent::laws
