// Laws of the ring log: it behaves as a queue that forgets, whatever is put.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

#include "properties/law.hpp"
#include "runtime/engine/log_put.h"

namespace detent::laws {
namespace {

RC_GTEST_PROP(LogLaw, RingKeepsTheNewestOrTheOldest, (const std::vector<std::uint32_t>& ops, bool stop)) {
  law_of_values([&] {
    const std::uint32_t capacity = 1u << *rc::gen::inRange(0, 6);
    std::vector<detent_log_record> records(capacity);
    detent_log log{};
    log.records = records.data();
    log.capacity = capacity;
    log.stop_when_full = stop;
    std::deque<std::uint32_t> model;
    for (const std::uint32_t op : ops) {
      log_put(log, {.slot = 0, .run = 1}, log.last_ps + 1, {.event = DETENT_EVENT_OP_BEGIN, .op = op});
      if (model.size() < capacity) {
        model.push_back(op);
      } else if (!stop) {
        model.pop_front();
        model.push_back(op);
      }
    }
    RC_ASSERT(detent_log_size(&log) == model.size());
    for (std::uint32_t i = 0; i < model.size(); ++i) RC_ASSERT(detent_log_at(&log, i)->op == model[i]);
    RC_ASSERT(log.written == ops.size());
    RC_ASSERT(log.dropped + model.size() == ops.size());
  });
}

RC_GTEST_PROP(LogLaw, TimesNeverDecreaseWhateverTheClockSays, (const std::vector<std::uint64_t>& clock)) {
  law_of_values([&] {
    std::vector<detent_log_record> records(256);
    detent_log log{};
    log.records = records.data();
    log.capacity = 256;
    for (const std::uint64_t now_ps : clock) {
      log_put(log, {.slot = 0, .run = 1}, now_ps, {.event = DETENT_EVENT_OP_BEGIN});
    }
    std::uint64_t last_ps = 0;
    for (std::uint32_t i = 0; i < detent_log_size(&log); ++i) {
      RC_ASSERT(detent_log_at(&log, i)->time_ps >= last_ps);
      last_ps = detent_log_at(&log, i)->time_ps;
    }
  });
}

}  // namespace
}  // namespace detent::laws
