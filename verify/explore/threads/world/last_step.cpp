#include "verify/explore/threads/world/last_step.hpp"

#include <cstring>

#include "runtime/base/atomic.h"

namespace detent::verify::explore {

namespace {

std::uint64_t read_word(const Step& step) {
  std::uint64_t value = 0;
  std::memcpy(&value, step.word, (step.access & kAccessWide) != 0 ? 8 : 4);
  return value;
}

}  // namespace

void LastStep::take(ThreadId thread, const Step& step) {
  step_ = step;
  thread_ = thread;
  is_open_ = true;
  if (step_.word != nullptr && step_.exclusive) word_before_ = read_word(step_);
}

std::uint32_t LastStep::begin_access(ThreadId thread, const Step& step) {
  step_ = step;
  thread_ = thread;
  is_open_ = true;
  accesses_ = step_.word != nullptr || step_.kind == StepKind::kFence;
  return accesses_ ? memory_->begin_access(thread, step_) : 0;
}

bool LastStep::finish_access() {
  if (!accesses_) return false;
  accesses_ = false;
  const Memory::Effect effect = memory_->end_access();
  step_.exclusive = effect.exclusive;
  return effect.news;
}

bool LastStep::finish() {
  is_open_ = false;
  if (memory_ != nullptr) return finish_access();
  if (step_.word != nullptr && step_.exclusive) step_.exclusive = read_word(step_) != word_before_;
  return step_.exclusive && (step_.kind == StepKind::kWrite || step_.kind == StepKind::kUpdate);
}

}  // namespace detent::verify::explore
