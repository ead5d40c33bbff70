// Laws of the engine's queues: a ReadySet is a set of numbers, a CompleteQueue a first-in-first-out queue.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <set>
#include <vector>

#include <detent/detent.h>

#include "properties/law.hpp"
#include "runtime/engine/queue.h"

namespace detent::laws {
namespace {

using Steps = std::vector<std::uint32_t>;

/// Sets of one to three levels of words.
rc::Gen<std::uint32_t> set_sizes() {
  return rc::gen::weightedOneOf<std::uint32_t>(
      {{3, rc::gen::inRange<std::uint32_t>(1, 300)}, {1, rc::gen::inRange<std::uint32_t>(1, 300'000)}});
}

rc::Gen<Steps> steps() { return rc::gen::scale(3.0, rc::gen::arbitrary<Steps>()); }

RC_GTEST_PROP(QueueLaw, ReadySetIsASetOrderedByRank, ()) {
  law_of_values(rc::gen::pair(set_sizes(), steps()), [](const std::pair<std::uint32_t, Steps>& drawn) {
    const std::uint32_t count = drawn.first;
    std::vector<std::uint64_t> words(ReadySet::word_count(count));
    ReadySet set;
    set.init(words.data(), count);
    std::set<std::uint32_t> model;
    for (const std::uint32_t step : drawn.second) {
      const std::uint32_t rank = step % count;
      if (model.insert(rank).second) {
        set.set(rank);
      } else {
        set.clear(rank);
        model.erase(rank);
      }
      RC_ASSERT(set.has(rank) == (model.count(rank) != 0));
      RC_ASSERT(set.empty() == model.empty());
      if (!model.empty()) RC_ASSERT(set.first() == *model.begin());
      const std::uint32_t from = (step >> 7U) % count;
      const auto next = model.lower_bound(from);
      RC_ASSERT(set.next(from) == (next == model.end() ? DETENT_NONE : *next));
    }
    set.clear_all();
    RC_ASSERT(set.empty());
  });
}

RC_GTEST_PROP(QueueLaw, CompleteQueueKeepsTheOrderOfItsWorkers, ()) {
  const auto drawn_workers = rc::gen::inRange<std::uint32_t>(1, 65);
  law_of_values(rc::gen::pair(drawn_workers, steps()), [](const std::pair<std::uint32_t, Steps>& drawn) {
    const std::uint32_t workers = drawn.first;
    std::vector<std::uint32_t> cells(CompleteQueue::cell_count(workers));
    CompleteQueue queue;
    queue.init(cells.data(), static_cast<std::uint32_t>(cells.size()));
    const detent_port port = detent_port_single();
    const AccessSite site{&port, nullptr, 0};
    std::deque<std::uint32_t> model;
    std::set<std::uint32_t> inside;
    for (const std::uint32_t step : drawn.second) {
      const std::uint32_t worker = step % workers;
      if (inside.insert(worker).second) {
        queue.put(site, worker);
        model.push_back(worker);
      } else {
        SlotId taken = DETENT_NONE;
        RC_ASSERT(queue.take(site, &taken));
        RC_ASSERT(taken == model.front());
        inside.erase(model.front());
        model.pop_front();
      }
      RC_ASSERT(queue.empty(site) == model.empty());
    }
  });
}

}  // namespace
}  // namespace detent::laws
